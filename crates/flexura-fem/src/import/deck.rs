//! What all mesh importers collect: items by their numbers in the file, each with
//! the line it came from, turned into a [`Mesh`] at the end.
//!
//! Quadrilaterals are split in two triangles along their shorter diagonal (of equal
//! ones, the one that alternates with the number of the element); quadratic lines and
//! surfaces are split at their middle nodes.

use super::error::{ImportError, Place};
use super::source::Source;
use crate::material::Material;
use crate::mesh::{
    AverageLink, AverageSource, BeamElement, Element, Mesh, PointMass, RigidLink, ShellElement, SolidElement,
    Spring,
};
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
}

impl Shape {
    /// Number of nodes.
    pub fn nodes(self) -> usize {
        match self {
            Self::Line2 => 2,
            Self::Line3 | Self::Triangle3 => 3,
            Self::Triangle6 => 6,
            Self::Quadrilateral4 | Self::Tetrahedron4 => 4,
            Self::Quadrilateral8 | Self::Hexahedron8 => 8,
            Self::Tetrahedron10 => 10,
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
    Beam { material: usize, section: BeamSection, orientation: [f64; 3], offsets: [[f64; 3]; 2] },
    Shell { material: usize, thickness: f64, material_axis: Option<[f64; 3]> },
    Solid { material: usize },
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

/// Items of a file, not yet tied together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deck {
    pub nodes: BTreeMap<u64, [f64; 3]>,
    pub materials: Vec<Material>,
    pub elements: Vec<DeckElement>,
    pub masses: Vec<(Place, u64, PointMass)>,
    pub links: Vec<(Place, u64, Vec<u64>, [bool; 6])>,
    pub averages: Vec<DeckAverage>,
    pub springs: Vec<(Place, u64, Option<u64>, Spring)>,
    pub sets: BTreeMap<String, Vec<u64>>,
    pub notices: Vec<String>,
}

impl Deck {
    /// Ties the items together; nodes nothing uses are left out with a notice.
    pub fn finish(mut self, source: &Source) -> Result<Imported, ImportError> {
        if self.elements.is_empty() {
            let file = source.files.first().map_or("", String::as_str);
            let help = "a part needs beams, shells or solids; check the format of the file";
            return Err(ImportError::of_file(file, "there are no elements in this file", help));
        }
        let numbers = self.used_nodes(source)?;
        let mut mesh = Mesh { materials: std::mem::take(&mut self.materials), ..Mesh::default() };
        mesh.nodes = numbers.keys().map(|number| self.nodes[number]).collect();
        let mut elements: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for element in &self.elements {
            let first = mesh.elements.len();
            add_element(&mut mesh, element, &numbers, source)?;
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
        for (name, nodes) in &self.sets {
            let mut nodes: Vec<usize> = nodes.iter().filter_map(|node| numbers.get(node).copied()).collect();
            nodes.sort_unstable();
            nodes.dedup();
            mesh.sets.insert(name.clone(), nodes);
        }
        Ok(Imported { mesh, numbers, elements, notices: self.notices })
    }

    /// Places of the nodes that something uses; a number without a node is an error.
    fn used_nodes(&mut self, source: &Source) -> Result<BTreeMap<u64, usize>, ImportError> {
        let mut used = BTreeMap::new();
        let mut mark =
            |place: &Place, node: u64, nodes: &BTreeMap<u64, [f64; 3]>| match nodes.contains_key(&node) {
                true => {
                    used.insert(node, 0);
                    Ok(())
                }
                false => Err(source.error(
                    place,
                    format!("node {node} does not exist"),
                    "define the node, or correct the number",
                )),
            };
        for element in &self.elements {
            element.nodes.iter().try_for_each(|node| mark(&element.place, *node, &self.nodes))?;
        }
        for (place, node, _) in &self.masses {
            mark(place, *node, &self.nodes)?;
        }
        for (place, master, followers, _) in &self.links {
            mark(place, *master, &self.nodes)?;
            followers.iter().try_for_each(|node| mark(place, *node, &self.nodes))?;
        }
        for DeckAverage { place, node, sources, .. } in &self.averages {
            mark(place, *node, &self.nodes)?;
            sources.iter().try_for_each(|(node, ..)| mark(place, *node, &self.nodes))?;
        }
        for (place, node, other, _) in &self.springs {
            mark(place, *node, &self.nodes)?;
            other.map_or(Ok(()), |other| mark(place, other, &self.nodes))?;
        }
        used.values_mut().enumerate().for_each(|(index, place)| *place = index);
        let loose: Vec<u64> =
            self.nodes.keys().filter(|number| !used.contains_key(number)).copied().collect();
        if let Some(first) = loose.first() {
            let notice = format!("left out {} nodes that nothing uses, such as node {first}", loose.len());
            self.notices.push(notice);
        }
        Ok(used)
    }
}

/// Adds the elements one element of the file stands for.
fn add_element(
    mesh: &mut Mesh,
    element: &DeckElement,
    numbers: &BTreeMap<u64, usize>,
    source: &Source,
) -> Result<(), ImportError> {
    let n: Vec<usize> = element.nodes.iter().map(|node| numbers[node]).collect();
    let wrong = || {
        let message = format!("element {} has a property of another kind of element", element.number);
        source.error(
            &element.place,
            message,
            "give lines a beam, surfaces a shell and solids a solid property",
        )
    };
    if n.len() != element.shape.nodes() {
        let message =
            format!("element {} has {} nodes instead of {}", element.number, n.len(), element.shape.nodes());
        return Err(source.error(&element.place, message, "give all nodes of the element"));
    }
    let repeated = n.iter().enumerate().any(|(place, node)| n[..place].contains(node));
    if repeated {
        let message = format!("element {} names a node twice", element.number);
        return Err(source.error(&element.place, message, "use an element with fewer nodes"));
    }
    match element.property {
        Property::Beam { material, section, orientation, offsets } => {
            let pieces: &[[usize; 2]] = match element.shape {
                Shape::Line2 => &[[0, 1]],
                Shape::Line3 => &[[0, 1], [1, 2]],
                _ => return Err(wrong()),
            };
            for piece in pieces {
                let nodes = piece.map(|place| n[place]);
                mesh.elements.push(Element::Beam(BeamElement {
                    nodes,
                    material,
                    section,
                    orientation,
                    offsets,
                }));
            }
        }
        Property::Shell { material, thickness, material_axis } => {
            // Without an axis the first edge of the file's element, also for the triangles it is split in.
            let edge = || {
                let orthotropic =
                    mesh.materials.get(material).is_some_and(|known| known.orthotropic.is_some());
                let [a, b] = [n[0], n[1]].map(|node| mesh.nodes[node]);
                orthotropic.then(|| std::array::from_fn(|i| b[i] - a[i]))
            };
            let material_axis = material_axis.or_else(edge);
            for piece in triangles(mesh, element, &n).ok_or_else(wrong)? {
                let nodes = piece.map(|place| n[place]);
                mesh.elements.push(Element::Shell(ShellElement {
                    nodes,
                    material,
                    thickness,
                    material_axis,
                }));
            }
        }
        Property::Solid { material } => mesh.elements.push(match element.shape {
            Shape::Tetrahedron4 => Element::Tet4(SolidElement { nodes: fixed(&n), material }),
            Shape::Tetrahedron10 => Element::Tet10(SolidElement { nodes: fixed(&n), material }),
            Shape::Hexahedron8 => Element::Hex8(SolidElement { nodes: fixed(&n), material }),
            _ => return Err(wrong()),
        }),
    }
    Ok(())
}

fn fixed<const N: usize>(nodes: &[usize]) -> [usize; N] {
    std::array::from_fn(|place| nodes[place])
}

/// Triangles of a surface element, by places in its list of nodes.
fn triangles(mesh: &Mesh, element: &DeckElement, n: &[usize]) -> Option<Vec<[usize; 3]>> {
    Some(match element.shape {
        Shape::Triangle3 => vec![[0, 1, 2]],
        Shape::Triangle6 => vec![[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]],
        Shape::Quadrilateral4 => {
            let square = |a: usize, b: usize| -> f64 {
                let (p, q) = (mesh.nodes[n[a]], mesh.nodes[n[b]]);
                (0..3).map(|i| (p[i] - q[i]).powi(2)).sum()
            };
            let (first, second) = (square(0, 2), square(1, 3));
            let equal = (first - second).abs() <= 1e-6 * (first + second);
            match if equal { element.number.is_multiple_of(2) } else { first < second } {
                true => vec![[0, 1, 2], [0, 2, 3]],
                false => vec![[0, 1, 3], [1, 2, 3]],
            }
        }
        // The corners cut off, and the square of middle nodes between them.
        Shape::Quadrilateral8 => {
            let mut list = vec![[0, 4, 7], [4, 1, 5], [5, 2, 6], [7, 6, 3]];
            list.extend(match element.number.is_multiple_of(2) {
                true => [[4, 5, 6], [4, 6, 7]],
                false => [[4, 5, 7], [5, 6, 7]],
            });
            list
        }
        _ => return None,
    })
}
