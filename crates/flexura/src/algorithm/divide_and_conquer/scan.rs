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
//! Where positions are body numbers, leaves may bring data of their bodies along
//! ([`Cut`]), so that what precedes and follows is done while they are in the cache.
//!
//! Time O(n/p + log n) on p threads.

use super::assembly_tree::{AssemblyTree, Kind, Node};
use super::chunks::Cut;
use super::parallel::both;
use super::share::{Phase, Role, Share, Visit, Words, visit};
use crate::model::Model;
use std::ops::Range;

/// Parts with fewer bodies are not divided among threads: the walk along a leaf is short.
const GRAIN: usize = 128;

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
        model: &Model,
        tree: &AssemblyTree,
        share: Option<&mut Share>,
        ground: &M::Motion,
        local: &(impl Fn(usize) -> M + Sync),
        parallel: bool,
    ) where
        M: Words,
    {
        let local = |k: usize, (): &mut ()| local(k);
        let Some(share) = share else {
            self.upward(model, tree, (&[], Phase::Down), (), &|_, ()| (), &local, parallel);
            return self.downward(model, tree, &[], (), ground, &local, &|_, (), _, _| (), parallel);
        };
        self.upward(model, tree, (&share.roles, Phase::Below), (), &|_, ()| (), &local, parallel);
        self.exchange(share);
        self.upward(model, tree, (&share.roles, Phase::Above), (), &|_, ()| (), &local, parallel);
        self.downward(model, tree, &share.roles, (), ground, &local, &|_, (), _, _| (), parallel);
    }

    /// Maps of all pieces to everybody.
    pub fn exchange(&mut self, share: &mut Share)
    where
        M: Words,
    {
        share.exchange_pieces(
            M::COUNT,
            &mut self.maps,
            |maps, piece, out| maps[piece.node].write(out),
            |maps, piece, numbers| maps[piece.node] = M::read(numbers),
        );
    }

    /// Composes the maps; `before` is done to the data of the bodies of every leaf.
    pub fn upward<D: Cut>(
        &mut self,
        model: &Model,
        tree: &AssemblyTree,
        (roles, phase): (&[Role], Phase),
        data: D,
        before: &(impl Fn(Range<usize>, &mut D) + Sync),
        local: &(impl Fn(usize, &mut D) -> M + Sync),
        parallel: bool,
    ) {
        let walk = Walk { model, tree, roles, phase, parallel };
        if !tree.nodes.is_empty() {
            walk.upward(0, &mut self.maps, data, before, local);
        }
    }

    /// Finds the motions; `after` is done to the data of the bodies of every leaf, whose motions and
    /// that of its carrier are known then.
    pub fn downward<D: Cut>(
        &mut self,
        model: &Model,
        tree: &AssemblyTree,
        roles: &[Role],
        data: D,
        ground: &M::Motion,
        local: &(impl Fn(usize, &mut D) -> M + Sync),
        after: &(impl Fn(Range<usize>, &mut D, &[M::Motion], &M::Motion) + Sync),
        parallel: bool,
    ) {
        let walk = Walk { model, tree, roles, phase: Phase::Down, parallel };
        let maps = &self.maps;
        if !tree.nodes.is_empty() {
            walk.downward(0, &mut self.motions, data, ground, &Down { maps, local, after });
        }
    }
}

struct Walk<'a> {
    model: &'a Model,
    tree: &'a AssemblyTree,
    roles: &'a [Role],
    phase: Phase,
    parallel: bool,
}

/// What the way down reads and does.
struct Down<'a, M, L, A> {
    maps: &'a [M],
    local: &'a L,
    after: &'a A,
}

