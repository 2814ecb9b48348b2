//! The assembly tree as one rank sees it: the top, its own pieces, and stubs in place of all others.
//!
//! Positions are those of the whole tree without the bodies that are not here, so that the bodies of an assembly stay
//! consecutive. A stub has the bodies of its piece that are here, the first of them first.

use super::cut::{Cut, Owner};
use crate::algorithm::divide_and_conquer::{AssemblyTree, GROUND, Node, Piece, Role};

/// Tree, roles of its nodes, pieces with their owners.
pub(super) struct LocalTree {
    pub tree: AssemblyTree,
    pub roles: Vec<Role>,
    pub pieces: Vec<Piece>,
}

struct Builder<'a> {
    whole: &'a AssemblyTree,
    cut: &'a Cut,
    rank: usize,
    /// Number here of every position and every body; [`GROUND`] elsewhere.
    position: Vec<usize>,
    body: &'a [usize],
    /// Positions here before each position of the whole tree.
    before: Vec<usize>,
    out: LocalTree,
}

impl LocalTree {
    /// The tree of `rank`; `body` has the number here of every body of the whole model, [`GROUND`] for those elsewhere.
    pub fn new(whole: &AssemblyTree, cut: &Cut, rank: usize, body: &[usize]) -> Self {
        let count = whole.order.len();
        let (mut position, mut before) = (vec![GROUND; count], vec![0; count + 1]);
        let mut order = Vec::new();
        for (i, &k) in whole.order.iter().enumerate() {
            before[i] = order.len();
            if body[k] != GROUND {
                position[i] = order.len();
                order.push(body[k]);
            }
        }
        before[count] = order.len();
        let here = |i: &usize| position[*i] != GROUND;
        let carrier = |i: usize| match whole.carrier[i] {
            GROUND => GROUND,
            carrier => position[carrier],
        };
        let mut of_body = vec![0; order.len()];
        order.iter().enumerate().for_each(|(i, &k)| of_body[k] = i);
        let tree = AssemblyTree {
            nodes: Vec::new(),
            children: Vec::new(),
            carrier: (0..count).filter(here).map(carrier).collect(),
            on_path: (0..count).filter(here).map(|i| whole.on_path[i]).collect(),
            position: of_body,
            order,
        };
        let out = Self { tree, roles: Vec::new(), pieces: Vec::new() };
        let mut builder = Builder { whole, cut, rank, position, body, before, out };
        if !whole.nodes.is_empty() {
            builder.add(0);
        }
        builder.out
    }
}

impl Builder<'_> {
    /// Appends the subtree of node `index` of the whole tree; returns its number here.
    fn add(&mut self, index: usize) -> usize {
        let node = &self.whole.nodes[index];
        let number = self.out.tree.nodes.len();
        let piece = self.cut.pieces.binary_search_by_key(&index, |&(node, _)| node);
        let role = match piece {
            Ok(at) if self.cut.pieces[at].1 != self.rank => Role::Foreign,
            Ok(_) => Role::Own,
            Err(_) if self.is_inside(index) => Role::Own,
            Err(_) => Role::Top,
        };
        if let Ok(at) = piece {
            self.out.pieces.push(Piece { node: number, owner: self.cut.pieces[at].1 });
        }
        let stub = role == Role::Foreign;
        let list: Vec<usize> =
            if stub { Vec::new() } else { self.whole.children[node.children.clone()].to_vec() };
        let first = self.out.tree.children.len();
        self.out.tree.children.resize(first + list.len(), 0);
        let end = self.before[node.end];
        self.out.roles.push(role);
        self.out.tree.nodes.push(Node {
            kind: node.kind,
            start: self.before[node.start],
            own_end: if stub { end } else { self.before[node.own_end] },
            end,
            tree_end: 0,
            children: first..first + list.len(),
            tip: self.position[node.tip],
            next: node.next.map(|next| self.body[next]),
            height: node.height,
        });
        for (slot, child) in list.into_iter().enumerate() {
            let added = self.add(child);
            self.out.tree.children[first + slot] = added;
        }
        self.out.tree.nodes[number].tree_end = self.out.tree.nodes.len();
        number
    }

    /// Whether node `index` lies below a piece.
    fn is_inside(&self, index: usize) -> bool {
        let at = self.cut.pieces.partition_point(|&(node, _)| node < index);
        at > 0 && index < self.whole.nodes[self.cut.pieces[at - 1].0].tree_end
    }
}

/// Whether a body at `owner` is computed by `rank`.
pub(super) fn is_here(owner: Owner, rank: usize) -> bool {
    matches!(owner, Owner::Everybody) || owner == Owner::Rank(rank)
}
