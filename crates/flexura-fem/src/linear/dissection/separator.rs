//! A small set of vertices that separates a graph into two halves, refined by moves.
//!
//! Moving a vertex of the separator to one side pulls its neighbours on the other side into the separator. The best moves are
//! made one after the other, also bad ones, and the best state on the way is kept (C. M. Fiduccia, R. M. Mattheyses, "A linear-time
//! heuristic for improving network partitions", 1982, for separators: C. Ashcraft, J. W. H. Liu, "A partition improvement algorithm
//! for generalized nested dissection", 1994).
//!
//! Cost of a pass: O(edges of what moves), with the logarithm of the offers for their order.

use super::graph::Graph;
use std::collections::BinaryHeap;

/// Number of the separator among the three parts.
pub(super) const BETWEEN: u8 = 2;
/// Largest share of the weight on one side, in hundredths.
const LARGEST: u64 = 55;
/// Moves without a better state after which a pass ends.
const PATIENCE: usize = 200;
/// Passes over a graph.
const PASSES: usize = 8;

/// A graph in three parts: sides 0 and 1 without an edge between them, and what separates them.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// Part of every vertex.
    pub part: Vec<u8>,
    /// Weights of the parts.
    weight: [u64; 3],
    /// Weight of the neighbours of every vertex on both sides.
    near: Vec<[u32; 2]>,
}

/// How good a split is: whether a side is empty or its sides are too uneven, then its separator over the product of its sides. Smaller is
/// better.
pub(super) type Quality = (u8, u128);

impl Split {
    /// A split from the parts of the vertices.
    pub fn new(graph: &Graph, part: Vec<u8>) -> Self {
        let (mut weight, mut near) = ([0; 3], vec![[0; 2]; graph.size()]);
        for vertex in 0..graph.size() as u32 {
            let (own, side) = (graph.weight[vertex as usize], part[vertex as usize]);
            weight[side as usize] += u64::from(own);
            if side != BETWEEN {
                graph.around(vertex).iter().for_each(|&other| near[other as usize][side as usize] += own);
            }
        }
        Self { part, weight, near }
    }

    /// The split on a finer graph, refined there.
    pub fn carried(&self, fine: &Graph, coarse_of: &[u32], scratch: &mut Scratch) -> Self {
        let mut split = Self::new(fine, coarse_of.iter().map(|&coarse| self.part[coarse as usize]).collect());
        split.refine(fine, scratch);
        split
    }

    /// What splits are compared by.
    pub fn quality(&self) -> Quality {
        let [a, b, between] = self.weight;
        let product = (u128::from(a) * u128::from(b)).max(1);
        let uneven = u8::from(a.max(b) * 100 > LARGEST * (a + b + between)) + u8::from(a.min(b) == 0);
        (uneven, (u128::from(between) << 64) / product)
    }

    /// Refines the separator by passes of moves.
    pub fn refine(&mut self, graph: &Graph, scratch: &mut Scratch) {
        for _ in 0..PASSES {
            let before = self.quality();
            self.pass(graph, scratch);
            if self.quality() >= before {
                break;
            }
        }
    }

    fn pass(&mut self, graph: &Graph, scratch: &mut Scratch) {
        scratch.clear(graph.size());
        for vertex in 0..graph.size() as u32 {
            if self.part[vertex as usize] == BETWEEN {
                (0..2).for_each(|side| scratch.offer(vertex, side, self.gain(graph, vertex, side)));
            }
        }
        let (mut best, mut kept) = (self.quality(), 0);
        while scratch.moves.len() < kept + PATIENCE {
            let Some((vertex, side)) = scratch.next(self, graph) else { break };
            self.carry_out(graph, scratch, vertex, side);
            if self.quality() < best {
                (best, kept) = (self.quality(), scratch.moves.len());
            }
        }
        while scratch.moves.len() > kept {
            self.take_back(graph, scratch);
        }
    }

    /// What the separator loses by a move to `side`; negative where it grows.
    fn gain(&self, graph: &Graph, vertex: u32, side: u8) -> i64 {
        i64::from(graph.weight[vertex as usize]) - i64::from(self.near[vertex as usize][1 - side as usize])
    }

