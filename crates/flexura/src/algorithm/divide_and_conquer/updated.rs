//! Modes whose mass is a constant and a matrix of low rank: the constant is factorised once, the rest follows the deformation.
//!
//! Source: level `gram` without modal carriers (book/src/theory/inertia.md (IN.14)): M_ηη = M_c + G G*, the c columns of G the
//! slopes of the rows with curvature. With M_c = L L*, A = L⁻¹ G and 1 + A* A = K K* (c × c) the inverse has the square root
//!
//! ```text
//! M_ηη⁻¹ = L⁻* Q Q* L⁻¹,   Q = 1 − A X A*,   X = K⁻* (K + 1)⁻¹
//! ```
//!
//! (A. Andrews, "A square root formulation of the Kalman covariance equations", AIAA J. 6, 1968): Q* after every L⁻¹, and Q
//! before L⁻*, make `prefactored` exact for M_ηη. Multiplications c n²/2 for A, c² n/2 for A* A, 2 c n per right side.
//!
//! A is large where M_c is small beside G G*: the route is taken only where every pivot of M_c is a fair share of the modal
//! mass ([`LEAST_SHARE`]), which bounds the cancellation in Q.
//!
//! Typeset: book/src/theory/divide_and_conquer.md (DC.12).

use crate::linear::{cholesky_in_place, solve_lower};
use crate::model::body::{GramInertia, InertiaModel};
use crate::model::{Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::Spatial;

/// Most rows with curvature: four affine carriers in space.
pub(super) const MOST_ROWS: usize = 12;

/// Least square of a pivot of M_c as a share of the modal mass of the undeformed body: digits lost are its logarithm.
const LEAST_SHARE: f64 = 1e-4;

/// Modes from which the update needs fewer operations than a factorisation, with `rows` rows of curvature
/// (test `gram_bodies_update_a_constant_factor`).
pub(super) fn crossover(rows: usize) -> usize {
    17 + 5 * rows
}

/// The body's constants, where its modal mass is a constant and a matrix of low rank.
pub(super) fn constants(inertia: &InertiaModel) -> Option<&GramInertia> {
    let InertiaModel::Gram(gram) = inertia else { return None };
    (gram.modal_carriers() == 0 && gram.curved_rows() <= MOST_ROWS).then_some(gram)
}

/// L of M_c, or `None` where M_c is nearly singular beside the modal mass `whole`.
pub(super) fn constant_factor(gram: &GramInertia, whole: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut factor = gram.constant_mass().to_vec();
    cholesky_in_place(&mut factor, n).ok()?;
    // The diagonal of the factor is stored as its reciprocal.
    let fair = |r: usize| factor[r * n + r].powi(-2) >= LEAST_SHARE * whole[r * n + r];
    (0..n).all(fair).then_some(factor)
}

/// A, row by row of the curved rows, and K behind it, of one body at one instant.
pub(super) struct Update<'a, S> {
    columns: &'a mut [S],
    small: &'a mut [S],
    rank: usize,
    modes: usize,
}

impl<'a, S: Scalar> Update<'a, S> {
    /// The room of a body for an update of `rank` rows, its content as it was left.
    pub fn in_room(room: &'a mut [S], rank: usize, modes: usize) -> Self {
        let (columns, rest) = room.split_at_mut(rank * modes);
        Self { columns, small: &mut rest[..rank * rank], rank, modes }
    }

    /// A and K from the slopes of body `k`; K + 1 regular, since K has a positive diagonal.
    pub fn prepare(&mut self, model: &Model, k: usize, scratch: &[S], factor: &[S]) {
        let (n, c) = (self.modes, self.rank);
        debug_assert_eq!(layout_of(model, k).modes, n);
        if let Some(slopes) = constants(&model.bodies[k].inertia).and_then(|gram| gram.curved_slopes(scratch))
        {
            self.columns.copy_from_slice(slopes);
        }
        for column in self.columns.chunks_exact_mut(n) {
            solve_lower(factor, n, column);
        }
        for a in 0..c {
            for b in 0..=a {
                let products = self.columns[a * n..(a + 1) * n].iter().zip(&self.columns[b * n..(b + 1) * n]);
                let sum = products.fold(S::ZERO, |sum, (&x, &y)| sum + x * y);
                self.small[a * c + b] = if a == b { sum + S::ONE } else { sum };
            }
        }
        // 1 + A* A is at least the unit matrix: only numbers that are none stop it, and they reach the result.
        let _ = cholesky_in_place(self.small, c);
    }

    /// x ← Q* x = x − A (K + 1)⁻* K⁻¹ A* x.
    pub fn apply_transposed(&self, x: &mut [S]) {
        let mut inner = self.projected(|r| x[r]);
        solve_lower(self.small, self.rank, &mut inner[..self.rank]);
        self.solve_shifted_transposed(&mut inner);
        for (column, &share) in self.columns.chunks_exact(self.modes).zip(&inner) {
            x.iter_mut().zip(column).for_each(|(x, &a)| *x -= a * share);
        }
    }

    /// The same for the six columns of `rows`.
    pub fn apply_transposed_rows(&self, rows: &mut [Spatial<S>]) {
        for i in 0..6 {
            let mut inner = self.projected(|r| rows[r][i]);
            solve_lower(self.small, self.rank, &mut inner[..self.rank]);
            self.solve_shifted_transposed(&mut inner);
            for (column, &share) in self.columns.chunks_exact(self.modes).zip(&inner) {
                rows.iter_mut().zip(column).for_each(|(row, &a)| row[i] -= a * share);
            }
        }
    }

    /// x ← Q x = x − A K⁻* (K + 1)⁻¹ A* x.
    pub fn apply(&self, x: &mut [S]) {
        let mut inner = self.projected(|r| x[r]);
        self.solve_shifted(&mut inner);
        crate::linear::solve_lower_transposed(self.small, self.rank, &mut inner[..self.rank]);
        for (column, &share) in self.columns.chunks_exact(self.modes).zip(&inner) {
            x.iter_mut().zip(column).for_each(|(x, &a)| *x -= a * share);
        }
    }

    /// A* x.
    fn projected(&self, x: impl Fn(usize) -> S) -> [S; MOST_ROWS] {
        let mut inner = [S::ZERO; MOST_ROWS];
        for (sum, column) in inner.iter_mut().zip(self.columns.chunks_exact(self.modes)) {
            *sum = column.iter().enumerate().fold(S::ZERO, |sum, (r, &a)| sum + a * x(r));
        }
        inner
    }

    /// Diagonal of K + 1; K keeps the reciprocals of its own.
    fn shifted_diagonal(&self, a: usize) -> S {
        S::ONE / self.small[a * self.rank + a] + S::ONE
    }

    fn solve_shifted(&self, x: &mut [S; MOST_ROWS]) {
        let c = self.rank;
        for a in 0..c {
            let known = (0..a).fold(S::ZERO, |sum, b| sum + self.small[a * c + b] * x[b]);
            x[a] = (x[a] - known) / self.shifted_diagonal(a);
        }
    }

    fn solve_shifted_transposed(&self, x: &mut [S; MOST_ROWS]) {
        let c = self.rank;
        for a in (0..c).rev() {
            let known = (a + 1..c).fold(S::ZERO, |sum, b| sum + self.small[b * c + a] * x[b]);
            x[a] = (x[a] - known) / self.shifted_diagonal(a);
        }
    }
}
