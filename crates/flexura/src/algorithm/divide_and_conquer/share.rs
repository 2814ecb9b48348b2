//! The part of one rank in evaluations that several do together.
//!
//! The assembly tree depends on the model only. Some of its nodes, none above another, are *pieces*: each has one rank as
//! its owner, who works on everything below. What lies above the pieces, the *top*, every rank does alike. So an
//! evaluation needs the results of all pieces everywhere, twice: maps of motions before the way down, handle equations
//! before the joins of the top. Sums over bodies (powers, energies, norms) are taken along the same tree, so that all
//! numbers have the bits of one process, whoever owns what.
//!
//! | phase | top | own pieces | others |
//! |---|---|---|---|
//! | below | children only | everything | nothing |
//! | above | everything | nothing | nothing |
//! | down | everything | everything | nothing |
//!
//! Cost per evaluation on p ranks: O(n/p) work, O(p) numbers gathered, O(p) joins of the top by everybody.

use crate::error::DynamicsError;
use crate::ranks::{RankLost, Ranks, Talk};
use crate::scalar::Scalar;
use std::sync::Arc;
use std::time::Instant;

/// Whose a node of the assembly tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Above the pieces: everybody's.
    Top,
    /// In a piece of this rank.
    Own,
    /// A piece of another rank; nothing below it is here.
    Foreign,
}

/// Which way over the tree is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Upwards, up to the pieces.
    Below,
    /// Upwards, from the pieces on.
    Above,
    /// Downwards; in one process, both ways.
    Down,
}

/// What is done at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visit {
    All,
    ChildrenOnly,
    Nothing,
}

/// What is done at node `index` in `phase`; without roles, everything.
#[inline]
pub(super) fn visit(roles: &[Role], index: usize, phase: Phase) -> Visit {
    let Some(role) = roles.get(index) else { return Visit::All };
    match (phase, role) {
        (Phase::Below, Role::Top) => Visit::ChildrenOnly,
        (Phase::Above, Role::Top) | (Phase::Down, Role::Top) => Visit::All,
        (Phase::Below | Phase::Down, Role::Own) => Visit::All,
        (Phase::Above, Role::Own) | (_, Role::Foreign) => Visit::Nothing,
    }
}

/// Something that travels as numbers.
pub(super) trait Words: Sized {
    /// How many.
    const COUNT: usize;

    /// Its numbers.
    fn write(&self, out: &mut [f64]);

    /// From its numbers.
    fn read(numbers: &[f64]) -> Self;
}

/// Writes numbers one after the other.
pub(crate) fn put<'a, S: Scalar + 'a>(out: &mut [f64], values: impl IntoIterator<Item = &'a S>) {
    for (slot, value) in out.iter_mut().zip(values) {
        *slot = value.value();
    }
}

/// Reads numbers one after the other.
pub(crate) fn take<'a, S: Scalar + 'a>(numbers: &[f64], values: impl IntoIterator<Item = &'a mut S>) {
    for (&number, value) in numbers.iter().zip(values) {
        *value = S::from_f64(number);
    }
}

/// A piece of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Its node in the tree of this rank.
    pub node: usize,
    /// The rank it belongs to.
    pub owner: usize,
}

/// A body that others than its owner need as well: first bodies of pieces and what carries these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedBody {
    /// Its number in the model of this rank.
    pub body: usize,
    /// The rank it belongs to.
    pub owner: usize,
}

/// What the order of passes depends on: all ranks take the same ones, whatever their part has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole {
    /// Whether any motion is prescribed.
    pub driven: bool,
    /// Whether loads need poses.
    pub posed: bool,
    /// Whether bodies are rigid and stand in the order of the tree.
    pub leaf_by_leaf: bool,
}

/// What one rank knows of the division.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    pub ranks: Arc<dyn Ranks>,
    pub talk: Arc<Talk>,
    /// Of every node of the tree of this rank.
    pub roles: Vec<Role>,
    /// In the order of the tree, the same on all ranks.
    pub pieces: Vec<Piece>,
    /// In the order of the tree, the same on all ranks.
    pub shared: Vec<SharedBody>,
    /// What the passes depend on, of the whole model.
    pub whole: Whole,
    /// Whether this rank wants the run to stop; whether some rank did, and all know.
    pub stop_wanted: bool,
    /// See `stop_wanted`.
    pub stopped: bool,
    /// What goes out, what comes in, and how much from whom.
    own: Vec<f64>,
    all: Vec<f64>,
    counts: Vec<usize>,
    /// Sums of the pieces, as many numbers as were last asked for each.
    pub sums: Vec<f64>,
    /// Whether another rank was lost: nothing is gathered any more, and the next evaluation says so.
    lost: Option<RankLost>,
}

