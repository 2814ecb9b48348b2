//! A finite element model as plain data: nodes, elements, materials, point
//! masses, rigid links and named sets. Every node has six degrees of freedom.

use crate::error::{FemError, positive};
use crate::section::BeamSection;
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// An isotropic linear elastic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus (Pa).
    pub young: f64,
    /// Poisson's ratio (1).
    pub poisson: f64,
    /// Density (kg/m3).
    pub density: f64,
}

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
}

/// One structural element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    /// Two-node beam.
    Beam(BeamElement),
    /// Three-node shell.
    Shell(ShellElement),
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
    /// Named nodes: candidates for joints and for the reference frame.
    pub names: BTreeMap<String, usize>,
    /// Named sets of nodes.
    pub sets: BTreeMap<String, Vec<usize>>,
}

fn missing(element: usize, missing: String) -> FemError {
    FemError::Missing { what: format!("element {element}"), missing }
}

impl Material {
    /// An isotropic material from Young's modulus (Pa), Poisson's ratio and density (kg/m3).
    pub fn isotropic(young: f64, poisson: f64, density: f64) -> Self {
        Self { young, poisson, density }
    }

    /// Shear modulus (Pa).
    pub fn shear(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }

    fn validate(&self) -> Result<(), FemError> {
        positive("Young's modulus", self.young)?;
        positive("density", self.density)?;
        if self.poisson > -1.0 && self.poisson < 0.5 {
            return Ok(());
        }
        let rule = "it must lie between -1 and 0.5".into();
        Err(FemError::OutOfRange { what: "Poisson's ratio".into(), value: self.poisson, rule })
    }
}

impl Element {
    /// Nodes of the element.
    pub fn nodes(&self) -> &[usize] {
        match self {
            Self::Beam(beam) => &beam.nodes,
            Self::Shell(shell) => &shell.nodes,
        }
    }

    /// Index of its material.
    pub fn material(&self) -> usize {
        match self {
            Self::Beam(beam) => beam.material,
            Self::Shell(shell) => shell.material,
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
        self.loose_node().map_or(Ok(()), |node| Err(FemError::LooseNode { node }))
    }

    fn validate_element(&self, index: usize, element: &Element) -> Result<(), FemError> {
        self.check_nodes(&format!("element {index}"), element.nodes())?;
        self.material(index, element.material())?;
        match element {
            Element::Beam(beam) => beam.section.validate(),
            Element::Shell(shell) => positive(&format!("thickness of element {index}"), shell.thickness),
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
        for (name, node) in &self.names {
            self.check_nodes(&format!("the name `{name}`"), &[*node])?;
        }
        self.sets.iter().try_for_each(|(name, nodes)| self.check_nodes(&format!("set `{name}`"), nodes))
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
        for node in self.elements.iter().flat_map(|element| element.nodes()).chain(linked) {
            held[*node] = true;
        }
        held.iter().position(|held| !held)
    }
}
