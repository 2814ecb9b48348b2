//! Least-norm solution where rows are dependent.
//!
//! A = L L* with L of full column rank, zero columns left out, has the pseudoinverse
//! L (L*L)⁻² L* (as in `pivoted_cholesky`), least norm in the scaled unknowns. L*L is
//! positive definite and stands in an envelope of its own: two columns of L meet
//! where a row holds both. Cost as of the factorisation, only where rows are dependent.

use super::{BlockCholesky, dot};
use crate::scalar::Scalar;

impl<S: Scalar> BlockCholesky<S> {
    /// L*L, with a unit diagonal in columns of zeros, and its factor.
    pub(super) fn factorize_gram(&mut self) {
        self.gram.values_mut().fill(S::ZERO);
        for i in 0..self.order.len() {
            let (b, at) = (self.block[i], self.start[self.block[i]]);
            let (begin, width) = (self.begin[b], self.width(b));
            let from = at + (i - self.offset[b]) * width;
            let line = &self.values[from..from + width];
            for p in 0..width {
                let x = line[p];
                if x.value() == 0.0 {
                    continue;
                }
                let row = self.gram.row_mut(begin + p);
                let shift = row.len() - 1 - p;
                for (slot, &y) in row[shift..].iter_mut().zip(&line[..=p]) {
                    *slot += x * y;
                }
            }
            if self.inverse[i].value() == 0.0 {
                let row = self.gram.row_mut(i);
                let last = row.len() - 1;
                row[last] += S::ONE;
            }
        }
        // L has full column rank.
        self.gram.factorize_leaving_out();
    }

    /// row = L (L*L)⁻² L* row.
    pub(super) fn solve_least_norm(&mut self) {
        self.multiply_transposed();
        self.gram.solve(&mut self.row);
        self.gram.solve(&mut self.row);
        self.multiply();
    }

    /// row = L* row. Entry i is read before rows after it add to it: they reach columns at or before their own.
    fn multiply_transposed(&mut self) {
        for i in 0..self.order.len() {
            let (b, at) = (self.block[i], self.place(i, self.begin[self.block[i]]));
            let (begin, value) = (self.begin[b], self.row[i]);
            self.row[i] = S::ZERO;
            for (slot, &l) in self.row[begin..=i].iter_mut().zip(&self.values[at..]) {
                *slot += l * value;
            }
        }
    }

    /// row = L row.
    fn multiply(&mut self) {
        for i in (0..self.order.len()).rev() {
            let begin = self.begin[self.block[i]];
            self.row[i] = dot(&self.line(i)[..=i - begin], &self.row[begin..=i]);
        }
    }
}

/// First column of each row of L*L.
pub(super) fn gram_envelope(sizes: &[usize], first: &[usize], offset: &[usize]) -> Vec<usize> {
    let mut from: Vec<usize> = (0..first.len()).collect();
    for (b, &start) in first.iter().enumerate() {
        (start..=b).for_each(|c| from[c] = from[c].min(start));
    }
    from.iter().zip(sizes).flat_map(|(&block, &size)| std::iter::repeat_n(offset[block], size)).collect()
}
