//! Trapezoidal rule on the index-3 augmented Lagrangian equations.
//!
//! Source: Lugrís et al. 2007, eqs 1-2 and 35-38, (37) as corrected in
//! book/src/theory/errata.md. The unknown is the increment of the coordinates over the step, so
//! that rates are differences of small numbers; multipliers are updated in every
//! iteration. The penalty grows as 1/Δt², which keeps the matrix equally well
//! conditioned for any step.
//!
//! Factors serve several iterations, with the Jacobian they were formed with (`held`):
//! the penalty and the update of the multipliers use that one, so that a correction
//! solves one linear system whole; the multipliers so far act through the present
//! Jacobian. Where corrections vanish, both give the same equations. A held matrix
//! with the penalty of the present Jacobian would push along the motion.

use super::assembly::{Tangent, TangentWeights};
use super::build::GlobalModel;
use super::evaluation::Evaluation;
use super::rule::Rule;
use super::{GlobalState, Projection};
use crate::error::DynamicsError;
use crate::linear::SparseFactor;
use crate::model::{Body, Model};
use crate::time_function::Side;

/// Violation (m, 1) with which a step is accepted where the iteration creeps: near singular positions the
/// multiplier of the vanishing constraint direction converges slowly, and hardly acts on the motion.
const ACCEPTED: f64 = 1e-9;
/// Contraction above which factors are formed again at the present position.
const REFRESH: f64 = 0.15;
/// Share of the error of the last step that the iteration may leave: a fixed error would add up as steps get smaller.
const SHARE: f64 = 1e-3;
/// Change relative to the largest coordinate (at least 1) that may be rounding.
const ROUNDING: f64 = 1e-13;

/// What a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Newton iterations.
    pub iterations: usize,
    /// Factorisations among them.
    pub factorizations: usize,
    /// Solutions for the projections of velocity and acceleration.
    pub projections: [usize; 2],
    /// Largest violation of constraints and of their first and second derivatives.
    pub violation: [f64; 3],
}

/// Scratch of the integration, allocated once.
#[derive(Clone, Debug)]
pub struct GlobalIntegrator {
    pub(super) at: Evaluation,
    pub(super) tangent: Tangent,
    pub(super) factor: SparseFactor,
    /// Jacobian of the constraints in the factors.
    pub(super) held: Vec<f64>,
    /// Step (s) the factors are made for.
    held_step: f64,
    /// Rule of the present step.
    rule: Rule,
    /// α̂ = α Δt²/4 (kg).
    pub(super) penalty: f64,
    pub(super) right: Vec<f64>,
    pub(super) violation: Vec<f64>,
    increment: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    multipliers: Vec<f64>,
}

impl GlobalIntegrator {
    /// Scratch for `global`, built from `model`.
    pub fn new(model: &Model, global: &GlobalModel) -> Self {
        let (n, rows) = (global.coordinates, global.equations.len());
        let zero = || vec![0.0; n];
        // The largest mass, so that light bodies do not set the scale.
        let heaviest = model.bodies.iter().map(Body::mass).fold(0.0, f64::max);
        Self {
            at: Evaluation::new(model, global),
            tangent: Tangent::new(global),
            factor: SparseFactor::new(&global.pattern),
            held: vec![0.0; global.jacobian_entries],
            held_step: f64::NAN,
            rule: Rule::Trapezoidal,
            penalty: global.options.penalty * if heaviest > 0.0 { heaviest } else { 1.0 },
            right: zero(),
            violation: vec![0.0; rows],
            increment: zero(),
            q: zero(),
            v: zero(),
            a: zero(),
            multipliers: vec![0.0; rows],
        }
    }

    /// What lasts from one step to the next: the factors that serve the next first correction, and the modal masses
    /// that tell which amplitudes a step resolves.
    pub(crate) fn remember(&mut self, tape: &mut crate::checkpoint::Tape) {
        let mut from_the_end = self.rule == Rule::FromTheEnd;
        tape.flag(&mut from_the_end);
        self.rule = if from_the_end { Rule::FromTheEnd } else { Rule::Trapezoidal };
        tape.number(&mut self.held_step);
        tape.numbers(&mut self.held);
        self.factor.remember(tape);
        for (_, work) in &mut self.at.inertias {
            tape.numbers(&mut work.modal);
        }
    }

