//! Envelope (skyline) Cholesky factorisation of a symmetric positive definite matrix.
//!
//! Source: George & Liu, Computer Solution of Large Sparse Positive Definite
//! Systems (1981), chapter 4 (bordering method on the envelope). Row i holds the
//! columns from its first entry to the diagonal; fill stays inside, so the
//! pattern is found once. A small or well-coupled system has a full envelope:
//! then this is a dense symmetric factorisation. Cost Σ (row length)² / 2.
//!
//! Rows are taken four at a time, from the same first column: their sums do not
//! wait for each other, and what they are multiplied with is read once.

use crate::scalar::Scalar;
use std::convert::Infallible;

/// Rows that start at the same column.
const BLOCK: usize = 4;

/// Lower triangle by rows, each from its first column to the diagonal.
#[derive(Clone, Debug)]
pub(crate) struct Skyline<S = f64> {
    /// First column of each row.
    first: Vec<usize>,
    /// Place of the first entry of each row, and the end.
    start: Vec<usize>,
    /// Entries, then one place for entries that are left out.
    values: Vec<S>,
}

impl<S: Scalar> Skyline<S> {
    /// A matrix whose row i starts at column `first[i]` or before.
    pub fn new(mut first: Vec<usize>) -> Self {
        for block in first.chunks_exact_mut(BLOCK) {
            let least = block.iter().copied().fold(usize::MAX, usize::min);
            block.fill(least);
        }
        let mut start = vec![0];
        for (i, &column) in first.iter().enumerate() {
            start.push(start[i] + i - column + 1);
        }
        let size = start[first.len()];
        Self { first, start, values: vec![S::ZERO; size + 1] }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.first.len()
    }

    /// Number of entries inside the envelope.
    pub fn entries(&self) -> usize {
        self.values.len() - 1
    }

    /// Place of entry (i, j), which must lie inside the envelope; indices beyond the size name the place that
    /// is left out.
    pub fn place(&self, i: usize, j: usize) -> usize {
        let (row, column) = (i.max(j), i.min(j));
        if row >= self.size() {
            return self.entries();
        }
        debug_assert!(column >= self.first[row]);
        self.start[row] + column - self.first[row]
    }

    /// Place of diagonal entry i.
    pub fn diagonal(&self, i: usize) -> usize {
        self.start[i + 1] - 1
    }

    /// All entries, to be filled by place; the last one is ignored.
    pub fn values_mut(&mut self) -> &mut [S] {
        &mut self.values
    }

    /// All entries.
    pub fn values(&self) -> &[S] {
        &self.values
    }

    /// Row i from its first column to the diagonal.
    pub fn row_mut(&mut self, i: usize) -> &mut [S] {
        &mut self.values[self.start[i]..self.start[i + 1]]
    }

    /// Replaces the matrix by L with L Lᵀ = A, diagonal stored as reciprocals; the row of the first pivot that
    /// is not positive on failure.
    pub fn factorize(&mut self) -> Result<(), usize> {
        self.factorize_by(|pivot, row| reciprocal_root(pivot).ok_or(row))
    }

    /// As [`Self::factorize`], where only rounding can make a pivot that is not positive: its unknown is left at zero.
    pub fn factorize_leaving_out(&mut self) {
        let Ok(()) =
            self.factorize_by(|pivot, _| Ok::<_, Infallible>(reciprocal_root(pivot).unwrap_or(S::ZERO)));
    }

    /// `root` gives the reciprocal root of the pivot of a row.
    #[inline]
    fn factorize_by<E>(&mut self, root: impl Fn(S, usize) -> Result<S, E>) -> Result<(), E> {
        let n = self.size();
        let blocks = n - n % BLOCK;
        for i in (0..blocks).step_by(BLOCK) {
            self.factorize_block(i, &root)?;
        }
        for i in blocks..n {
            self.factorize_row(i, &root)?;
        }
        Ok(())
    }

