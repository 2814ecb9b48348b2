//! Shells of a file as triangles of the mesh, on their nodes or beside them.

use super::{Deck, DeckElement, Property, Shape};
use crate::mesh::{Element, Mesh, RigidLink};
use nalgebra::Vector3;
use std::collections::BTreeMap;

impl Deck {
    /// Shells beside their nodes get nodes of their own on the middle surface, which follow rigidly.
    pub(super) fn offset_shells(&self, mesh: &mut Mesh, elements: &BTreeMap<u64, Vec<usize>>) {
        let mut normals: BTreeMap<(usize, u64), Vector3<f64>> = BTreeMap::new();
        let mut pieces = Vec::new();
        for element in &self.elements {
            let Property::Shell { offset, .. } = element.property else { continue };
            if offset == 0.0 {
                continue;
            }
            for index in elements.get(&element.number).into_iter().flatten() {
                let Element::Shell(shell) = &mesh.elements[*index] else { continue };
                let [a, b, c] = shell.nodes.map(|node| Vector3::from(mesh.nodes[node]));
                let area = (b - a).cross(&(c - a));
                for node in shell.nodes {
                    *normals.entry((node, offset.to_bits())).or_default() += area;
                }
                pieces.push((*index, offset));
            }
        }
        let mut moved = BTreeMap::new();
        for ((node, bits), normal) in normals {
            let place = Vector3::from(mesh.nodes[node]) + normal.normalize() * f64::from_bits(bits);
            let follower = mesh.node(place.into());
            mesh.links.push(RigidLink::new(node, &[follower]));
            moved.insert((node, bits), follower);
        }
        for (index, offset) in pieces {
            if let Element::Shell(shell) = &mut mesh.elements[index] {
                shell.nodes = shell.nodes.map(|node| moved[&(node, offset.to_bits())]);
            }
        }
    }
}

/// Triangles of a surface element, by places in its list of nodes.
pub(super) fn triangles(mesh: &Mesh, element: &DeckElement, n: &[usize]) -> Option<Vec<[usize; 3]>> {
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
