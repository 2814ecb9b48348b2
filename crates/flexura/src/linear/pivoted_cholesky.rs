//! Rank-revealing Cholesky factorisation of a symmetric positive semidefinite matrix.
//!
//! With diagonal scaling and complete pivoting: `P S A S P* = L L*`, L of `n × rank`.
//! A pivot below `tolerance` ends the factorisation; what is left is dependent.
//! Where rows are dependent the solution of least norm (in the scaled unknowns)
//! is taken, which is smooth when pivots change places:
//! x = L (L*L)⁻² L* b. Cost n rank².

use super::cholesky::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::scalar::Scalar;

/// Factor, permutation and scratch for matrices up to a given size.
#[derive(Clone, Debug)]
pub(crate) struct PivotedCholesky<S = f64> {
    size: usize,
    /// L, row-major `n × n`, rows in pivoted order, true diagonal.
    factor: Vec<S>,
    /// Gram matrix L*L of a deficient factor, then its Cholesky factor.
    gram: Vec<S>,
    scale: Vec<S>,
    order: Vec<usize>,
    vector: Vec<S>,
    rank: usize,
}

impl<S: Scalar> PivotedCholesky<S> {
    /// Scratch for `size × size` matrices.
    pub fn new(size: usize) -> Self {
        Self {
            size,
            factor: vec![S::ZERO; size * size],
            gram: vec![S::ZERO; size * size],
            scale: vec![S::ZERO; size],
            order: (0..size).collect(),
            vector: vec![S::ZERO; size],
            rank: 0,
        }
    }

    /// Number of rows of the matrices.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Number of independent rows found by the last factorisation.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Rows that depend on the others, in the order they were given up.
    pub fn dependent(&self) -> &[usize] {
        &self.order[self.rank..]
    }

    /// Factorises the symmetric matrix `a` (row-major); pivots below `tolerance` of a unit diagonal are zero.
    pub fn factorize(&mut self, a: &[S], tolerance: f64) {
        for i in 0..self.size {
            self.set_scale(i, a[i * self.size + i]);
        }
        self.factorize_scaled(a, tolerance);
    }

    /// The same with pivots measured by `sizes` instead of the diagonal: what entries were before a
    /// cancellation that left rounding of that size.
    pub fn factorize_relative_to(&mut self, a: &[S], sizes: &[S], tolerance: f64) {
        for (i, &size) in sizes.iter().enumerate() {
            self.set_scale(i, size);
        }
        self.factorize_scaled(a, tolerance);
    }

    fn set_scale(&mut self, i: usize, size: S) {
        let usable = size.value() > 0.0 && size.value().is_finite();
        self.scale[i] = if usable { S::ONE / size.sqrt() } else { S::ZERO };
        self.order[i] = i;
    }

    fn factorize_scaled(&mut self, a: &[S], tolerance: f64) {
        let n = self.size;
        for i in 0..n {
            for j in 0..n {
                self.factor[i * n + j] = a[i * n + j] * self.scale[i] * self.scale[j];
            }
        }
        self.rank = 0;
        for k in 0..n {
            let at = |f: &[S], i: usize| f[i * n + i].value();
            let best =
                (k..n).fold(k, |best, i| if at(&self.factor, i) > at(&self.factor, best) { i } else { best });
            let largest = at(&self.factor, best);
            // A NaN is no pivot either.
            if largest.is_nan() || largest <= tolerance {
                break;
            }
            self.exchange(k, best);
            self.eliminate(k);
            self.rank += 1;
        }
        if self.rank < n {
            self.factorize_gram();
        }
    }

    /// Exchanges rows and columns `k` and `other` of what is still to be factorised.
    fn exchange(&mut self, k: usize, other: usize) {
        if k == other {
            return;
        }
        let n = self.size;
        self.order.swap(k, other);
        for j in 0..n {
            self.factor.swap(k * n + j, other * n + j);
        }
        for i in k..n {
            self.factor.swap(i * n + k, i * n + other);
        }
    }

    /// One column of L and the update of the rest.
    fn eliminate(&mut self, k: usize) {
        let n = self.size;
        let pivot = self.factor[k * n + k].sqrt();
        let inverse = S::ONE / pivot;
        self.factor[k * n + k] = pivot;
        for i in k + 1..n {
            self.factor[i * n + k] = self.factor[i * n + k] * inverse;
        }
        for i in k + 1..n {
            let x = self.factor[i * n + k];
            for j in k + 1..=i {
                let y = self.factor[j * n + k];
                self.factor[i * n + j] -= x * y;
                self.factor[j * n + i] = self.factor[i * n + j];
            }
        }
    }

