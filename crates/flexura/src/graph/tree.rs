//! Spanning tree of bodies and joints, rooted at the ground.
//!
//! Vertices are bodies and the ground, edges are joints. Which joints become
//! branches follows the priority of McPhee (1998) as given by Richard (2012),
//! section 2: the tree is the one of least total rank (Kruskal), so that a
//! chord never outranks a branch of its own circuit; among equals, joints near
//! the ground win (breadth first), which keeps the tree shallow and the loops
//! short. The branches are then ordered depth first in the order they are
//! listed, so that chains become contiguous and the result depends on the model
//! only. Explicit stacks: depth is limited by memory, not by the call stack.
//! Cost O(bodies + joints log joints).

use super::disjoint_sets::DisjointSets;

/// One joint as an edge; `None` is the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Body of the first frame.
    pub first: Option<usize>,
    /// Body of the second frame.
    pub second: Option<usize>,
    /// Priority: the smaller, the sooner it becomes a branch. [`Edge::CUT`] never does.
    pub rank: u32,
}

impl Edge {
    /// Rank of a joint that must close a loop.
    pub const CUT: u32 = u32::MAX;
}

/// A body as reached by the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeBranch {
    /// Index of the body in the description.
    pub body: usize,
    /// Index of the joint that carries it.
    pub joint: usize,
    /// Position of the parent in the tree order; `None` is the ground.
    pub parent: Option<usize>,
    /// Whether the tree runs from the joint's second frame to its first.
    pub reversed: bool,
}

/// A spanning tree, its chords and what it could not reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpanningTree {
    /// Bodies, parents before children.
    pub branches: Vec<TreeBranch>,
    /// Joints that close loops.
    pub chords: Vec<usize>,
    /// Bodies without a path to the ground.
    pub unreached: Vec<usize>,
    /// Position of each body in `branches`, `None` if unreached.
    pub position: Vec<Option<usize>>,
}

impl SpanningTree {
    /// The tree of `bodies` bodies joined by `edges`.
    pub fn new(bodies: usize, edges: &[Edge]) -> Self {
        let (starts, adjacent) = adjacency(bodies, edges);
        let ground = bodies;
        let branch = choose_branches(bodies, edges, &starts, &adjacent);
        let mut tree = Self { position: vec![None; bodies], ..Self::default() };
        let mut used = vec![false; edges.len()];
        // (vertex, next slot of its adjacency list)
        let mut stack = vec![(ground, starts[ground])];
        while let Some((vertex, slot)) = stack.last_mut() {
            if *slot == starts[*vertex + 1] {
                stack.pop();
                continue;
            }
            let joint = adjacent[*slot];
            *slot += 1;
            if std::mem::replace(&mut used[joint], true) {
                continue;
            }
            if !branch[joint] {
                tree.chords.push(joint);
                continue;
            }
            let here = if *vertex == ground { None } else { Some(*vertex) };
            let edge = edges[joint];
            let reversed = edge.first != here;
            let there = if reversed { edge.first } else { edge.second };
            let Some(body) = there.filter(|&body| tree.position[body].is_none()) else {
                tree.chords.push(joint);
                continue;
            };
            let parent = here.and_then(|vertex| tree.position[vertex]);
            tree.position[body] = Some(tree.branches.len());
            tree.branches.push(TreeBranch { body, joint, parent, reversed });
            stack.push((body, starts[body]));
        }
        tree.chords.sort_unstable();
        tree.unreached = (0..bodies).filter(|&body| tree.position[body].is_none()).collect();
        tree
    }

    /// Joints of the loop closed by a chord, in order around the loop, the chord first.
    pub fn loop_of(&self, chord: usize, edge: Edge) -> Vec<usize> {
        let path = |body: Option<usize>| {
            let mut joints = Vec::new();
            let mut at = body.and_then(|b| self.position.get(b).copied().flatten());
            while let Some(position) = at {
                joints.push(self.branches[position].joint);
                at = self.branches[position].parent;
            }
            joints
        };
        let (mut one, mut two) = (path(edge.first), path(edge.second));
        // Joints below the common ancestor belong to both paths.
        while one.last().is_some() && one.last() == two.last() {
            one.pop();
            two.pop();
        }
        let mut members = vec![chord];
        members.extend(two);
        members.extend(one.into_iter().rev());
        members
    }
}

