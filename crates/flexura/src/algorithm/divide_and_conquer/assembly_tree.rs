//! The order of assemblies: which parts of a system are joined with which, and when.
//!
//! Source: the binary tree of Mukherjee & Anderson, "A logarithmic complexity
//! divide-and-conquer algorithm for multi-flexible articulated body dynamics"
//! (figure 2), extended from chains to trees: every tree is cut into heavy paths
//! (each body continues with the child that carries most bodies), the bodies of a
//! path are joined by a tree of least height, and the branches beside a path are
//! complete assemblies whose inertias are added pairwise before their carrier
//! takes them up. An assembly so never has more than two open handles: the
//! inboard joint of its first body and the outboard joint along its path.
//!
//! | name | meaning |
//! |---|---|
//! | run | bodies eliminated one after the other, tip to base (a leaf) |
//! | join | an assembly continued outboard by another one on the same path |
//! | bundle | several complete branches of one carrier, one after the other (a leaf) |
//! | sum | inertias of two sets of branches of one carrier added |
//! | split | two sets of bodies with nothing in common but the ground |
//!
//! The tree depends on parents, attachment groups, allowed cuts and leaf size
//! only. Height: each level of nested paths costs what its weight lost, so that
//! chains, stars, combs, caterpillars and random trees stay below
//! 2 log2(n) + 4 (counted in `tests/algorithms/assembly_depth.rs`). Cost O(n log n), once.

use super::planner::Planner;

/// No position: the parent is the ground.
#[doc(hidden)]
pub const GROUND: usize = usize::MAX;

/// What the assembly tree is made from.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Topology<'a> {
    /// Parent of each body; parents come before children.
    pub parent: &'a [Option<usize>],
    /// Branches of one carrier with equal numbers can be added before they reach it.
    pub group: &'a [usize],
    /// Whether a path may be cut outboard of each body.
    pub cut: &'a [bool],
}

/// Kind of a node of the assembly tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Kind {
    /// Part of a path in sequence, with the branches of `children` added on the way.
    Run,
    /// Two assemblies of one path.
    Join,
    /// Complete branches of one carrier (or of the ground) in sequence.
    Bundle,
    /// Two sets of branches of one carrier.
    Sum,
    /// Two independent sets of bodies.
    Split,
}

/// A node of the assembly tree; nodes are in preorder.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Node {
    /// Kind.
    pub kind: Kind,
    /// First position of its bodies.
    pub start: usize,
    /// End of the positions handled by the node itself (runs and bundles).
    pub own_end: usize,
    /// End of the positions of its bodies.
    pub end: usize,
    /// End of the nodes of its subtree.
    pub tree_end: usize,
    /// Children in `AssemblyTree::children`.
    pub children: std::ops::Range<usize>,
    /// Position of the last body of the path.
    pub tip: usize,
    /// Body beyond the outboard handle; `None` when there is no such handle.
    pub next: Option<usize>,
    /// Assemblies on the longest way to a leaf.
    pub height: usize,
}

/// Bodies in the order of elimination and the tree of assemblies over them.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct AssemblyTree {
    /// Nodes in preorder; the first is the whole system. Empty without bodies.
    pub nodes: Vec<Node>,
    /// Child lists of the nodes.
    pub children: Vec<usize>,
    /// Body at each position; carriers come before what they carry.
    pub order: Vec<usize>,
    /// Position of the carrier of the body at each position, or [`GROUND`].
    pub carrier: Vec<usize>,
    /// Position of each body.
    pub position: Vec<usize>,
    /// Whether the body at each position lies between two open handles of a run.
    pub on_path: Vec<bool>,
}

impl AssemblyTree {
    /// The tree for `topology` with leaves of about `leaf` bodies.
    pub fn new(topology: &Topology<'_>, leaf: usize) -> Self {
        Planner::new(topology, leaf.max(1)).plan()
    }

    /// The tree of a chain that may be cut anywhere: the same as by [`AssemblyTree::new`], from the tree over its leaves alone, which
    /// takes a fifth of the memory where bodies are many.
    pub fn of_chain(count: usize, leaf: usize) -> Self {
        let leaf = leaf.max(1);
        let lanes = count.div_ceil(leaf);
        let parent: Vec<Option<usize>> = (0..lanes).map(|lane| lane.checked_sub(1)).collect();
        let (group, cut) = (vec![0; lanes], vec![true; lanes]);
        let mut tree = Self::new(&Topology { parent: &parent, group: &group, cut: &cut }, 1);
        let until = |lane: usize| (lane * leaf).min(count);
        for node in &mut tree.nodes {
            (node.start, node.own_end, node.end) = (until(node.start), until(node.own_end), until(node.end));
            // A chain of one leaf is a bundle, which has no path.
            let one = node.kind == Kind::Bundle;
            (node.tip, node.next) = (if one { 0 } else { until(node.tip + 1) - 1 }, node.next.map(until));
        }
        tree.order = (0..count).collect();
        tree.position = (0..count).collect();
        tree.carrier = (0..count).map(|body| body.checked_sub(1).unwrap_or(GROUND)).collect();
        let last = count.saturating_sub(1) / leaf * leaf;
        tree.on_path = (0..count).map(|body| body < last).collect();
        tree
    }

    /// Assemblies on the longest way from a leaf to the whole system.
    pub fn depth(&self) -> usize {
        self.nodes.first().map_or(0, |root| root.height)
    }

    /// Assemblies performed in one evaluation: joins, sums and branches taken up.
    pub fn assembly_count(&self) -> usize {
        let of = |node: &Node| match node.kind {
            Kind::Join | Kind::Sum => 1,
            Kind::Run => node.children.len(),
            Kind::Bundle | Kind::Split => 0,
        };
        self.nodes.iter().map(of).sum()
    }

    /// Most bodies in one leaf.
    pub fn largest_leaf(&self) -> usize {
        let leaves = self.nodes.iter().filter(|node| matches!(node.kind, Kind::Run | Kind::Bundle));
        leaves.map(|node| node.own_end - node.start).max().unwrap_or(0)
    }

    /// Whether positions are body numbers.
    pub fn is_identity(&self) -> bool {
        self.order.iter().enumerate().all(|(position, &body)| position == body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_of_a_chain_is_that_of_its_topology() {
        for count in [0, 1, 2, 3, 7, 8, 9, 64, 65, 100, 1_000, 1_023] {
            let parent: Vec<Option<usize>> = (0..count).map(|body: usize| body.checked_sub(1)).collect();
            let (group, cut) = (vec![0; count], vec![true; count]);
            let topology = Topology { parent: &parent, group: &group, cut: &cut };
            for leaf in [0, 1, 2, 5, 8, 64] {
                let [chain, any] = [AssemblyTree::of_chain(count, leaf), AssemblyTree::new(&topology, leaf)];
                assert_eq!(format!("{chain:?}"), format!("{any:?}"), "{count} bodies, leaf {leaf}");
            }
        }
    }
}