    /// L*L and its Cholesky factor, for least-norm solutions.
    fn factorize_gram(&mut self) {
        let (n, r) = (self.size, self.rank);
        for a in 0..r {
            for b in 0..=a {
                let mut sum = S::ZERO;
                for i in a..n {
                    sum += self.factor[i * n + a] * self.factor[i * n + b];
                }
                self.gram[a * r + b] = sum;
            }
        }
        // L has full column rank, so this cannot fail beyond rounding.
        if cholesky_in_place(&mut self.gram[..r * r], r).is_err() {
            self.rank = 0;
        }
    }

    /// Solves A x = b in place; where A is deficient, in the least-squares sense with least norm.
    pub fn solve(&mut self, b: &mut [S]) {
        let (n, r) = (self.size, self.rank);
        for i in 0..n {
            self.vector[i] = b[self.order[i]] * self.scale[self.order[i]];
        }
        if r == n {
            self.solve_full();
        } else {
            self.solve_deficient();
        }
        for i in 0..n {
            b[self.order[i]] = self.vector[i] * self.scale[self.order[i]];
        }
    }

    fn solve_full(&mut self) {
        let n = self.size;
        for i in 0..n {
            let mut sum = self.vector[i];
            for j in 0..i {
                sum -= self.factor[i * n + j] * self.vector[j];
            }
            self.vector[i] = sum / self.factor[i * n + i];
        }
        for i in (0..n).rev() {
            let mut sum = self.vector[i];
            for j in i + 1..n {
                sum -= self.factor[j * n + i] * self.vector[j];
            }
            self.vector[i] = sum / self.factor[i * n + i];
        }
    }

    /// x = L G⁻¹ G⁻¹ L* b.
    fn solve_deficient(&mut self) {
        let (n, r) = (self.size, self.rank);
        for a in 0..r {
            let mut sum = S::ZERO;
            for i in a..n {
                sum += self.factor[i * n + a] * self.vector[i];
            }
            // Entry a of the vector is not needed by later columns, which start below it.
            self.vector[a] = sum;
        }
        let gram = &self.gram[..r * r];
        for _ in 0..2 {
            solve_lower(gram, r, &mut self.vector[..r]);
            solve_lower_transposed(gram, r, &mut self.vector[..r]);
        }
        for i in (0..n).rev() {
            let mut sum = S::ZERO;
            for a in 0..r.min(i + 1) {
                sum += self.factor[i * n + a] * self.vector[a];
            }
            self.vector[i] = sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B B* of a 4 × 3 matrix with the third column dependent on the others.
    fn deficient() -> ([f64; 16], [[f64; 2]; 4]) {
        let b = [[2.0, 0.0], [1.0, 1.0], [3.0, 1.0], [-1.0, 4.0]];
        let mut a = [0.0; 16];
        for i in 0..4 {
            for j in 0..4 {
                a[i * 4 + j] = b[i][0] * b[j][0] + b[i][1] * b[j][1];
            }
        }
        (a, b)
    }

    #[test]
    fn full_rank_is_solved() {
        let a = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let x = [1.0, -2.0, 0.5];
        let mut b: Vec<f64> = (0..3).map(|i| (0..3).map(|j| a[i * 3 + j] * x[j]).sum()).collect();
        let mut factor = PivotedCholesky::new(3);
        factor.factorize(&a, 1e-12);
        factor.solve(&mut b);
        assert_eq!(factor.rank(), 3);
        assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-14));
    }

    #[test]
    fn deficient_rank_gives_a_solution_without_part_in_the_null_space() {
        let (a, columns) = deficient();
        let right: Vec<f64> = (0..4).map(|i| columns[i][0] * 0.3 - columns[i][1]).collect();
        let mut x = right.clone();
        let mut factor = PivotedCholesky::new(4);
        factor.factorize(&a, 1e-12);
        factor.solve(&mut x);
        assert_eq!((factor.rank(), factor.dependent().len()), (2, 2));
        for i in 0..4 {
            let row: f64 = (0..4).map(|j| a[i * 4 + j] * x[j]).sum();
            assert!((row - right[i]).abs() < 1e-13);
        }
        // In the scaled unknowns y = x/s the solution lies in the range of S A S.
        let s: Vec<f64> = (0..4).map(|i| 1.0 / a[i * 5].sqrt()).collect();
        let scaled: Vec<[f64; 2]> = (0..4).map(|i| columns[i].map(|c| c * s[i])).collect();
        // Null vector of the scaled columns: rows 0, 1 and 2 are dependent (row2 = row0/2 + 2 row1 ...).
        let null = [1.0 / s[0], 1.0 / s[1], -1.0 / s[2], 0.0];
        let check: f64 = (0..4).map(|i| null[i] * scaled[i][0]).sum();
        assert!(check.abs() < 1e-14);
        let along: f64 = (0..4).map(|i| null[i] * x[i] / s[i]).sum();
        assert!(along.abs() < 1e-13, "{along}");
    }
}
