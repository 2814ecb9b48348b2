//! The state of a system: time, coordinates and speeds; nothing derived.

use crate::model::Model;
use crate::scalar::Scalar;

/// Coordinates and speeds, body after body in tree order: modal first, then joint.
#[derive(Clone, Debug, PartialEq)]
pub struct State<S = f64> {
    /// Time (s).
    pub time: f64,
    /// Coordinates (m, rad, modal units, quaternions).
    pub q: Vec<S>,
    /// Speeds (m/s, rad/s, modal units/s).
    pub v: Vec<S>,
}

impl State<f64> {
    /// The initial state of `model` at its initial values, prescribed motions applied at `time`.
    pub fn initial(model: &Model, time: f64) -> Self {
        let mut state = Self { time, q: model.initial_q.clone(), v: model.initial_v.clone() };
        crate::prescribe::apply_prescribed(model, &mut state, None);
        state
    }
}

impl<S: Scalar> State<S> {
    /// The same state in another number type.
    pub fn lift(state: &State<f64>) -> Self {
        let lift = |values: &[f64]| values.iter().map(|&x| S::from_f64(x)).collect();
        Self { time: state.time, q: lift(&state.q), v: lift(&state.v) }
    }
}