    pub(super) fn factorize(
        &mut self,
        model: &Model,
        global: &GlobalModel,
        step: f64,
    ) -> Result<(), DynamicsError> {
        let (beta, gamma) = self.rule.shares();
        let weights =
            TangentWeights { damping: gamma * step, stiffness: beta * step * step, penalty: self.penalty };
        self.tangent.assemble(self.factor.values_mut(), model, global, &self.at, &weights);
        self.held.copy_from_slice(&self.at.jacobian);
        let done = self.factor.factorize(&global.pattern);
        self.held_step = if done { step } else { f64::NAN };
        done.then_some(()).ok_or(DynamicsError::NewtonFailed)
    }

    /// One step of size `step` (s) by `rule`.
    pub(crate) fn step_by(
        &mut self,
        rule: Rule,
        model: &Model,
        global: &GlobalModel,
        state: &mut GlobalState,
        step: f64,
    ) -> Result<StepReport, DynamicsError> {
        if rule != self.rule {
            (self.rule, self.held_step) = (rule, f64::NAN);
        }
        self.step(model, global, state, step)
    }

    /// One step of size `step` (s).
    pub fn step(
        &mut self,
        model: &Model,
        global: &GlobalModel,
        state: &mut GlobalState,
        step: f64,
    ) -> Result<StepReport, DynamicsError> {
        let mut report = StepReport::default();
        (self.at.time, self.at.side) = (state.time + step, Side::Before);
        self.predict(model, global, state, step);
        if self.iterate(model, global, state, step, &mut report).is_err() {
            // From the start, with fresh factors in every iteration.
            self.held_step = f64::NAN;
            self.predict(model, global, state, step);
            let again = self.iterate(model, global, state, step, &mut report);
            if again.is_err() {
                self.held_step = f64::NAN;
            }
            again?;
        }
        state.time += step;
        for i in 0..self.increment.len() {
            state.mean[i] = -state.v[i] / step;
            state.q[i] = self.q[i];
            state.v[i] = self.v[i];
            self.a[i] = std::mem::replace(&mut state.a[i], self.a[i]);
        }
        state.multipliers.copy_from_slice(&self.multipliers);
        state.measured.copy_from_slice(&self.at.measured);
        if global.options.projection != Projection::None {
            let once = global.options.projection == Projection::OnePass;
            report.projections[0] = self.project(global, &mut state.v, 1, !once)?;
            self.at.kinematics(model, global, &state.q, &state.v);
            report.projections[1] = self.project(global, &mut state.a, 2, !once)?;
        }
        self.estimate_error(state, step);
        for (mean, v) in state.mean.iter_mut().zip(&state.v) {
            *mean += v / step;
        }
        self.measure_violation(global, state, &mut report);
        Ok(report)
    }

    /// Where the mean accelerations of the last step lead; amplitudes that the step does not resolve stay.
    fn predict(&mut self, model: &Model, global: &GlobalModel, state: &GlobalState, step: f64) {
        self.at.measured.copy_from_slice(&state.measured);
        self.multipliers.copy_from_slice(&state.multipliers);
        for i in 0..self.increment.len() {
            self.increment[i] = step * (state.v[i] + 0.5 * step * state.mean[i]);
        }
        for (k, body) in model.bodies.iter().enumerate() {
            let (n, work) = (body.modes, &self.at.inertias[k].1);
            for (r, c) in global.modes(k).enumerate() {
                if step * step * body.stiffness.entry(r, r, n) > work.modal[r * n + r] {
                    self.increment[c] = 0.0;
                }
            }
        }
    }

    /// Rates that belong to the present increment (35).
    fn set_rates(&mut self, state: &GlobalState, step: f64) {
        let (beta, _) = self.rule.shares();
        let (first, second) = (2.0 / step, 1.0 / (beta * step * step));
        // Speeds are 2 d/Δt − v by either rule.
        let kept = if self.rule == Rule::Trapezoidal { 1.0 } else { 0.0 };
        for i in 0..self.increment.len() {
            let d = self.increment[i];
            self.q[i] = state.q[i] + d;
            self.v[i] = first * d - state.v[i];
            self.a[i] = second * (d - step * state.v[i]) - kept * state.a[i];
        }
    }

    fn evaluate(&mut self, model: &Model, global: &GlobalModel) {
        self.at.kinematics(model, global, &self.q, &self.v);
        self.at.inertia(global, &self.q, &self.v);
        self.at.residual(model, global, &self.q, &self.v, &self.a);
    }

