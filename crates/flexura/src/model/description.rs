//! What a user writes: an editable, unchecked description of a system.
//!
//! A description holds names, never indices, and SI units throughout. It is
//! filled by the file reader ([`crate::file`]) or in code ([`Description::new`]),
//! and becomes a [`crate::Model`] through one validation step
//! ([`crate::build::build`]). Descriptions hold no source positions: the reader
//! keeps those in a side table keyed by item path.

pub use super::body_load::{LoadAxes, LoadDescription, LoadKind, Patch};
pub use super::coordinate::Coordinate as CoordinateDescription;
pub use super::element::{ElementDescription, ElementKindDescription};
pub use super::invariants::ModalInvariants;
pub use super::joint::JointKind as JointKindDescription;
pub use super::natural_choice::NaturalChoice;
pub use super::picture::{GeometryDescription, GeometryFile, PictureDescription, Skin, SurfaceMesh};
pub use super::run_description::{
    AlgorithmDescription, ConstraintChoices, DampingChoice, EventDescription, FormulationChoice,
    InertiaChoice, MethodDescription, OutputDescription, ProjectionChoice, SimulationDescription,
};
use crate::time_function::TimeFunction;

/// A whole system: ground, bodies, joints, loads and run settings.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// Name of the model, used in reports and result files.
    pub name: String,
    /// Gravitational acceleration in the inertial frame (m/s²).
    pub gravity: [f64; 3],
    /// Frames fixed to the ground.
    pub ground_frames: Vec<FrameDescription>,
    /// Bodies in any order.
    pub bodies: Vec<BodyDescription>,
    /// Joints in any order.
    pub joints: Vec<JointDescription>,
    /// Loads applied at frames.
    pub forces: Vec<ForceDescription>,
    /// Loads spread over bodies.
    pub loads: Vec<LoadDescription>,
    /// Controllers.
    pub controllers: Vec<ControllerDescription>,
    /// Force elements between frames and between joint coordinates.
    pub elements: Vec<ElementDescription>,
    /// How the tree of coordinates is chosen.
    pub graph: GraphDescription,
    /// How bodies look; nothing here takes part in the dynamics.
    pub pictures: Vec<PictureDescription>,
    /// Flexibility of bodies before they were reduced, by name, where that is known.
    pub compliances: Vec<(String, std::sync::Arc<crate::model::Compliance>)>,
    /// Rows of stresses and displacements of bodies, by name, where they are known.
    pub recoveries: Vec<(String, std::sync::Arc<crate::model::recovery::Recovery>)>,
    /// Assembled mass matrices of bodies, by name, where they are known.
    pub nodal_masses: Vec<(String, std::sync::Arc<crate::model::nodal_mass::NodalMass>)>,
    /// How to simulate.
    pub simulation: SimulationDescription,
    /// What to record.
    pub output: OutputDescription,
}

/// Choice of the spanning tree and of what assembly may move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphDescription {
    /// Which coordinates describe the system.
    pub tree: TreeChoice,
    /// Joints that must close loops.
    pub cut: Vec<String>,
    /// Joints whose initial position and speed assembly must not change.
    pub hold: Vec<String>,
    /// Points and unit vectors of the global formulation.
    pub natural: NaturalChoice,
}

/// What the branches of the tree are.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum TreeChoice {
    /// Joints: relative coordinates.
    #[default]
    Joint,
    /// Bodies: absolute coordinates, every joint a constraint.
    Absolute,
    /// The named joints, and bodies where those do not reach: mixed coordinates.
    Listed(Vec<String>),
}

/// Where a frame sits on its body before its own offset and rotation.
#[derive(Clone, Debug, PartialEq, Default)]
#[non_exhaustive]
pub enum Place {
    /// The body reference frame; on a flexible body this point does not deform.
    #[default]
    Origin,
    /// A named node of a modal body.
    Node(String),
    /// A distance along a beam from its root (m).
    Station(f64),
}

/// A named frame on a body or on the ground, used by joints, loads and output.
#[derive(Clone, Debug, Default)]
pub struct FrameDescription {
    /// Name, unique on its body.
    pub name: String,
    /// The point of the body that carries the frame.
    pub place: Place,
    /// Origin relative to the carrying point, in its (undeformed) axes (m).
    pub position: [f64; 3],
    /// Orientation relative to the carrying point.
    pub rotation: RotationDescription,
}

/// An orientation in one of the forms users write.
#[derive(Clone, Debug, PartialEq, Default)]
#[non_exhaustive]
pub enum RotationDescription {
    /// No rotation.
    #[default]
    Identity,
    /// Quaternion (w, x, y, z); need not be normalised.
    Quaternion([f64; 4]),
    /// Right-handed rotation about an axis by an angle (rad).
    AxisAngle {
        /// Axis; need not be normalised.
        axis: [f64; 3],
        /// Angle (rad).
        angle: f64,
    },
    /// Rotation matrix, rows first.
    Matrix([[f64; 3]; 3]),
}

