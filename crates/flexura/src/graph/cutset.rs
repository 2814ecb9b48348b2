//! Fundamental cutsets, Richard (2012) eqs 2, 5-6.
//!
//! Cutting a branch splits the tree in two. The cutset equation of the branch
//! says that what flows through it and through the chords between the two parts
//! adds up to zero; entries are +1 where an edge crosses in the direction of the
//! branch, −1 against it.
//!
//! As in the source, the rows come from row operations on the incidence matrix:
//! the sum of its rows over one of the two parts. Going from the leaves to the
//! root, each vertex adds its own row to those of its children, and a chord
//! disappears where both its ends are in. Cost of the matrix: O(entries · log),
//! which is the square of the length for a long chain whose bodies are chords (every
//! joint carries all bodies outside it); [`balance`] applies the same equations
//! in O(vertices + edges).
//!
//! Typeset: book/src/theory/linear_graph.md (GR.1).

use super::integer_matrix::{IntegerMatrix, sum_by_column};
use super::linear_graph::{GraphTree, LinearGraph};

/// D: a row per branch, a column per chord, in the order of the tree's lists.
pub fn cutset_chords(graph: &LinearGraph, tree: &GraphTree) -> IntegerMatrix {
    let places = tree.places();
    let mut sums: Vec<Vec<(usize, i32)>> = vec![Vec::new(); graph.vertices().len()];
    for &chord in &tree.chords {
        let edge = &graph.edges()[chord];
        sums[edge.tail].push((places[chord], -1));
        sums[edge.head].push((places[chord], 1));
    }
    let mut rows: Vec<Vec<(usize, i32)>> = vec![Vec::new(); tree.branches.len()];
    for &vertex in tree.rooted.order.iter().rev() {
        let Some(step) = tree.rooted.above[vertex] else { continue };
        let mut part = std::mem::take(&mut sums[vertex]);
        sum_by_column(&mut part);
        let sign = if graph.edges()[step.edge].head == vertex { 1 } else { -1 };
        rows[places[step.edge]] = part.iter().map(|&(chord, value)| (chord, sign * value)).collect();
        sums[step.from].append(&mut part);
    }
    let mut matrix = IntegerMatrix::new(tree.chords.len());
    rows.iter_mut().for_each(|row| matrix.push_row(row));
    matrix
}

/// [U_t D]: a row per branch; columns are branches, then chords.
pub fn cutset(graph: &LinearGraph, tree: &GraphTree) -> IntegerMatrix {
    IntegerMatrix::unit(tree.branches.len()).beside(&cutset_chords(graph, tree))
}

/// [U_t D]{TV} of eq. (5): what the through-variables (one per edge of the graph) leave
/// unbalanced at each branch. Cost O(vertices + edges).
pub fn balance(graph: &LinearGraph, tree: &GraphTree, through: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; graph.vertices().len()];
    for &chord in &tree.chords {
        let edge = &graph.edges()[chord];
        sums[edge.tail] -= through[chord];
        sums[edge.head] += through[chord];
    }
    let places = tree.places();
    let mut rows = vec![0.0; tree.branches.len()];
    for &vertex in tree.rooted.order.iter().rev() {
        let Some(step) = tree.rooted.above[vertex] else { continue };
        let sign = if graph.edges()[step.edge].head == vertex { 1.0 } else { -1.0 };
        rows[places[step.edge]] = through[step.edge] + sign * sums[vertex];
        sums[step.from] += sums[vertex];
    }
    rows
}
