//! S = (1 + ΓΩ)⁻¹ Γ for children at one point.
//!
//! Source: JPL 90-26 eq. 7.9 with errata A2. Elimination with row pivoting keeps the residual at the rounding of Γ. The
//! symmetric form S = Γ − ΓQ (1 + Q*ΓQ)⁻¹ Q*Γ with Ω = QQ* would lose as many digits as Γ exceeds Ω⁻¹: many, where a soft mode
//! carries a heavy subtree. Row numbers are parameters of functions, so that all loops have fixed lengths. About 1,000 products.

use super::constants::dot_constant;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial};

/// S and the factors of 1 + ΓΩ.
#[derive(Clone, Debug)]
pub(super) struct OnePoint<S> {
    /// Upper factor with reciprocal pivots; multipliers below.
    matrix: [[S; 6]; 6],
    /// Row taken at each step.
    pivots: [usize; 6],
    /// Right sides, then S in the lower triangle.
    right: [[S; 6]; 6],
    series: SymmetricSpatial<S>,
}

impl<S: Scalar> OnePoint<S> {
    pub fn new() -> Self {
        let zero = [[S::ZERO; 6]; 6];
        Self { matrix: zero, pivots: [0; 6], right: zero, series: SymmetricSpatial::ZERO }
    }

    /// Factorises 1 + ΓΩ and solves (1 + ΓΩ) S = Γ.
    pub fn form(&mut self, gamma: &SymmetricSpatial<S>, omega: &[Spatial]) {
        self.right = gamma.full();
        for i in 0..6 {
            let row = &self.right[i];
            self.matrix[i] = std::array::from_fn(|j| dot_constant(row, &omega[j]));
            self.matrix[i][i] += S::ONE;
        }
        self.eliminate::<0>();
        self.eliminate::<1>();
        self.eliminate::<2>();
        self.eliminate::<3>();
        self.eliminate::<4>();
        self.eliminate::<5>();
        self.substitute::<5>();
        self.substitute::<4>();
        self.substitute::<3>();
        self.substitute::<2>();
        self.substitute::<1>();
        self.substitute::<0>();
        self.series = SymmetricSpatial::from_lower(&self.right);
    }

    /// Clears column `K` below the diagonal; keeps the reciprocal pivot and the multipliers.
    #[inline(always)]
    fn eliminate<const K: usize>(&mut self) {
        let size = |row: usize| self.matrix[row][K].value().abs();
        let pivot = (K + 1..6).fold(K, |best, row| if size(row) > size(best) { row } else { best });
        self.pivots[K] = pivot;
        if pivot != K {
            self.matrix.swap(K, pivot);
            self.right.swap(K, pivot);
        }
        // The matrix is regular: ΓΩ has no negative eigenvalue. NaN is caught downstream.
        let inverse = S::ONE / self.matrix[K][K];
        self.matrix[K][K] = inverse;
        let (row, right) = (self.matrix[K], self.right[K]);
        for i in K + 1..6 {
            let factor = self.matrix[i][K] * inverse;
            self.matrix[i][K] = factor;
            for j in K + 1..6 {
                self.matrix[i][j] -= factor * row[j];
            }
            for j in 0..6 {
                self.right[i][j] -= factor * right[j];
            }
        }
    }

    /// Solution of row `I`, the rows below being solved. S is symmetric: its lower triangle is enough.
    #[inline(always)]
    fn substitute<const I: usize>(&mut self) {
        let inverse = self.matrix[I][I];
        let mut row = self.right[I];
        for k in I + 1..6 {
            let factor = self.matrix[I][k];
            for j in 0..=I {
                row[j] -= factor * self.right[k][j];
            }
        }
        for j in 0..=I {
            self.right[I][j] = row[j] * inverse;
        }
    }

    /// (1 + ΓΩ)⁻¹ z in place.
    pub fn solve(&self, force: &mut Spatial<S>) {
        for (k, &pivot) in self.pivots.iter().enumerate() {
            force.swap(k, pivot);
        }
        for k in 0..6 {
            let value = force[k];
            for i in k + 1..6 {
                force[i] -= self.matrix[i][k] * value;
            }
        }
        for i in (0..6).rev() {
            let mut value = force[i];
            for k in i + 1..6 {
                value -= self.matrix[i][k] * force[k];
            }
            force[i] = value * self.matrix[i][i];
        }
    }

    /// S x.
    #[inline(always)]
    pub fn apply(&self, x: &Spatial<S>) -> Spatial<S> {
        self.series.apply(x)
    }

    /// inertia += C* S C.
    pub fn add_congruence(&self, transfer: &[Spatial], inertia: &mut SymmetricSpatial<S>) {
        let full = self.series.full();
        let mut product = [[S::ZERO; 6]; 6]; // S C
        for i in 0..6 {
            for (row, &s) in transfer.iter().zip(&full[i]) {
                for j in 0..6 {
                    product[i][j] += s * row[j];
                }
            }
        }
        add_products(transfer, &product, inertia);
    }
}

/// inertia += C* (S C) for rows of both; the product is symmetric.
#[inline(always)]
pub(super) fn add_products<S: Scalar>(
    transfer: &[Spatial],
    product: &[Spatial<S>],
    inertia: &mut SymmetricSpatial<S>,
) {
    let entry = |a: usize, b: usize| {
        let mut sum = product[0][b] * transfer[0][a];
        for (product, transfer) in product.iter().zip(transfer).skip(1) {
            sum += product[b] * transfer[a];
        }
        sum
    };
    let mut k = 0;
    for i in 0..3 {
        for j in i..3 {
            inertia.angular[k] += entry(i, j);
            inertia.linear[k] += entry(i + 3, j + 3);
            k += 1;
        }
        for j in 0..3 {
            inertia.coupling[i][j] += entry(i, j + 3);
        }
    }
}
