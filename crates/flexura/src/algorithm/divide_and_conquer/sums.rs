//! Sums over all bodies in an order that the assembly tree gives.
//!
//! A leaf adds its own bodies one after the other, an assembly what its parts have. The order depends on the model only:
//! the same bits for any number of threads and of ranks. A model of one leaf is summed from its first body to its last.
//!
//! Time O(n/p + log n).

use super::DivideAndConquer;
use super::assembly_tree::{AssemblyTree, Kind};
use super::parallel::both;
use super::share::{Piece, Role, put};
use crate::scalar::Scalar;

/// Bodies below which a part is not divided among threads.
const GRAIN: usize = 2_048;

struct Sum<'a, F> {
    tree: &'a AssemblyTree,
    roles: &'a [Role],
    /// Pieces and their sums, read above them; empty below.
    pieces: &'a [Piece],
    found: &'a [f64],
    leaf: &'a F,
    parallel: bool,
}

impl<F> Sum<'_, F> {
    fn of<S: Scalar, const N: usize>(&self, index: usize) -> [S; N]
    where
        F: Fn(&[usize]) -> [S; N] + Sync,
    {
        if !self.pieces.is_empty() && self.roles[index] != Role::Top {
            let place = self.pieces.partition_point(|piece| piece.node < index);
            return std::array::from_fn(|i| S::from_f64(self.found[N * place + i]));
        }
        let node = &self.tree.nodes[index];
        let parallel = self.parallel && node.end - node.start > GRAIN;
        if matches!(node.kind, Kind::Run | Kind::Bundle) {
            let own = (self.leaf)(&self.tree.order[node.start..node.own_end]);
            return match node.children.is_empty() {
                true => own,
                false => plus(own, self.of_list(&self.tree.children[node.children.clone()], parallel)),
            };
        }
        self.of_list(&self.tree.children[node.children.clone()], parallel)
    }

    fn of_list<S: Scalar, const N: usize>(&self, children: &[usize], parallel: bool) -> [S; N]
    where
        F: Fn(&[usize]) -> [S; N] + Sync,
    {
        match children {
            [] => [S::ZERO; N],
            [last] => self.of(*last),
            [first, rest @ ..] => {
                let (one, other) = both(parallel, || self.of(*first), || self.of_list(rest, parallel));
                plus(one, other)
            }
        }
    }
}

fn plus<S: Scalar, const N: usize>(one: [S; N], other: [S; N]) -> [S; N] {
    std::array::from_fn(|i| one[i] + other[i])
}

impl<S: Scalar> DivideAndConquer<S> {
    /// Σ over all bodies of what `leaf` says of some; with ranks, of all bodies wherever they are.
    pub(crate) fn sum<const N: usize>(
        &mut self,
        parallel: bool,
        leaf: &(impl Fn(&[usize]) -> [S; N] + Sync),
    ) -> [S; N] {
        let tree = &self.tree;
        if tree.nodes.is_empty() {
            return [S::ZERO; N];
        }
        let Some(share) = &mut self.share else {
            return Sum { tree, roles: &[], pieces: &[], found: &[], leaf, parallel }.of(0);
        };
        let (roles, mut found) = (std::mem::take(&mut share.roles), std::mem::take(&mut share.sums));
        let below = Sum { tree, roles: &roles, pieces: &[], found: &[], leaf, parallel };
        found.clear();
        share.exchange_pieces(
            N,
            &mut found,
            |_, piece, out| {
                let sum: [S; N] = below.of(piece.node);
                put(out, &sum);
            },
            |found, _, numbers| found.extend_from_slice(numbers),
        );
        found.resize(N * share.pieces.len(), 0.0);
        let above = Sum { tree, roles: &roles, pieces: &share.pieces, found: &found, leaf, parallel: false };
        let sum = above.of(0);
        (share.roles, share.sums) = (roles, found);
        sum
    }
}
