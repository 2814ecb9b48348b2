//! What all mesh importers collect: items by their numbers in the file, each with
//! the line it came from, turned into a [`Mesh`] at the end.
//!
//! Quadrilaterals are split in two triangles along their shorter diagonal (of equal
//! ones, the one that alternates with the number of the element); quadratic lines and
//! surfaces are split at their middle nodes.

mod elements;
mod shells;

use super::error::{Blockers, ImportError, Place};
use super::source::Source;
use super::summary::Summary;
use crate::layup::{Layup, Ply};
use crate::material::Material;
use crate::mesh::{AverageLink, AverageSource, Equation, Mesh, Pins, PointMass, RigidLink, Spring};
use crate::section::BeamSection;
use std::collections::BTreeMap;

/// A mesh read from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The mesh, in the units of the file.
    pub mesh: Mesh,
    /// Node of each number in the file.
    pub numbers: BTreeMap<u64, usize>,
    /// Elements of the mesh made of each numbered element of the file.
    pub elements: BTreeMap<u64, Vec<usize>>,
    /// What was left out because it has no part in a reduction.
    pub notices: Vec<String>,
    /// What the file has.
    pub summary: Summary,
}

/// What a reader is told beside the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Density of materials that have none, in the units of the file.
    pub density: Option<f64>,
}

/// Shape of an element of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Line2,
    Line3,
    Triangle3,
    Triangle6,
    Quadrilateral4,
    Quadrilateral8,
    Tetrahedron4,
    Tetrahedron10,
    Hexahedron8,
    Hexahedron8Reduced,
    Hexahedron20,
    Hexahedron20Reduced,
    Wedge6,
    Wedge15,
    Pyramid5,
}

impl Shape {
    /// Number of nodes.
    pub fn nodes(self) -> usize {
        match self {
            Self::Line2 => 2,
            Self::Line3 | Self::Triangle3 => 3,
            Self::Triangle6 => 6,
            Self::Quadrilateral4 | Self::Tetrahedron4 => 4,
            Self::Quadrilateral8 | Self::Hexahedron8 | Self::Hexahedron8Reduced => 8,
            Self::Tetrahedron10 => 10,
            Self::Hexahedron20 | Self::Hexahedron20Reduced => 20,
            Self::Wedge6 => 6,
            Self::Wedge15 => 15,
            Self::Pyramid5 => 5,
        }
    }

    /// What people call several of them.
    pub fn word(self) -> &'static str {
        match self {
            Self::Line2 => "lines",
            Self::Line3 => "lines of 3 nodes",
            Self::Triangle3 => "triangles",
            Self::Triangle6 => "triangles of 6 nodes",
            Self::Quadrilateral4 => "quadrilaterals",
            Self::Quadrilateral8 => "quadrilaterals of 8 nodes",
            Self::Tetrahedron4 => "tetrahedra",
            Self::Tetrahedron10 => "tetrahedra of 10 nodes",
            Self::Hexahedron8 | Self::Hexahedron8Reduced => "hexahedra",
            Self::Hexahedron20 | Self::Hexahedron20Reduced => "hexahedra of 20 nodes",
            Self::Wedge6 => "wedges",
            Self::Wedge15 => "wedges of 15 nodes",
            Self::Pyramid5 => "pyramids",
        }
    }

    /// Whether it is a line, a surface or a solid: 1, 2, 3.
    pub fn dimension(self) -> usize {
        match self {
            Self::Line2 | Self::Line3 => 1,
            Self::Triangle3 | Self::Triangle6 | Self::Quadrilateral4 | Self::Quadrilateral8 => 2,
            _ => 3,
        }
    }
}

/// What an element is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Property {
    Beam {
        material: usize,
        section: BeamSection,
        orientation: [f64; 3],
        offsets: [[f64; 3]; 2],
        pins: Pins,
    },
    /// Pieces of a section that changes along the beam, by their place in the list of the deck.
    Tapered {
        taper: usize,
        orientation: [f64; 3],
        offsets: [[f64; 3]; 2],
        pins: Pins,
    },
    /// The offset is that of the middle surface along the normal.
    Shell {
        material: usize,
        thickness: f64,
        material_axis: Option<[f64; 3]>,
        offset: f64,
        layup: Option<usize>,
    },
    Rod {
        material: usize,
        area: f64,
    },
    Solid {
        material: usize,
    },
}

/// An element of a file.
#[derive(Clone, Debug)]
pub(crate) struct DeckElement {
    pub place: Place,
    pub number: u64,
    pub shape: Shape,
    pub nodes: Vec<u64>,
    pub property: Property,
}

