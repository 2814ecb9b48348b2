//! A finite element model as plain data: nodes, elements, materials, point
//! masses, springs, links and named sets. Every node has six degrees of freedom;
//! rotations that nothing holds (nodes of solids alone) are left out of the solution.

mod check;

use crate::DOFS_PER_NODE;
use crate::error::FemError;
use crate::layup::Layup;
use crate::material::Material;
use crate::matrices::NodalMatrices;
use crate::section::BeamSection;
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// A straight beam between two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamElement {
    /// First and second node.
    pub nodes: [usize; 2],
    /// Index of the material.
    pub material: usize,
    /// Cross section.
    pub section: BeamSection,
    /// A vector in the plane of the beam axis and the section's y axis.
    pub orientation: [f64; 3],
    /// Rigid arms from each node to the end of the centroid line, body axes (m).
    pub offsets: [[f64; 3]; 2],
    /// Freedoms of each end (displacements and rotations along and about the section's axes x, y, z) that carry nothing.
    pub pins: Pins,
}

/// Freedoms of both ends of a beam that carry nothing.
pub type Pins = [[bool; 6]; 2];

/// A flat triangular thin shell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellElement {
    /// Corners; the normal follows their order by the right-hand rule.
    pub nodes: [usize; 3],
    /// Index of the material.
    pub material: usize,
    /// Thickness (m).
    pub thickness: f64,
    /// First material axis, body axes, projected on the element; `None`: along the first edge.
    pub material_axis: Option<[f64; 3]>,
    /// Index of its layers, which replace material and thickness.
    pub layup: Option<usize>,
}

/// A straight rod between two nodes: force along its axis only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodElement {
    /// First and second node.
    pub nodes: [usize; 2],
    /// Index of the material.
    pub material: usize,
    /// Area of its section (m2).
    pub area: f64,
}

/// A solid of `N` nodes.
///
/// Four nodes: tetrahedron, the first three counterclockwise seen from the fourth. Ten: the
/// corners, then the middles of edges 1-2, 2-3, 3-1, 1-4, 2-4, 3-4. Eight: hexahedron, a
/// quadrilateral counterclockwise seen from the four nodes above it, then those in the same order.
/// Twenty: those eight, then the middles of the lower edges 1-2, 2-3, 3-4, 4-1, of the upper edges and of
/// those between them 1-5, 2-6, 3-7, 4-8. Six: wedge, a triangle and the one above it. Fifteen: those six, then the
/// middles of 1-2, 2-3, 3-1, of the upper edges and of 1-4, 2-5, 3-6. Five: pyramid, base and apex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidElement<const N: usize> {
    /// Nodes in the order above.
    pub nodes: [usize; N],
    /// Index of the material.
    pub material: usize,
}

/// One structural element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    /// Two-node beam.
    Beam(BeamElement),
    /// Three-node shell.
    Shell(ShellElement),
    /// Four-node tetrahedron of constant strain.
    Tet4(SolidElement<4>),
    /// Ten-node tetrahedron.
    Tet10(SolidElement<10>),
    /// Eight-node hexahedron.
    Hex8(SolidElement<8>),
    /// Eight-node hexahedron with uniform strain and stabilised hourglass motions.
    Hex8Reduced(SolidElement<8>),
    /// Twenty-node hexahedron.
    Hex20(SolidElement<20>),
    /// Twenty-node hexahedron with reduced integration.
    Hex20Reduced(SolidElement<20>),
    /// Six-node wedge.
    Wedge6(SolidElement<6>),
    /// Fifteen-node wedge.
    Wedge15(SolidElement<15>),
    /// Five-node pyramid.
    Pyramid5(SolidElement<5>),
    /// Two-node rod.
    Rod(RodElement),
}

/// A rigid mass carried by a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMass {
    /// Node that carries it.
    pub node: usize,
    /// Mass (kg).
    pub mass: f64,
    /// Inertia about its own centre of mass, body axes (kg m2).
    pub inertia: [[f64; 3]; 3],
    /// Centre of mass relative to the node, body axes (m).
    pub offset: [f64; 3],
}

