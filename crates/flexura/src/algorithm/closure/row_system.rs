//! A symmetric matrix over all constraint rows, with blocks where chords share a tree, and its factor.
//!
//! Small or well-coupled systems are factorised densely with complete pivoting,
//! others by blocks, linear in the number of loops of a chain.

use super::structure::{RowMatrix, RowStructure, envelope};
use crate::linear::{BlockCholesky, PivotedCholesky};
use crate::model::Model;
use crate::scalar::Scalar;
use std::sync::Arc;

/// Rows up to which the dense factorisation is taken in any case: its pivoting is complete.
const SMALL: usize = 48;

/// J A J* for a symmetric A that does not couple trees.
#[derive(Clone, Debug)]
pub(crate) struct RowSystem<S = f64> {
    /// Trees shared by two chords.
    shared: Vec<Shared>,
    /// Rows of each chord.
    rows: Vec<std::ops::Range<usize>>,
    factor: Factor<S>,
}

/// A tree that two chords have in common.
#[derive(Clone, Copy, Debug)]
struct Shared {
    /// The chord eliminated later, and the other one.
    chords: [usize; 2],
    /// Place of the tree's entries in the rows of both.
    from: [usize; 2],
    /// Number of its speeds.
    width: usize,
}

#[derive(Clone, Debug)]
enum Factor<S> {
    Dense { matrix: Vec<S>, cholesky: Box<PivotedCholesky<S>> },
    Blocks(Box<Blocks<S>>),
}

#[derive(Clone, Debug)]
struct Blocks<S> {
    /// Place of each row in the order of elimination.
    place: Vec<usize>,
    cholesky: BlockCholesky<S>,
    right: Vec<S>,
    dependent: Vec<usize>,
}

impl<S: Scalar> RowSystem<S> {
    /// The system of a model without loops.
    pub fn empty() -> Self {
        let factor = Factor::Dense { matrix: Vec::new(), cholesky: Box::new(PivotedCholesky::new(0)) };
        Self { shared: Vec::new(), rows: Vec::new(), factor }
    }

    /// The system of `model`.
    pub fn new(model: &Model, structure: &Arc<RowStructure>) -> Self {
        let rows: Vec<_> = model.loops.iter().map(|joint| joint.row_range()).collect();
        let (order, neighbours) = (structure.order(), structure.neighbours());
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &chord)| position[chord] = at);
        let mut shared = Vec::new();
        for &chord in &order {
            let before = neighbours[chord].iter().filter(|&&other| position[other] < position[chord]);
            for &other in before.chain([&chord]) {
                let [late, early] = [chord, other].map(|chord| &structure.chords[chord]);
                shared.extend(late.trees.iter().filter_map(|&(tree, from)| {
                    let width = structure.tree_width(model, tree);
                    Some(Shared { chords: [chord, other], from: [from, early.offset(tree)?], width })
                }));
            }
        }
        let total = model.constraint_count();
        let sizes: Vec<usize> = order.iter().map(|&chord| rows[chord].len()).collect();
        let first = envelope(&order, &neighbours);
        let sparse = total > SMALL && 8 * BlockCholesky::<S>::work(&sizes, &first) < total.pow(3);
        let factor = if sparse {
            let mut place = vec![0; total];
            order
                .iter()
                .flat_map(|&chord| rows[chord].clone())
                .enumerate()
                .for_each(|(at, row)| place[row] = at);
            Factor::Blocks(Box::new(Blocks {
                place,
                cholesky: BlockCholesky::new(&sizes, &first),
                right: vec![S::ZERO; total],
                dependent: Vec::with_capacity(total),
            }))
        } else {
            Factor::Dense {
                matrix: vec![S::ZERO; total * total],
                cholesky: Box::new(PivotedCholesky::new(total)),
            }
        };
        Self { shared, rows, factor }
    }

    /// Fills left · right*; both rows have the structure of the model, and the product is symmetric.
    pub fn fill(&mut self, left: &RowMatrix<S>, right: &RowMatrix<S>) {
        match &mut self.factor {
            Factor::Dense { matrix, .. } => matrix.fill(S::ZERO),
            Factor::Blocks(blocks) => blocks.cholesky.clear(),
        }
        for &Shared { chords: [late, early], from, width } in &self.shared {
            for i in self.rows[late].clone() {
                let line = &left.row(i)[from[0]..from[0] + width];
                let others = self.rows[early].clone().filter(|&j| late != early || j <= i);
                for j in others {
                    self.factor.add(i, j, dot(line, &right.row(j)[from[1]..from[1] + width]));
                }
            }
        }
    }

    /// Factorises; pivots below `tolerance` of a unit diagonal are dependent rows.
    pub fn factorize(&mut self, tolerance: f64) {
        match &mut self.factor {
            Factor::Dense { matrix, cholesky } => cholesky.factorize(matrix, tolerance),
            Factor::Blocks(blocks) => {
                blocks.cholesky.factorize(tolerance);
                blocks.dependent.clear();
                let rows =
                    (0..blocks.place.len()).filter(|&row| blocks.cholesky.is_dependent(blocks.place[row]));
                blocks.dependent.extend(rows);
            }
        }
    }

    /// Solves in place; least norm where rows are dependent.
    pub fn solve(&mut self, right: &mut [S]) {
        match &mut self.factor {
            Factor::Dense { cholesky, .. } => cholesky.solve(right),
            Factor::Blocks(blocks) => {
                blocks.place.iter().zip(&*right).for_each(|(&at, &x)| blocks.right[at] = x);
                blocks.cholesky.solve(&mut blocks.right);
                blocks.place.iter().zip(right).for_each(|(&at, x)| *x = blocks.right[at]);
            }
        }
    }

    /// Independent rows at the last factorisation.
    pub fn rank(&self) -> usize {
        match &self.factor {
            Factor::Dense { cholesky, .. } => cholesky.rank(),
            Factor::Blocks(blocks) => blocks.cholesky.rank(),
        }
    }

    /// Rows that depend on others.
    pub fn dependent(&self) -> &[usize] {
        match &self.factor {
            Factor::Dense { cholesky, .. } => cholesky.dependent(),
            Factor::Blocks(blocks) => &blocks.dependent,
        }
    }
}

impl<S: Scalar> Factor<S> {
    /// Adds to entry (i, j) of the lower block triangle.
    fn add(&mut self, i: usize, j: usize, x: S) {
        match self {
            Self::Dense { matrix, cholesky } => {
                let n = cholesky.size();
                matrix[i * n + j] += x;
                if i != j {
                    matrix[j * n + i] += x;
                }
            }
            Self::Blocks(blocks) => *blocks.cholesky.entry_mut(blocks.place[i], blocks.place[j]) += x,
        }
    }
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    let mut sum = S::ZERO;
    for (&x, &y) in a.iter().zip(b) {
        sum += x * y;
    }
    sum
}
