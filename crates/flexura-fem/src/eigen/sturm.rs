//! Sturm check: eigenvalues counted by the signs of pivots.
//!
//! By Sylvester's law of inertia K - s M = L D L^T has as many negative pivots
//! as K phi = lambda M phi has eigenvalues below s (M semidefinite), whatever
//! the eigenvalue iteration found.

use crate::assemble::Pencil;
use crate::error::FemError;
use crate::linear::{Analysis, Factor};

/// Number of eigenvalues below a value (rad2/s2), in the memory of factors of the same pattern, which then are of something else.
pub(super) fn count_in(pencil: Pencil<'_>, factor: &mut Factor, value: f64) -> Result<usize, FemError> {
    let mut shift = value;
    for attempt in 1..=4 {
        let matrix = pencil.stiffness.shifted(shift, pencil.mass)?;
        // Without row exchanges an unlucky pivot spoils the factors; a nudge of the shift cures it.
        if factor.refill(&matrix).is_ok() && factor.defect(&matrix)? < 1e-6 {
            return Ok(factor.negative_pivots());
        }
        shift = value * (1.0 + 1e-7 * f64::from(attempt));
    }
    Err(FemError::Algebra(format!("no stable factorisation near {value:.6e} rad2/s2 for the Sturm count")))
}

/// Number of eigenvalues below a value (rad2/s2).
pub fn count_below(pencil: Pencil<'_>, value: f64) -> Result<usize, FemError> {
    count_in(pencil, &mut Factor::empty(&Analysis::of(pencil.stiffness)?), value)
}

/// Refuses a list of eigenvalues that misses some below `value` (rad2/s2).
pub fn check(pencil: Pencil<'_>, eigenvalues: &[f64], value: f64) -> Result<usize, FemError> {
    let counted = count_below(pencil, value)?;
    let found = eigenvalues.iter().filter(|eigenvalue| **eigenvalue < value).count();
    if counted == found {
        return Ok(counted);
    }
    Err(FemError::MissedModes { found, counted, frequency: signed_frequency(value) })
}

/// Where to count: the first clear gap after the `count`-th of ascending
/// eigenvalues. Returns how many lie below the gap, and a value inside it.
pub fn gap_after(eigenvalues: &[f64], count: usize) -> (usize, f64) {
    let scale = eigenvalues.last().copied().unwrap_or(0.0).abs();
    for split in count..eigenvalues.len() {
        let (below, above) = (eigenvalues[split.saturating_sub(1)], eigenvalues[split]);
        if split > 0 && above - below > 1e-4 * above.abs() && above > 1e-6 * scale {
            return (split, 0.5 * (below + above));
        }
    }
    (eigenvalues.len(), scale * (1.0 + 1e-4))
}

/// Frequency of a value, negative below zero (Hz).
pub fn signed_frequency(value: f64) -> f64 {
    value.signum() * value.abs().sqrt() / std::f64::consts::TAU
}