/// Nodes that follow a master node as one rigid piece (RBE2).
#[derive(Clone, Debug, PartialEq)]
pub struct RigidLink {
    /// The independent node.
    pub master: usize,
    /// Nodes that follow it.
    pub followers: Vec<usize>,
    /// Which of the followers' freedoms follow (ux, uy, uz, rx, ry, rz); a hinge leaves one out.
    pub freedoms: [bool; 6],
}

/// A node that follows the weighted mean motion of others (RBE3): its rigid motion is
/// the weighted least-squares fit to theirs, and a force on it spreads over them.
#[derive(Clone, Debug, PartialEq)]
pub struct AverageLink {
    /// The dependent node.
    pub node: usize,
    /// Which of its freedoms follow (ux, uy, uz, rx, ry, rz).
    pub freedoms: [bool; 6],
    /// The nodes it follows.
    pub sources: Vec<AverageSource>,
}

/// One of the nodes an [`AverageLink`] follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AverageSource {
    /// Node.
    pub node: usize,
    /// Weight (1).
    pub weight: f64,
    /// Freedoms that count (ux, uy, uz, rx, ry, rz); usually the translations.
    pub freedoms: [bool; 6],
}

/// A spring between two nodes, or from a node to the body frame.
///
/// Acts on the motion of the second node (or of nothing) relative to the first, seen at
/// the point midway between them, so that rigid motions cause no force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// First node.
    pub node: usize,
    /// Second node; `None` for a spring to the body frame.
    pub other: Option<usize>,
    /// Stiffness along and about the three axes (N/m, then N m/rad).
    pub stiffness: [f64; 6],
    /// The orthonormal axes x, y, z in body axes.
    pub axes: [[f64; 3]; 3],
}

/// A linear equation between nodal freedoms: the sum of factor times freedom is zero.
///
/// One of its freedoms is eliminated, the first where that is possible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equation {
    /// Node, freedom (0 to 5: ux, uy, uz, rx, ry, rz) and factor of each term.
    pub terms: Vec<(usize, usize, f64)>,
}

impl AverageLink {
    /// A link of all six freedoms to the translations of nodes of equal weight.
    pub fn new(node: usize, sources: &[usize]) -> Self {
        let translations = [true, true, true, false, false, false];
        let source = |node: &usize| AverageSource { node: *node, weight: 1.0, freedoms: translations };
        Self { node, freedoms: [true; 6], sources: sources.iter().map(source).collect() }
    }
}

impl Spring {
    /// A spring in body axes.
    pub fn new(node: usize, other: Option<usize>, stiffness: [f64; 6]) -> Self {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Self { node, other, stiffness, axes }
    }
}

impl RigidLink {
    /// A link of all six freedoms.
    pub fn new(master: usize, followers: &[usize]) -> Self {
        Self { master, followers: followers.to_vec(), freedoms: [true; 6] }
    }
}

/// A finite element model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions in the body frame (m).
    pub nodes: Vec<[f64; 3]>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Layers of composite shells.
    pub layups: Vec<Layup>,
    /// Elements.
    pub elements: Vec<Element>,
    /// Point masses.
    pub masses: Vec<PointMass>,
    /// Rigid links.
    pub links: Vec<RigidLink>,
    /// Nodes that follow the mean of others.
    pub averages: Vec<AverageLink>,
    /// Springs.
    pub springs: Vec<Spring>,
    /// Linear equations between freedoms.
    pub equations: Vec<Equation>,
    /// Stiffness and mass given as matrices.
    pub matrices: Option<NodalMatrices>,
    /// Named nodes: candidates for joints and for the reference frame.
    pub names: BTreeMap<String, usize>,
    /// Named sets of nodes.
    pub sets: BTreeMap<String, Vec<usize>>,
}

fn missing(element: usize, missing: String) -> FemError {
    FemError::Missing { what: format!("element {element}"), missing }
}

impl Element {
    /// Nodes of the element.
    pub fn nodes(&self) -> &[usize] {
        match self {
            Self::Beam(beam) => &beam.nodes,
            Self::Shell(shell) => &shell.nodes,
            Self::Tet4(solid) => &solid.nodes,
            Self::Tet10(solid) => &solid.nodes,
            Self::Hex8(solid) | Self::Hex8Reduced(solid) => &solid.nodes,
            Self::Hex20(solid) | Self::Hex20Reduced(solid) => &solid.nodes,
            Self::Wedge6(solid) => &solid.nodes,
            Self::Wedge15(solid) => &solid.nodes,
            Self::Pyramid5(solid) => &solid.nodes,
            Self::Rod(rod) => &rod.nodes,
        }
    }