    /// Newton's iteration with multiplier updates (1), (2), (37).
    fn iterate(
        &mut self,
        model: &Model,
        global: &GlobalModel,
        state: &GlobalState,
        step: f64,
        report: &mut StepReport,
    ) -> Result<(), DynamicsError> {
        let options = &global.options;
        let quarter = self.rule.shares().0 * step * step;
        let alpha = self.penalty / quarter;
        let grain = ROUNDING * state.q.iter().fold(1.0, |size: f64, q| size.max(q.abs()));
        let allowed = options.tolerance.min(grain.max(SHARE * state.error));
        let mut last = f64::INFINITY;
        // Corrections made with the present factors, and whether they are of this step and have failed.
        let (mut used, mut fresh, mut restless) = (0, false, self.held_step.is_nan());
        self.set_rates(state, step);
        for iteration in 0..options.largest_iterations {
            self.evaluate(model, global);
            // The factors of the last step are good enough for the first correction.
            if (iteration > 0 && !fresh) || restless || self.held_step != step {
                self.factorize(model, global, step)?;
                report.factorizations += 1;
                (used, fresh) = (0, true);
            }
            self.correct(global, alpha, quarter);
            used += 1;
            let mut change = 0.0_f64;
            for (d, step) in self.increment.iter_mut().zip(&self.right) {
                *d += step;
                change = if step.is_finite() { change.max(step.abs()) } else { f64::INFINITY };
            }
            self.set_rates(state, step);
            report.iterations += 1;
            if !change.is_finite() {
                return Err(DynamicsError::NewtonFailed);
            }
            let rate = if last.is_finite() { (change / last).min(1.0) } else { 1.0 };
            let settled = iteration > 0 && rate > 0.5 && change <= grain;
            // What is left after the correction; factors that have just changed have shown nothing yet.
            let left = change * if used == 1 && !restless { rate.max(REFRESH) } else { rate };
            let last_one = iteration + 1 == options.largest_iterations;
            let creeps = rate < 1.0 && self.at.largest_violation() < ACCEPTED;
            if left < allowed || settled || (last_one && (left < options.tolerance || creeps)) {
                self.at.kinematics(model, global, &self.q, &self.v);
                return Ok(());
            }
            restless |= fresh && used > 1 && rate > REFRESH;
            last = change;
        }
        Err(DynamicsError::NewtonFailed)
    }

    /// Correction of the increment, in `right`, and of the multipliers.
    fn correct(&mut self, global: &GlobalModel, alpha: f64, quarter: f64) {
        self.right.copy_from_slice(&self.at.force);
        let (at, multipliers) = (&self.at, &self.multipliers);
        global.add_reactions(&at.jacobian, |i| multipliers[i], &mut self.right);
        global.add_reactions(&self.held, |i| alpha * at.equations[i].value, &mut self.right);
        self.right.iter_mut().for_each(|r| *r *= quarter);
        self.factor.solve(&global.pattern, &mut self.right);
        self.update_multipliers(global, alpha);
    }

    /// λ += α Φ at the new position (2), Φ to first order: its quadratic part is an error of the iteration, not a
    /// force, and α is large.
    fn update_multipliers(&mut self, global: &GlobalModel, alpha: f64) {
        for i in 0..self.multipliers.len() {
            let reached = self.at.equations[i].value + global.row_times(&self.held, i, &self.right);
            self.multipliers[i] += alpha * reached;
        }
    }

    /// Largest error of the coordinates in the last step (Zienkiewicz & Xie 1991): Δt²/12 of the change of
    /// accelerations, those before in `a`.
    fn estimate_error(&self, state: &mut GlobalState, step: f64) {
        let change =
            state.a.iter().zip(&self.a).fold(0.0, |most: f64, (a, before)| most.max((a - before).abs()));
        state.error = step * step / 12.0 * change;
    }

    fn measure_violation(&self, global: &GlobalModel, state: &GlobalState, report: &mut StepReport) {
        for (i, equation) in self.at.equations.iter().enumerate() {
            let rate = self.at.row_times(global, i, &state.v) + equation.drift;
            let second = self.at.row_times(global, i, &state.a) + equation.bias;
            let found = [equation.value, rate, second];
            for level in 0..3 {
                report.violation[level] = report.violation[level].max(found[level].abs());
            }
        }
    }
}
