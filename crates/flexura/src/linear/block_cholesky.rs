//! Rank-revealing Cholesky factorisation of a block-sparse symmetric positive semidefinite matrix.
//!
//! Source: George & Liu, Computer Solution of Large Sparse Positive Definite
//! Systems (1981), chapter 4 (envelope method), by blocks. With diagonal scaling
//! and complete pivoting *inside* each diagonal block: L is lower triangular with
//! zero columns where a row depends on rows before it. Where rows are dependent
//! the solution of least norm is taken (`least_norm`).
//! Cost Σ rows × (row length)²: linear where the envelope is a band.

mod least_norm;

use super::skyline::Skyline;
use crate::scalar::Scalar;
use least_norm::gram_envelope;

/// Matrix, factor and scratch for one block structure.
#[derive(Clone, Debug)]
pub(crate) struct BlockCholesky<S = f64> {
    /// First row of each block, and the end.
    offset: Vec<usize>,
    /// Block of each row.
    block: Vec<usize>,
    /// First column of each block row.
    begin: Vec<usize>,
    /// Place of the first value of each block row.
    start: Vec<usize>,
    /// The lower block triangle, then L in pivoted order inside the blocks.
    values: Vec<S>,
    /// Row of the matrix at each place of the factor.
    order: Vec<usize>,
    scale: Vec<S>,
    /// Reciprocal pivots; zero where dependent.
    inverse: Vec<S>,
    /// L*L and its factor, used where rows are dependent.
    gram: Skyline<S>,
    /// Whether each row depends on others, rows of zeros included.
    dependent: Vec<bool>,
    /// Whether a row other than zeros is dependent.
    deficient: bool,
    row: Vec<S>,
    corner: Vec<S>,
}

impl<S: Scalar> BlockCholesky<S> {
    /// Blocks of the given sizes; block row b has entries from block `first[b]` to its diagonal.
    pub fn new(sizes: &[usize], first: &[usize]) -> Self {
        let mut offset = vec![0];
        sizes.iter().for_each(|size| offset.push(offset[offset.len() - 1] + size));
        let rows = offset[sizes.len()];
        let block = (0..sizes.len()).flat_map(|b| std::iter::repeat_n(b, sizes[b])).collect();
        let begin: Vec<usize> = first.iter().map(|&b| offset[b]).collect();
        let mut start = vec![0];
        for b in 0..sizes.len() {
            start.push(start[b] + sizes[b] * (offset[b + 1] - begin[b]));
        }
        let widest = sizes.iter().copied().max().unwrap_or(0);
        let gram = Skyline::new(gram_envelope(sizes, first, &offset));
        Self {
            values: vec![S::ZERO; start[sizes.len()]],
            order: (0..rows).collect(),
            scale: vec![S::ZERO; rows],
            inverse: vec![S::ZERO; rows],
            gram,
            dependent: vec![false; rows],
            deficient: false,
            row: vec![S::ZERO; rows],
            corner: vec![S::ZERO; widest * widest],
            offset,
            block,
            begin,
            start,
        }
    }

    /// Multiplications of a factorisation, about.
    pub fn work(sizes: &[usize], first: &[usize]) -> usize {
        let width = |b: usize| sizes[first[b]..=b].iter().sum::<usize>();
        (0..sizes.len()).map(|b| sizes[b] * width(b).pow(2)).sum()
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.values.fill(S::ZERO);
    }

    /// Entry (i, j) of the matrix to be factorised; j must lie in the envelope of the block of i and not beyond it.
    pub fn entry_mut(&mut self, i: usize, j: usize) -> &mut S {
        let place = self.place(i, j);
        &mut self.values[place]
    }

    /// Number of independent rows found by the last factorisation.
    pub fn rank(&self) -> usize {
        self.dependent.iter().filter(|&&lost| !lost).count()
    }

    /// Whether row `i` depends on rows before it.
    pub fn is_dependent(&self, i: usize) -> bool {
        self.dependent[i]
    }

    fn width(&self, b: usize) -> usize {
        self.offset[b + 1] - self.begin[b]
    }

    fn place(&self, i: usize, j: usize) -> usize {
        let b = self.block[i];
        self.start[b] + (i - self.offset[b]) * self.width(b) + j - self.begin[b]
    }

