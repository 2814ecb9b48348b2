//! What a viewer needs to draw a model: shapes of bodies, joints and frames.
//!
//! A picture holds geometry only. With the pose of every body and its modal
//! coordinates (recorded in each row, see [`crate::record::Recorder::with_picture`])
//! it gives every drawn point: x = p + R (l0 + γη + ½ η*Γ2η), as in
//! book/src/theory/kinematics.md (KI.1). Nothing here takes part in the dynamics.

mod element;
mod given;
mod recovery;
mod rigid;
mod skeleton;
mod stress;

pub use crate::model::picture::{GeometryDescription, GeometryFile, PictureDescription, Skin, SurfaceMesh};
pub use element::ElementPicture;
pub use stress::BEAM_ROWS;

use crate::beam::{Section, SectionConstants, SectionProperties};
use crate::build::{Built, beam_shape};
use crate::model::body::node_shape;
use crate::model::body::{Body, NodeShape};
use crate::model::closure::LoopJoint;
use crate::model::coordinate::Coordinate;
use crate::model::description::{BeamDescription, BodyDescription, BodyKind, Description};
use crate::model::joint::JointKind;
use crate::model::{AppliedForce, Frame, Model, Mount};
use crate::spatial::{Matrix3, Vector3};
use std::collections::HashMap;
use std::sync::Arc;

/// Points along a drawn beam.
const BEAM_STATIONS: usize = 25;
/// Bodies up to which a picture is recorded unless asked otherwise.
const SMALL_BODIES: usize = 2_000;
/// Modal values of all nodes up to which a picture is recorded unless asked otherwise.
const SMALL_SHAPES: usize = 2_000_000;

/// Geometry of a whole model.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Bodies in tree order.
    pub bodies: Vec<BodyPicture>,
    /// Joint `k` carries body `k`.
    pub joints: Vec<JointPicture>,
    /// Named frames.
    pub frames: Vec<FramePicture>,
    /// Force elements.
    pub elements: Vec<ElementPicture>,
    /// Joints that close loops.
    pub loops: Vec<LoopPicture>,
    /// Applied forces.
    pub forces: Vec<ForcePicture>,
    /// Point masses that belong to the body they are welded to.
    pub masses: Vec<MassPicture>,
    /// Upwards: against gravity, or along z where there is none.
    pub up: Vector3,
}

/// Geometry of one body, in its reference frame.
#[derive(Clone, Debug, Default)]
pub struct BodyPicture {
    /// Name.
    pub name: String,
    /// Number of modes.
    pub modes: usize,
    /// Drawn points and their motion by the modes.
    pub nodes: Vec<NodeShape>,
    /// Pairs of nodes joined by a line.
    pub lines: Vec<[usize; 2]>,
    /// Corners of surface triangles.
    pub triangles: Vec<[usize; 3]>,
    /// Cross-section swept along the lines.
    pub section: Option<Outline>,
    /// Rigid solids.
    pub solids: Vec<Solid>,
    /// Attachment points: where mounts of joints and frames sit.
    pub attachments: Vec<NodeShape>,
    /// Stress rows, node after node, mode after mode: [`BEAM_ROWS`] numbers for a beam, six for a skin; empty where
    /// none are known.
    pub stress: Vec<f64>,
    /// Strain rows of a skin, six numbers each; empty where none are known.
    pub strain: Vec<f64>,
    /// Young's and the shear modulus of a beam (Pa): its strains follow from its stresses.
    pub moduli: Option<[f64; 2]>,
}

/// Outline of a cross-section, y and z of the body (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// Sides along y and z (m).
    Rectangle([f64; 2]),
    /// Radius (m).
    Circle(f64),
}

/// A solid fixed to the reference frame of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Form and size.
    pub form: Form,
    /// Centre in the body frame (m).
    pub position: Vector3,
    /// Orientation, solid → body.
    pub rotation: Matrix3,
    /// Whether the form only stands for mass and inertia.
    pub equivalent: bool,
    /// Red, green and blue, where the model gives a colour.
    pub colour: Option<[u8; 3]>,
}

/// Forms of solids.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Edges along x, y and z (m).
    Box([f64; 3]),
    /// Radius (m).
    Sphere(f64),
    /// Radius and length along z (m).
    Cylinder(f64, f64),
    /// A mass (kg) without extent: the viewer chooses a size.
    Mass(f64),
    /// The surface of a geometry file; bodies may share one.
    Mesh(Arc<SurfaceMesh>),
}

/// A joint: where it sits on both bodies.
#[derive(Clone, Debug)]
pub struct JointPicture {
    /// Name.
    pub name: String,
    /// Word of its kind in model files.
    pub kind: &'static str,
    /// First axis in the joint frames, where it has one.
    pub axis: Option<Vector3>,
    /// Inboard body, or `None` for the ground.
    pub parent: Option<usize>,
    /// Whether the second named frame is the inboard one.
    pub swapped: bool,
    /// Frame on the inboard body.
    pub outer: Mount,
    /// Frame on the body the joint carries.
    pub inner: Mount,
    /// Whether springs act along what slides, and on what turns.
    pub springs: [bool; 2],
}