/// One body and the frames on it.
#[derive(Clone, Debug)]
pub struct BodyDescription {
    /// Name, unique in the model; `ground` is reserved.
    pub name: String,
    /// Mass and flexibility.
    pub kind: BodyKind,
    /// Frames in addition to the implicit frame `origin`.
    pub frames: Vec<FrameDescription>,
    /// Fidelity of the inertia model; `None` selects [`InertiaLevel::Gram`].
    pub level: Option<InertiaLevel>,
    /// Kinematics of attachment points; `None` selects the level's default.
    pub attachments: Option<AttachmentRule>,
    /// Carriers of level `gram`; `None` selects [`Carriers::Modal`].
    pub carriers: Option<Carriers>,
}

/// The kinds of body.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum BodyKind {
    /// A rigid body.
    Rigid(RigidDescription),
    /// A mass without rotary inertia (kg).
    PointMass {
        /// Mass (kg).
        mass: f64,
    },
    /// Lumped nodes with mode shapes.
    Modal(ModalDescription),
    /// A uniform beam with analytic assumed modes.
    Beam(BeamDescription),
    /// A body that a [`crate::file::BodySource`] makes of a file; replaced before validation.
    FiniteElements {
        /// Name of the file, relative to the model file.
        file: String,
    },
}

/// Mass properties of a rigid body.
#[derive(Clone, Debug, Default)]
pub struct RigidDescription {
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass in the body frame (m).
    pub center_of_mass: [f64; 3],
    /// Inertia about the centre of mass, body axes (kg m²).
    pub inertia: [[f64; 3]; 3],
}

/// A flexible body given by lumped nodes and mode shapes.
#[derive(Clone, Debug, Default)]
pub struct ModalDescription {
    /// Number of modes.
    pub modes: usize,
    /// Mass nodes and massless attachment nodes.
    pub nodes: Vec<NodeDescription>,
    /// Modal stiffness, row by row (`modes × modes`) (N/m per modal unit).
    pub stiffness: Vec<f64>,
    /// Modal damping.
    pub damping: DampingDescription,
    /// Sums over the mass of the body, in place of mass nodes (those given are added). Only
    /// the levels `gram` and `consistent` can use them.
    pub invariants: Option<ModalInvariants>,
}

/// One node: a small rigid body carried by the deformation.
#[derive(Clone, Debug, Default)]
pub struct NodeDescription {
    /// Name for frames that sit on this node; may be empty.
    pub name: String,
    /// Mass (kg); zero for a pure attachment point.
    pub mass: f64,
    /// Inertia about the node origin, node axes (kg m²).
    pub inertia: [[f64; 3]; 3],
    /// Centre of mass relative to the node origin (m).
    pub offset: [f64; 3],
    /// Undeformed position in the body frame (m).
    pub position: [f64; 3],
    /// Rotation of the node per unit of each mode (rad).
    pub slopes: Vec<[f64; 3]>,
    /// Translation of the node per unit of each mode (m).
    pub translations: Vec<[f64; 3]>,
    /// Second-order translation, `modes × modes` row-major, symmetric (m); empty if absent.
    pub quadratic: Vec<[f64; 3]>,
}

/// How modal damping is given.
#[derive(Clone, Debug, Default)]
pub enum DampingDescription {
    /// No damping.
    #[default]
    None,
    /// Damping ratio of each mode (fraction of critical, from the diagonal terms).
    Ratios(Vec<f64>),
    /// Viscous coefficient of each mode (N s/m per modal unit).
    Coefficients(Vec<f64>),
    /// Full matrix, row by row.
    Matrix(Vec<f64>),
    /// `mass × M + stiffness × K`.
    Rayleigh {
        /// Factor of the modal mass matrix (1/s).
        mass: f64,
        /// Factor of the stiffness matrix (s).
        stiffness: f64,
    },
    /// Kelvin-Voigt material: `time × K` with the retardation time (s).
    KelvinVoigt {
        /// Retardation time (s).
        time: f64,
    },
}

/// A uniform beam that leaves the body origin along x.
#[derive(Clone, Debug)]
pub struct BeamDescription {
    /// Length (m).
    pub length: f64,
    /// Mass density (kg/m³).
    pub density: f64,
    /// Young's modulus (Pa).
    pub young: f64,
    /// Shear modulus (Pa).
    pub shear: f64,
    /// Cross-section.
    pub section: crate::beam::Section,
    /// Areas that carry shear along y and z, k A (m²); `None` is rigid in shear.
    pub shear_area: Option<[f64; 2]>,
    /// Rigidities and inertia per length in place of density, moduli, section and shear area.
    pub properties: Option<crate::beam::SectionProperties>,
    /// Bodies the beam is split into, welded end to end ([`crate::build::split_segments`]); one is a single body.
    pub segments: usize,
    /// Angles (rad) by which the tangent of a split beam turns from root to tip, towards y and towards z:
    /// the segments are chords of that arc.
    pub arc: [f64; 2],
    /// Mode shapes, of every segment where the beam is split.
    pub modes: Vec<crate::beam::BeamMode>,
    /// Whether rotary inertia of cross-sections in bending is kept.
    pub rotary_inertia: bool,
    /// Whether bending shortens the beam (geometric stiffening).
    pub foreshortening: bool,
    /// Order in the deflection of curvature and of the rotation of sections; absent is linear.
    pub curvature: Option<Curvature>,
    /// Number of mass stations; `None` integrates exactly.
    pub mass_stations: Option<usize>,
    /// Modal damping.
    pub damping: DampingDescription,
}

