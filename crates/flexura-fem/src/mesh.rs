//! A finite element model as plain data: nodes, elements, materials, point
//! masses, springs, links and named sets. Every node has six degrees of freedom;
//! rotations that nothing holds (nodes of solids alone) are left out of the solution.

use crate::DOFS_PER_NODE;
use crate::error::{FemError, not_negative, positive};
use crate::material::Material;
use crate::matrices::NodalMatrices;
use crate::section::BeamSection;
use nalgebra::{Matrix3, Vector3};
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
}

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
}

/// A solid of `N` nodes.
///
/// Four nodes: tetrahedron, the first three counterclockwise seen from the fourth. Ten: the
/// corners, then the middles of edges 1-2, 2-3, 3-1, 1-4, 2-4, 3-4. Eight: hexahedron, a
/// quadrilateral counterclockwise seen from the four nodes above it, then those in the same order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidElement<const N: usize> {
    /// Nodes in the order above.
    pub nodes: [usize; N],
    /// Index of the material (isotropic).
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
            Self::Hex8(solid) => &solid.nodes,
        }
    }

    /// Index of its material.
    pub fn material(&self) -> usize {
        match self {
            Self::Beam(beam) => beam.material,
            Self::Shell(shell) => shell.material,
            Self::Tet4(solid) => solid.material,
            Self::Tet10(solid) => solid.material,
            Self::Hex8(solid) => solid.material,
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

    /// Material of an element.
    pub(crate) fn material(&self, element: usize, material: usize) -> Result<Material, FemError> {
        self.materials.get(material).copied().ok_or_else(|| missing(element, format!("material {material}")))
    }

    /// Checks indices and numbers; geometry is checked by the elements.
    pub fn validate(&self) -> Result<(), FemError> {
        self.materials.iter().try_for_each(Material::validate)?;
        for (node, position) in self.nodes.iter().enumerate() {
            if let Some(bad) = position.iter().find(|x| !x.is_finite()) {
                let rule = "it must be a finite number".into();
                return Err(FemError::OutOfRange {
                    what: format!("a coordinate of node {node}"),
                    value: *bad,
                    rule,
                });
            }
        }
        for (index, element) in self.elements.iter().enumerate() {
            self.validate_element(index, element)?;
        }
        self.validate_masses()?;
        self.validate_references()?;
        self.matrices.as_ref().map_or(Ok(()), |matrices| matrices.validate(self.nodes.len()))?;
        self.loose_node().map_or(Ok(()), |node| Err(FemError::LooseNode { node }))
    }

    fn validate_element(&self, index: usize, element: &Element) -> Result<(), FemError> {
        self.check_nodes(&format!("element {index}"), element.nodes())?;
        self.material(index, element.material())?;
        match element {
            Element::Beam(beam) => {
                self.material(index, beam.material)?.check_isotropic(index)?;
                beam.section.validate()
            }
            Element::Shell(shell) => positive(&format!("thickness of element {index}"), shell.thickness),
            Element::Tet4(_) | Element::Tet10(_) | Element::Hex8(_) => {
                self.material(index, element.material())?.check_isotropic(index)
            }
        }
    }

    fn validate_masses(&self) -> Result<(), FemError> {
        for (index, mass) in self.masses.iter().enumerate() {
            let what = format!("point mass {index}");
            self.check_nodes(&what, &[mass.node])?;
            let numbers = mass.inertia.iter().flatten().chain(&mass.offset);
            if mass.mass.is_nan() || mass.mass < 0.0 || !numbers.into_iter().all(|x| x.is_finite()) {
                let rule = "mass, inertia and offset must be finite, the mass not negative".into();
                return Err(FemError::OutOfRange { what, value: mass.mass, rule });
            }
        }
        Ok(())
    }

    fn validate_references(&self) -> Result<(), FemError> {
        for (index, link) in self.links.iter().enumerate() {
            self.check_nodes(&format!("link {index}"), &[link.master])?;
            self.check_nodes(&format!("link {index}"), &link.followers)?;
        }
        for (index, link) in self.averages.iter().enumerate() {
            let what = format!("average link {index}");
            self.check_nodes(&what, &[link.node])?;
            for source in &link.sources {
                self.check_nodes(&what, &[source.node])?;
                not_negative(&format!("a weight of {what}"), source.weight)?;
            }
        }
        self.validate_springs()?;
        for (name, node) in &self.names {
            self.check_nodes(&format!("the name `{name}`"), &[*node])?;
        }
        self.sets.iter().try_for_each(|(name, nodes)| self.check_nodes(&format!("set `{name}`"), nodes))
    }

    fn validate_springs(&self) -> Result<(), FemError> {
        for (index, spring) in self.springs.iter().enumerate() {
            let what = format!("spring {index}");
            self.check_nodes(&what, &[spring.node])?;
            spring.other.map_or(Ok(()), |other| self.check_nodes(&what, &[other]))?;
            for stiffness in spring.stiffness {
                not_negative(&format!("a stiffness of {what}"), stiffness)?;
            }
            let axes = Matrix3::from_fn(|i, j| spring.axes[j][i]);
            let defect = (axes.transpose() * axes - Matrix3::identity()).norm();
            if defect.is_nan() || defect > 1e-6 {
                let rule = "they must be orthonormal".into();
                return Err(FemError::OutOfRange { what: format!("axes of {what}"), value: defect, rule });
            }
        }
        Ok(())
    }

    fn check_nodes(&self, what: &str, nodes: &[usize]) -> Result<(), FemError> {
        match nodes.iter().find(|node| **node >= self.nodes.len()) {
            Some(node) => Err(FemError::Missing { what: what.into(), missing: format!("node {node}") }),
            None => Ok(()),
        }
    }

    fn loose_node(&self) -> Option<usize> {
        let mut held = vec![false; self.nodes.len()];
        let linked = self.links.iter().flat_map(|link| link.followers.iter().chain([&link.master]));
        let averaged = self.averages.iter().flat_map(|l| l.sources.iter().map(|s| &s.node).chain([&l.node]));
        let sprung = self.springs.iter().flat_map(|s| s.other.iter().chain([&s.node]));
        let of_elements = self.elements.iter().flat_map(|element| element.nodes());
        for node in of_elements.chain(linked).chain(averaged).chain(sprung) {
            held[*node] = true;
        }
        if let Some(matrices) = &self.matrices {
            let rows = 0..matrices.stiffness.size();
            let recovered = matrices.recovery.iter().map(|(freedom, _)| *freedom);
            rows.chain(recovered).for_each(|freedom| held[freedom / 6] = true);
        }
        held.iter().position(|held| !held)
    }
}

/// Nodal freedoms of a list of nodes.
pub fn freedoms_of(nodes: &[usize]) -> Vec<usize> {
    nodes.iter().flat_map(|node| DOFS_PER_NODE * node..DOFS_PER_NODE * (node + 1)).collect()
}
