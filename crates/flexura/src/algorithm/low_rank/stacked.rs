//! Outboard inertias in series with the compliance of several points: Ω = QQ*, Γ in blocks.
//!
//! Source: JPL 90-26 eq. 7.9 with errata A2, points stacked, by the identity of Woodbury:
//! S = Γ − G A⁻¹ G* and (1 + ΓΩ)⁻¹ z = z − G A⁻¹ Q* z with G = ΓQ and A = 1 + Q*G, which is positive definite and at most 6m×6m.
//! Its rounding is that of the direct route, also where Ω is singular (points that modes do not move in every direction).
//! Elimination in 1 + ΓΩ, as for one point, leaves much more there, with the square of the weight of the children: 1e-6 of the
//! accelerations for four points with children 10⁴ times as heavy. Cost (6m)³ 2/3 products.

use super::constants::Compliance;
use super::one_point::add_products;
use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6};

/// G, the factor of A, and S C.
#[derive(Clone, Debug)]
pub(super) struct Stacked<S> {
    compliance: Compliance,
    /// Rows of G, as many numbers as Q has columns.
    product: Vec<S>,
    /// Lower factor of A, row-major.
    factor: Vec<S>,
    /// Columns of A⁻¹ G* C.
    columns: Vec<S>,
    /// Rows of S C.
    carried: Vec<Spatial<S>>,
}

impl<S: Scalar> Stacked<S> {
    /// Scratch for the points whose compliance is `compliance`.
    pub fn new(compliance: Compliance) -> Self {
        let (rows, rank) = (compliance.rows(), compliance.rank);
        Self {
            product: vec![S::ZERO; rows * rank],
            factor: vec![S::ZERO; rank * rank],
            columns: vec![S::ZERO; 6 * rank],
            carried: vec![[S::ZERO; 6]; rows],
            compliance,
        }
    }

    /// Factorises A and finds S C.
    pub fn form(&mut self, gamma: &[SymmetricSpatial<S>], transfer: &[Spatial]) {
        let rank = self.compliance.rank;
        for ((gamma, root), product) in gamma
            .iter()
            .zip(self.compliance.root.chunks_exact(6 * rank))
            .zip(self.product.chunks_exact_mut(6 * rank))
        {
            for (row, slots) in gamma.full().iter().zip(product.chunks_exact_mut(rank)) {
                slots.fill(S::ZERO);
                for (&x, root) in row.iter().zip(root.chunks_exact(rank)) {
                    for (slot, &q) in slots.iter_mut().zip(root) {
                        *slot += x * q;
                    }
                }
            }
        }
        self.factorise();
        self.carry_back(gamma, transfer);
    }

    /// Factor of A = 1 + Q*G, symmetric.
    fn factorise(&mut self) {
        let rank = self.compliance.rank;
        self.factor.fill(S::ZERO);
        (0..rank).for_each(|a| self.factor[a * rank + a] = S::ONE);
        for (root, product) in self.compliance.root.chunks_exact(rank).zip(self.product.chunks_exact(rank)) {
            for (a, &q) in root.iter().enumerate() {
                for (slot, &g) in self.factor[a * rank..=a * rank + a].iter_mut().zip(product) {
                    *slot += g * q;
                }
            }
        }
        if cholesky_in_place(&mut self.factor, rank).is_err() {
            // A has no eigenvalue below one: what is no number is named where all accelerations are judged.
            self.factor.iter_mut().for_each(|slot| *slot = *slot * f64::NAN);
        }
    }

    /// S C = ΓC − G A⁻¹ G* C.
    fn carry_back(&mut self, gamma: &[SymmetricSpatial<S>], transfer: &[Spatial]) {
        let rank = self.compliance.rank;
        self.columns.fill(S::ZERO);
        for (product, row) in self.product.chunks_exact(rank).zip(transfer) {
            for (column, &c) in self.columns.chunks_exact_mut(rank).zip(row) {
                for (slot, &g) in column.iter_mut().zip(product) {
                    *slot += g * c;
                }
            }
        }
        for column in self.columns.chunks_exact_mut(rank) {
            solve_lower(&self.factor, rank, column);
            solve_lower_transposed(&self.factor, rank, column);
        }
        for (p, gamma) in gamma.iter().enumerate() {
            for (i, gamma) in gamma.full().iter().enumerate() {
                let at = 6 * p + i;
                let product = &self.product[at * rank..(at + 1) * rank];
                self.carried[at] = std::array::from_fn(|j| {
                    let mut sum = S::ZERO;
                    for (&x, row) in gamma.iter().zip(&transfer[6 * p..]) {
                        sum += x * row[j];
                    }
                    for (&g, &w) in product.iter().zip(&self.columns[j * rank..(j + 1) * rank]) {
                        sum -= g * w;
                    }
                    sum
                });
            }
        }
    }

    /// z ← S x + (1 + ΓΩ)⁻¹ z, that is y − G A⁻¹ Q* y with y = z + Γx; x is lost.
    pub fn pass(&self, gamma: &[SymmetricSpatial<S>], x: &mut [Spatial<S>], z: &mut [Spatial<S>]) {
        let rank = self.compliance.rank;
        for ((gamma, x), z) in gamma.iter().zip(x.iter()).zip(z.iter_mut()) {
            *z = add6(z, &gamma.apply(x));
        }
        // Q has no more columns than rows.
        let inner = &mut x.as_flattened_mut()[..rank];
        inner.fill(S::ZERO);
        for (root, &y) in self.compliance.root.chunks_exact(rank).zip(z.as_flattened()) {
            for (slot, &q) in inner.iter_mut().zip(root) {
                *slot += y * q;
            }
        }
        solve_lower(&self.factor, rank, inner);
        solve_lower_transposed(&self.factor, rank, inner);
        for (slot, product) in z.as_flattened_mut().iter_mut().zip(self.product.chunks_exact(rank)) {
            for (&g, &w) in product.iter().zip(inner.iter()) {
                *slot -= g * w;
            }
        }
    }

    /// Rows of point `p` of S C α.
    pub fn carried(&self, p: usize, alpha: &Spatial<S>) -> Spatial<S> {
        std::array::from_fn(|i| {
            let row = &self.carried[6 * p + i];
            row.iter().zip(alpha).fold(S::ZERO, |sum, (&s, &a)| sum + s * a)
        })
    }

    /// inertia += C* S C.
    pub fn add_congruence(&self, transfer: &[Spatial], inertia: &mut SymmetricSpatial<S>) {
        add_products(transfer, &self.carried, inertia);
    }
}