/// A joint that closes a loop.
#[derive(Clone, Debug)]
pub struct LoopPicture {
    /// Name.
    pub name: String,
    /// Word of its kind in model files.
    pub kind: &'static str,
    /// First axis in the joint frames, where it has one.
    pub axis: Option<Vector3>,
    /// Its two frames.
    pub frames: [usize; 2],
    /// Whether springs act along what slides, and on what turns.
    pub springs: [bool; 2],
}

/// A force at a frame, times the channel `NAME.force_scale`.
#[derive(Clone, Debug)]
pub struct ForcePicture {
    /// Name.
    pub name: String,
    /// Frame it acts on.
    pub frame: usize,
    /// Force (N), then moment (N m).
    pub wrench: [Vector3; 2],
    /// Whether its components are along inertial axes, not those of the frame.
    pub inertial: bool,
}

/// A point mass welded to a body, at a frame of that body.
#[derive(Clone, Debug, PartialEq)]
pub struct MassPicture {
    /// Name.
    pub name: String,
    /// Frame where it sits.
    pub frame: usize,
    /// Mass (kg).
    pub mass: f64,
}

/// A named frame.
#[derive(Clone, Debug)]
pub struct FramePicture {
    /// Full name.
    pub name: String,
    /// Body, or `None` for the ground.
    pub body: Option<usize>,
    /// Where on it.
    pub mount: Mount,
}

impl Picture {
    /// The picture of a built model.
    pub fn new(built: &Built) -> Self {
        let model = &built.model;
        let frames = model.frames.iter().map(frame_picture).collect();
        let described = Described::new(&built.description);
        Self {
            bodies: model.bodies.iter().map(|body| body_picture(body, &described)).collect(),
            joints: (0..model.body_count()).map(|k| joint_picture(model, k)).collect(),
            frames,
            elements: model.elements.iter().map(ElementPicture::new).collect(),
            loops: model.loops.iter().map(loop_picture).collect(),
            forces: model.forces.iter().map(force_picture).collect(),
            masses: merged_masses(built),
            up: upwards(&model.gravity),
        }
    }

    /// Whether a picture of this model is small enough to be recorded unasked.
    pub fn is_small(built: &Built) -> bool {
        let shapes: usize = built
            .description
            .bodies
            .iter()
            .map(|body| match &body.kind {
                BodyKind::Modal(modal) => modal.nodes.len() * modal.modes,
                BodyKind::Beam(beam) => BEAM_STATIONS * beam.modes.len(),
                _ => 0,
            })
            .sum();
        built.model.body_count() <= SMALL_BODIES && shapes <= SMALL_SHAPES
    }

    /// Whether a run of this model records its picture.
    pub fn wanted(built: &Built) -> bool {
        let output = &built.description.output;
        // Stresses need the modal coordinates of every row.
        let asked = output.stress == Some(true);
        output.picture.unwrap_or_else(|| asked || (!output.channels.is_empty() && Self::is_small(built)))
    }
}

/// Point masses that are no bodies of their own any more; their origins stayed frames.
fn merged_masses(built: &Built) -> Vec<MassPicture> {
    let model = &built.model;
    let mut found = Vec::new();
    for body in &built.description.bodies {
        let BodyKind::PointMass { mass } = body.kind else { continue };
        if model.bodies.iter().any(|other| other.name == body.name) {
            continue;
        }
        let origin = format!("{}.origin", body.name);
        let frame = model.frames.iter().position(|frame| frame.name == origin && frame.body.is_some());
        found.extend(frame.map(|frame| MassPicture { name: body.name.clone(), frame, mass }));
    }
    found
}

fn frame_picture(frame: &Frame) -> FramePicture {
    FramePicture { name: frame.name.clone(), body: frame.body.map(|body| body.0), mount: frame.mount.clone() }
}

fn force_picture(force: &AppliedForce) -> ForcePicture {
    let [mx, my, mz, fx, fy, fz] = force.wrench;
    let wrench = [[fx, fy, fz], [mx, my, mz]];
    ForcePicture { name: force.name.clone(), frame: force.frame.0, wrench, inertial: force.inertial }
}

fn loop_picture(joint: &LoopJoint) -> LoopPicture {
    let frames = joint.frames.map(|frame| frame.0);
    let springs = springs_of(&joint.kind, &joint.coordinates);
    LoopPicture {
        name: joint.name.clone(),
        kind: joint.kind.word(),
        axis: axis_of(&joint.kind),
        frames,
        springs,
    }
}

/// The axis that gravity points most against.
fn upwards(gravity: &Vector3) -> Vector3 {
    let main = (0..3).fold(2, |best, i| if gravity[i].abs() > gravity[best].abs() { i } else { best });
    let mut up = [0.0; 3];
    up[main] = if gravity[main] > 0.0 { -1.0 } else { 1.0 };
    up
}

