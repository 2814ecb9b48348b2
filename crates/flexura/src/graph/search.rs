//! The tree search: least total rank, then near the root, then order of listing.
//!
//! Source: the priority of McPhee (1998) as given by Richard (2012), section 2.
//! The branches are chosen by Kruskal's rule over (rank, distance from the root,
//! order of listing), so that a chord never outranks a branch of its own circuit
//! and, among equals, the tree is shallow and its circuits short. They are then
//! walked depth first in the order they are listed, so that chains become
//! contiguous and the result depends on the graph only. It serves the graph of
//! bodies and joints ([`super::SpanningTree`]) and the linear graph of frames and
//! components ([`super::GraphTree`]). Explicit stacks: depth is limited by memory,
//! not by the call stack. Cost O(vertices + edges log edges).

use super::disjoint_sets::DisjointSets;
use std::collections::VecDeque;

/// Rank of an edge that must stay a chord.
pub const CUT: u32 = u32::MAX;
/// Distance of what no walk reaches.
const FAR: u32 = u32::MAX;

/// An edge as the search sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RankedEdge {
    /// The vertices it joins.
    pub ends: [usize; 2],
    /// The smaller, the sooner it becomes a branch; [`CUT`] never does.
    pub rank: u32,
    /// How much farther from the root its far end is, 0 or 1; `None` for edges that
    /// say nothing about distance.
    pub length: Option<u32>,
}

/// The branch that leads to a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Index of the branch among the edges.
    pub edge: usize,
    /// The vertex it comes from.
    pub from: usize,
}

/// A spanning tree seen from its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RootedTree {
    /// Vertices connected to the root, depth first, the root in front.
    pub order: Vec<usize>,
    /// How each vertex is reached; `None` for the root and for unconnected ones.
    pub above: Vec<Option<Step>>,
    /// Branches on the way from the root to each vertex.
    pub depth: Vec<usize>,
    /// Whether each edge is a branch (of this tree or of an unconnected part).
    pub branch: Vec<bool>,
}

impl RootedTree {
    /// The tree of `vertices` vertices and `edges` that hangs on `root`.
    pub fn search(vertices: usize, root: usize, edges: &[RankedEdge]) -> Self {
        let neighbours = Neighbours::new(vertices, edges);
        let branch = choose_branches(vertices, root, edges, &neighbours);
        let mut tree = Self { above: vec![None; vertices], depth: vec![0; vertices], ..Self::default() };
        tree.order.push(root);
        // (vertex, slot of its next edge)
        let mut stack = vec![(root, neighbours.starts[root])];
        while let Some((vertex, slot)) = stack.last_mut() {
            let (here, next) = (*vertex, *slot);
            if next == neighbours.starts[here + 1] {
                stack.pop();
                continue;
            }
            *slot += 1;
            let edge = neighbours.edges[next];
            let [a, b] = edges[edge].ends;
            let there = if a == here { b } else { a };
            let back = tree.above[here].is_some_and(|step| step.edge == edge);
            if !branch[edge] || back {
                continue;
            }
            tree.above[there] = Some(Step { edge, from: here });
            tree.depth[there] = tree.depth[here] + 1;
            tree.order.push(there);
            stack.push((there, neighbours.starts[there]));
        }
        tree.branch = branch;
        tree
    }

    /// Whether a path of branches leads to `vertex`.
    pub fn reaches(&self, vertex: usize) -> bool {
        self.order[0] == vertex || self.above[vertex].is_some()
    }
}

/// Compressed lists of the edges at each vertex, in the order of listing.
struct Neighbours {
    starts: Vec<usize>,
    edges: Vec<usize>,
}

impl Neighbours {
    fn new(vertices: usize, edges: &[RankedEdge]) -> Self {
        let mut starts = vec![0; vertices + 1];
        for end in edges.iter().flat_map(|edge| edge.ends) {
            starts[end + 1] += 1;
        }
        for i in 0..vertices {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut lists = vec![0; 2 * edges.len()];
        for (index, edge) in edges.iter().enumerate() {
            for end in edge.ends {
                lists[next[end]] = index;
                next[end] += 1;
            }
        }
        Self { starts, edges: lists }
    }

    fn at(&self, vertex: usize) -> &[usize] {
        &self.edges[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

/// Kruskal's choice by (rank, distance of the nearer end from the root, order of listing).
fn choose_branches(vertices: usize, root: usize, edges: &[RankedEdge], neighbours: &Neighbours) -> Vec<bool> {
    let distance = distances(vertices, root, edges, neighbours);
    let near = |edge: &RankedEdge| edge.ends.map(|end| distance[end]).into_iter().min();
    let mut order: Vec<usize> = (0..edges.len()).filter(|&index| edges[index].rank != CUT).collect();
    order.sort_by_key(|&index| (edges[index].rank, near(&edges[index]), index));
    let mut sets = DisjointSets::new(vertices);
    let mut branch = vec![false; edges.len()];
    for index in order {
        let [a, b] = edges[index].ends;
        branch[index] = sets.join(a, b);
    }
    branch
}

/// Distance of every vertex from the root over edges that have a length and are not cut: a
/// breadth-first search in which edges of length 0 go to the front of the queue.
fn distances(vertices: usize, root: usize, edges: &[RankedEdge], neighbours: &Neighbours) -> Vec<u32> {
    let mut distance = vec![FAR; vertices];
    distance[root] = 0;
    let mut queue = VecDeque::from([root]);
    while let Some(vertex) = queue.pop_front() {
        for &index in neighbours.at(vertex) {
            let edge = &edges[index];
            let Some(length) = edge.length.filter(|_| edge.rank != CUT) else { continue };
            let reached = distance[vertex] + length;
            for end in edge.ends {
                if reached >= distance[end] {
                    continue;
                }
                distance[end] = reached;
                match length {
                    0 => queue.push_front(end),
                    _ => queue.push_back(end),
                }
            }
        }
    }
    distance
}
