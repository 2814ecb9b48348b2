//! Steps of the global formulation as an integration method.
//!
//! The motion lives in natural coordinates ([`crate::formulation::global`]); after every
//! step it is mapped to the coordinates of the tree, where channels, events and
//! checkpoints know it. Between steps the state of the tree is interpolated from
//! values and slopes at both ends, as for the other methods. The mapping
//! allocates a few numbers per joint.

use super::fixed_step::FixedStep;
use super::stepper::{End, Stepper, with_reactions};
use super::{Dense, Flow, StepStatistics};
use crate::checkpoint::Tape;
use crate::error::{DynamicsError, SimulationError};
use crate::formulation::global::{
    GlobalError, GlobalIntegrator, GlobalModel, GlobalOptions, GlobalState, Rule,
};
use crate::model::Model;
use crate::model::joint::JointKind;
use crate::spatial::{quaternion_log, quaternion_product};
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Natural coordinates, and the same motion in those of the tree.
#[derive(Clone, Debug)]
pub(crate) struct GlobalSteps {
    step: FixedStep,
    parts: Result<Parts, GlobalError>,
    tree: State,
    /// Natural coordinates before the last step.
    before: Option<GlobalState>,
    /// Whether that one started behind an edge.
    was_behind_edge: bool,
    /// Whether the next step starts behind an edge, where accelerations are not known.
    behind_edge: bool,
    end: Vec<f64>,
    slopes: [Vec<f64>; 2],
    started: bool,
    /// Whether the last slopes at an end are those at the start of the next step.
    continues: bool,
    /// Counters.
    pub statistics: StepStatistics,
}

#[derive(Clone, Debug)]
struct Parts {
    global: GlobalModel,
    integrator: GlobalIntegrator,
    state: GlobalState,
}

impl GlobalSteps {
    /// Scratch for `model` at a fixed step (s).
    pub fn new(model: &Model, step: f64) -> Self {
        Self::with(model, step, &GlobalOptions::default())
    }

    /// The same with choices of the formulation.
    pub fn with(model: &Model, step: f64, options: &GlobalOptions) -> Self {
        let zero = vec![0.0; Flow::size(model)];
        let parts = GlobalModel::new(model, options).map(|global| Parts {
            integrator: GlobalIntegrator::new(model, &global),
            state: GlobalState::new(&global),
            global,
        });
        Self {
            step: FixedStep::new(step),
            before: parts.as_ref().ok().map(|parts: &Parts| parts.state.clone()),
            was_behind_edge: false,
            behind_edge: false,
            parts,
            tree: State::unprescribed(model, 0.0),
            end: zero.clone(),
            slopes: [zero.clone(), zero],
            started: false,
            continues: false,
            statistics: StepStatistics::default(),
        }
    }
}

impl Stepper for GlobalSteps {
    /// Everything the next step depends on besides the state, written or read.
    fn fixed(&self) -> Option<&FixedStep> {
        Some(&self.step)
    }

    fn remember(&mut self, tape: &mut Tape) {
        tape.flag(&mut self.started);
        tape.flag(&mut self.continues);
        tape.flag(&mut self.behind_edge);
        tape.numbers(&mut self.slopes[1]);
        self.step.remember(tape);
        if let Ok(Parts { state, integrator, .. }) = &mut self.parts {
            tape.number(&mut state.time);
            tape.number(&mut state.error);
            integrator.remember(tape);
            let GlobalState { q, v, a, mean, multipliers, measured, .. } = state;
            for part in [q, v, a, mean, multipliers, measured] {
                tape.numbers(part);
            }
        }
        // What a step behind an edge starts from.
        if let Some(before) = &mut self.before {
            tape.numbers(&mut before.mean);
        }
        self.statistics.remember(tape);
    }

    /// Natural coordinates and accelerations are found anew from the state of the tree; the first step behind an edge is that
    /// all the same.
    fn restart(&mut self) {
        (self.started, self.continues) = (false, false);
    }

    fn give_up(&mut self) {
        self.statistics.rejected += 1;
        self.undo();
    }

    fn undo(&mut self) {
        if let (Ok(parts), Some(before)) = (&mut self.parts, &self.before) {
            parts.state.copy_from(before);
        }
        (self.continues, self.behind_edge) = (false, self.was_behind_edge);
    }

    /// Natural coordinates are found anew from the state of the tree.
    fn cross_edge(&mut self) {
        self.restart();
        self.behind_edge = true;
    }

