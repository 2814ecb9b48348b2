//! Implicit steps of trees: Newton's iteration on the residual of inverse dynamics at the end of a step.
//!
//! Modified Newton keeps the structured tangent of the place where the step is begun. What that leaves out (forces of inertia that
//! change with the motion, geometric stiffness, laws between bodies) makes corrections shrink by about the same factor Θ
//! each; where they do not shrink by two, the exact dense tangent takes over for the step. An evaluation is made for
//!
//! * the place where the step is begun, with the acceleration of its start,
//! * every correction but the last: after a correction δ there is still Θ/(1−Θ) |δ| left (Hairer & Wanner II, IV.8, eq. 8.10 and what
//!   follows it), with the largest Θ seen in the step, at least 0.01, so that no other correction is needed to know that it was the last,
//! * the end, where somebody reads it: rows, controllers, drivers of motions. Power is otherwise taken from the place before
//!   the last correction, which is off by Θ⁻¹ times the tolerance.
//!
//! Typeset: book/src/theory/integrators.md (TI.20).

use super::GeneralizedAlpha;
use super::generalized_alpha::Newton;
use super::trial::{ROUNDING, grain, motion_size};
use crate::algorithm::inverse_dynamics::{Terms, inverse_dynamics};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::workspace::Workspace;

/// Newton iterations before a tangent is given up.
const ITERATIONS: usize = 25;

/// Best Θ that is believed: the first two corrections show how good the place was where the step was begun, not yet how fast
/// those after them shrink (stiff chains: 1e-5, then 3e-4).
const BELIEVED: f64 = 0.01;

/// How fast corrections shrink.
struct Shrinking {
    /// Size of the last one.
    last: f64,
    /// Largest Θ of the step; of a fresh tangent in every iteration the last, as they only get better.
    slowest: f64,
    fresh: bool,
}

impl Shrinking {
    fn new(fresh: bool) -> Self {
        Self { last: f64::INFINITY, slowest: BELIEVED, fresh }
    }

    /// What a correction of `size` leaves to be corrected, at most all of it.
    fn left(&mut self, size: f64) -> f64 {
        let last = std::mem::replace(&mut self.last, size);
        if last.is_infinite() {
            return size;
        }
        let factor = size / last;
        self.slowest = if self.fresh { factor } else { self.slowest.max(factor) };
        if self.slowest < 0.5 { size * self.slowest / (1.0 - self.slowest) } else { size }
    }
}

impl GeneralizedAlpha {
    /// Solves for w at `end`; structured tangent first, the exact one if it is slow.
    pub(super) fn newton_tree(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        end: f64,
        h: f64,
    ) -> Result<(), DynamicsError> {
        self.trial.w.copy_from_slice(&self.acceleration);
        self.residual(model, work, end, h);
        let weights = self.weights(h);
        let prescribed = &model.prescribed;
        let (kin, bodies) = (&work.motion.kinematics, &work.inertias);
        let factored = self.structured.factorize(model, kin, bodies, weights, prescribed);
        if factored.is_ok() && self.iterate(model, work, end, h, false) == Newton::Converged {
            return Ok(());
        }
        if self.exact.is_none() {
            return Err(factored.err().unwrap_or(DynamicsError::NewtonFailed));
        }
        self.trial.w.copy_from_slice(&self.acceleration);
        self.residual(model, work, end, h);
        match self.iterate(model, work, end, h, true) {
            Newton::Converged => Ok(()),
            Newton::Slow => Err(DynamicsError::NewtonFailed),
        }
    }

    /// Newton iterations with a fixed structured or a fresh exact tangent.
    fn iterate(&mut self, model: &Model, work: &mut Workspace, end: f64, h: f64, exact: bool) -> Newton {
        let weights = self.weights(h);
        let mut shrinking = Shrinking::new(exact);
        for iteration in 0..ITERATIONS {
            let trial = &mut self.trial;
            match (&mut self.exact, exact) {
                (Some(tangent), true) => {
                    tangent.copy_prescribed(&work.load.acceleration);
                    if !tangent.factorize(model, &trial.state, &trial.w, weights) {
                        return Newton::Slow;
                    }
                    tangent.solve(&trial.residual, &mut trial.correction);
                }
                _ => self.structured.solve(
                    model,
                    &work.motion.kinematics,
                    &model.prescribed,
                    &trial.residual,
                    &mut trial.correction,
                ),
            }
            let size = motion_size(trial, weights, h);
            if !size.is_finite() {
                return Newton::Slow;
            }
            for (w, correction) in trial.w.iter_mut().zip(&trial.correction) {
                *w -= correction;
            }
            let halved = size <= 0.5 * shrinking.last;
            self.balanced = shrinking.left(size) <= self.tolerance;
            if self.balanced && !end_is_read(model) {
                self.place(model, work, end, h);
                self.evaluated = false;
                return Newton::Converged;
            }
            self.residual(model, work, end, h);
            // Near rest, what stiff elements make of the rounding of positions may stay above the tolerance.
            let settled = iteration > 0 && !halved && size <= ROUNDING.max(grain(&self.trial.state.q));
            if self.balanced || settled {
                self.evaluated = true;
                return Newton::Converged;
            }
            // Modified Newton must at least halve the correction, except right at the start.
            if iteration > 1 && !exact && !halved {
                return Newton::Slow;
            }
        }
        Newton::Slow
    }

    /// State and residual of inverse dynamics for the current w.
    fn residual(&mut self, model: &Model, work: &mut Workspace, end: f64, h: f64) {
        self.place(model, work, end, h);
        work.kinematics(model, &self.trial.state);
        work.loads(model, &self.trial.state);
        self.balance(model, work);
    }

    /// Motion, loads and joint forces at the end of the last step, where its iteration has not left them in `work`.
    pub(super) fn evaluate_end(&self, model: &Model, work: &mut Workspace) {
        if self.evaluated {
            return;
        }
        let state = &self.trial.state;
        work.kinematics(model, state);
        work.loads(model, state);
        let (kin, bodies, load) = (&work.motion.kinematics, &work.inertias, &work.load);
        inverse_dynamics(model, kin, bodies, &self.acceleration, &load.wrench, Terms::All, &mut work.inverse);
    }
}

/// Whether the run itself needs an evaluation of the end: controllers measure there, drivers do work.
fn end_is_read(model: &Model) -> bool {
    !model.controllers.is_empty() || model.prescribed.contains(&true)
}
