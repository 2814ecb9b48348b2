//! The equations of motion as a first-order system in local coordinates.
//!
//! Typeset: book/src/theory/integrators.md (TI.1), (TI.2).

use super::dense::Dense;
use crate::constraint::project;
use crate::dynamics::evaluate;
use crate::error::{DynamicsError, SimulationError};
use crate::model::Model;
use crate::motion::retract::retract;
use crate::scalar::Scalar;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Start of the current step and scratch for its stages.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// State at the start of the step.
    start: State,
    /// Work done before the step (J).
    start_work: f64,
    /// State of the current stage.
    stage: State,
    /// y at the start: δ = 0, v, z, work.
    initial: Vec<f64>,
    /// Scratch for dense output.
    values: Vec<f64>,
}

impl Flow {
    /// Length of y for `model`: increments, speeds, controller states and work.
    pub fn size(model: &Model) -> usize {
        2 * model.speed_count() + model.controller_states + 1
    }

    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let state = State::unprescribed(model, 0.0);
        let size = Self::size(model);
        Self {
            start: state.clone(),
            start_work: 0.0,
            stage: state,
            initial: vec![0.0; size],
            values: vec![0.0; size],
        }
    }

    /// Starts a step at `state`.
    pub fn begin(&mut self, state: &State, work_done: f64) {
        self.start.copy_from(state);
        self.stage.turns.copy_from(&state.turns);
        self.start_work = work_done;
        let n = state.v.len();
        self.initial[..n].fill(0.0);
        self.initial[n..2 * n].copy_from_slice(&state.v);
        let work = self.initial.len() - 1;
        self.initial[2 * n..work].copy_from_slice(&state.z);
        self.initial[work] = work_done;
    }

    /// Time at the start of the step (s).
    pub fn start_time(&self) -> f64 {
        self.start.time
    }

    /// y at the start of the step.
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// Copies the state at the start of the step.
    pub(super) fn copy_start(&self, out: &mut State) {
        out.copy_from(&self.start);
    }

    /// Local increment δ with q = q₀ ⊕ δ for a state reached by `twist`.
    pub(super) fn local_increment(&self, model: &Model, q: &[f64], twist: &[f64], step: &mut [f64]) {
        step.copy_from_slice(twist);
        for (k, part) in model.layout.bodies.iter().enumerate() {
            if part.joint_q == 7 && model.joints[k].joint.kind == crate::model::joint::JointKind::Free {
                let (at, first) = (part.joint_q().start + 4, part.joint_v().start + 3);
                for i in 0..3 {
                    step[first + i] = q[at + i] - self.start.q[at + i];
                }
            }
        }
    }

    /// δ̇ at `state`, where `step` is its local increment (`None`: the start).
    pub(super) fn increment_slopes(
        &mut self,
        model: &Model,
        state: &State,
        step: Option<&[f64]>,
        out: &mut [f64],
    ) {
        let n = model.speed_count();
        match step {
            Some(step) => self.values[..n].copy_from_slice(step),
            None => self.values[..n].fill(0.0),
        }
        increment_rates(model, state, &self.values, out);
    }

    /// dy/dt at (`time`, `y`), inputs from `side` of a break point.
    pub fn rate(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        time: f64,
        y: &[f64],
        side: Side,
        rate: &mut [f64],
    ) -> Result<(), SimulationError> {
        self.stage.set_instant(time, side);
        place(model, &self.start.q, y, &mut self.stage);
        apply_prescribed(model, &mut self.stage, Some(&mut work.load));
        if !model.loops.is_empty() {
            // Near singular positions accelerations off the constraints are wild: stages are put back first.
            project(model, &mut self.stage, work).map_err(|error| SimulationError::dynamics(time, error))?;
        }
        evaluate(model, &self.stage, work).map_err(|error| SimulationError::dynamics(time, error))?;
        let n = model.speed_count();
        increment_rates(model, &self.stage, y, &mut rate[..n]);
        rate[n..2 * n].copy_from_slice(&work.accelerations.chidot);
        let driver_power = work.driver_power(model, &self.stage);
        let last = rate.len() - 1;
        rate[2 * n..last].copy_from_slice(&work.control.rates);
        rate[last] = work.power.total() + driver_power + work.closure.driver_power;
        // One sum catches every NaN or infinity without a branch per entry.
        let total: f64 = rate.iter().sum();
        let broken = !total.is_finite() && rate.iter().any(|x| !x.is_finite());
        let trouble = broken.then(|| not_finite(model, rate));
        work.agree(model, trouble, &mut rate[n..2 * n])
            .map_err(|error| SimulationError::dynamics(time, error))
    }

    /// dy/dt at the start of the step.
    pub(super) fn rate_at_start(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        rate: &mut [f64],
    ) -> Result<(), SimulationError> {
        self.values.copy_from_slice(&self.initial);
        let y = std::mem::take(&mut self.values);
        let result = self.rate(model, work, self.start.time, &y, Side::After, rate);
        self.values = y;
        result
    }

    /// Writes the end of a step into `state`; returns the work done.
    ///
    /// Inputs are taken from `side` of a break point.
    pub fn finish(&mut self, model: &Model, end: (f64, &[f64]), side: Side, state: &mut State) -> f64 {
        let (time, y) = end;
        state.set_instant(time, side);
        place(model, &self.start.q, y, state);
        apply_prescribed(model, state, None);
        y[y.len() - 1]
    }

    /// Like [`Flow::finish`] where the last rates were those of the end: its stage is the state, loops closed.
    pub fn take_stage(&self, (time, y): (f64, &[f64]), side: Side, state: &mut State) -> f64 {
        state.set_instant(time, side);
        state.q.copy_from_slice(&self.stage.q);
        state.v.copy_from_slice(&self.stage.v);
        state.z.copy_from_slice(&self.stage.z);
        y[y.len() - 1]
    }

    /// Writes the interpolated solution at `time` into `state`; returns the work done.
    pub fn interpolate(
        &mut self,
        model: &Model,
        dense: &Dense,
        time: f64,
        side: Side,
        state: &mut State,
    ) -> f64 {
        dense.evaluate(time, &mut self.values);
        state.set_instant(time, side);
        state.turns.copy_from(&self.start.turns);
        place(model, &self.start.q, &self.values, state);
        apply_prescribed(model, state, None);
        self.values[self.values.len() - 1]
    }
}