    /// Accelerations may have jumped.
    fn refresh(&mut self) {
        self.continues = false;
    }

    /// One step that does not pass `limit`.
    fn step(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        limit: f64,
        dense: &mut Dense,
    ) -> Result<(), SimulationError> {
        let start = flow.start_time();
        let (end, h) = self.step.next(start, limit);
        let fail = |cause: DynamicsError| SimulationError::dynamics(start, cause);
        let parts = self
            .parts
            .as_mut()
            .map_err(|error| fail(DynamicsError::Unsupported { cause: error.to_string() }))?;
        flow.copy_start(&mut self.tree);
        if !self.started || parts.state.time != start {
            parts.state = parts.integrator.start(model, &parts.global, &self.tree).map_err(fail)?;
            (self.started, self.continues) = (true, false);
            if let (true, Some(before)) = (self.behind_edge, &self.before) {
                parts.state.mean.copy_from_slice(&before.mean);
            }
        }
        if let Some(before) = &mut self.before {
            before.copy_from(&parts.state);
        }
        self.was_behind_edge = self.behind_edge;
        let rule = if self.behind_edge { Rule::FromTheEnd } else { Rule::Trapezoidal };
        self.end.copy_from_slice(flow.initial());
        let [first, last] = &mut self.slopes;
        if self.continues {
            take_slopes(model, flow, &self.tree, last, first);
        } else {
            flow.rate(model, work, start, &self.end, Side::After, first)?;
        }
        let report =
            parts.integrator.step_by(rule, model, &parts.global, &mut parts.state, h).map_err(fail)?;
        // Rounding of the sum must not part the two clocks.
        parts.state.time = end;
        let reached = parts.global.tree_state(model, &parts.state, &self.tree);
        let n = model.speed_count();
        increments(model, &self.tree.q, &reached.q, &mut self.end[..n]);
        self.end[n..2 * n].copy_from_slice(&reached.v);
        flow.rate(model, work, end, &self.end, Side::Before, &mut self.slopes[1])?;
        let last = self.end.len() - 1;
        if std::mem::take(&mut self.behind_edge) {
            // Accelerations and power of the end have acted all along.
            let [first, end] = &mut self.slopes;
            first[n..2 * n].copy_from_slice(&end[n..2 * n]);
            first[last] = end[last];
        }
        self.end[last] += 0.5 * h * (self.slopes[0][last] + self.slopes[1][last]);
        dense.fill((start, end), (flow.initial(), &self.end), (&self.slopes[0], &self.slopes[1]), |_| 0.0);
        // At a limit inputs may jump.
        self.continues = end < limit;
        self.statistics.accepted += 1;
        self.statistics.evaluations += report.iterations as u64;
        Ok(())
    }

    fn end(&self) -> End {
        End::Evaluated
    }

    fn complete(&self, model: &Model, reactions: bool, work: &mut Workspace) -> bool {
        with_reactions(model, reactions, work)
    }

    fn carries_speeds(&self) -> bool {
        true
    }

    fn statistics(&self) -> StepStatistics {
        self.statistics
    }
}

/// Slopes at the start of a step: those of the end of the last one, but for increments, which count from here.
fn take_slopes(model: &Model, flow: &mut Flow, start: &State, last: &[f64], first: &mut [f64]) {
    let n = model.speed_count();
    flow.increment_slopes(model, start, None, &mut first[..n]);
    first[n..].copy_from_slice(&last[n..]);
}

/// δ with `to` = `from` ⊕ δ.
fn increments(model: &Model, from: &[f64], to: &[f64], out: &mut [f64]) {
    for (k, part) in model.layout.bodies.iter().enumerate() {
        for (q, v) in part.modal_q().zip(part.modal_v()) {
            out[v] = to[q] - from[q];
        }
        let (mut q, mut v) = (part.joint_q().start, part.joint_v().start);
        if matches!(model.joints[k].joint.kind, JointKind::Spherical | JointKind::Free) {
            let inverse = [from[q], -from[q + 1], -from[q + 2], -from[q + 3]];
            let reached = [to[q], to[q + 1], to[q + 2], to[q + 3]];
            let turn = quaternion_log(&quaternion_product(&inverse, &reached));
            out[v..v + 3].copy_from_slice(&turn);
            (q, v) = (q + 4, v + 3);
        }
        for i in 0..part.joint_q().end - q {
            out[v + i] = to[q + i] - from[q + i];
        }
    }
}