    fn factorize_row<E>(&mut self, i: usize, root: &impl Fn(S, usize) -> Result<S, E>) -> Result<(), E> {
        let (above, rest) = self.values.split_at_mut(self.start[i]);
        let first = self.first[i];
        let row = &mut rest[..=i - first];
        for j in first..i {
            let from = self.first[j].max(first);
            let other = &above[self.start[j]..self.start[j + 1]];
            let (left, right) = (&row[from - first..j - first], &other[from - self.first[j]..]);
            row[j - first] = (row[j - first] - dot(left, &right[..left.len()])) * right[left.len()];
        }
        let (done, diagonal) = row.split_at_mut(i - first);
        diagonal[0] = root(diagonal[0] - dot(done, done), i)?;
        Ok(())
    }

    /// Rows `i` to `i` + 3.
    fn factorize_block<E>(&mut self, i: usize, root: &impl Fn(S, usize) -> Result<S, E>) -> Result<(), E> {
        let first = self.first[i];
        let (above, rest) = self.values.split_at_mut(self.start[i]);
        let mut rows = four_rows(rest, i - first);
        for j in first..i {
            let from = self.first[j].max(first);
            let other = &above[self.start[j] + from - self.first[j]..self.start[j + 1]];
            let (&scale, right) = other.split_last().unwrap_or((&S::ZERO, &[]));
            let sums = dots(rows.each_ref().map(|row| &row[from - first..j - first]), right);
            for (row, sum) in rows.iter_mut().zip(sums) {
                row[j - first] = (row[j - first] - sum) * scale;
            }
        }
        let done = i - first;
        for a in 0..BLOCK {
            let (earlier, later) = rows.split_at_mut(a);
            let row = &mut *later[0];
            for (b, other) in earlier.iter().enumerate() {
                let sum = dot(&row[..done + b], &other[..done + b]);
                row[done + b] = (row[done + b] - sum) * other[done + b];
            }
            let (left, diagonal) = row.split_at_mut(done + a);
            diagonal[0] = root(diagonal[0] - dot(left, left), i + a)?;
        }
        Ok(())
    }

    /// Solves A x = b in place with the factors.
    pub fn solve(&self, b: &mut [S]) {
        let n = self.size();
        let blocks = n - n % BLOCK;
        for i in (0..blocks).step_by(BLOCK) {
            self.forward_block(i, b);
        }
        for i in blocks..n {
            let (first, row) = (self.first[i], &self.values[self.start[i]..self.start[i + 1]]);
            b[i] = (b[i] - dot(&row[..i - first], &b[first..i])) * row[i - first];
        }
        for i in (blocks..n).rev() {
            let (first, row) = (self.first[i], &self.values[self.start[i]..self.start[i + 1]]);
            let value = b[i] * row[i - first];
            b[i] = value;
            for (slot, &l) in b[first..i].iter_mut().zip(row) {
                *slot -= l * value;
            }
        }
        for i in (0..blocks).step_by(BLOCK).rev() {
            self.backward_block(i, b);
        }
    }

    fn forward_block(&self, i: usize, b: &mut [S]) {
        let done = i - self.first[i];
        let rows = four_rows_of(&self.values[self.start[i]..], done);
        let (known, rest) = b.split_at_mut(i);
        let sums = dots(rows.map(|row| &row[..done]), &known[self.first[i]..]);
        let own = &mut rest[..BLOCK];
        for a in 0..BLOCK {
            let tail = &rows[a][done..];
            let mut value = own[a] - sums[a];
            for c in 0..a {
                value -= tail[c] * own[c];
            }
            own[a] = value * tail[a];
        }
    }

    fn backward_block(&self, i: usize, b: &mut [S]) {
        let done = i - self.first[i];
        let rows = four_rows_of(&self.values[self.start[i]..], done);
        let (before, rest) = b.split_at_mut(i);
        let own = &mut rest[..BLOCK];
        for a in (0..BLOCK).rev() {
            let tail = &rows[a][done..];
            own[a] = own[a] * tail[a];
            for c in 0..a {
                own[c] -= tail[c] * own[a];
            }
        }
        let before = &mut before[self.first[i]..];
        let rows = rows.map(|row| &row[..before.len()]);
        for (k, slot) in before.iter_mut().enumerate() {
            let low = rows[0][k] * own[0] + rows[1][k] * own[1];
            *slot -= low + (rows[2][k] * own[2] + rows[3][k] * own[3]);
        }
    }
}

/// 1/√pivot, unless the pivot is not positive; a NaN is neither and must fail too.
fn reciprocal_root<S: Scalar>(pivot: S) -> Option<S> {
    (pivot.value() > 0.0 && pivot.value().is_finite()).then(|| S::ONE / pivot.sqrt())
}

