//! Envelope (skyline) Cholesky factorisation of a symmetric positive definite matrix.
//!
//! Source: George & Liu, Computer Solution of Large Sparse Positive Definite
//! Systems (1981), chapter 4 (bordering method on the envelope). Row i holds the
//! columns from its first entry to the diagonal; fill stays inside, so the
//! pattern is found once. A small or well-coupled system has a full envelope:
//! then this is a dense symmetric factorisation. Cost Σ (row length)² / 2.

/// Lower triangle by rows, each from its first column to the diagonal.
#[derive(Clone, Debug)]
pub struct Skyline {
    /// First column of each row.
    first: Vec<usize>,
    /// Place of the first entry of each row, and the end.
    start: Vec<usize>,
    /// Entries, then one place for entries that are left out.
    values: Vec<f64>,
}

impl Skyline {
    /// A matrix whose row i starts at column `first[i]`.
    pub fn new(first: Vec<usize>) -> Self {
        let mut start = vec![0];
        for (i, &column) in first.iter().enumerate() {
            start.push(start[i] + i - column + 1);
        }
        let size = start[first.len()];
        Self { first, start, values: vec![0.0; size + 1] }
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
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// All entries.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Takes over the entries of another matrix with the same envelope.
    pub fn copy_values(&mut self, other: &Self) {
        self.values.copy_from_slice(&other.values);
    }

    /// Replaces the matrix by L with L Lᵀ = A, diagonal stored as reciprocals; the row of the first pivot that
    /// is not positive on failure.
    pub fn factorize(&mut self) -> Result<(), usize> {
        for i in 0..self.size() {
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
            let pivot = diagonal[0] - dot(done, done);
            // A NaN pivot is neither and must fail too.
            if !(pivot > 0.0 && pivot.is_finite()) {
                return Err(i);
            }
            diagonal[0] = 1.0 / pivot.sqrt();
        }
        Ok(())
    }

    /// Solves A x = b in place with the factors.
    pub fn solve(&self, b: &mut [f64]) {
        for i in 0..self.size() {
            let (first, row) = (self.first[i], &self.values[self.start[i]..self.start[i + 1]]);
            let length = i - first;
            b[i] = (b[i] - dot(&row[..length], &b[first..i])) * row[length];
        }
        for i in (0..self.size()).rev() {
            let (first, row) = (self.first[i], &self.values[self.start[i]..self.start[i + 1]]);
            let length = i - first;
            let value = b[i] * row[length];
            b[i] = value;
            for (slot, &l) in b[first..i].iter_mut().zip(row) {
                *slot -= l * value;
            }
        }
    }
}

/// Scalar product with four running sums, so that additions need not wait for each other.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (quads, others) = (a.chunks_exact(4), b.chunks_exact(4));
    let mut tail = 0.0;
    for (x, y) in quads.remainder().iter().zip(others.remainder()) {
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
        let mut matrix = Skyline::new(first.clone());
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
        let mut matrix = Skyline::new(vec![0, 0]);
        matrix.values_mut()[..3].copy_from_slice(&[1.0, 2.0, 1.0]);
        assert_eq!(matrix.factorize(), Err(1));
    }
}
