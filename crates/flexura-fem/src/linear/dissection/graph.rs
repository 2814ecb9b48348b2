//! Graph of a symmetric pattern: vertices are groups of unknowns with the same neighbours.
//!
//! The three or six freedoms of a node see the same other freedoms: one vertex with their number as its weight stands for all of
//! them, which makes the graph ten to thirty times smaller than the pattern (C. Ashcraft, "Compressed graphs and the minimum
//! degree algorithm", 1995).

use crate::linear::SymmetricMatrix;
use std::collections::HashMap;

/// An undirected graph with weights, neighbours by compressed lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// Start of each vertex in `neighbours`, and the end of the last.
    pub start: Vec<usize>,
    /// Neighbours of each vertex, without itself.
    pub neighbours: Vec<u32>,
    /// How many edges of the finest graph an edge stands for.
    pub strength: Vec<u32>,
    /// How many unknowns a vertex stands for.
    pub weight: Vec<u32>,
}

impl Graph {
    /// Number of vertices.
    pub fn size(&self) -> usize {
        self.weight.len()
    }

    /// Weight of all vertices.
    pub fn total(&self) -> u64 {
        self.weight.iter().map(|weight| u64::from(*weight)).sum()
    }

    /// Neighbours of a vertex.
    pub fn around(&self, vertex: u32) -> &[u32] {
        &self.neighbours[self.start[vertex as usize]..self.start[vertex as usize + 1]]
    }

    /// Neighbours of a vertex and the strength of the edges.
    pub fn edges(&self, vertex: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let range = self.start[vertex as usize]..self.start[vertex as usize + 1];
        self.neighbours[range.clone()].iter().copied().zip(self.strength[range].iter().copied())
    }

    /// Appends a vertex whose edges have been pushed to the end of the lists.
    pub fn close_vertex(&mut self, weight: u32) {
        self.weight.push(weight);
        self.start.push(self.neighbours.len());
    }

    /// An empty graph.
    pub fn new() -> Self {
        Self { start: vec![0], ..Self::default() }
    }

    /// The part of the graph that `chosen` lists; `place` is scratch over all vertices.
    pub fn part(&self, chosen: &[u32], place: &mut [u32]) -> Self {
        chosen.iter().zip(0..).for_each(|(&vertex, local)| place[vertex as usize] = local);
        let mut part = Self::new();
        for &vertex in chosen {
            for (other, strength) in self.edges(vertex) {
                if place[other as usize] != OUTSIDE {
                    part.neighbours.push(place[other as usize]);
                    part.strength.push(strength);
                }
            }
            part.close_vertex(self.weight[vertex as usize]);
        }
        chosen.iter().for_each(|&vertex| place[vertex as usize] = OUTSIDE);
        part
    }
}

/// Place of a vertex that is not in a part.
pub(super) const OUTSIDE: u32 = u32::MAX;

/// The graph of a pattern, and the unknowns of each vertex: those of vertex `i` are `members[first[i]..first[i + 1]]`.
pub(super) fn compressed(matrix: &SymmetricMatrix) -> (Graph, Vec<usize>, Vec<u32>) {
    let whole = both_triangles(matrix);
    let group = groups(&whole);
    let count = group.iter().max().map_or(0, |last| *last as usize + 1);
    let mut first = vec![0; count + 1];
    group.iter().for_each(|&g| first[g as usize + 1] += 1);
    (0..count).for_each(|g| first[g + 1] += first[g]);
    let (mut next, mut members) = (first.clone(), vec![0; group.len()]);
    for (unknown, &g) in group.iter().enumerate() {
        members[next[g as usize]] = unknown as u32;
        next[g as usize] += 1;
    }
    let mut graph = Graph::new();
    let mut seen = vec![OUTSIDE; count];
    for g in 0..count {
        seen[g] = g as u32;
        // All members see the same unknowns: the first one speaks for them.
        for &other in whole.around(members[first[g]]) {
            let other = group[other as usize];
            if seen[other as usize] != g as u32 {
                seen[other as usize] = g as u32;
                graph.neighbours.push(other);
                graph.strength.push(1);
            }
        }
        graph.close_vertex((first[g + 1] - first[g]) as u32);
    }
    (graph, first, members)
}

/// The pattern as a graph of single unknowns.
fn both_triangles(matrix: &SymmetricMatrix) -> Graph {
    let size = matrix.size();
    let (start, rows) = (matrix.column_start(), matrix.rows());
    let mut count = vec![0; size + 1];
    let each = |visit: &mut dyn FnMut(usize, usize)| {
        for column in 0..size {
            for &row in &rows[start[column]..start[column + 1]] {
                if row != column {
                    visit(row, column);
                }
            }
        }
    };
    each(&mut |row, column| {
        count[row + 1] += 1;
        count[column + 1] += 1;
    });
    (0..size).for_each(|i| count[i + 1] += count[i]);
    let (mut next, mut neighbours) = (count.clone(), vec![0; count[size]]);
    each(&mut |row, column| {
        neighbours[next[row]] = column as u32;
        neighbours[next[column]] = row as u32;
        next[row] += 1;
        next[column] += 1;
    });
    Graph { start: count, neighbours, strength: Vec::new(), weight: vec![1; size] }
}

/// Group of each unknown, numbered by their first members: unknowns whose neighbours, themselves included, are the same.
fn groups(whole: &Graph) -> Vec<u32> {
    let mix = |unknown: u32| (u64::from(unknown) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let mut known: HashMap<(u64, usize), Vec<u32>> = HashMap::new();
    let (mut group, mut next) = (vec![0; whole.size()], 0);
    for unknown in 0..whole.size() as u32 {
        let around = whole.around(unknown);
        let sum = around.iter().fold(mix(unknown), |sum, &other| sum.wrapping_add(mix(other)));
        let alike = known.entry((sum, around.len())).or_default();
        match alike.iter().find(|&&other| same_neighbours(whole, unknown, other)) {
            Some(&other) => group[unknown as usize] = group[other as usize],
            None => {
                group[unknown as usize] = next;
                next += 1;
                alike.push(unknown);
            }
        }
    }
    group
}

/// Whether two unknowns are neighbours with the same other neighbours.
fn same_neighbours(whole: &Graph, a: u32, b: u32) -> bool {
    let set = |unknown: u32| {
        let mut list = whole.around(unknown).to_vec();
        list.push(unknown);
        list.sort_unstable();
        list
    };
    set(a) == set(b)
}