    /// Index of its material.
    pub fn material(&self) -> usize {
        match self {
            Self::Beam(beam) => beam.material,
            Self::Shell(shell) => shell.material,
            Self::Tet4(solid) => solid.material,
            Self::Tet10(solid) => solid.material,
            Self::Hex8(solid) | Self::Hex8Reduced(solid) => solid.material,
            Self::Hex20(solid) | Self::Hex20Reduced(solid) => solid.material,
            Self::Wedge6(solid) => solid.material,
            Self::Wedge15(solid) => solid.material,
            Self::Pyramid5(solid) => solid.material,
            Self::Rod(rod) => rod.material,
        }
    }

    /// Whether it fills space.
    pub fn is_solid(&self) -> bool {
        !matches!(self, Self::Beam(_) | Self::Shell(_) | Self::Rod(_))
    }

    /// What it is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Beam(_) => "beams",
            Self::Shell(_) => "shell triangles",
            Self::Tet4(_) => "4-node tetrahedra",
            Self::Tet10(_) => "10-node tetrahedra",
            Self::Hex8(_) => "8-node hexahedra",
            Self::Hex8Reduced(_) => "8-node hexahedra of reduced integration",
            Self::Hex20(_) => "20-node hexahedra",
            Self::Hex20Reduced(_) => "20-node hexahedra of reduced integration",
            Self::Wedge6(_) => "6-node wedges",
            Self::Wedge15(_) => "15-node wedges",
            Self::Pyramid5(_) => "5-node pyramids",
            Self::Rod(_) => "rods",
        }
    }
}

impl Mesh {
    /// Adds a node and returns its index.
    pub fn node(&mut self, position: [f64; 3]) -> usize {
        self.nodes.push(position);
        self.nodes.len() - 1
    }

    /// Names a node.
    pub fn name(&mut self, name: &str, node: usize) {
        self.names.insert(name.into(), node);
    }

    /// The node of a name.
    pub fn named(&self, name: &str) -> Result<usize, FemError> {
        let missing = || FemError::Missing { what: "the model".into(), missing: format!("node `{name}`") };
        self.names.get(name).copied().ok_or_else(missing)
    }

    /// The nodes of a set.
    pub fn set(&self, name: &str) -> Result<&[usize], FemError> {
        let missing = || FemError::Missing { what: "the model".into(), missing: format!("set `{name}`") };
        self.sets.get(name).map(Vec::as_slice).ok_or_else(missing)
    }

    /// Whether a node stands for a generalised coordinate and has no place.
    pub fn is_coordinate(&self, node: usize) -> bool {
        self.matrices.as_ref().is_some_and(|matrices| matrices.coordinates.contains(&node))
    }

    /// Positions of the nodes of an element.
    pub(crate) fn positions<const N: usize>(
        &self,
        element: usize,
        nodes: [usize; N],
    ) -> Result<[Vector3<f64>; N], FemError> {
        match nodes.iter().find(|node| **node >= self.nodes.len()) {
            Some(node) => Err(missing(element, format!("node {node}"))),
            None => Ok(nodes.map(|node| Vector3::from(self.nodes[node]))),
        }
    }

    /// Layers of an element.
    pub(crate) fn layup(&self, element: usize, layup: usize) -> Result<&Layup, FemError> {
        self.layups.get(layup).ok_or_else(|| missing(element, format!("layup {layup}")))
    }

    /// Material of an element.
    pub(crate) fn material(&self, element: usize, material: usize) -> Result<Material, FemError> {
        self.materials.get(material).copied().ok_or_else(|| missing(element, format!("material {material}")))
    }
}

/// Nodal freedoms of a list of nodes.
pub fn freedoms_of(nodes: &[usize]) -> Vec<usize> {
    nodes.iter().flat_map(|node| DOFS_PER_NODE * node..DOFS_PER_NODE * (node + 1)).collect()
}