/// q = q₀ ⊕ δ and v from y.
pub(crate) fn place<S: Scalar>(model: &Model, start_q: &[S], y: &[S], state: &mut State<S>) {
    let n = model.speed_count();
    retract(model, start_q, y, &mut state.q);
    state.v.copy_from_slice(&y[n..2 * n]);
    state.z.copy_from_slice(&y[2 * n..y.len() - 1]);
}

/// δ̇ from the speeds.
pub(crate) fn increment_rates<S: Scalar>(model: &Model, state: &State<S>, y: &[S], rate: &mut [S]) {
    for (k, part) in model.layout.bodies.iter().enumerate() {
        rate[part.modal_v()].copy_from_slice(&state.v[part.modal_v()]);
        let kind = &model.joints[k].joint.kind;
        let range = part.joint_v();
        kind.increment_rate(
            &state.q[part.joint_q()],
            &y[range.clone()],
            &state.v[range.clone()],
            &mut rate[range],
        );
    }
}

/// Names the first entry that is not finite.
#[cold]
fn not_finite(model: &Model, rate: &[f64]) -> DynamicsError {
    let n = model.speed_count();
    let index = rate.iter().position(|x| !x.is_finite()).unwrap_or(0) % n.max(1);
    let body = model.layout.bodies.partition_point(|part| part.v <= index).saturating_sub(1);
    let item = match model.layout.bodies.get(body) {
        Some(part) if index - part.v < part.modes => {
            format!("mode {} of body `{}`", index - part.v + 1, model.bodies[body].name)
        }
        Some(_) => format!("joint `{}`", model.joints[body].name),
        None => "the work of the drivers".to_string(),
    };
    DynamicsError::NotFinite { item }
}
