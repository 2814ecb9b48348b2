//! What a part file says, as plain data.

use crate::element::MassModel;
pub use crate::import::Group;
use crate::import::matrix::TableNode;
use crate::layup::Ply;
use crate::material::Material;
use crate::reduce::{Enough, Plane, Residual, Selection};
use crate::section::BeamSection;
use flexura::model::description::DampingDescription;

/// Everything in a part file, names not yet resolved against the mesh.
#[derive(Clone, Debug, Default)]
pub struct PartDescription {
    /// Name of the part.
    pub name: String,
    /// What the file says without effect.
    pub notices: Vec<String>,
    /// Mesh file the part is made of.
    pub mesh: Option<MeshReference>,
    /// Matrices the part is made of.
    pub matrices: Option<MatrixReference>,
    /// Nodes closer than this become one (m).
    pub join: f64,
    /// Materials by name.
    pub materials: Vec<(String, Material)>,
    /// Named nodes (m).
    pub nodes: Vec<(String, [f64; 3])>,
    /// Lines of beam elements.
    pub beams: Vec<BeamLine>,
    /// Rectangles of shell elements.
    pub plates: Vec<PlatePatch>,
    /// Point masses.
    pub masses: Vec<PartMass>,
    /// Materials and sections of the groups of a mesh file that has none.
    pub groups: Vec<Group>,
    /// Named places where joints attach.
    pub interfaces: Vec<Interface>,
    /// How to reduce.
    pub reduction: ReductionSettings,
}

/// A mesh file.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshReference {
    /// File name, relative to the part file.
    pub file: String,
    /// Format, where the ending does not say.
    pub format: Option<MeshFormat>,
    /// Units of the file.
    pub units: Units,
    /// Density of materials of the file that have none (kg/m3).
    pub density: Option<f64>,
}

/// Matrices in files.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixReference {
    /// Stiffness.
    pub stiffness: FileMatrix,
    /// Mass.
    pub mass: FileMatrix,
    /// Viscous damping.
    pub damping: Option<FileMatrix>,
    /// Nodes of the matrices.
    pub nodes: NodeSource,
    /// File that names the rows of Matrix Market files; `None` for the order of the nodes.
    pub rows: Option<String>,
    /// Rows that recover the motion of other nodes.
    pub recovery: Option<FileMatrix>,
    /// Those nodes.
    pub recovery_nodes: Option<NodeSource>,
    /// Units of the files.
    pub units: Units,
}

/// A matrix of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileMatrix {
    /// File name, relative to the part file.
    pub file: String,
    /// Name on its DMIG cards.
    pub name: Option<String>,
}

/// Where a table of nodes is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NodeSource {
    /// In a file, relative to the part file.
    File(String),
    /// In the part file.
    Table(Vec<TableNode>),
}

/// Formats of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeshFormat {
    /// Abaqus or CalculiX input.
    Abaqus,
    /// Nastran bulk data.
    Nastran,
    /// Gmsh, versions 2.2 and 4.1, ASCII or binary.
    Gmsh,
    /// Universal file of I-DEAS.
    Universal,
    /// VTK's legacy or XML file, an unstructured grid as text or binary.
    Vtk,
}

impl MeshFormat {
    /// Whether the file knows no materials, so that the part file gives them to its groups.
    pub fn needs_groups(self) -> bool {
        matches!(self, Self::Gmsh | Self::Universal | Self::Vtk)
    }

    /// What people call it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Abaqus => "Abaqus deck",
            Self::Nastran => "Nastran deck",
            Self::Gmsh => "Gmsh mesh",
            Self::Universal => "universal file",
            Self::Vtk => "VTK mesh",
        }
    }
}

/// Consistent sets of units of mesh files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Units {
    /// Metre, kilogram, second, newton.
    #[default]
    Si,
    /// Millimetre, tonne, second, newton.
    MillimetreTonne,
}