    /// L of a row from its first column.
    fn line(&self, i: usize) -> &[S] {
        let b = self.block[i];
        let at = self.start[b] + (i - self.offset[b]) * self.width(b);
        &self.values[at..at + self.width(b)]
    }

    /// Factorises the matrix that was filled in; pivots below `tolerance` of a unit diagonal are zero.
    pub fn factorize(&mut self, tolerance: f64) {
        for i in 0..self.order.len() {
            self.order[i] = i;
            let size = self.values[self.place(i, i)];
            let usable = size.value() > 0.0 && size.value().is_finite();
            self.scale[i] = if usable { S::ONE / size.sqrt() } else { S::ZERO };
        }
        self.dependent.fill(false);
        self.deficient = false;
        for b in 0..self.begin.len() {
            for i in self.offset[b]..self.offset[b + 1] {
                self.eliminate_before(b, i);
            }
            self.eliminate_corner(b, tolerance);
        }
        if self.deficient {
            self.factorize_gram();
        }
    }

    /// Entries of row i left of its diagonal block.
    fn eliminate_before(&mut self, b: usize, i: usize) {
        let (begin, end, width) = (self.begin[b], self.offset[b + 1], self.width(b));
        let at = self.start[b] + (i - self.offset[b]) * width;
        // Scaled, and in the pivoted order of the blocks before.
        for c in begin..end {
            let column = self.order[c];
            self.row[c] = self.values[at + column - begin] * self.scale[i] * self.scale[column];
        }
        for c in begin..self.offset[b] {
            let from = self.begin[self.block[c]];
            let other = &self.line(c)[..c - from];
            let common = begin.max(from);
            let sum = dot(&self.row[common..c], &other[common - from..]);
            self.row[c] = (self.row[c] - sum) * self.inverse[c];
        }
        self.values[at..at + width].copy_from_slice(&self.row[begin..end]);
    }

    /// The diagonal block: pivoted Cholesky of what the blocks before leave.
    fn eliminate_corner(&mut self, b: usize, tolerance: f64) {
        let (first, width) = (self.offset[b], self.width(b));
        let (n, left) = (self.offset[b + 1] - first, first - self.begin[b]);
        let rows = &mut self.values[self.start[b]..self.start[b + 1]];
        for i in 0..n {
            for j in 0..=i {
                let sum = dot(&rows[i * width..i * width + left], &rows[j * width..j * width + left]);
                let rest = rows[i * width + left + j] - sum;
                (self.corner[i * n + j], self.corner[j * n + i]) = (rest, rest);
            }
        }
        let corner = &mut self.corner[..n * n];
        let mut rank = 0;
        while rank < n {
            let at = |i: usize| corner[i * n + i].value();
            let best = (rank..n).fold(rank, |best, i| if at(i) > at(best) { i } else { best });
            // A NaN is no pivot either.
            if at(best).is_nan() || at(best) <= tolerance {
                break;
            }
            if best != rank {
                self.order.swap(first + rank, first + best);
                (0..left).for_each(|c| rows.swap(rank * width + c, best * width + c));
                (0..n).for_each(|c| corner.swap(rank * n + c, best * n + c));
                (0..n).for_each(|c| corner.swap(c * n + rank, c * n + best));
            }
            self.inverse[first + rank] = eliminate_column(corner, n, rank);
            rank += 1;
        }
        for i in 0..n {
            for j in 0..n {
                let kept = j <= i && j < rank;
                rows[i * width + left + j] = if kept { corner[i * n + j] } else { S::ZERO };
            }
        }
        for i in rank..n {
            self.inverse[first + i] = S::ZERO;
            let row = self.order[first + i];
            self.dependent[row] = true;
            self.deficient |= self.scale[row].value() != 0.0;
        }
    }

    /// Solves A x = b in place; where A is deficient, in the least-squares sense with least norm.
    pub fn solve(&mut self, right: &mut [S]) {
        for (i, &from) in self.order.iter().enumerate() {
            self.row[i] = right[from] * self.scale[from];
        }
        if self.deficient {
            self.solve_least_norm();
        } else {
            self.solve_factor();
        }
        for (i, &to) in self.order.iter().enumerate() {
            right[to] = self.row[i] * self.scale[to];
        }
    }

