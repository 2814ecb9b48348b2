//! The incidence matrix, Richard (2012) eq. (1).

use super::integer_matrix::IntegerMatrix;
use super::linear_graph::LinearGraph;

/// κ: a row per vertex, a column per edge; −1 at the tail, +1 at the head. An edge from a vertex to
/// itself has a column of zeros. Cost O(vertices + edges).
pub fn incidence(graph: &LinearGraph) -> IntegerMatrix {
    let mut rows = vec![Vec::new(); graph.vertices().len()];
    for (column, edge) in graph.edges().iter().enumerate() {
        rows[edge.tail].push((column, -1));
        rows[edge.head].push((column, 1));
    }
    let mut matrix = IntegerMatrix::new(graph.edges().len());
    rows.iter_mut().for_each(|row| matrix.push_row(row));
    matrix
}