impl Share {
    pub fn new(
        ranks: Arc<dyn Ranks>,
        roles: Vec<Role>,
        pieces: Vec<Piece>,
        shared: Vec<SharedBody>,
        whole: Whole,
    ) -> Self {
        let counts = vec![0; ranks.size()];
        let talk = Arc::new(Talk::default());
        let (own, all, sums) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            ranks,
            talk,
            roles,
            pieces,
            shared,
            whole,
            stop_wanted: false,
            stopped: false,
            own,
            all,
            counts,
            sums,
            lost: None,
        }
    }

    pub fn rank(&self) -> usize {
        self.ranks.rank()
    }

    /// The rank that owns shared body `body`.
    pub fn owner_of(&self, body: usize) -> usize {
        self.shared.iter().find(|shared| shared.body == body).map_or(0, |shared| shared.owner)
    }

    /// Whether the run cannot go on because another rank is gone.
    pub fn check(&self) -> Result<(), DynamicsError> {
        let lost = self.lost.as_ref().map(|lost| DynamicsError::RankLost { cause: lost.to_string() });
        lost.map_or(Ok(()), Err)
    }

    /// What every piece has, as `width` numbers: `write` is asked of its owner, `read` of everybody; both work on `on`.
    pub fn exchange_pieces<C>(
        &mut self,
        width: usize,
        on: &mut C,
        write: impl FnMut(&mut C, Piece, &mut [f64]),
        read: impl FnMut(&mut C, Piece, &[f64]),
    ) {
        let pieces = std::mem::take(&mut self.pieces);
        self.exchange(&pieces, |piece| (piece.owner, width), on, write, read);
        self.pieces = pieces;
    }

    /// What every shared body has, as `width(body)` numbers.
    pub fn exchange_bodies<C>(
        &mut self,
        width: impl Fn(usize) -> usize,
        on: &mut C,
        mut write: impl FnMut(&mut C, usize, &mut [f64]),
        mut read: impl FnMut(&mut C, usize, &[f64]),
    ) {
        let shared = std::mem::take(&mut self.shared);
        self.exchange(
            &shared,
            |shared| (shared.owner, width(shared.body)),
            on,
            |on, shared, out| write(on, shared.body, out),
            |on, shared, numbers| read(on, shared.body, numbers),
        );
        self.shared = shared;
    }

    /// Numbers of a list of items, each with an owner and a width. No allocation after the first time.
    fn exchange<T: Copy, C>(
        &mut self,
        items: &[T],
        place: impl Fn(&T) -> (usize, usize),
        on: &mut C,
        mut write: impl FnMut(&mut C, T, &mut [f64]),
        mut read: impl FnMut(&mut C, T, &[f64]),
    ) {
        if self.lost.is_some() {
            return;
        }
        let rank = self.rank();
        self.counts.fill(0);
        for (owner, width) in items.iter().map(&place) {
            self.counts[owner] += width;
        }
        let total: usize = self.counts.iter().sum();
        self.own.resize(self.counts[rank], 0.0);
        self.all.resize(total, 0.0);
        let mut at = 0;
        for item in items.iter().filter(|item| place(item).0 == rank) {
            let end = at + place(item).1;
            write(on, *item, &mut self.own[at..end]);
            at = end;
        }
        let start = Instant::now();
        if let Err(lost) = self.ranks.all_gather(&self.own, &self.counts, &mut self.all) {
            self.lost = Some(lost);
            return;
        }
        self.talk.count(total, start);
        // Items of a rank follow each other in the order of the list.
        let mut first = 0;
        for count in &mut self.counts {
            first += std::mem::replace(count, first);
        }
        for item in items {
            let (owner, width) = place(item);
            let at = self.counts[owner];
            read(on, *item, &self.all[at..at + width]);
            self.counts[owner] += width;
        }
    }
}
