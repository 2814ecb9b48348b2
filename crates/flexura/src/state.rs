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
    /// States of controllers: continuous states, remembered values and held outputs.
    pub z: Vec<S>,
}

impl State<f64> {
    /// The initial state of `model` at its initial values, prescribed motions applied at `time`.
    pub fn initial(model: &Model, time: f64) -> Self {
        let mut state = Self::unprescribed(model, time);
        crate::prescribe::apply_prescribed(model, &mut state, None);
        state
    }
}

impl State<f64> {
    /// Initial values as written, without prescribed motions.
    pub(crate) fn unprescribed(model: &Model, time: f64) -> Self {
        let z = vec![0.0; model.controller_states];
        Self { time, q: model.initial_q.clone(), v: model.initial_v.clone(), z }
    }

    /// Takes over all values of `other`, which belongs to the same model.
    pub fn copy_from(&mut self, other: &Self) {
        self.time = other.time;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.z.copy_from_slice(&other.z);
    }
}

impl<S: Scalar> State<S> {
    /// The same state in another number type.
    pub fn lift(state: &State<f64>) -> Self {
        let lift = |values: &[f64]| values.iter().map(|&x| S::from_f64(x)).collect();
        Self { time: state.time, q: lift(&state.q), v: lift(&state.v), z: lift(&state.z) }
    }
}
