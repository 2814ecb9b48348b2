//! Which side of a shell is its top.
//!
//! The normal of an element follows the order of its nodes, and meshes mix both orders. So that neighbours agree, the side
//! is carried from element to element across edges that two shells share, beginning with the first element of each surface:
//! its own normal says which side is the top of all. Folds of more than 30 degrees and edges of three or more shells end a
//! surface: about a fold no side is above another, and decks count on the normals of each of their faces. Cost
//! O(edges log edges).

use super::patch::SAME_SIDE;
use crate::mesh::{Element, Mesh};
use nalgebra::Vector3;
use std::collections::{BTreeMap, VecDeque};

/// Plus one where the top is the side of the element's own normal, minus one where it is the other; of other elements one.
pub(super) fn tops(mesh: &Mesh) -> Vec<f64> {
    let mut edges: BTreeMap<[usize; 2], Vec<(usize, bool)>> = BTreeMap::new();
    for (index, element) in mesh.elements.iter().enumerate() {
        let Element::Shell(shell) = element else { continue };
        let [a, b, c] = shell.nodes;
        for [from, to] in [[a, b], [b, c], [c, a]] {
            edges.entry([from.min(to), from.max(to)]).or_default().push((index, from < to));
        }
    }
    // Of an element without area zero: it has no neighbours.
    let normal = |index: usize| match &mesh.elements[index] {
        Element::Shell(shell) => mesh.positions(index, shell.nodes).map_or(Vector3::zeros(), |[a, b, c]| {
            (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default()
        }),
        _ => Vector3::zeros(),
    };
    // Neighbours that run along their common edge in opposite directions have the same side.
    let mut neighbours: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
    for pair in edges.values() {
        if let [(one, along), (other, against)] = pair[..]
            && normal(one).dot(&normal(other)).abs() > SAME_SIDE
        {
            let same = if along == against { -1.0 } else { 1.0 };
            neighbours.entry(one).or_default().push((other, same));
            neighbours.entry(other).or_default().push((one, same));
        }
    }
    let mut signs: Vec<Option<f64>> = vec![None; mesh.elements.len()];
    let mut waiting = VecDeque::new();
    for first in 0..signs.len() {
        if signs[first].is_none() {
            signs[first] = Some(1.0);
            waiting.push_back((first, 1.0));
        }
        while let Some((element, sign)) = waiting.pop_front() {
            for (other, same) in neighbours.get(&element).into_iter().flatten() {
                if signs[*other].is_none() {
                    signs[*other] = Some(sign * same);
                    waiting.push_back((*other, sign * same));
                }
            }
        }
    }
    signs.into_iter().map(|sign| sign.unwrap_or(1.0)).collect()
}