/// A node that follows the mean of others.
#[derive(Clone, Debug)]
pub(crate) struct DeckAverage {
    pub place: Place,
    pub node: u64,
    pub freedoms: [bool; 6],
    /// Nodes, weights and freedoms that count.
    pub sources: Vec<(u64, f64, [bool; 6])>,
}

/// A linear equation between freedoms of nodes: the sum of factor times freedom is zero.
#[derive(Clone, Debug)]
pub(crate) struct DeckEquation {
    pub place: Place,
    /// Node, freedom from zero, factor; the first term is the one to go.
    pub terms: Vec<(u64, usize, f64)>,
}

/// Items of a file, not yet tied together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deck {
    pub nodes: BTreeMap<u64, [f64; 3]>,
    pub materials: Vec<Material>,
    pub layups: Vec<Layup>,
    /// Places of layups by the bits of their numbers.
    pub layup_places: BTreeMap<Vec<u64>, usize>,
    pub elements: Vec<DeckElement>,
    /// Materials and sections of the pieces of beams whose section changes.
    pub tapers: Vec<Vec<(usize, BeamSection)>>,
    pub masses: Vec<(Place, u64, PointMass)>,
    pub links: Vec<(Place, u64, Vec<u64>, [bool; 6])>,
    pub averages: Vec<DeckAverage>,
    pub springs: Vec<(Place, u64, Option<u64>, Spring)>,
    pub equations: Vec<DeckEquation>,
    /// Elements by the file's own words for their kinds.
    pub kinds: BTreeMap<String, usize>,
    pub sets: BTreeMap<String, Vec<u64>>,
    pub notices: Vec<String>,
}

impl Deck {
    /// Ties the items together; nodes nothing uses are left out with a notice.
    pub fn finish(mut self, source: &Source, mut blockers: Blockers) -> Result<Imported, ImportError> {
        let mut summary = Summary::new(&self.kinds, self.nodes.values(), &self.materials);
        if self.elements.is_empty() && !blockers.any() {
            let file = source.files.first().map_or("", String::as_str);
            let help = "a part needs beams, shells or solids; check the format of the file";
            return Err(ImportError::of_file(file, "there are no elements in this file", help));
        }
        let numbers = self.used_nodes(source, &mut blockers);
        if let Some(fault) = self.check_elements(source, blockers).error(|| summary.to_string()) {
            return Err(fault);
        }
        let mut mesh = Mesh {
            materials: std::mem::take(&mut self.materials),
            layups: std::mem::take(&mut self.layups),
            ..Mesh::default()
        };
        mesh.nodes = numbers.keys().map(|number| self.nodes[number]).collect();
        let mut elements: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for element in &self.elements {
            let first = mesh.elements.len();
            elements::add_element(&mut mesh, element, &numbers, &self.tapers, source)?;
            elements.entry(element.number).or_default().extend(first..mesh.elements.len());
        }
        for (_, node, mass) in &self.masses {
            mesh.masses.push(PointMass { node: numbers[node], ..*mass });
        }
        for (_, master, followers, freedoms) in &self.links {
            let followers =
                followers.iter().filter(|node| *node != master).map(|node| numbers[node]).collect();
            mesh.links.push(RigidLink { master: numbers[master], followers, freedoms: *freedoms });
        }
        for DeckAverage { node, freedoms, sources, .. } in &self.averages {
            let source = |(node, weight, freedoms): &(u64, f64, [bool; 6])| AverageSource {
                node: numbers[node],
                weight: *weight,
                freedoms: *freedoms,
            };
            let sources = sources.iter().map(source).collect();
            mesh.averages.push(AverageLink { node: numbers[node], freedoms: *freedoms, sources });
        }
        for (_, node, other, spring) in &self.springs {
            let other = other.map(|other| numbers[&other]);
            mesh.springs.push(Spring { node: numbers[node], other, ..*spring });
        }
        for equation in &self.equations {
            let term = |(node, freedom, factor): &(u64, usize, f64)| (numbers[node], *freedom, *factor);
            mesh.equations.push(Equation { terms: equation.terms.iter().map(term).collect() });
        }
        self.offset_shells(&mut mesh, &elements);
        for (name, nodes) in &self.sets {
            let mut nodes: Vec<usize> = nodes.iter().filter_map(|node| numbers.get(node).copied()).collect();
            nodes.sort_unstable();
            nodes.dedup();
            mesh.sets.insert(name.clone(), nodes);
        }
        self.name_redundant(&mesh, source);
        summary.pieces = mesh.pieces();
        if summary.pieces > 1 {
            self.notices.push(format!("the mesh has {} pieces that nothing connects", summary.pieces));
        }
        Ok(Imported { mesh, numbers, elements, notices: self.notices, summary })
    }

