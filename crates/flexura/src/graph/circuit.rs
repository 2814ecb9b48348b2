//! Fundamental circuits, Richard (2012) eqs 3-4, 7-8, and of the four-bar Richard (2012) eqs 9-10.
//!
//! A chord closes one circuit through branches. The circuit equation says that
//! the across-variables around it add up to zero; entries are +1 where an edge
//! is walked along its direction when the chord is, −1 against it. By the
//! orthogonality (3) of cutsets and circuits, E = −Dᵀ.
//!
//! Typeset: book/src/theory/linear_graph.md (GR.1).

use super::integer_matrix::IntegerMatrix;
use super::linear_graph::{GraphTree, LinearGraph};

/// E = −Dᵀ: a row per chord, a column per branch. Cost O(entries).
#[doc(hidden)]
pub fn circuit_branches(cutset_chords: &IntegerMatrix) -> IntegerMatrix {
    cutset_chords.negative_transpose()
}

/// [E U_c]: a row per chord; columns are branches, then chords. Cost O(entries).
pub fn circuit(cutset_chords: &IntegerMatrix) -> IntegerMatrix {
    circuit_branches(cutset_chords).beside(&IntegerMatrix::unit(cutset_chords.columns()))
}

/// [E U_c]{AV} of eq. (7): by how much the across-variables (one per edge of the graph) miss
/// closing each circuit. Cost O(vertices + edges), by the sums from the root to every vertex.
pub fn closure(graph: &LinearGraph, tree: &GraphTree, across: &[f64]) -> Vec<f64> {
    let mut potential = vec![0.0; graph.vertices().len()];
    for &vertex in &tree.rooted.order {
        let Some(step) = tree.rooted.above[vertex] else { continue };
        let sign = if graph.edges()[step.edge].head == vertex { 1.0 } else { -1.0 };
        potential[vertex] = potential[step.from] + sign * across[step.edge];
    }
    let gap = |&chord: &usize| {
        let edge = &graph.edges()[chord];
        across[chord] + potential[edge.tail] - potential[edge.head]
    };
    tree.chords.iter().map(gap).collect()
}
