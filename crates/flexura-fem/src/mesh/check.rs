//! Checks of a finite element model: indices, numbers, nodes that nothing holds, pieces that nothing connects.

use super::{Element, Mesh};
use crate::DOFS_PER_NODE;
use crate::error::{FemError, not_negative, positive};
use crate::material::Material;
use nalgebra::Matrix3;

impl Mesh {
    /// Checks indices and numbers; geometry is checked by the elements.
    pub fn validate(&self) -> Result<(), FemError> {
        self.materials.iter().try_for_each(Material::validate)?;
        for (index, layup) in self.layups.iter().enumerate() {
            layup.validate(index, &self.materials)?;
        }
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
            Element::Shell(shell) => {
                self.material(index, shell.material)?.check_for_shell(index)?;
                shell.layup.map_or(Ok(()), |layup| self.layup(index, layup).map(|_| ()))?;
                positive(&format!("thickness of element {index}"), shell.thickness)
            }
            Element::Rod(rod) => {
                self.material(index, rod.material)?.check_isotropic(index)?;
                positive(&format!("area of element {index}"), rod.area)
            }
            _ => self.material(index, element.material())?.check_for_solid(index),
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
        for (index, equation) in self.equations.iter().enumerate() {
            let what = format!("equation {index}");
            for (node, freedom, factor) in &equation.terms {
                self.check_nodes(&what, &[*node])?;
                if *freedom >= DOFS_PER_NODE || !factor.is_finite() {
                    let rule = "freedoms are 0 to 5 and factors finite".into();
                    return Err(FemError::OutOfRange { what, value: *factor, rule });
                }
            }
        }
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

    /// Number of pieces that no element, link, spring or equation connects.
    pub fn pieces(&self) -> usize {
        let mut leader: Vec<usize> = (0..self.nodes.len()).collect();
        fn find(leader: &mut [usize], mut node: usize) -> usize {
            while leader[node] != node {
                leader[node] = leader[leader[node]];
                node = leader[node];
            }
            node
        }
        let mut join = |nodes: &mut dyn Iterator<Item = usize>| {
            let Some(first) = nodes.next() else { return };
            for node in nodes {
                let (a, b) = (find(&mut leader, first), find(&mut leader, node));
                leader[b] = a;
            }
        };
        self.elements.iter().for_each(|element| join(&mut element.nodes().iter().copied()));
        for link in &self.links {
            join(&mut link.followers.iter().copied().chain([link.master]));
        }
        for link in &self.averages {
            join(&mut link.sources.iter().map(|source| source.node).chain([link.node]));
        }
        self.springs.iter().for_each(|spring| join(&mut spring.other.into_iter().chain([spring.node])));
        for equation in &self.equations {
            join(&mut equation.terms.iter().map(|(node, ..)| *node));
        }
        (0..leader.len()).filter(|node| leader[*node] == *node).count()
    }

    fn loose_node(&self) -> Option<usize> {
        let mut held = vec![false; self.nodes.len()];
        let linked = self.links.iter().flat_map(|link| link.followers.iter().chain([&link.master]));
        let averaged = self.averages.iter().flat_map(|l| l.sources.iter().map(|s| &s.node).chain([&l.node]));
        let sprung = self.springs.iter().flat_map(|s| s.other.iter().chain([&s.node]));
        let of_elements = self.elements.iter().flat_map(|element| element.nodes());
        let equated = self.equations.iter().flat_map(|equation| equation.terms.iter().map(|(node, ..)| node));
        for node in of_elements.chain(linked).chain(averaged).chain(sprung).chain(equated) {
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
