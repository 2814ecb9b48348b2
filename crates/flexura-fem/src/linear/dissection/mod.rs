//! Nested dissection: an order of elimination with little fill for large meshes.
//!
//! A separator of a graph, eliminated last, leaves two halves that fill nothing in each other; each is separated again, down to small
//! parts ordered by minimum degree (A. George, "Nested dissection of a regular finite element mesh", 1973). For solids the factor
//! has about n^(4/3) entries and costs n^2 operations, the least that any order reaches; minimum degree needs several times as many.
//!
//! | step | file |
//! |---|---|
//! | graph of groups of unknowns | `graph` |
//! | coarser graphs | `coarsen` |
//! | a first separator, and the way back to the finest graph | `bisect` |
//! | better separators by moves | `separator` |
//!
//! The same pattern gives the same order in every run and on every machine: there is no chance in it.
//! Cost: O(entries of the graph times the logarithm of its size).

mod bisect;
mod coarsen;
mod graph;
mod separator;

use super::SymmetricMatrix;
use crate::error::FemError;
use graph::OUTSIDE;
use separator::Scratch;

/// Parts with so few vertices are ordered by minimum degree.
const SMALL: usize = 80;

/// Order of elimination of the unknowns of a pattern: `order[step]` is eliminated at that step. `small` orders a part given as starts
/// of columns and rows of both triangles.
pub(super) fn order(
    matrix: &SymmetricMatrix,
    small: impl Fn(&[usize], &[u32]) -> Result<Vec<usize>, FemError>,
) -> Result<Vec<usize>, FemError> {
    let (graph, first, members) = graph::compressed(matrix);
    let mut steps = Vec::with_capacity(graph.size());
    let (mut scratch, mut place) = (Scratch::default(), vec![OUTSIDE; graph.size()]);
    let whole: Vec<u32> = (0..graph.size() as u32).collect();
    // Eliminated last, found first: the list is built backwards.
    let mut open = vec![(graph, whole)];
    while let Some((part, names)) = open.pop() {
        if part.size() <= SMALL {
            let inner = small(&part.start, &part.neighbours)?;
            steps.extend(inner.iter().rev().map(|&local| names[local]));
            continue;
        }
        let split = bisect::bisect(&part, &mut scratch);
        let [a, b, between] = bisect::lists(&split);
        if a.is_empty() || b.is_empty() {
            // Everything hangs on everything, or on one heavy vertex.
            let inner = small(&part.start, &part.neighbours)?;
            steps.extend(inner.iter().rev().map(|&local| names[local]));
            continue;
        }
        steps.extend(between.iter().map(|&local| names[local as usize]));
        for side in [a, b] {
            let named = side.iter().map(|&local| names[local as usize]).collect();
            open.push((part.part(&side, &mut place), named));
        }
    }
    let of_vertex =
        |v: u32| members[first[v as usize]..first[v as usize + 1]].iter().map(|&unknown| unknown as usize);
    Ok(steps.into_iter().rev().flat_map(of_vertex).collect())
}
