//! Frequencies of a flexible body with its reference frame held.
//!
//! K x = ω² M x over its modal coordinates. The modes of a body on their own, √(k_rr/m_rr), are its frequencies only
//! where they are orthogonal; static shapes of interfaces are not.

use super::Body;
use crate::linear::symmetric_part;
use nalgebra::{DMatrix, DVector};

/// Angular frequencies (rad/s), slowest first; those of the modes on their own where the mass is not positive.
#[doc(hidden)]
pub fn held_frequencies(body: &Body) -> Vec<f64> {
    let n = body.modes;
    let stiffness = DMatrix::from_fn(n, n, |i, j| body.stiffness.entry(i, j, n));
    let squares = modal_mass(body).cholesky().and_then(|factor| {
        let half = factor.l_dirty().solve_lower_triangular(&stiffness)?;
        let scaled = factor.l_dirty().solve_lower_triangular(&half.transpose())?;
        symmetric_part(&scaled).map(|(values, _)| values)
    });
    let own = || body.mode_frequencies();
    let mut found = squares.map_or_else(own, |values: DVector<f64>| {
        values.iter().map(|square| square.max(0.0).sqrt()).collect()
    });
    found.sort_by(f64::total_cmp);
    found
}

/// M of the modal coordinates of the undeformed body.
fn modal_mass(body: &Body) -> DMatrix<f64> {
    let n = body.modes;
    let still = vec![0.0; n];
    let (mass, _) = body.mass_and_bias(&still, &still, &[0.0; 3]);
    DMatrix::from_fn(n, n, |i, j| mass[i * (n + 6) + j])
}