    /// Place of a layup among those of the mesh; equal ones are one.
    pub fn layup(&mut self, layup: Layup) -> usize {
        let ply = |ply: &Ply| [ply.material as u64, ply.thickness.to_bits(), ply.angle.to_bits()];
        let own = [layup.middle.to_bits(), layup.additional.to_bits()];
        let key: Vec<u64> = own.into_iter().chain(layup.plies.iter().flat_map(ply)).collect();
        *self.layup_places.entry(key).or_insert_with(|| {
            self.layups.push(layup);
            self.layups.len() - 1
        })
    }

    /// Elements that cannot be, each told.
    fn check_elements(&self, source: &Source, mut blockers: Blockers) -> Blockers {
        for element in &self.elements {
            blockers.catch(check_element(element, source));
        }
        blockers
    }

    /// Equations that follow from others, which are left out.
    fn name_redundant(&mut self, mesh: &Mesh, source: &Source) {
        let Ok(redundant) = crate::constraint::redundant_equations(mesh) else { return };
        let Some(first) = redundant.first() else { return };
        let place = &self.equations[*first].place;
        let file = source.files.get(place.file).map_or("", String::as_str);
        let (line, card, count) = (place.line, &place.card, redundant.len());
        self.notices
            .push(format!("{file}:{line}: {card}: left out {count} equations that follow from others"));
    }

    /// Places of the nodes that something uses; a number without a node is an error.
    fn used_nodes(&mut self, source: &Source, blockers: &mut Blockers) -> BTreeMap<u64, usize> {
        let mut used = BTreeMap::new();
        let mut mark =
            |place: &Place, node: u64, nodes: &BTreeMap<u64, [f64; 3]>| match nodes.contains_key(&node) {
                true => {
                    used.insert(node, 0);
                }
                false => {
                    blockers.catch::<()>(Err(source.error(
                        place,
                        format!("node {node} does not exist"),
                        "define the node, or correct the number",
                    )));
                }
            };
        for element in &self.elements {
            element.nodes.iter().for_each(|node| mark(&element.place, *node, &self.nodes));
        }
        for (place, node, _) in &self.masses {
            mark(place, *node, &self.nodes);
        }
        for (place, master, followers, _) in &self.links {
            mark(place, *master, &self.nodes);
            followers.iter().for_each(|node| mark(place, *node, &self.nodes));
        }
        for DeckAverage { place, node, sources, .. } in &self.averages {
            mark(place, *node, &self.nodes);
            sources.iter().for_each(|(node, ..)| mark(place, *node, &self.nodes));
        }
        for (place, node, other, _) in &self.springs {
            mark(place, *node, &self.nodes);
            other.iter().for_each(|other| mark(place, *other, &self.nodes));
        }
        for DeckEquation { place, terms } in &self.equations {
            terms.iter().for_each(|(node, ..)| mark(place, *node, &self.nodes));
        }
        used.values_mut().enumerate().for_each(|(index, place)| *place = index);
        let loose: Vec<u64> =
            self.nodes.keys().filter(|number| !used.contains_key(number)).copied().collect();
        if let Some(first) = loose.first() {
            let notice = format!("left out {} nodes that nothing uses, such as node {first}", loose.len());
            self.notices.push(notice);
        }
        used
    }
}

/// Number of nodes, and nodes named twice; a hexahedron may be collapsed.
fn check_element(element: &DeckElement, source: &Source) -> Result<(), ImportError> {
    let n = &element.nodes;
    if n.len() != element.shape.nodes() {
        let message =
            format!("element {} has {} nodes instead of {}", element.number, n.len(), element.shape.nodes());
        return Err(source.error(&element.place, message, "give all nodes of the element"));
    }
    use Shape::{Hexahedron8, Hexahedron8Reduced, Hexahedron20, Hexahedron20Reduced};
    let collapsible =
        matches!(element.shape, Hexahedron8 | Hexahedron8Reduced | Hexahedron20 | Hexahedron20Reduced);
    let repeated = n.iter().enumerate().any(|(place, node)| n[..place].contains(node));
    if repeated && !collapsible {
        let message = format!("element {} names a node twice", element.number);
        return Err(source.error(&element.place, message, "use an element with fewer nodes"));
    }
    Ok(())
}
