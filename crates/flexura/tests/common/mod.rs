//! Helpers shared by the integration tests.
#![allow(dead_code)] // each test binary uses its own part

pub mod dense_closure;
pub mod double_double;
pub mod double_pendulum;
pub mod four_bars;
pub mod mechanisms;
pub mod mixed_model;
pub mod random_element;
pub mod random_mechanism;
pub mod two_loops;

#[allow(unused_imports)] // as above
pub use flexura_samples::{golden_case, random_model};

/// Largest |a − b| divided by the largest |b| (at least `floor`).
pub fn relative_error(found: &[f64], expected: &[f64], floor: f64) -> f64 {
    assert_eq!(found.len(), expected.len(), "sizes differ");
    let scale = expected.iter().fold(floor, |m, x| m.max(x.abs()));
    let worst = found.iter().zip(expected).fold(0.0_f64, |m, (a, b)| {
        // A NaN must not hide in a maximum.
        if (a - b).is_nan() { f64::INFINITY } else { m.max((a - b).abs()) }
    });
    worst / scale
}
