//! Implicit integration of trees: generalised-α, with the trapezoidal rule and
//! HHT as special cases, on the Lie group of joint coordinates.
//!
//! Source: Chung & Hulbert, J. Appl. Mech. 60 (1993) 371-375; Lie-group form:
//! Arnold & Brüls, Multibody Syst. Dyn. 18 (2007) 185-202. Unknown is the
//! acceleration w = v̇ₙ₊₁ that makes the residual of inverse dynamics vanish:
//!
//! * (1−α_m) aₙ₊₁ + α_m aₙ = (1−α_f) w + α_f v̇ₙ
//! * vₙ₊₁ = vₙ + h((1−γ) aₙ + γ aₙ₊₁)
//! * qₙ₊₁ = qₙ exp(h vₙ + h²((½−β) aₙ + β aₙ₊₁))
//!
//! Newton's iteration: `tree_step`, with loops `closed_step`. The error estimate of Zienkiewicz & Xie (1991), h²(β−1/6)(aₙ₊₁−aₙ),
//! drives the step size where a tolerance is given.
//!
//! Typeset: book/src/theory/integrators.md (TI.7) to (TI.11).

use super::alpha_coefficients::AlphaCoefficients;
use super::alpha_ends::History;
use super::exact_tangent::ExactTangent;
use super::fixed_step::{FixedStep, bounded};
use super::stepper::{End, Stepper};
use super::trial::Trial;
use super::{Dense, Flow, StepControl, StepStatistics};
use crate::algorithm::inverse_dynamics::Terms;
use crate::algorithm::inverse_dynamics::inverse_dynamics;
use crate::algorithm::structured_tangent::{StructuredTangent, TangentWeights};
use crate::error::SimulationError;
use crate::formulation::topological::{Topological, TopologicalOptions};
use crate::model::Model;
use crate::motion::retract::move_by_twist;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Memory of the method: algorithmic accelerations and Newton scratch.
#[derive(Clone, Debug)]
pub(crate) struct GeneralizedAlpha {
    pub(super) coefficients: AlphaCoefficients,
    pub(super) step: FixedStep,
    pub(super) tolerance: f64,
    /// Step-size control, where wanted.
    control: Option<StepControl>,
    /// Algorithmic and true accelerations at the start of the step; empty before the first.
    pub(super) algorithmic: Vec<f64>,
    pub(super) acceleration: Vec<f64>,
    /// Mean acceleration of the last step: free of the ringing of what the step does not resolve.
    pub(super) mean: Vec<f64>,
    pub(super) started: bool,
    /// Whether the last iteration ended below its tolerance, not at the rounding of positions.
    pub(super) balanced: bool,
    /// Whether the end of the last step was evaluated, not only the place before the last correction.
    pub(super) evaluated: bool,
    pub(super) start_power: f64,
    /// What stood here before the last step.
    pub(super) before: History,
    /// Whether the next step starts behind an edge, where accelerations are not known.
    pub(super) behind_edge: bool,
    pub(super) trial: Trial,
    pub(super) structured: StructuredTangent,
    pub(super) exact: Option<Box<ExactTangent>>,
    /// Closed loops, where the model has them.
    pub(super) closed: Option<Box<Topological>>,
    /// Counters; evaluations count residuals.
    pub statistics: StepStatistics,
}

/// How Newton's iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Newton {
    Converged,
    Slow,
}

impl GeneralizedAlpha {
    /// A method with step `step` (s) and Newton tolerance relative to the motion of a step.
    pub fn new(
        model: &Model,
        coefficients: AlphaCoefficients,
        step: f64,
        control: Option<StepControl>,
    ) -> Self {
        let n = model.speed_count();
        Self {
            coefficients,
            step: FixedStep::new(step),
            tolerance: 1e-10,
            control,
            algorithmic: vec![0.0; n],
            acceleration: vec![0.0; n],
            mean: vec![0.0; n],
            started: false,
            balanced: false,
            evaluated: false,
            start_power: 0.0,
            before: History {
                algorithmic: vec![0.0; n],
                acceleration: vec![0.0; n],
                mean: vec![0.0; n],
                control_rates: vec![0.0; model.controller_states],
                power: 0.0,
                behind_edge: false,
            },
            behind_edge: false,
            trial: Trial::new(model),
            structured: StructuredTangent::new(model),
            exact: ExactTangent::new(model).map(Box::new),
            closed: (!model.loops.is_empty())
                .then(|| Box::new(Topological::new(model, TopologicalOptions::default()))),
            statistics: StepStatistics::default(),
        }
    }
}