/// Four consecutive rows at the start of `values`, the first with `done` entries before its diagonal.
fn four_rows<S>(values: &mut [S], done: usize) -> [&mut [S]; BLOCK] {
    let (first, rest) = values.split_at_mut(done + 1);
    let (second, rest) = rest.split_at_mut(done + 2);
    let (third, rest) = rest.split_at_mut(done + 3);
    [first, second, third, &mut rest[..done + 4]]
}

/// As [`four_rows`], to read.
fn four_rows_of<S>(values: &[S], done: usize) -> [&[S]; BLOCK] {
    let (first, rest) = values.split_at(done + 1);
    let (second, rest) = rest.split_at(done + 2);
    let (third, rest) = rest.split_at(done + 3);
    [first, second, third, &rest[..done + 4]]
}

/// Scalar products of four rows with one, two running sums each.
#[inline(always)]
fn dots<S: Scalar>(rows: [&[S]; BLOCK], other: &[S]) -> [S; BLOCK] {
    let n = other.len();
    let rows = rows.map(|row| &row[..n]);
    let mut sums = [[S::ZERO; 2]; BLOCK];
    let even = n - n % 2;
    for k in (0..even).step_by(2) {
        for (sum, row) in sums.iter_mut().zip(&rows) {
            sum[0] += row[k] * other[k];
            sum[1] += row[k + 1] * other[k + 1];
        }
    }
    let mut total = sums.map(|sum| sum[0] + sum[1]);
    if even < n {
        for (sum, row) in total.iter_mut().zip(&rows) {
            *sum += row[even] * other[even];
        }
    }
    total
}

/// Scalar product with four running sums, so that additions need not wait for each other.
#[inline]
fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    let mut sums = [S::ZERO; 4];
    let (quads, others) = (a.chunks_exact(4), b.chunks_exact(4));
    let mut tail = S::ZERO;
    for (&x, &y) in quads.remainder().iter().zip(others.remainder()) {
        tail += x * y;
    }
    for (x, y) in quads.zip(others) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_inside_the_envelope() {
        // Diagonally dominant, rows starting at different columns.
        let first = vec![0, 0, 1, 1, 0, 4, 2];
        let n = first.len();
        let mut matrix = Skyline::<f64>::new(first.clone());
        let mut full = vec![0.0; n * n];
        for i in 0..n {
            for j in first[i]..=i {
                let value = if i == j { 9.0 + i as f64 } else { ((i * 7 + j * 3) as f64).sin() };
                (full[i * n + j], full[j * n + i]) = (value, value);
                let place = matrix.place(j, i);
                matrix.values_mut()[place] = value;
            }
        }
        let x: Vec<f64> = (0..n).map(|i| (i as f64 * 1.7).cos()).collect();
        let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| full[i * n + j] * x[j]).sum()).collect();
        assert_eq!(matrix.factorize(), Ok(()));
        matrix.solve(&mut b);
        assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-14), "{b:?} {x:?}");
        assert_eq!(matrix.place(n, 2), matrix.entries());
    }

    #[test]
    fn names_the_bad_pivot() {
        let mut matrix = Skyline::<f64>::new(vec![0, 0]);
        matrix.values_mut()[..3].copy_from_slice(&[1.0, 2.0, 1.0]);
        assert_eq!(matrix.factorize(), Err(1));
    }

    #[test]
    fn leaves_out_what_has_no_pivot() {
        // Rows 0 and 1 are equal, row 4 is zero: one pivot among four rows, one in a row by itself.
        let mut matrix = Skyline::<f64>::new(vec![0, 0, 2, 3, 4]);
        for (i, j, value) in [(0, 0, 4.0), (1, 0, 4.0), (1, 1, 4.0), (2, 2, 9.0), (3, 3, 16.0)] {
            let place = matrix.place(i, j);
            matrix.values_mut()[place] = value;
        }
        matrix.factorize_leaving_out();
        let mut b = [8.0, 11.0, 18.0, 16.0, 5.0];
        matrix.solve(&mut b);
        assert_eq!(b, [2.0, 0.0, 2.0, 1.0, 0.0]);
    }
}
