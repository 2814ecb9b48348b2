//! The tape of a thread: nodes with their operands, and the constants and samples met (`taped.rs` says what for).

use super::taped::Taped;
use std::cell::{Cell, RefCell};

/// Place of what depends on no leaf.
pub(super) const NOWHERE: u32 = u32::MAX;

/// An operand of a node.
#[derive(Clone, Copy, Debug)]
struct Edge {
    partial: f64,
    place: u32,
}

/// What is done with constants and samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attention {
    /// Nothing.
    None,
    /// Marked constants and all samples become leaves; constants are counted and hashed.
    Watch,
    /// Constants are listed; nothing is taped.
    List,
}

/// Nodes, and the constants and samples met.
#[derive(Debug)]
pub(crate) struct Tape {
    /// End of the operands of every node.
    ends: Vec<u32>,
    edges: Vec<Edge>,
    adjoints: Vec<f64>,
    /// Constants met so far, and a hash of them.
    pub count: usize,
    pub hash: u64,
    /// Constants that become leaves.
    pub marked: Vec<bool>,
    /// Marked constants met: number and place.
    leaves: Vec<(u32, u32)>,
    /// Places and values of the samples met.
    pub(super) sampled: Vec<(u32, f64)>,
    /// Constants in order, while listing.
    pub constants: Vec<f64>,
}

thread_local! {
    pub(super) static ATTENTION: Cell<Attention> = const { Cell::new(Attention::None) };
    static TAPE: RefCell<Tape> = const { RefCell::new(Tape::EMPTY) };
}

/// Runs `work` with the tape of the thread.
pub(crate) fn with_tape<T>(work: impl FnOnce(&mut Tape) -> T) -> T {
    TAPE.with_borrow_mut(work)
}

/// Runs `work`, in which constants and samples get `attention`.
pub(crate) fn attending<T>(attention: Attention, work: impl FnOnce() -> T) -> T {
    let before = ATTENTION.replace(attention);
    let result = work();
    ATTENTION.set(before);
    result
}

impl Tape {
    const EMPTY: Self = Self {
        ends: Vec::new(),
        edges: Vec::new(),
        adjoints: Vec::new(),
        count: 0,
        hash: 0,
        marked: Vec::new(),
        leaves: Vec::new(),
        sampled: Vec::new(),
        constants: Vec::new(),
    };

    /// Forgets all nodes from the first `floor` on, and what was met.
    pub fn rewind(&mut self, floor: usize) {
        self.ends.truncate(floor);
        self.edges.truncate(self.ends.last().map_or(0, |&end| end as usize));
        (self.count, self.hash) = (0, 0);
        self.leaves.clear();
        self.sampled.clear();
        self.constants.clear();
    }

    /// Operands of all nodes.
    #[inline(always)]
    pub(super) fn operands(&self) -> usize {
        self.edges.len()
    }

    /// Nodes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Memory of the tape (bytes).
    pub fn bytes(&self) -> usize {
        let edge = size_of::<Edge>();
        self.ends.capacity() * 4 + self.edges.capacity() * edge + self.adjoints.capacity() * 8
    }

    /// Ends a node that has all its operands.
    pub(super) fn node(&mut self) -> u32 {
        self.ends.push(self.edges.len() as u32);
        (self.ends.len() - 1) as u32
    }

    /// Adds `factor` times what `number` is linear in to the operands of the node to be.
    #[inline(always)]
    pub(super) fn add(&mut self, number: &Taped, factor: f64) {
        if factor == 0.0 {
            return;
        }
        for (&slope, &place) in number.slopes.iter().zip(&number.places) {
            if place != NOWHERE {
                self.edges.push(Edge { partial: factor * slope, place });
            }
        }
    }

    /// `value` with the operands added since there were `first`; a node where they are many.
    #[inline(always)]
    pub(super) fn close(&mut self, first: usize, value: f64) -> Taped {
        match self.edges.len() - first {
            0 => Taped::plain(value),
            1 | 2 => {
                let mut number = Taped::plain(value);
                for (i, edge) in self.edges.drain(first..).enumerate() {
                    (number.slopes[i], number.places[i]) = (edge.partial, edge.place);
                }
                number
            }
            _ => Taped::at(value, self.node()),
        }
    }

    pub(super) fn constant(&mut self, value: f64, attention: Attention) -> u32 {
        if attention == Attention::List {
            self.constants.push(value);
            return NOWHERE;
        }
        let number = self.count;
        self.count += 1;
        self.hash = (self.hash.rotate_left(5) ^ value.to_bits()).wrapping_mul(0x517c_c1b7_2722_0a95);
        if !self.marked.get(number).copied().unwrap_or(false) {
            return NOWHERE;
        }
        let place = self.node();
        self.leaves.push((number as u32, place));
        place
    }

    /// Derivatives over all nodes of the sum of `seeds`, each a number and its weight; those below `floor` add to
    /// what they were.
    pub fn reverse(&mut self, floor: usize, seeds: impl Iterator<Item = (Taped, f64)>) {
        let nodes = self.ends.len();
        self.adjoints.resize(nodes.max(floor), 0.0);
        self.adjoints[floor..].fill(0.0);
        for (number, weight) in seeds {
            for (slope, &place) in number.slopes.iter().zip(&number.places) {
                if place != NOWHERE {
                    self.adjoints[place as usize] += weight * slope;
                }
            }
        }
        self.sweep(floor, nodes);
    }

    /// Derivatives over the first `floor` nodes go on to those that these came from.
    pub fn finish(&mut self, floor: usize) {
        self.adjoints.resize(floor, 0.0);
        self.sweep(0, floor);
    }

    /// Derivatives over the first `floor` nodes so far.
    pub fn below(&self, floor: usize) -> Vec<f64> {
        self.adjoints[..floor.min(self.adjoints.len())].to_vec()
    }

    /// Puts those back.
    pub fn put_back(&mut self, below: &[f64]) {
        self.adjoints.clear();
        self.adjoints.extend_from_slice(below);
    }

    /// Forgets all derivatives.
    pub fn clear(&mut self) {
        self.adjoints.clear();
    }

    fn sweep(&mut self, floor: usize, nodes: usize) {
        for node in (floor..nodes).rev() {
            let adjoint = self.adjoints[node];
            if adjoint == 0.0 {
                continue;
            }
            let first = if node == 0 { 0 } else { self.ends[node - 1] as usize };
            for edge in &self.edges[first..self.ends[node] as usize] {
                self.adjoints[edge.place as usize] += adjoint * edge.partial;
            }
        }
    }

    /// Derivative over a leaf after a sweep.
    pub fn adjoint(&self, leaf: Taped) -> f64 {
        self.at(leaf.places[0])
    }

    fn at(&self, place: u32) -> f64 {
        self.adjoints.get(place as usize).copied().unwrap_or(0.0)
    }

    /// Numbers of the marked constants met, with their derivatives.
    pub fn constant_adjoints(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.leaves.iter().map(|&(number, place)| (number as usize, self.at(place)))
    }

    /// Marked constants met since the last rewind, as numbers of the tape.
    pub fn marked_leaves(&self) -> Vec<(usize, Taped)> {
        let leaf = |&(number, place): &(u32, u32)| (number as usize, Taped::at(0.0, place));
        self.leaves.iter().map(leaf).collect()
    }

    /// Values of the samples met, in order, and derivatives over them.
    pub fn sample_adjoints(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.sampled.iter().map(|&(place, value)| (value, self.at(place)))
    }
}