impl Stepper for GeneralizedAlpha {
    fn refresh(&mut self) {
        self.restart();
    }

    /// What lasts from one step to the next.
    fn fixed(&self) -> Option<&FixedStep> {
        self.control.is_none().then_some(&self.step)
    }

    fn remember(&mut self, tape: &mut crate::checkpoint::Tape) {
        tape.flag(&mut self.started);
        tape.flag(&mut self.behind_edge);
        self.step.remember(tape);
        tape.number(&mut self.start_power);
        let trial = &mut self.trial;
        let own = [&mut self.algorithmic, &mut self.acceleration, &mut self.mean];
        for part in own.into_iter().chain([&mut trial.control_rates]) {
            tape.numbers(part);
        }
        if let Some(control) = &mut self.control {
            control.remember(tape);
        }
        if let Some(closed) = &mut self.closed {
            closed.remember(tape);
        }
        self.statistics.remember(tape);
    }

    /// Forgets the history, after an input jumped; the first step behind an edge is that all the same.
    fn restart(&mut self) {
        self.started = false;
    }

    fn give_up(&mut self) {
        self.statistics.rejected += 1;
    }

    fn undo(&mut self) {
        self.recall();
    }

    fn cross_edge(&mut self) {
        self.recall();
        self.behind_edge = true;
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
        let own = self.coefficients;
        if self.behind_edge {
            self.coefficients = AlphaCoefficients::from_the_end();
        }
        let stepped = self.step_within(model, flow, work, limit, dense);
        self.coefficients = own;
        stepped
    }

    fn end(&self) -> End {
        if self.closed.is_some() { End::Closed } else { End::Balanced }
    }

    fn complete(&self, model: &Model, _: bool, work: &mut Workspace) -> bool {
        if self.balanced {
            self.evaluate_end(model, work);
            self.give_accelerations(work);
        }
        self.balanced
    }

    fn carries_speeds(&self) -> bool {
        true
    }

    fn statistics(&self) -> StepStatistics {
        self.statistics
    }
}

impl GeneralizedAlpha {
    /// One step that does not pass `limit`, with the coefficients as they stand.
    fn step_within(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        limit: f64,
        dense: &mut Dense,
    ) -> Result<(), SimulationError> {
        let start = flow.start_time();
        if !self.started {
            self.start(model, flow, work)?;
        }
        flow.copy_start(&mut self.trial.start);
        self.trial.state.turns.copy_from(&self.trial.start.turns);
        loop {
            let (wanted, (end, h)) = self.propose(start, limit);
            let solved = self.newton(model, work, end, h);
            let accepted = match (&mut self.control, solved) {
                (None, outcome) => outcome.map(|()| true)?,
                (Some(control), Ok(())) => {
                    let factor = h * h * (self.coefficients.beta - 1.0 / 6.0);
                    for i in 0..self.trial.error.len() {
                        self.trial.error[i] = factor * (self.trial.a[i] - self.algorithmic[i]);
                    }
                    let norm = control.norm(&self.trial.error, &self.trial.twist, &self.trial.twist, |i| {
                        !model.prescribed[i]
                    });
                    control.judge(h, norm)
                }
                (Some(control), Err(error)) => {
                    if h < 1e-10 * (1.0 + start.abs()) {
                        return Err(error);
                    }
                    control.judge(h, f64::NAN)
                }
            };
            if accepted {
                if let Some(control) = self.control.as_mut().filter(|_| end == limit) {
                    // A step shortened to hit the limit says little about the next one.
                    control.keep(wanted);
                }
                self.accept(model, flow, work, start, end, dense);
                return Ok(());
            }
            self.statistics.rejected += 1;
        }
    }