/// Fidelity of a flexible body's inertia (book/src/theory/inertia.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InertiaLevel {
    /// Constant mass, deformation-free bias (JPL 90-26 eq. 8.1).
    Ruthless,
    /// JPL 90-26 Appendix B with its misprints corrected.
    Paper,
    /// Exact kinetic energy of a displacement field with the same mass sums: positive definite for every
    /// deformation, right to first order in all blocks.
    Gram,
    /// Energy-exact polynomial in the modal coordinates; not positive definite at larger deformations.
    Consistent,
    /// Exact sums over all nodes.
    Full,
}

impl InertiaLevel {
    /// The word in model files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ruthless => "ruthless",
            Self::Paper => "paper",
            Self::Gram => "gram",
            Self::Consistent => "consistent",
            Self::Full => "full",
        }
    }
}

/// Order, in the deflection of a beam, of the curvature in its strain energy and of the rotation of its sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Curvature {
    /// Second derivative of the deflection: the modal stiffness alone. Sections turn to second order.
    Linear,
    /// Those of the deflected line to third order ([`crate::model::body::CurvatureEnergy`],
    /// [`crate::model::body::SectionTurn`]).
    ThirdOrder,
}

/// Fields on which level `gram` keeps displacements of second order (book/src/theory/inertia.md (IN.11) to (IN.13)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Carriers {
    /// Affine fields only.
    Affine,
    /// Affine fields and the modes' own residual fields.
    #[default]
    Modal,
    /// Fields up to the second degree, and residual fields.
    Quadratic,
    /// Fields up to the third degree, and residual fields.
    Cubic,
}

impl Carriers {
    /// Degree of the scalar fields.
    pub fn degree(self) -> usize {
        match self {
            Self::Affine | Self::Modal => 1,
            Self::Quadratic => 2,
            Self::Cubic => 3,
        }
    }
}

/// Kinematics of attachment points on a flexible body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AttachmentRule {
    /// Finite rotation with its exact Jacobian.
    Exact,
    /// Finite rotation, velocity `slope × rate` (the papers' rule).
    LambdaEtad,
    /// Undeformed in the dynamics; deformed only for output.
    Frozen,
}

/// One joint between two named frames; coordinates describe the motion of the
/// second frame relative to the first.
#[derive(Clone, Debug)]
pub struct JointDescription {
    /// Name, unique in the model.
    pub name: String,
    /// Kind and axes.
    pub kind: JointKindDescription,
    /// The two frames, written `body.frame` or `ground.frame`.
    pub between: [String; 2],
    /// Initial coordinates as in book/src/theory/conventions.md; empty selects zero.
    pub position: Vec<f64>,
    /// Initial speeds; empty selects zero.
    pub speed: Vec<f64>,
    /// Per degree of freedom: spring, damper, friction, effort, motion.
    /// Empty, or one entry per degree of freedom.
    pub coordinates: Vec<CoordinateDescription>,
}

/// A load applied at a frame.
#[derive(Clone, Debug)]
pub struct ForceDescription {
    /// Name, unique among forces.
    pub name: String,
    /// Frame the load acts at, `body.frame`.
    pub at: String,
    /// Whether the components are in inertial axes (`true`) or follow the frame.
    pub inertial: bool,
    /// Direction and magnitude of the force at unit scale (N).
    pub force: [f64; 3],
    /// Moment at unit scale (N m).
    pub moment: [f64; 3],
    /// Scale as a function of time; `None` is the constant one.
    pub scale: Option<TimeFunction>,
}

/// A controller from measured channels to efforts and forces.
#[derive(Clone, Debug)]
pub struct ControllerDescription {
    /// Name, unique among controllers.
    pub name: String,
    /// Control law, on the errors reference − sensor.
    pub block: super::controller::Block,
    /// Measured channels: joint, modal, body or frame positions and velocities.
    pub sensors: Vec<String>,
    /// Wanted value of each sensor; missing ones are zero.
    pub references: Vec<TimeFunction>,
    /// `JOINT.effort`, `JOINT.effort.N` or names of applied forces.
    pub actuators: Vec<String>,
    /// Largest magnitude of an output.
    pub limit: f64,
    /// Time between samples (s); zero acts continuously.
    pub sample_time: f64,
}
