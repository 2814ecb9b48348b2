//! What the tests of devices measure by.

use flexura::{Model, State, Workspace};

/// Largest difference relative to the largest acceleration.
pub fn error(found: &[f64], expected: &[f64]) -> f64 {
    let scale = expected.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    found.iter().zip(expected).fold(0.0, |m: f64, (a, b)| {
        if (a - b).is_nan() { f64::INFINITY } else { m.max((a - b).abs() / scale) }
    })
}

pub fn articulated(model: &Model, state: &State) -> Vec<f64> {
    let mut work = Workspace::new(model);
    flexura::state::prescribe::apply_prescribed(model, &mut state.clone(), Some(&mut work.load));
    flexura::evaluate(model, state, &mut work).expect("regular");
    work.accelerations.chidot.clone()
}
