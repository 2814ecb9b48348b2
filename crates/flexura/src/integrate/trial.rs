//! The end of an implicit step under iteration, and how large a correction of it is beside what moves.

use super::Flow;
use crate::algorithm::structured_tangent::TangentWeights;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// The end of the step under iteration.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub state: State,
    pub start: State,
    pub w: Vec<f64>,
    pub a: Vec<f64>,
    pub twist: Vec<f64>,
    pub residual: Vec<f64>,
    pub correction: Vec<f64>,
    pub end: Vec<f64>,
    pub slopes: [Vec<f64>; 2],
    pub error: Vec<f64>,
    /// Rates of the controller states at the start of the step.
    pub control_rates: Vec<f64>,
}

impl Trial {
    pub fn new(model: &Model) -> Self {
        let n = model.speed_count();
        let (zero, long) = (vec![0.0; n], vec![0.0; Flow::size(model)]);
        let state = State::unprescribed(model, 0.0);
        Self {
            start: state.clone(),
            state,
            w: zero.clone(),
            a: zero.clone(),
            twist: zero.clone(),
            residual: zero.clone(),
            correction: zero.clone(),
            error: zero,
            control_rates: vec![0.0; model.controller_states],
            end: long.clone(),
            slopes: [long.clone(), long],
        }
    }
}

/// Largest correction of the motion relative to what moves in the step.
pub(super) fn motion_size(trial: &Trial, weights: TangentWeights, h: f64) -> f64 {
    let mut size = 0.0_f64;
    for i in 0..trial.correction.len() {
        let shift = weights.stiffness * trial.correction[i].abs();
        size = if shift.is_finite() { size.max(shift / motion_scale(trial, h, i)) } else { f64::INFINITY };
    }
    size
}

/// Correction relative to the motion of a step that may be rounding.
pub(super) const ROUNDING: f64 = 1e-8;

/// Correction per unit of the system's extent that may be rounding of its positions: far from the origin a body at
/// rest has no finer ones.
pub(super) const GRAIN: f64 = 64.0 * f64::EPSILON;

/// Correction relative to the smallest motion that the rounding of coordinates `q` makes far from the origin.
pub(super) fn grain(q: &[f64]) -> f64 {
    GRAIN * q.iter().fold(1.0, |extent: f64, x| extent.max(x.abs())) / SMALLEST_MOTION
}

/// Motion in a step (m, rad) below which errors are absolute.
pub(super) const SMALLEST_MOTION: f64 = 1e-6;

/// What coordinate `i` moves in the step; the parts of the motion may cancel: their size sets the rounding.
pub(super) fn motion_scale(trial: &Trial, h: f64, i: usize) -> f64 {
    SMALLEST_MOTION + h * trial.start.v[i].abs() + h * h * trial.a[i].abs()
}

/// Power of drivers and non-conservative forces at the end of the step (W).
pub(super) fn end_power(model: &Model, trial: &Trial, work: &Workspace) -> f64 {
    let mut power = work.power.total();
    for i in 0..model.speed_count() {
        if model.prescribed[i] {
            power += (work.inverse.generalized[i] - work.load.generalized[i]) * trial.state.v[i];
        }
    }
    power
}
