//! The immutable model and the description it is built from (`crate::build`).

pub mod body;
pub(crate) mod body_load;
mod builder;
pub(crate) mod channel;
#[doc(hidden)]
pub mod closure;
mod compliance;
pub(crate) mod controller;
pub(crate) mod coordinate;
pub mod description;
pub mod element;
mod force;
pub mod invariants;
pub(crate) mod item;
pub mod joint;
mod layout;
#[doc(hidden)]
pub mod mass_sums;
mod natural_choice;
pub mod nodal_mass;
mod orientation;
mod pattern;
pub(crate) mod picture;
pub mod recovery;
pub(crate) mod restrict;
mod rotation;
mod run_builder;
mod run_description;
mod tree_joint;
#[doc(hidden)]
pub mod validate;
#[doc(hidden)]
pub mod words;

pub use body::Body;
pub use body_load::BodyLoad;
pub use compliance::Compliance;
pub use coordinate::Coordinate;
pub use force::AppliedForce;
pub use layout::{BodyLayout, Layout};
pub use orientation::Orientation;
pub(crate) use rotation::rotation_matrix;
pub(crate) use tree_joint::FixedMount;
pub use tree_joint::{Mount, TreeJoint};

use crate::beam::BeamInput;
use crate::spatial::{Matrix3, Vector3};
use controller::Controller;
use natural_choice::NaturalChoice;

/// Index of a body in tree order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub usize);

/// Index of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FrameId(pub usize);

/// A named frame on a body or on the ground.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Full name, `body.frame`.
    pub name: String,
    /// The body, or `None` for the ground.
    pub body: Option<BodyId>,
    /// Where on the body.
    pub mount: Mount,
}

/// A body before its modes were chosen.
#[derive(Clone, Debug, Default)]
pub(crate) enum Unreduced {
    /// Rigid, or given by modes alone.
    #[default]
    Unknown,
    /// A uniform beam.
    Beam(Box<BeamInput>),
    /// A part of finite elements, by its flexibility.
    Part(std::sync::Arc<Compliance>),
}

/// An immutable, validated system of bodies and joints in tree order.
///
/// Body `k` is carried by joint `k`; parents come before children. Nothing in a
/// model ever changes: edit the description and build again.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name.
    pub name: String,
    /// Gravitational acceleration (m/s²).
    pub gravity: Vector3,
    /// Bodies, parents before children.
    pub bodies: Vec<Body>,
    /// Joint `k` carries body `k`.
    pub joints: Vec<TreeJoint>,
    /// Named frames: ground first, then bodies in tree order.
    pub frames: Vec<Frame>,
    /// Loads applied at frames.
    pub forces: Vec<AppliedForce>,
    /// Loads spread over bodies.
    pub loads: Vec<BodyLoad>,
    /// Controllers.
    pub controllers: Vec<Controller>,
    /// Number of controller states.
    pub controller_states: usize,
    /// Force elements between frames.
    pub elements: Vec<element::Element>,
    /// Relations between joint coordinates.
    pub couplers: Vec<element::CouplerLink>,
    /// Joints that close loops.
    pub loops: Vec<closure::LoopJoint>,
    /// Where each body's numbers live in state and workspace vectors.
    pub layout: Layout,
    /// Initial coordinates, in state order.
    pub initial_q: Vec<f64>,
    /// Initial speeds, in state order.
    pub initial_v: Vec<f64>,
    /// Per speed: whether the model prescribes it.
    pub prescribed: Vec<bool>,
    /// What each body was before its modes were chosen, where that is known: modes are judged by it.
    pub(crate) unreduced: Vec<Unreduced>,
    /// Assembled mass matrices of bodies, by body, where they are known.
    pub(crate) nodal_masses: Vec<(usize, std::sync::Arc<nodal_mass::NodalMass>)>,
    /// Chosen points and vectors of the global formulation.
    pub(crate) natural: NaturalChoice,
}

impl Model {
    /// Number of bodies.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// Number of generalised speeds (modal and joint).
    pub fn speed_count(&self) -> usize {
        self.layout.speeds
    }

    /// Number of generalised coordinates; quaternions count four.
    pub fn coordinate_count(&self) -> usize {
        self.layout.coordinates
    }

    /// The body called `name`.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|body| body.name == name).map(BodyId)
    }

    /// The body carried by the joint called `name`; it has the same index.
    pub fn joint(&self, name: &str) -> Option<BodyId> {
        self.joints.iter().position(|joint| joint.name == name).map(BodyId)
    }

    /// The frame called `body.frame`.
    pub fn frame(&self, name: &str) -> Option<FrameId> {
        self.frames.iter().position(|frame| frame.name == name).map(FrameId)
    }

    /// Number of constraint rows of all loops.
    pub fn constraint_count(&self) -> usize {
        self.loops.iter().map(|joint| joint.rows.len()).sum()
    }

    /// The first joint with constraints on speeds that follow from none on positions.
    pub fn nonholonomic_joint(&self) -> Option<&closure::LoopJoint> {
        self.loops.iter().find(|joint| joint.is_nonholonomic())
    }

    /// The loop-closing joint called `name`.
    pub fn loop_joint(&self, name: &str) -> Option<&closure::LoopJoint> {
        self.loops.iter().find(|joint| joint.name == name)
    }

    /// Degrees of freedom that are not prescribed.
    pub fn free_speed_count(&self) -> usize {
        self.prescribed.iter().filter(|&&p| !p).count()
    }
}

/// Unit matrix of constants.
pub(crate) const IDENTITY: Matrix3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Offsets of body `k`.
#[inline(always)]
pub(crate) fn layout_of(model: &Model, k: usize) -> &BodyLayout {
    &model.layout.bodies[k]
}