/// A straight line of beam elements between two named nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamLine {
    /// Name; inner nodes have none of their own.
    pub name: String,
    /// Names of the end nodes.
    pub between: [String; 2],
    /// Number of elements.
    pub elements: usize,
    /// Material, by its place in the list.
    pub material: usize,
    /// Section.
    pub section: BeamSection,
    /// A vector in the plane of the beam axis and the section's y axis.
    pub orientation: [f64; 3],
}

/// A parallelogram of shell elements.
#[derive(Clone, Debug, PartialEq)]
pub struct PlatePatch {
    /// Name; its edges are the sets `name.x0`, `name.x1`, `name.y0`, `name.y1`.
    pub name: String,
    /// Corner (m).
    pub origin: [f64; 3],
    /// The two edges from the corner (m).
    pub edges: [[f64; 3]; 2],
    /// Cells along each edge.
    pub cells: [usize; 2],
    /// Thickness (m).
    pub thickness: f64,
    /// Material, by its place in the list.
    pub material: usize,
    /// First axis of an orthotropic material or of layers, projected on the plate; `None`: the first edge.
    pub material_axis: Option<[f64; 3]>,
    /// Layers from the bottom to the top, in place of material and thickness; empty for one layer.
    pub layup: Vec<Ply>,
}

/// A point mass at a named node.
#[derive(Clone, Debug, PartialEq)]
pub struct PartMass {
    /// Where it sits.
    pub place: Place,
    /// Mass (kg).
    pub mass: f64,
    /// Inertia about its own centre of mass, body axes (kg m2).
    pub inertia: [[f64; 3]; 3],
    /// Centre of mass relative to the node (m).
    pub offset: [f64; 3],
}

/// A place of the mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// A named node of the part file.
    Node(String),
    /// A node by its number in the mesh file.
    Number(u64),
    /// A set of nodes.
    Set(String),
}

/// How an interface hangs on a set of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Connection {
    /// The nodes follow it rigidly (RBE2).
    #[default]
    Rigid,
    /// It follows their mean motion (RBE3).
    Average,
}

/// A named place where a joint may attach.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// Name of the frame.
    pub name: String,
    /// Node or set it belongs to.
    pub place: Place,
    /// How it hangs on a set.
    pub connection: Connection,
    /// Its position, where not the middle of the set (m).
    pub position: Option<[f64; 3]>,
    /// Freedoms that get static shapes (ux, uy, uz, rx, ry, rz).
    pub freedoms: [bool; 6],
}

/// Reduction methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Modes held at the reference.
    ClampedFree,
    /// Elastic modes of the free body.
    FreeFree,
    /// Static shapes of the interfaces and modes with them fixed.
    #[default]
    CraigBampton,
    /// Modes held at the reference, corrected for loads at the interfaces.
    Attachment,
    /// Elastic modes of the free body, corrected for loads at the interfaces.
    FreeAttachment,
    /// Every freedom as a coordinate: no reduction.
    All,
}

/// How to reduce the part.
#[derive(Clone, Debug, Default)]
pub struct ReductionSettings {
    /// Name of the interface that is the body's frame.
    pub reference: String,
    /// Method; `None` for the default.
    pub method: Option<Method>,
    /// Modes kept besides static shapes; `None` for the default number.
    pub selection: Option<Selection>,
    /// Mass model.
    pub mass: MassModel,
    /// Whether shapes are combined to have unit mass and no coupling.
    pub orthonormal: bool,
    /// Plane that the part moves in.
    pub plane: Option<Plane>,
    /// What is added of the responses to inertia that the shapes miss.
    pub residual: Residual,
    /// Error that chooses modes and residual shapes.
    pub enough: Option<Enough>,
    /// Whether the mass is kept as nodes, for all inertia levels, instead of sums.
    pub mass_nodes: bool,
    /// Whether the mass matrix and the shapes of all nodal freedoms are kept too.
    pub nodal: bool,
    /// Whether displacements of second order are kept.
    pub stiffening: bool,
    /// Damping.
    pub damping: Damping,
}

/// Damping of the reduced body.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Damping {
    /// One ratio for every mode of the reduced body held at its reference (1).
    Ratio(f64),
    /// As in a model file.
    Given(DampingDescription),
    /// None.
    #[default]
    None,
}