    /// Puts a vertex into another part.
    fn change(&mut self, graph: &Graph, vertex: u32, to: u8) {
        let own = graph.weight[vertex as usize];
        let from = std::mem::replace(&mut self.part[vertex as usize], to);
        self.weight[from as usize] -= u64::from(own);
        self.weight[to as usize] += u64::from(own);
        for &other in graph.around(vertex) {
            let near = &mut self.near[other as usize];
            if from != BETWEEN {
                near[from as usize] -= own;
            }
            if to != BETWEEN {
                near[to as usize] += own;
            }
        }
    }

    fn carry_out(&mut self, graph: &Graph, scratch: &mut Scratch, vertex: u32, side: u8) {
        scratch.moves.push((vertex, scratch.pulled.len()));
        scratch.moved[vertex as usize] = true;
        self.change(graph, vertex, side);
        let first = scratch.pulled.len();
        for &other in graph.around(vertex) {
            if self.part[other as usize] == 1 - side {
                self.change(graph, other, BETWEEN);
                scratch.pulled.push(other);
            }
        }
        // Moves of others became better where something was pulled away; those that became worse are found out when their turn comes.
        for place in first..scratch.pulled.len() {
            let pulled = scratch.pulled[place];
            (0..2).for_each(|side| scratch.offer(pulled, side, self.gain(graph, pulled, side)));
            for &other in graph.around(pulled) {
                if self.part[other as usize] == BETWEEN {
                    scratch.offer(other, side, self.gain(graph, other, side));
                }
            }
        }
    }

    fn take_back(&mut self, graph: &Graph, scratch: &mut Scratch) {
        let Some((vertex, first)) = scratch.moves.pop() else { return };
        let side = self.part[vertex as usize];
        for other in scratch.pulled.drain(first..) {
            self.change(graph, other, 1 - side);
        }
        self.change(graph, vertex, BETWEEN);
    }
}

/// An offer of a move: its gain, a number that decides between equals, the vertex.
type Offer = (i64, u32, u32);

/// Lists of the passes, kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Offers of moves to both sides.
    offers: [BinaryHeap<Offer>; 2],
    /// The best offer made for every vertex so far.
    offered: Vec<[i64; 2]>,
    moved: Vec<bool>,
    moves: Vec<(u32, usize)>,
    pulled: Vec<u32>,
}

impl Scratch {
    fn clear(&mut self, size: usize) {
        self.offers.iter_mut().for_each(BinaryHeap::clear);
        self.offered.clear();
        self.offered.resize(size, [i64::MIN; 2]);
        self.moved.clear();
        self.moved.resize(size, false);
        self.moves.clear();
        self.pulled.clear();
    }

    /// Offers a move if nothing as good has been offered.
    fn offer(&mut self, vertex: u32, side: u8, gain: i64) {
        let best = &mut self.offered[vertex as usize][side as usize];
        if !self.moved[vertex as usize] && gain > *best {
            *best = gain;
            self.offers[side as usize].push((gain, vertex.wrapping_mul(0x9e37_79b1), vertex));
        }
    }

    /// The best move that keeps the sides even.
    fn next(&mut self, split: &Split, graph: &Graph) -> Option<(u32, u8)> {
        let limit = LARGEST * split.weight.iter().sum::<u64>();
        let lighter = u8::from(split.weight[1] < split.weight[0]);
        loop {
            let best = [self.settled(split, graph, 0), self.settled(split, graph, 1)];
            let side = match best {
                [None, None] => return None,
                [Some(_), None] => 0,
                [None, Some(_)] => 1,
                [Some(a), Some(b)] if a == b => lighter,
                [Some(a), Some(b)] => u8::from(b > a),
            };
            let (_, _, vertex) = self.offers[side as usize].pop()?;
            let filled = split.weight[side as usize] + u64::from(graph.weight[vertex as usize]);
            if filled * 100 <= limit || side == lighter {
                return Some((vertex, side));
            }
        }
    }

    /// Gain of the best offer to a side, once those at the top are as good as they say.
    fn settled(&mut self, split: &Split, graph: &Graph, side: u8) -> Option<i64> {
        loop {
            let &(gain, _, vertex) = self.offers[side as usize].peek()?;
            let open = !self.moved[vertex as usize] && split.part[vertex as usize] == BETWEEN;
            let now = split.gain(graph, vertex, side);
            if open && now == gain {
                return Some(gain);
            }
            self.offers[side as usize].pop();
            if self.offered[vertex as usize][side as usize] == gain {
                self.offered[vertex as usize][side as usize] = i64::MIN;
                if open {
                    self.offer(vertex, side, now);
                }
            }
        }
    }
}