impl Walk<'_> {
    fn divides(&self, node: &Node) -> bool {
        self.parallel && node.end - node.start > GRAIN
    }

    /// The two children of a join.
    fn pair(&self, node: &Node) -> [usize; 2] {
        let first = node.children.start;
        [self.tree.children[first], self.tree.children[first + 1]]
    }

    /// Data of a node's own bodies and of its branches.
    fn own<D: Cut>(&self, node: &Node, data: D) -> (D, Option<D>) {
        if node.own_end == node.end {
            return (data, None);
        }
        let (own, branches) = data.cut(self.model, node.own_end);
        (own, Some(branches))
    }

    /// Maps of the subtree of node `index`, whose own map is the first of `maps`.
    fn upward<M: Map, D: Cut>(
        &self,
        index: usize,
        maps: &mut [M],
        data: D,
        before: &(impl Fn(Range<usize>, &mut D) + Sync),
        local: &(impl Fn(usize, &mut D) -> M + Sync),
    ) {
        let node = &self.tree.nodes[index];
        let Some((map, below)) = maps.split_first_mut() else { return };
        match visit(self.roles, index, self.phase) {
            Visit::All => {}
            Visit::Nothing if self.phase == Phase::Below => {
                // Bodies of others that are needed here have joints as well.
                let mut data = data;
                return before(node.start..node.end, &mut data);
            }
            Visit::Nothing => return,
            Visit::ChildrenOnly => {
                if let (_, Some(branches)) = self.own(node, data) {
                    self.upward_list(node, node.children.clone(), below, branches, before, local);
                }
                return;
            }
        }
        if !matches!(node.kind, Kind::Run | Kind::Bundle) {
            self.upward_list(node, node.children.clone(), below, data, before, local);
            if node.kind == Kind::Join && node.next.is_some() {
                let [left, right] = self.pair(node).map(|child| &below[child - index - 1]);
                *map = left.then(right);
            }
            return;
        }
        let (mut own, branches) = self.own(node, data);
        before(node.start..node.own_end, &mut own);
        if node.next.is_some() {
            let path = (node.start..node.own_end).filter(|&i| self.tree.on_path[i]);
            let maps = path.map(|i| local(self.tree.order[i], &mut own));
            if let Some(composed) = maps.reduce(|inner, outer| inner.then(&outer)) {
                *map = composed;
            }
        }
        if let Some(branches) = branches {
            self.upward_list(node, node.children.clone(), below, branches, before, local);
        }
    }

    fn upward_list<M: Map, D: Cut>(
        &self,
        node: &Node,
        children: Range<usize>,
        maps: &mut [M],
        data: D,
        before: &(impl Fn(Range<usize>, &mut D) + Sync),
        local: &(impl Fn(usize, &mut D) -> M + Sync),
    ) {
        let child = self.tree.children[children.start];
        let rest = children.start + 1..children.end;
        if rest.is_empty() {
            return self.upward(child, maps, data, before, local);
        }
        let first = &self.tree.nodes[child];
        let (near, far) = maps.split_at_mut(first.tree_end - child);
        let (near_data, far_data) = data.cut(self.model, first.end);
        both(
            self.divides(node),
            || self.upward(child, near, near_data, before, local),
            || self.upward_list(node, rest, far, far_data, before, local),
        );
    }

    /// Motions of the bodies of node `index`, from that of its carrier.
    fn downward<M, D, L, A>(
        &self,
        index: usize,
        motions: &mut [M::Motion],
        data: D,
        carrier: &M::Motion,
        down: &Down<'_, M, L, A>,
    ) where
        M: Map,
        D: Cut,
        L: Fn(usize, &mut D) -> M + Sync,
        A: Fn(Range<usize>, &mut D, &[M::Motion], &M::Motion) + Sync,
    {
        let node = &self.tree.nodes[index];
        if visit(self.roles, index, self.phase) == Visit::Nothing {
            return;
        }
        match node.kind {
            Kind::Run | Kind::Bundle => {
                let (own, rest) = motions.split_at_mut(node.own_end - node.start);
                let (mut own_data, branches) = self.own(node, data);
                self.walk_leaf(node, own, &mut own_data, carrier, down.local);
                (down.after)(node.start..node.own_end, &mut own_data, own, carrier);
                let Some(branches) = branches else { return };
                let of_carrier = |child: usize| {
                    let at = self.tree.carrier[self.tree.nodes[child].start];
                    own[at - node.start]
                };
                self.downward_list(node, node.children.clone(), rest, branches, &of_carrier, down);
            }
            Kind::Join => {
                let [left, _] = self.pair(node);
                let between = down.maps[left].apply(carrier);
                let of_carrier = |child: usize| if child == left { *carrier } else { between };
                self.downward_list(node, node.children.clone(), motions, data, &of_carrier, down);
            }
            Kind::Sum | Kind::Split => {
                self.downward_list(node, node.children.clone(), motions, data, &|_| *carrier, down);
            }
        }
    }

    fn downward_list<M, D, L, A>(
        &self,
        node: &Node,
        children: Range<usize>,
        motions: &mut [M::Motion],
        data: D,
        of_carrier: &(impl Fn(usize) -> M::Motion + Sync),
        down: &Down<'_, M, L, A>,
    ) where
        M: Map,
        D: Cut,
        L: Fn(usize, &mut D) -> M + Sync,
        A: Fn(Range<usize>, &mut D, &[M::Motion], &M::Motion) + Sync,
    {
        let child = self.tree.children[children.start];
        let rest = children.start + 1..children.end;
        if rest.is_empty() {
            return self.downward(child, motions, data, &of_carrier(child), down);
        }
        let first = &self.tree.nodes[child];
        let (near, far) = motions.split_at_mut(first.end - first.start);
        let (near_data, far_data) = data.cut(self.model, first.end);
        both(
            self.divides(node),
            || self.downward(child, near, near_data, &of_carrier(child), down),
            || self.downward_list(node, rest, far, far_data, of_carrier, down),
        );
    }

    /// Own bodies of a run or bundle, base to tip.
    #[inline(always)]
    fn walk_leaf<M: Map, D>(
        &self,
        node: &Node,
        own: &mut [M::Motion],
        data: &mut D,
        carrier: &M::Motion,
        local: &impl Fn(usize, &mut D) -> M,
    ) {
        for i in node.start..node.own_end {
            let parent = self.tree.carrier[i];
            let inside = parent >= node.start && parent < i;
            let before = if inside { own[parent - node.start] } else { *carrier };
            own[i - node.start] = local(self.tree.order[i], data).apply(&before);
        }
    }
}