    fn solve_factor(&mut self) {
        for i in 0..self.order.len() {
            let begin = self.begin[self.block[i]];
            let sum = dot(&self.line(i)[..i - begin], &self.row[begin..i]);
            self.row[i] = (self.row[i] - sum) * self.inverse[i];
        }
        for i in (0..self.order.len()).rev() {
            let (b, at) = (self.block[i], self.place(i, self.begin[self.block[i]]));
            let (begin, value) = (self.begin[b], self.row[i] * self.inverse[i]);
            self.row[i] = value;
            for (slot, &l) in self.row[begin..i].iter_mut().zip(&self.values[at..]) {
                *slot -= l * value;
            }
        }
    }
}

/// One column of L of a small matrix and the update of the rest; returns the reciprocal pivot.
fn eliminate_column<S: Scalar>(matrix: &mut [S], n: usize, k: usize) -> S {
    let pivot = matrix[k * n + k].sqrt();
    let inverse = S::ONE / pivot;
    matrix[k * n + k] = pivot;
    for i in k + 1..n {
        matrix[i * n + k] = matrix[i * n + k] * inverse;
    }
    for i in k + 1..n {
        for j in k + 1..=i {
            let change = matrix[i * n + k] * matrix[j * n + k];
            matrix[i * n + j] -= change;
            matrix[j * n + i] = matrix[i * n + j];
        }
    }
    inverse
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    let mut sum = S::ZERO;
    for (&x, &y) in a.iter().zip(b) {
        sum += x * y;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::PivotedCholesky;

    /// B B* of chained blocks: block b has rows over the columns of links b and b + 1; `repeat` makes the second
    /// row of every block depend on the first, `still` makes the last row zero.
    fn chained(blocks: usize, repeat: bool, still: bool) -> (usize, Vec<f64>) {
        let (rows, columns) = (3 * blocks, 3 * (blocks + 1));
        let mut b = vec![0.0; rows * columns];
        for i in 0..rows {
            for c in 3 * (i / 3)..3 * (i / 3) + 6 {
                b[i * columns + c] = ((7 * i + 3 * c) as f64 * 0.61).sin();
            }
        }
        for i in 0..rows {
            for c in 0..columns {
                if repeat && i % 3 == 1 {
                    b[i * columns + c] = -2.0 * b[(i - 1) * columns + c];
                }
                if still && i % 3 == 2 {
                    b[i * columns + c] = 0.0;
                }
            }
        }
        let product =
            |i: usize, j: usize| (0..columns).map(|c| b[i * columns + c] * b[j * columns + c]).sum();
        (rows, (0..rows * rows).map(|k| product(k / rows, k % rows)).collect())
    }

    #[test]
    fn agrees_with_the_dense_factorisation() {
        for (repeat, still) in [(false, false), (true, false), (false, true), (true, true)] {
            let (rows, a) = chained(7, repeat, still);
            let first: Vec<usize> = (0..7usize).map(|b| b.saturating_sub(1)).collect();
            let mut sparse = BlockCholesky::<f64>::new(&[3; 7], &first);
            for i in 0..rows {
                for j in 3 * first[i / 3]..3 * (i / 3 + 1) {
                    *sparse.entry_mut(i, j) = a[i * rows + j];
                }
            }
            let mut dense = PivotedCholesky::<f64>::new(rows);
            sparse.factorize(1e-11);
            dense.factorize(&a, 1e-11);
            assert_eq!(sparse.rank(), dense.rank(), "{repeat} {still}");
            let right: Vec<f64> =
                (0..rows).map(|i| (0..rows).map(|j| a[i * rows + j] * j as f64).sum()).collect();
            let (mut x, mut y) = (right.clone(), right.clone());
            sparse.solve(&mut x);
            dense.solve(&mut y);
            let worst = x.iter().zip(&y).fold(0.0, |best: f64, (x, y)| best.max((x - y).abs()));
            assert!(worst < 1e-9, "{repeat} {still}: {worst:e}");
        }
    }
}