/// Kruskal's choice of branches by (rank, distance from the ground, order of listing).
fn choose_branches(bodies: usize, edges: &[Edge], starts: &[usize], adjacent: &[usize]) -> Vec<bool> {
    let level = levels(bodies, edges, starts, adjacent);
    let ends = |edge: &Edge| [edge.first.unwrap_or(bodies), edge.second.unwrap_or(bodies)];
    let distance = |joint: usize| ends(&edges[joint]).map(|end| level[end]).into_iter().min();
    let mut order: Vec<usize> = (0..edges.len()).filter(|&joint| edges[joint].rank != Edge::CUT).collect();
    order.sort_by_key(|&joint| (edges[joint].rank, distance(joint), joint));
    let mut sets = DisjointSets::new(bodies + 1);
    let mut branch = vec![false; edges.len()];
    for joint in order {
        let [first, second] = ends(&edges[joint]);
        branch[joint] = sets.join(first, second);
    }
    branch
}

/// Distance of every vertex from the ground in joints that are not cut; unreached ones are far.
fn levels(bodies: usize, edges: &[Edge], starts: &[usize], adjacent: &[usize]) -> Vec<usize> {
    let ground = bodies;
    let mut level = vec![usize::MAX; bodies + 1];
    let mut queue = std::collections::VecDeque::from([ground]);
    level[ground] = 0;
    while let Some(vertex) = queue.pop_front() {
        for &joint in &adjacent[starts[vertex]..starts[vertex + 1]] {
            let edge = &edges[joint];
            if edge.rank == Edge::CUT {
                continue;
            }
            for end in [edge.first.unwrap_or(ground), edge.second.unwrap_or(ground)] {
                if level[end] == usize::MAX {
                    level[end] = level[vertex] + 1;
                    queue.push_back(end);
                }
            }
        }
    }
    level
}

/// Compressed adjacency lists; the last vertex is the ground.
fn adjacency(bodies: usize, edges: &[Edge]) -> (Vec<usize>, Vec<usize>) {
    let ground = bodies;
    let ends = |edge: &Edge| [edge.first.unwrap_or(ground), edge.second.unwrap_or(ground)];
    let mut starts = vec![0; bodies + 2];
    for edge in edges {
        for end in ends(edge) {
            starts[end + 1] += 1;
        }
    }
    for i in 0..=bodies {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut adjacent = vec![0; 2 * edges.len()];
    for (joint, edge) in edges.iter().enumerate() {
        for end in ends(edge) {
            adjacent[next[end]] = joint;
            next[end] += 1;
        }
    }
    (starts, adjacent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(first: Option<usize>, second: Option<usize>) -> Edge {
        Edge { first, second, rank: 0 }
    }

    #[test]
    fn chain_listed_backwards_is_ordered_and_reversed() {
        let edges = [edge(Some(1), Some(0)), edge(Some(1), None)];
        let tree = SpanningTree::new(2, &edges);
        assert_eq!(tree.branches[0], TreeBranch { body: 1, joint: 1, parent: None, reversed: true });
        assert_eq!(tree.branches[1], TreeBranch { body: 0, joint: 0, parent: Some(0), reversed: false });
        assert!(tree.chords.is_empty() && tree.unreached.is_empty());
    }

    #[test]
    fn four_bar_has_one_chord_and_its_loop_is_complete() {
        let edges =
            [edge(None, Some(0)), edge(Some(0), Some(1)), edge(Some(1), Some(2)), edge(Some(2), None)];
        let tree = SpanningTree::new(3, &edges);
        assert_eq!(tree.chords.len(), 1);
        let mut members = tree.loop_of(tree.chords[0], edges[tree.chords[0]]);
        members.sort_unstable();
        assert_eq!(members, vec![0, 1, 2, 3]);
    }

    #[test]
    fn the_joint_farthest_from_the_ground_is_cut_and_ranks_go_first() {
        let ends = [(None, Some(0)), (Some(0), Some(1)), (Some(1), Some(2)), (Some(2), None)];
        let mut edges = ends.map(|(first, second)| edge(first, second));
        assert_eq!(SpanningTree::new(3, &edges).chords, vec![2]);
        edges[0].rank = 1;
        assert_eq!(SpanningTree::new(3, &edges).chords, vec![0]);
        edges[3].rank = Edge::CUT;
        assert_eq!(SpanningTree::new(3, &edges).chords, vec![3]);
    }

    #[test]
    fn unreached_bodies_are_named() {
        let tree = SpanningTree::new(3, &[edge(None, Some(0)), edge(Some(1), Some(2))]);
        assert_eq!(tree.unreached, vec![1, 2]);
    }

    #[test]
    fn a_joint_between_ground_and_ground_is_a_chord() {
        let tree = SpanningTree::new(1, &[edge(None, None), edge(None, Some(0))]);
        assert_eq!(tree.chords, vec![0]);
    }
}
