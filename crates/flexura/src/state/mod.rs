//! The state of a system: time, coordinates and speeds; nothing derived. The turns of joints that close loops belong to
//! it: how far a spring there is wound up does not follow from the poses.

mod control_work;
mod load;
pub mod prescribe;

pub use control_work::ControlWork;
pub(crate) use load::Felt;
pub use load::Load;

use crate::checkpoint::Tape;
use crate::model::Model;
use crate::scalar::Scalar;
use crate::time_function::Side;

/// Coordinates and speeds, body after body in tree order: modal first, then joint.
#[derive(Clone, Debug, PartialEq)]
pub struct State<S = f64> {
    /// Time (s).
    pub time: f64,
    /// From which side functions of time are taken: from the left at the end of a step, which may be a break point.
    pub side: Side,
    /// Coordinates (m, rad, modal units, quaternions).
    pub q: Vec<S>,
    /// Speeds (m/s, rad/s, modal units/s).
    pub v: Vec<S>,
    /// States of controllers: continuous states, remembered values and held outputs.
    pub z: Vec<S>,
    /// Turns of joints that close loops.
    pub turns: Turns,
}

/// Angles of joints that close loops at an instant, from which whole turns are counted: poses tell an angle up to
/// those only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turns {
    /// The instant (s).
    pub time: f64,
    /// Angle of every such joint, zero where it has none (rad).
    pub angles: Vec<f64>,
    /// Their rates (rad/s).
    pub rates: Vec<f64>,
    /// Whether angles and rates were measured at `time`; otherwise angles are only near.
    pub measured: bool,
}

impl Turns {
    /// Those that the joints of `model` are given with.
    fn initial(model: &Model, time: f64) -> Self {
        let angles: Vec<f64> = model.loops.iter().map(|joint| joint.start_angle).collect();
        Self { time, rates: vec![0.0; angles.len()], angles, measured: false }
    }

    /// The value of `angle`, known up to whole turns, that joint `index` has at `time` with `rate`: the trapezoidal rule
    /// from the last instant says which turn.
    pub(crate) fn offset(&self, index: usize, time: f64, angle: f64, rate: f64) -> f64 {
        let Some(&last) = self.angles.get(index) else { return 0.0 };
        let mean = if self.measured { 0.5 * (self.rates[index] + rate) } else { 0.0 };
        let near = last + mean * (time - self.time);
        std::f64::consts::TAU * ((near - angle) / std::f64::consts::TAU).round()
    }

    /// Takes over all values of `other`, which belongs to the same model.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        (self.time, self.measured) = (other.time, other.measured);
        self.angles.copy_from_slice(&other.angles);
        self.rates.copy_from_slice(&other.rates);
    }

    /// Everything, written to or read from a checkpoint.
    pub(crate) fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.time);
        tape.flag(&mut self.measured);
        tape.numbers(&mut self.angles);
        tape.numbers(&mut self.rates);
    }
}

impl State<f64> {
    /// The initial state of `model` at its initial values, prescribed motions applied at `time`.
    pub fn initial(model: &Model, time: f64) -> Self {
        let mut state = Self::unprescribed(model, time);
        prescribe::apply_prescribed(model, &mut state, None);
        state
    }
}

impl State<f64> {
    /// Initial values as written, without prescribed motions.
    pub(crate) fn unprescribed(model: &Model, time: f64) -> Self {
        let z = vec![0.0; model.controller_states];
        let turns = Turns::initial(model, time);
        Self { time, side: Side::After, q: model.initial_q.clone(), v: model.initial_v.clone(), z, turns }
    }

    /// Moves on the clock alone.
    pub(crate) fn set_instant(&mut self, time: f64, side: Side) {
        (self.time, self.side) = (time, side);
    }

    /// Takes over all values of `other`, which belongs to the same model.
    pub fn copy_from(&mut self, other: &Self) {
        (self.time, self.side) = (other.time, other.side);
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.z.copy_from_slice(&other.z);
        self.turns.copy_from(&other.turns);
    }
}

impl<S: Scalar> State<S> {
    /// The same state in another number type.
    pub fn lift(state: &State<f64>) -> Self {
        let lift = |values: &[f64]| values.iter().map(|&x| S::from_f64(x)).collect();
        let turns = state.turns.clone();
        Self {
            time: state.time,
            side: state.side,
            q: lift(&state.q),
            v: lift(&state.v),
            z: lift(&state.z),
            turns,
        }
    }
}
