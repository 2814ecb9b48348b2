//! Thresholds of stability: eigenvalues about a state, and the load or speed at which they leave the stable side.

use crate::context::Fault;
use flexura::State;
use flexura::analysis::{eigenvalues, linearize};
use flexura::build::Built;

/// Where `beyond` turns from false to true, to nine digits.
pub fn threshold(bounds: [f64; 2], beyond: impl Fn(f64) -> Result<bool, Fault>) -> Result<f64, Fault> {
    let [mut low, mut high] = bounds;
    if beyond(low)? || !beyond(high)? {
        return Err(Fault(format!("no threshold between {low} and {high}")));
    }
    while high - low > 1e-9 * high.abs() {
        let middle = low.midpoint(high);
        if beyond(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(low.midpoint(high))
}

/// Eigenvalues (real, imaginary) about the initial state.
pub fn eigenvalues_at_start(built: &Built) -> Result<Vec<(f64, f64)>, Fault> {
    let system = linearize(&built.model, &State::initial(&built.model, 0.0), &[], &[])?;
    Ok(eigenvalues(&system.a, system.states.len())?)
}

/// Largest real part of the eigenvalues about the initial state.
pub fn growth(built: &Built) -> Result<f64, Fault> {
    Ok(eigenvalues_at_start(built)?.into_iter().fold(f64::NEG_INFINITY, |most, value| most.max(value.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_met_and_bounds_must_hold_them() {
        let found = threshold([1.0, 2.0], |x| Ok(x * x > 2.0)).unwrap_or_else(|fault| panic!("{fault:?}"));
        assert!((found - 2.0_f64.sqrt()).abs() < 2e-9);
        for bounds in [[1.5, 2.0], [0.0, 1.0]] {
            assert!(threshold(bounds, |x| Ok(x * x > 2.0)).is_err(), "{bounds:?}");
        }
    }
}