fn axis_of(kind: &JointKind) -> Option<Vector3> {
    match *kind {
        JointKind::Revolute { axis }
        | JointKind::Prismatic { axis }
        | JointKind::Cylindrical { axis }
        | JointKind::Helical { axis, .. }
        | JointKind::Rolling { axis, .. }
        | JointKind::Blade { axis }
        | JointKind::Universal { axis, .. } => Some(axis),
        JointKind::Planar => Some([0.0, 0.0, 1.0]),
        _ => None,
    }
}

fn springs_of(kind: &JointKind, coordinates: &[Coordinate]) -> [bool; 2] {
    let mut springs = [false; 2];
    for ((_, unit, _), coordinate) in kind.speed_names().iter().zip(coordinates) {
        springs[usize::from(*unit == "rad/s")] |= coordinate.stiffness != 0.0;
    }
    springs
}

fn joint_picture(model: &Model, k: usize) -> JointPicture {
    let joint = &model.joints[k];
    JointPicture {
        name: joint.name.clone(),
        kind: joint.joint.kind.word(),
        axis: axis_of(&joint.joint.kind),
        parent: joint.parent,
        swapped: joint.swapped,
        outer: joint.outer.clone(),
        inner: joint.inner.clone(),
        springs: springs_of(&joint.joint.kind, &joint.coordinates),
    }
}

/// What a description says about bodies, by name.
struct Described<'d> {
    bodies: HashMap<&'d str, &'d BodyDescription>,
    pictures: HashMap<&'d str, Vec<&'d PictureDescription>>,
}

impl<'d> Described<'d> {
    fn new(description: &'d Description) -> Self {
        let bodies = description.bodies.iter().rev().map(|body| (body.name.as_str(), body)).collect();
        let mut pictures: HashMap<&str, Vec<&PictureDescription>> = HashMap::new();
        for picture in &description.pictures {
            pictures.entry(&picture.body).or_default().push(picture);
        }
        Self { bodies, pictures }
    }
}

fn body_picture(body: &Body, described: &Described<'_>) -> BodyPicture {
    let mut out = BodyPicture {
        name: body.name.clone(),
        modes: body.modes,
        attachments: body.attachments.iter().map(|attachment| attachment.shape.clone()).collect(),
        ..BodyPicture::default()
    };
    let description = described.bodies.get(body.name.as_str());
    match description.map(|found| &found.kind) {
        Some(BodyKind::Beam(beam)) => add_beam(&mut out, beam),
        Some(BodyKind::Modal(modal)) => {
            out.nodes = modal.nodes.iter().map(node_shape).collect();
        }
        _ => {}
    }
    let pictures = described.pictures.get(body.name.as_str());
    given::add_given(pictures.map_or(&[], Vec::as_slice), &mut out);
    if !out.nodes.is_empty() && out.lines.is_empty() && out.triangles.is_empty() {
        out.lines = skeleton::skeleton(&out.nodes);
    }
    if out.solids.is_empty() && out.nodes.is_empty() {
        out.solids.push(rigid::equivalent_solid(body));
    }
    out
}

/// Points at equal distances; a beam that cannot be evaluated was refused when the model was built.
fn add_beam(out: &mut BodyPicture, beam: &BeamDescription) {
    let x = |i: usize| beam.length * i as f64 / (BEAM_STATIONS - 1) as f64;
    out.nodes = (0..BEAM_STATIONS).filter_map(|i| beam_shape(beam, x(i)).ok()).collect();
    out.lines = (1..out.nodes.len()).map(|i| [i - 1, i]).collect();
    out.section = Some(match &beam.properties {
        Some(properties) => outline(&radii_of_gyration(properties)),
        None => outline(&beam.section),
    });
    if beam.properties.is_some() {
        // Without a section there is nowhere to tell a stress of.
        return;
    }
    out.moduli = Some([beam.young, beam.shear]);
    let shapes: Result<Vec<_>, _> = beam.modes.iter().map(|mode| mode.shape.prepare(beam.length)).collect();
    if let Ok(shapes) = shapes {
        out.stress = (0..out.nodes.len()).flat_map(|i| stress::beam_rows(beam, &shapes, x(i))).collect();
    }
}

/// The section of unit modulus with given rigidities: its outline has their radii of gyration.
fn radii_of_gyration(properties: &SectionProperties) -> Section {
    let SectionProperties { axial: area, bending_y, bending_z, torsion, .. } = *properties;
    Section::General(SectionConstants { area, inertia_y: bending_z, inertia_z: bending_y, torsion })
}

/// The outline of a section; one given by constants becomes the rectangle of equal area and moments.
fn outline(section: &Section) -> Outline {
    match *section {
        Section::Rectangle { width_y, height_z } => Outline::Rectangle([width_y, height_z]),
        Section::Circle { radius } => Outline::Circle(radius),
        Section::Tube { outer_radius, .. } => Outline::Circle(outer_radius),
        Section::General(constants) => {
            // I_z = A b²/12 and I_y = A h²/12 of a rectangle b × h.
            let side = |moment: f64| (12.0 * moment / constants.area).sqrt();
            let (b, h) = (side(constants.inertia_z), side(constants.inertia_y));
            let width = constants.area.sqrt();
            let or = |side: f64| if side > 0.0 { side } else { width };
            Outline::Rectangle([or(b), or(h)])
        }
    }
}
