//! Directions in which closed loops can move.
//!
//! With J over the free speeds, Z spans its null space (singular value
//! decomposition, rank-revealing) and J⁺ closes gaps with the least change. For
//! named states the basis is brought to T = Z Z_i⁻¹, where the independent
//! speeds i, chosen by pivoting, have unit rows. Offline: may allocate.

use crate::constraint::{move_by, rows_and_jacobian};
use crate::linear::singular_values;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use nalgebra::{DMatrix, DVector};

/// Singular values below this fraction of the largest are zero.
const RANK: f64 = 1e-10;
/// Violation at which a loop counts as closed, per unit of length.
const CLOSED: f64 = 1e-13;

/// J, its null space and pseudo-inverse at one position.
pub(super) struct Manifold {
    /// Φ.
    pub gap: DVector<f64>,
    /// Z: free speeds × freedoms.
    pub basis: DMatrix<f64>,
    /// J⁺: free speeds × rows.
    pub inverse: DMatrix<f64>,
}

impl Manifold {
    /// The manifold of `model` at `state` over the speeds `free`.
    pub fn at(model: &Model, state: &State, free: &[usize]) -> Self {
        let mut work = Workspace::<f64>::new(model);
        rows_and_jacobian(model, state, &mut work);
        let (rows, n) = (model.constraint_count(), free.len());
        let closure = &work.closure;
        let jacobian = DMatrix::from_fn(rows, n, |r, i| closure.jacobian.entry(r, free[i]));
        // Rows of zeros make the decomposition return the null space too.
        let padded = DMatrix::from_fn(rows.max(n), n, |r, i| if r < rows { jacobian[(r, i)] } else { 0.0 });
        let gap = DVector::from_column_slice(&closure.residual);
        // Without free speeds, or at a position that is none, nothing can follow.
        let Some(svd) = singular_values(padded, true, true) else { return Self::still(n, gap) };
        let largest = svd.singular_values.max();
        let used = |k: usize| svd.singular_values[k] > RANK * largest;
        let (Some(u), Some(v)) = (&svd.u, &svd.v_t) else { return Self::still(n, gap) };
        let kept: Vec<usize> = (0..n).filter(|&k| used(k)).collect();
        let idle: Vec<usize> = (0..n).filter(|&k| !used(k)).collect();
        let basis = DMatrix::from_fn(n, idle.len(), |i, c| v[(idle[c], i)]);
        let inverse = DMatrix::from_fn(n, rows, |i, r| {
            kept.iter().map(|&k| v[(k, i)] * u[(r, k)] / svd.singular_values[k]).sum()
        });
        Self { gap, basis, inverse }
    }

    fn still(n: usize, gap: DVector<f64>) -> Self {
        let rows = gap.len();
        Self { gap, basis: DMatrix::zeros(n, 0), inverse: DMatrix::zeros(n, rows) }
    }

    /// Multipliers that balance the generalised force `force` best, least norm.
    pub fn reactions(&self, force: &DVector<f64>) -> DVector<f64> {
        self.inverse.tr_mul(force)
    }

    /// Independent speeds (positions in `free`) and T.
    pub fn independent(&self) -> (Vec<usize>, DMatrix<f64>) {
        let freedoms = self.basis.ncols();
        let mut rest = self.basis.clone();
        let mut chosen = Vec::with_capacity(freedoms);
        for c in 0..freedoms {
            // The largest entry left becomes a unit row.
            let mut best = (0, c);
            for i in 0..rest.nrows() {
                for k in c..freedoms {
                    if rest[(i, k)].abs() > rest[best].abs() {
                        best = (i, k);
                    }
                }
            }
            rest.swap_columns(c, best.1);
            let pivot = rest[(best.0, c)];
            let column = rest.column(c) / pivot;
            rest.set_column(c, &column);
            for k in (0..freedoms).filter(|&k| k != c) {
                let factor = rest[(best.0, k)];
                let changed = rest.column(k) - &column * factor;
                rest.set_column(k, &changed);
            }
            chosen.push(best.0);
        }
        let mut order: Vec<usize> = (0..freedoms).collect();
        order.sort_by_key(|&c| chosen[c]);
        let columns = DMatrix::from_fn(rest.nrows(), freedoms, |i, c| rest[(i, order[c])]);
        (order.iter().map(|&c| chosen[c]).collect(), columns)
    }
}

/// Moves `state` by `step` over the free speeds.
pub(super) fn move_free(model: &Model, state: &mut State, free: &[usize], step: &DVector<f64>) {
    let mut twist = vec![0.0; model.speed_count()];
    for (i, &speed) in free.iter().enumerate() {
        twist[speed] = step[i];
    }
    move_by(model, state, &twist);
}

/// Closes the loops by the least change; whether that worked.
pub(super) fn close_loops(model: &Model, state: &mut State, free: &[usize]) -> bool {
    for _ in 0..20 {
        let manifold = Manifold::at(model, state, free);
        if manifold.gap.amax() <= CLOSED {
            return true;
        }
        let step = -(&manifold.inverse * &manifold.gap);
        if !step.iter().all(|x| x.is_finite()) {
            return false;
        }
        move_free(model, state, free, &step);
    }
    Manifold::at(model, state, free).gap.amax() <= 1e4 * CLOSED
}
