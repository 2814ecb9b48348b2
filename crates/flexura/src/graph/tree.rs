//! Spanning tree of bodies and joints, rooted at the ground.
//!
//! Vertices are bodies and the ground, edges are joints; which joints become
//! branches and in which order is up to the search (`search.rs`). Cost O(bodies +
//! joints log joints).

use super::search::{CUT, RankedEdge, RootedTree, Step};

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
    pub const CUT: u32 = CUT;
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
        let ground = bodies;
        let ends = |edge: &Edge| [edge.first.unwrap_or(ground), edge.second.unwrap_or(ground)];
        let ranked = |edge: &Edge| RankedEdge { ends: ends(edge), rank: edge.rank, length: Some(1) };
        let ranked: Vec<RankedEdge> = edges.iter().map(ranked).collect();
        let rooted = RootedTree::search(bodies + 1, ground, &ranked);
        let mut tree = Self { position: vec![None; bodies], ..Self::default() };
        for &body in &rooted.order[1..] {
            let Some(Step { edge: joint, from }) = rooted.above[body] else { continue };
            let parent = tree.position.get(from).copied().flatten();
            let reversed = ends(&edges[joint])[0] != from;
            tree.position[body] = Some(tree.branches.len());
            tree.branches.push(TreeBranch { body, joint, parent, reversed });
        }
        let closes = |&joint: &usize| {
            !rooted.branch[joint] && ranked[joint].ends.iter().any(|&end| rooted.reaches(end))
        };
        tree.chords = (0..edges.len()).filter(closes).collect();
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
