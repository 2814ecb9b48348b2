//! S = (1 + ΓΩ)⁻¹ Γ for children at one point.
//!
//! Source: JPL 90-26 eq. 7.9 with errata A2. Elimination with row pivoting keeps the residual at the rounding of Γ. The
//! symmetric form S = Γ − ΓQ (1 + Q*ΓQ)⁻¹ Q*Γ with Ω = QQ* would lose as many digits as Γ exceeds Ω⁻¹: many, where a soft mode
//! carries a heavy subtree. Row numbers are parameters of functions, so that all loops have fixed lengths. About 1,000 products.

use super::constants::dot_constant;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial};

/// S and the factors of 1 + ΓΩ, with the constants of the point: arrays of six, whose loops need no lengths.
#[derive(Clone, Debug)]
pub(super) struct OnePoint<S> {
    /// Rows of Ω.
    omega: [Spatial; 6],
    /// Rows of C.
    transfer: [Spatial; 6],
    factors: Factors<S>,
    series: SymmetricSpatial<S>,
}

/// Factors of 1 + ΓΩ.
#[derive(Clone, Debug)]
struct Factors<S> {
    /// Upper factor with reciprocal pivots; multipliers below.
    matrix: [[S; 6]; 6],
    /// Row taken at each step.
    pivots: [usize; 6],
}

impl<S: Scalar> OnePoint<S> {
    /// Scratch for a point with `omega` and `transfer`, six rows each.
    pub fn new(omega: &[Spatial], transfer: &[Spatial]) -> Self {
        Self {
            omega: std::array::from_fn(|i| omega[i]),
            transfer: std::array::from_fn(|i| transfer[i]),
            factors: Factors { matrix: [[S::ZERO; 6]; 6], pivots: [0; 6] },
            series: SymmetricSpatial::ZERO,
        }
    }

    /// Factorises 1 + ΓΩ and solves (1 + ΓΩ) S = Γ.
    pub fn form(&mut self, gamma: &SymmetricSpatial<S>) {
        let mut right = gamma.full();
        let mut factors = Factors {
            matrix: std::array::from_fn(|i| std::array::from_fn(|j| dot_constant(&right[i], &self.omega[j]))),
            pivots: [0; 6],
        };
        (0..6).for_each(|i| factors.matrix[i][i] += S::ONE);
        factors.eliminate::<0>(&mut right);
        factors.eliminate::<1>(&mut right);
        factors.eliminate::<2>(&mut right);
        factors.eliminate::<3>(&mut right);
        factors.eliminate::<4>(&mut right);
        factors.eliminate::<5>(&mut right);
        factors.substitute::<5>(&mut right);
        factors.substitute::<4>(&mut right);
        factors.substitute::<3>(&mut right);
        factors.substitute::<2>(&mut right);
        factors.substitute::<1>(&mut right);
        factors.substitute::<0>(&mut right);
        self.factors = factors;
        self.series = SymmetricSpatial::from_lower(&right);
    }

    /// (1 + ΓΩ)⁻¹ z in place.
    pub fn solve(&self, force: &mut Spatial<S>) {
        let Factors { matrix, pivots } = &self.factors;
        let mut z = *force;
        for (k, &pivot) in pivots.iter().enumerate() {
            z.swap(k, pivot);
        }
        for k in 0..6 {
            for i in k + 1..6 {
                z[i] -= matrix[i][k] * z[k];
            }
        }
        for i in (0..6).rev() {
            let mut value = z[i];
            for k in i + 1..6 {
                value -= matrix[i][k] * z[k];
            }
            z[i] = value * matrix[i][i];
        }
        *force = z;
    }

    /// S x.
    #[inline(always)]
    pub fn apply(&self, x: &Spatial<S>) -> Spatial<S> {
        self.series.apply(x)
    }

    /// S C α.
    #[inline(always)]
    pub fn carried(&self, alpha: &Spatial<S>) -> Spatial<S> {
        self.apply(&std::array::from_fn(|i| dot_constant(alpha, &self.transfer[i])))
    }

    /// inertia += C* S C.
    pub fn add_congruence(&self, inertia: &mut SymmetricSpatial<S>) {
        let full = self.series.full();
        let mut product = [[S::ZERO; 6]; 6]; // S C
        for i in 0..6 {
            for (row, &s) in self.transfer.iter().zip(&full[i]) {
                for j in 0..6 {
                    product[i][j] += s * row[j];
                }
            }
        }
        add_products(&self.transfer, &product, inertia);
    }
}

// Row numbers are parameters of functions so that all loops have fixed lengths.
impl<S: Scalar> Factors<S> {
    /// Clears column `K` below the diagonal; keeps the reciprocal pivot and the multipliers.
    #[inline(always)]
    fn eliminate<const K: usize>(&mut self, right: &mut [[S; 6]; 6]) {
        let size = |row: usize| self.matrix[row][K].value().abs();
        let pivot = (K + 1..6).fold(K, |best, row| if size(row) > size(best) { row } else { best });
        self.pivots[K] = pivot;
        if pivot != K {
            self.matrix.swap(K, pivot);
            right.swap(K, pivot);
        }
        // The matrix is regular: ΓΩ has no negative eigenvalue. NaN is caught downstream.
        let inverse = S::ONE / self.matrix[K][K];
        self.matrix[K][K] = inverse;
        let (row, taken) = (self.matrix[K], right[K]);
        for i in K + 1..6 {
            let factor = self.matrix[i][K] * inverse;
            self.matrix[i][K] = factor;
            for j in K + 1..6 {
                self.matrix[i][j] -= factor * row[j];
            }
            for j in 0..6 {
                right[i][j] -= factor * taken[j];
            }
        }
    }

    /// Solution of row `I`, the rows below being solved. S is symmetric: its lower triangle is enough.
    #[inline(always)]
    fn substitute<const I: usize>(&self, right: &mut [[S; 6]; 6]) {
        let inverse = self.matrix[I][I];
        let mut row = right[I];
        for k in I + 1..6 {
            let factor = self.matrix[I][k];
            for j in 0..=I {
                row[j] -= factor * right[k][j];
            }
        }
        for j in 0..=I {
            right[I][j] = row[j] * inverse;
        }
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
        for i in 1..transfer.len() {
            sum += product[i][b] * transfer[i][a];
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
