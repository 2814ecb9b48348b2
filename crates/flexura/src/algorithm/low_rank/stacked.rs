//! S = (1 + ΓΩ)⁻¹ Γ for children at several points: 6m×6m, Γ in blocks.
//!
//! Source: JPL 90-26 eq. 7.9 with errata A2, points stacked. Elimination with row pivoting, as for one point (`one_point`). A column of
//! Γ has six entries, but pivots move rows: all right sides are carried. Cost (6m)³ 4/3 products.

use super::constants::dot_constant;
use super::one_point::add_products;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial};

/// S and the factors of 1 + ΓΩ.
#[derive(Clone, Debug)]
pub(super) struct Stacked<S> {
    points: usize,
    /// Upper factor with reciprocal pivots; multipliers below. Row-major.
    matrix: Vec<S>,
    /// Row taken at each step.
    pivots: Vec<usize>,
    /// Right sides, then S; row-major.
    series: Vec<S>,
    /// Rows of S C.
    product: Vec<Spatial<S>>,
}

impl<S: Scalar> Stacked<S> {
    pub fn new(points: usize) -> Self {
        let size = 6 * points;
        Self {
            points,
            matrix: vec![S::ZERO; size * size],
            pivots: vec![0; size],
            series: vec![S::ZERO; size * size],
            product: vec![[S::ZERO; 6]; size],
        }
    }

    /// Factorises 1 + ΓΩ and solves (1 + ΓΩ) S = Γ.
    pub fn form(&mut self, gamma: &[SymmetricSpatial<S>], omega: &[Spatial]) {
        let (points, size) = (self.points, 6 * self.points);
        self.series.fill(S::ZERO);
        for (p, gamma) in gamma.iter().enumerate() {
            for (i, row) in gamma.full().iter().enumerate() {
                let at = (6 * p + i) * size;
                self.series[at + 6 * p..at + 6 * p + 6].copy_from_slice(row);
                for (column, slot) in self.matrix[at..at + size].iter_mut().enumerate() {
                    // Ω is symmetric: row `column` serves as its column.
                    *slot = dot_constant(row, &omega[column * points + p]);
                }
                self.matrix[at + 6 * p + i] += S::ONE;
            }
        }
        (0..size).for_each(|k| self.eliminate(k));
        (0..size).rev().for_each(|i| self.substitute(i));
        for i in 0..size {
            for j in i + 1..size {
                self.series[i * size + j] = self.series[j * size + i];
            }
        }
    }

    /// Clears column `k` below the diagonal; keeps the reciprocal pivot and the multipliers.
    fn eliminate(&mut self, k: usize) {
        let size = 6 * self.points;
        let matrix = &mut self.matrix;
        let value = |row: usize| matrix[row * size + k].value().abs();
        let pivot = (k + 1..size).fold(k, |best, row| if value(row) > value(best) { row } else { best });
        self.pivots[k] = pivot;
        if pivot != k {
            for j in 0..size {
                matrix.swap(k * size + j, pivot * size + j);
                self.series.swap(k * size + j, pivot * size + j);
            }
        }
        // The matrix is regular: ΓΩ has no negative eigenvalue. NaN is caught downstream.
        let inverse = S::ONE / matrix[k * size + k];
        matrix[k * size + k] = inverse;
        let (above, below) = matrix.split_at_mut((k + 1) * size);
        let (right, rest) = self.series.split_at_mut((k + 1) * size);
        let (row, right) = (&above[k * size..], &right[k * size..]);
        for (line, rest) in below.chunks_exact_mut(size).zip(rest.chunks_exact_mut(size)) {
            let factor = line[k] * inverse;
            line[k] = factor;
            for (slot, &x) in line.iter_mut().zip(row).skip(k + 1) {
                *slot -= factor * x;
            }
            for (slot, &x) in rest.iter_mut().zip(right) {
                *slot -= factor * x;
            }
        }
    }

    /// Solution of row `i`, the rows below being solved. S is symmetric: its lower triangle is enough.
    fn substitute(&mut self, i: usize) {
        let size = 6 * self.points;
        let (rows, solved) = self.series.split_at_mut((i + 1) * size);
        let row = &mut rows[i * size..=i * size + i];
        for (k, solved) in (i + 1..size).zip(solved.chunks_exact(size)) {
            let factor = self.matrix[i * size + k];
            for (slot, &x) in row.iter_mut().zip(solved) {
                *slot -= factor * x;
            }
        }
        let inverse = self.matrix[i * size + i];
        row.iter_mut().for_each(|slot| *slot = *slot * inverse);
    }

    /// (1 + ΓΩ)⁻¹ z in place.
    pub fn solve(&self, force: &mut [Spatial<S>]) {
        let (size, force) = (6 * self.points, force.as_flattened_mut());
        for (k, &pivot) in self.pivots.iter().enumerate() {
            force.swap(k, pivot);
        }
        for k in 0..size {
            let value = force[k];
            for i in k + 1..size {
                force[i] -= self.matrix[i * size + k] * value;
            }
        }
        for i in (0..size).rev() {
            let mut value = force[i];
            for k in i + 1..size {
                value -= self.matrix[i * size + k] * force[k];
            }
            force[i] = value * self.matrix[i * size + i];
        }
    }

    /// `sum` += S x.
    pub fn apply(&self, x: &[Spatial<S>], sum: &mut [Spatial<S>]) {
        let x = x.as_flattened();
        for (slot, row) in sum.as_flattened_mut().iter_mut().zip(self.series.chunks_exact(x.len())) {
            for (&s, &x) in row.iter().zip(x) {
                *slot += s * x;
            }
        }
    }

    /// Rows of point `p` of S applied to a motion of point `q`.
    pub fn apply_block(&self, p: usize, q: usize, x: &Spatial<S>) -> Spatial<S> {
        let size = 6 * self.points;
        std::array::from_fn(|i| {
            let row = &self.series[(6 * p + i) * size + 6 * q..][..6];
            row.iter().zip(x).fold(S::ZERO, |sum, (&s, &x)| sum + s * x)
        })
    }

    /// inertia += C* S C.
    pub fn add_congruence(&mut self, transfer: &[Spatial], inertia: &mut SymmetricSpatial<S>) {
        let size = 6 * self.points;
        for (product, series) in self.product.iter_mut().zip(self.series.chunks_exact(size)) {
            *product = [S::ZERO; 6];
            for (row, &s) in transfer.iter().zip(series) {
                for j in 0..6 {
                    product[j] += s * row[j];
                }
            }
        }
        add_products(transfer, &self.product, inertia);
    }
}
