//! Pieces of an assembly tree and the ranks that own them.
//!
//! The heaviest piece is divided until there are enough for the ranks and the load is even; ranks own consecutive pieces.
//! Weights count what an evaluation costs: a body with m modes about 1 + m²/16 + m/2 times a rigid one. The cut depends on
//! model and number of ranks only, and no number of a result depends on the cut.

use crate::algorithm::divide_and_conquer::{AssemblyTree, Kind};

/// Largest weight of a rank relative to the mean that is not worth more pieces.
const EVEN: f64 = 1.06;

/// Whose a position of the tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Above the pieces.
    Everybody,
    /// In a piece of one rank.
    Rank(usize),
}

/// Pieces in the order of the tree.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// (node, rank).
    pub pieces: Vec<(usize, usize)>,
    /// Of every position.
    pub owners: Vec<Owner>,
}

/// Weight of a body with `modes` modes.
pub(super) fn weight(modes: usize) -> u64 {
    (16 + 8 * modes + modes * modes) as u64
}

impl Cut {
    /// The cut of `tree` for `ranks`, with the weight of every position.
    pub fn new(tree: &AssemblyTree, weights: &[u64], ranks: usize) -> Self {
        let mut before = vec![0; weights.len() + 1];
        for (i, weight) in weights.iter().enumerate() {
            before[i + 1] = before[i] + weight;
        }
        let of = |node: usize| before[tree.nodes[node].end] - before[tree.nodes[node].start];
        let mut pieces: Vec<usize> = if tree.nodes.is_empty() { Vec::new() } else { vec![0] };
        let most = (4 * ranks).max(32);
        let mut owners = shares(&pieces, &of, ranks);
        while ranks > 1 && pieces.len() < most && !is_even(&pieces, &owners, &of, ranks) {
            let divisible = pieces.iter().copied().filter(|&piece| !parts_of(tree, piece).is_empty());
            let Some(heaviest) = divisible.max_by_key(|&piece| of(piece)) else { break };
            let at = pieces.partition_point(|&piece| piece < heaviest);
            pieces.splice(at..=at, parts_of(tree, heaviest).iter().copied());
            owners = shares(&pieces, &of, ranks);
        }
        let pieces: Vec<(usize, usize)> = pieces.into_iter().zip(owners).collect();
        let mut positions = vec![Owner::Everybody; weights.len()];
        for &(node, rank) in &pieces {
            positions[tree.nodes[node].start..tree.nodes[node].end].fill(Owner::Rank(rank));
        }
        Self { pieces, owners: positions }
    }
}

/// What a piece can be divided into.
fn parts_of(tree: &AssemblyTree, node: usize) -> &[usize] {
    let node = &tree.nodes[node];
    match node.kind {
        Kind::Bundle => &[],
        Kind::Run | Kind::Join | Kind::Sum | Kind::Split => &tree.children[node.children.clone()],
    }
}

/// Whether more pieces would not help.
fn is_even(pieces: &[usize], owners: &[usize], of: &impl Fn(usize) -> u64, ranks: usize) -> bool {
    let mut sums = vec![0; ranks];
    for (&piece, &owner) in pieces.iter().zip(owners) {
        sums[owner] += of(piece);
    }
    let (total, largest) = (sums.iter().sum::<u64>(), sums.iter().max().copied().unwrap_or(0));
    largest as f64 <= EVEN * total as f64 / ranks as f64
}

/// Consecutive pieces for every rank, such that the most that one has is least.
fn shares(pieces: &[usize], of: &impl Fn(usize) -> u64, ranks: usize) -> Vec<usize> {
    let weights: Vec<u64> = pieces.iter().map(|&piece| of(piece)).collect();
    let (mut least, mut most) = (weights.iter().max().copied().unwrap_or(0), weights.iter().sum::<u64>());
    while least < most {
        let middle = least + (most - least) / 2;
        match filled(&weights, middle).last().is_none_or(|&last| last < ranks) {
            true => most = middle,
            false => least = middle + 1,
        }
    }
    filled(&weights, most)
}

/// The rank of each piece where every rank takes up to `capacity`.
fn filled(weights: &[u64], capacity: u64) -> Vec<usize> {
    let (mut rank, mut sum) = (0, 0);
    let of = |&weight: &u64| {
        if sum + weight > capacity && sum > 0 {
            (rank, sum) = (rank + 1, 0);
        }
        sum += weight;
        rank
    };
    weights.iter().map(of).collect()
}