    /// The step that is wanted, and end and length of the one that `limit` allows.
    fn propose(&mut self, start: f64, limit: f64) -> (f64, (f64, f64)) {
        match &self.control {
            Some(control) => {
                let proposal = control.proposal();
                let wanted = if proposal > 0.0 { proposal } else { self.step.length };
                (wanted, bounded(start, wanted, limit))
            }
            None => (self.step.length, self.step.next(start, limit)),
        }
    }

    pub(crate) fn weights(&self, h: f64) -> TangentWeights {
        let c = &self.coefficients;
        let share = (1.0 - c.alpha_f) / (1.0 - c.alpha_m);
        TangentWeights { stiffness: h * h * c.beta * share, damping: h * c.gamma * share }
    }

    /// Solves for w at `end`.
    fn newton(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        end: f64,
        h: f64,
    ) -> Result<(), SimulationError> {
        let solved = match self.closed.take() {
            None => self.newton_tree(model, work, end, h),
            Some(mut closed) => {
                let outcome = self.newton_closed(model, &mut closed, work, end, h);
                self.closed = Some(closed);
                outcome
            }
        };
        if solved.is_err() {
            // What an iteration that did not end has made of the controllers is no start for the next one.
            work.control.rates.copy_from_slice(&self.trial.control_rates);
        }
        solved.map_err(|cause| SimulationError::dynamics(end, cause))
    }

    /// Algorithmic accelerations, speeds and positions for the current w.
    pub(super) fn place(&mut self, model: &Model, work: &mut Workspace, end: f64, h: f64) {
        self.mix_accelerations();
        let (c, trial) = (&self.coefficients, &mut self.trial);
        let n = trial.w.len();
        for i in 0..n {
            let (v, a0, a1) = (trial.start.v[i], self.algorithmic[i], trial.a[i]);
            trial.twist[i] = h * v + h * h * ((0.5 - c.beta) * a0 + c.beta * a1);
            trial.state.v[i] = v + h * ((1.0 - c.gamma) * a0 + c.gamma * a1);
        }
        // The end may be a break point: what came up to it counts.
        trial.state.set_instant(end, Side::Before);
        // Controller states follow the trapezoidal rule, iterated along with Newton.
        for i in 0..trial.state.z.len() {
            let mean = 0.5 * (trial.control_rates[i] + work.control.rates[i]);
            trial.state.z[i] = trial.start.z[i] + h * mean;
        }
        move_by_twist(model, &trial.start.q, &trial.twist, &mut trial.state.q);
        apply_prescribed(model, &mut trial.state, Some(&mut work.load));
        for i in 0..n {
            if model.prescribed[i] {
                trial.w[i] = work.load.acceleration[i];
            }
        }
    }

    /// aₙ₊₁ of the current w.
    pub(super) fn mix_accelerations(&mut self) {
        let (c, trial) = (&self.coefficients, &mut self.trial);
        for i in 0..trial.w.len() {
            let mixed = (1.0 - c.alpha_f) * trial.w[i] + c.alpha_f * self.acceleration[i];
            trial.a[i] = (mixed - c.alpha_m * self.algorithmic[i]) / (1.0 - c.alpha_m);
        }
    }

    /// Residual of inverse dynamics under the loads of the workspace.
    pub(super) fn balance(&mut self, model: &Model, work: &mut Workspace) {
        let trial = &mut self.trial;
        let (kin, bodies, load) = (&work.motion.kinematics, &work.inertias, &work.load);
        inverse_dynamics(model, kin, bodies, &trial.w, &load.wrench, Terms::All, &mut work.inverse);
        for i in 0..trial.w.len() {
            let free = !model.prescribed[i];
            trial.residual[i] = if free { work.inverse.generalized[i] - load.generalized[i] } else { 0.0 };
        }
        self.statistics.evaluations += 1;
    }
}
