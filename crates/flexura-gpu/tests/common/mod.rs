//! What the tests of devices measure by.
#![allow(dead_code)] // each program uses its part

use flexura::{Model, State, Workspace};
use flexura_gpu::{Choice, System};

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

/// Accelerations of one of the systems at `state`.
pub fn evaluated(mut system: System<'_>, state: &State, which: usize) -> Vec<f64> {
    system.set_state(state).expect("sent");
    system.evaluate().expect("evaluated");
    system.accelerations(which).expect("regular")
}

/// How far one huge system and a batch are from articulated bodies.
pub fn compare(model: &Model, state: &State, leaf: usize) -> f64 {
    let expected = articulated(model, state);
    let huge = evaluated(System::huge_with_leaf(model, leaf, Choice::Emulated).expect("lowered"), state, 0);
    let batch = evaluated(System::batch(model, 2, Choice::Emulated).expect("lowered"), state, 1);
    error(&huge, &expected).max(error(&batch, &expected))
}
