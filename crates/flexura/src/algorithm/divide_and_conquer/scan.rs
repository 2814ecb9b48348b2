//! Motions composed along the assembly tree: hierarchic kinematics.
//!
//! Source: Mukherjee & Anderson section 2.1 ask for kinematics in the same hierarchic way
//! as the forces. A body gives its own motion as an affine map of that of its carrier.
//! Upward the maps along the path of every assembly with an open end are composed;
//! downward every assembly hands the motion of its carrier to its parts, through the map
//! of the inner part to the outer one. Leaves are walked body by body.
//!
//! The maps composed, and their order, are those of the tree: results do not depend on
//! the number of threads. They differ from the serial pass by the rounding of the
//! composed maps.
//!
//! Time O(n/p + log n) on p threads.

use super::assembly_tree::{AssemblyTree, Kind, Node};
use super::parallel::both;

/// Parts with fewer bodies are not divided among threads: the walk along a leaf is short.
const GRAIN: usize = 512;

/// How the motion of the last body of a path follows from that of the carrier of its first.
pub(super) trait Map: Copy + Send + Sync {
    /// A motion.
    type Motion: Copy + Send + Sync;

    /// This map, then that of the path `outboard` of it.
    fn then(&self, outboard: &Self) -> Self;

    /// The motion of the last body.
    fn apply(&self, carrier: &Self::Motion) -> Self::Motion;
}

/// Maps of nodes and motions of bodies.
#[derive(Clone, Debug)]
pub(super) struct Scan<M, V> {
    maps: Vec<M>,
    /// Motion of the body at each position.
    pub motions: Vec<V>,
}

impl<M: Map> Scan<M, M::Motion> {
    /// Scratch for `tree`.
    pub fn new(tree: &AssemblyTree, map: M, motion: M::Motion) -> Self {
        Self { maps: vec![map; tree.nodes.len()], motions: vec![motion; tree.order.len()] }
    }

    /// Fills the motions on a ground with motion `ground`; `local` gives the map of one body.
    pub fn run(
        &mut self,
        tree: &AssemblyTree,
        ground: &M::Motion,
        local: &(impl Fn(usize) -> M + Sync),
        parallel: bool,
    ) {
        if tree.nodes.is_empty() {
            return;
        }
        let walk = Walk { tree, local, parallel };
        walk.upward(0, &mut self.maps);
        walk.downward(0, &self.maps, &mut self.motions, ground);
    }
}

struct Walk<'a, F> {
    tree: &'a AssemblyTree,
    local: &'a F,
    parallel: bool,
}

impl<F> Walk<'_, F> {
    fn divides(&self, node: &Node) -> bool {
        self.parallel && node.end - node.start > GRAIN
    }

    /// Maps of the subtree of node `index`, whose own map is the first of `maps`.
    fn upward<M: Map>(&self, index: usize, maps: &mut [M])
    where
        F: Fn(usize) -> M + Sync,
    {
        let node = &self.tree.nodes[index];
        let Some((own, below)) = maps.split_first_mut() else { return };
        self.upward_list(node, node.children.clone(), below);
        if node.next.is_none() {
            return;
        }
        match node.kind {
            Kind::Run => {
                let path = (node.start..node.own_end).filter(|&i| self.tree.on_path[i]);
                let of = path.map(|i| (self.local)(self.tree.order[i]));
                if let Some(map) = of.reduce(|inner, outer| inner.then(&outer)) {
                    *own = map;
                }
            }
            Kind::Join => {
                let [left, right] = self.pair(node).map(|child| &below[child - index - 1]);
                *own = left.then(right);
            }
            Kind::Bundle | Kind::Sum | Kind::Split => {}
        }
    }

    fn upward_list<M: Map>(&self, node: &Node, children: std::ops::Range<usize>, maps: &mut [M])
    where
        F: Fn(usize) -> M + Sync,
    {
        if children.is_empty() {
            return;
        }
        let first = self.tree.children[children.start];
        let (near, far) = maps.split_at_mut(self.tree.nodes[first].tree_end - first);
        let rest = children.start + 1..children.end;
        both(
            self.divides(node) && !rest.is_empty(),
            || self.upward(first, near),
            || self.upward_list(node, rest, far),
        );
    }

    /// Motions of the bodies of node `index`, from that of its carrier.
    fn downward<M: Map>(&self, index: usize, maps: &[M], motions: &mut [M::Motion], carrier: &M::Motion)
    where
        F: Fn(usize) -> M + Sync,
    {
        let node = &self.tree.nodes[index];
        match node.kind {
            Kind::Run | Kind::Bundle => {
                let (own, branches) = motions.split_at_mut(node.own_end - node.start);
                self.walk_leaf(node, own, carrier);
                let of_carrier = |child: usize| {
                    let at = self.tree.carrier[self.tree.nodes[child].start];
                    own[at - node.start]
                };
                self.downward_list(node, node.children.clone(), maps, branches, &of_carrier);
            }
            Kind::Join => {
                let [left, right] = self.pair(node);
                let (near, far) = motions.split_at_mut(self.tree.nodes[left].end - node.start);
                let between = maps[left].apply(carrier);
                both(
                    self.divides(node),
                    || self.downward(left, maps, near, carrier),
                    || self.downward(right, maps, far, &between),
                );
            }
            Kind::Sum | Kind::Split => {
                self.downward_list(node, node.children.clone(), maps, motions, &|_| *carrier);
            }
        }
    }

    fn downward_list<M: Map>(
        &self,
        node: &Node,
        children: std::ops::Range<usize>,
        maps: &[M],
        motions: &mut [M::Motion],
        of_carrier: &(impl Fn(usize) -> M::Motion + Sync),
    ) where
        F: Fn(usize) -> M + Sync,
    {
        if children.is_empty() {
            return;
        }
        let child = self.tree.children[children.start];
        let first = &self.tree.nodes[child];
        let (near, far) = motions.split_at_mut(first.end - first.start);
        let rest = children.start + 1..children.end;
        both(
            self.divides(node) && !rest.is_empty(),
            || self.downward(child, maps, near, &of_carrier(child)),
            || self.downward_list(node, rest, maps, far, of_carrier),
        );
    }

    /// Own bodies of a run or bundle, base to tip.
    #[inline(always)]
    fn walk_leaf<M: Map>(&self, node: &Node, own: &mut [M::Motion], carrier: &M::Motion)
    where
        F: Fn(usize) -> M + Sync,
    {
        for i in node.start..node.own_end {
            let parent = self.tree.carrier[i];
            let inside = parent >= node.start && parent < i;
            let before = if inside { own[parent - node.start] } else { *carrier };
            own[i - node.start] = (self.local)(self.tree.order[i]).apply(&before);
        }
    }

    /// The two children of a join.
    fn pair(&self, node: &Node) -> [usize; 2] {
        let first = node.children.start;
        [self.tree.children[first], self.tree.children[first + 1]]
    }
}
