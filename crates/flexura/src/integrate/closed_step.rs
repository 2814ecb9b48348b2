//! Implicit steps of systems with closed loops.
//!
//! Source: Lugrís, Cuadrado, González & Luaces (2007) eqs 35-37: the equations of
//! motion with the reactions of an augmented Lagrangian, `formulation::topological`,
//! at the end of a step of the generalised-α family. Newton's iteration keeps
//! one approximate tangent per step, formed where the factors of the last step
//! lead; where it is slow, it is formed again, then the exact one by dual numbers
//! takes over. Then velocities and accelerations are projected (39). The first accelerations are those of the formulation too.

use super::generalized_alpha::Newton;
use super::trial::{GRAIN, ROUNDING, SMALLEST_MOTION, end_power, motion_scale, motion_size};
use super::{Flow, GeneralizedAlpha};
use crate::constraint::nonholonomic;
use crate::error::DynamicsError;
use crate::formulation::topological::{TangentRoute, Topological};
use crate::model::Model;
use crate::model::closure::LoopJoint;
use crate::motion::kinematics::outward_velocity;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Violation of a position accepted at the end of a step, per unit of length.
const CLOSED: f64 = 1e-11;
/// Share of the error of the last step that Newton's iteration may leave: a fixed error would add up as steps get
/// smaller.
const SHARE: f64 = 1e-3;
/// Error relative to the motion of a step below which there is rounding only.
const FINEST: f64 = 1e-13;
/// Contraction above which the tangent is formed again at the present position.
const REFRESH: f64 = 0.15;
/// Fresh tangents in a step that may fail to halve the correction.
const PATIENCE: usize = 8;
/// Share of a gap that a correction of the positions alone may leave.
const QUICK: f64 = 0.1;

impl GeneralizedAlpha {
    /// Accelerations, multipliers and power at the start of the integration or after a jump.
    pub(super) fn start_closed(
        &mut self,
        model: &Model,
        closed: &mut Topological,
        flow: &Flow,
        work: &mut Workspace,
    ) -> Result<(), DynamicsError> {
        let trial = &mut self.trial;
        flow.copy_start(&mut trial.state);
        trial.state.side = Side::After;
        apply_prescribed(model, &mut trial.state, Some(&mut work.load));
        for i in 0..trial.w.len() {
            trial.w[i] = if model.prescribed[i] { work.load.acceleration[i] } else { 0.0 };
        }
        work.kinematics(model, &trial.state);
        work.loads(model, &trial.state);
        closed.accelerate(model, &trial.state, &mut trial.w, work)?;
        self.acceleration.copy_from_slice(&trial.w);
        self.start_power = end_power(model, trial, work) + closed.driver_power(model, &trial.state);
        Ok(())
    }

    /// Solves for w at `end` and projects; the state of the trial is then on the constraints.
    pub(super) fn newton_closed(
        &mut self,
        model: &Model,
        closed: &mut Topological,
        work: &mut Workspace,
        end: f64,
        h: f64,
    ) -> Result<(), DynamicsError> {
        if let Some(cause) = nonholonomic::refusal(model, "implicit steps of closed loops do") {
            return Err(DynamicsError::Unsupported { cause });
        }
        let route = closed.options.tangent;
        closed.remember_multipliers();
        let mut outcome = Newton::Slow;
        if route != TangentRoute::Exact {
            outcome = self.iterate_closed(model, closed, work, (end, h), false)?;
        }
        if outcome == Newton::Slow && route != TangentRoute::Approximate && self.exact.is_some() {
            closed.recall_multipliers();
            outcome = self.iterate_closed(model, closed, work, (end, h), true)?;
            // Projections need factors and Jacobian that belong together.
            work.kinematics(model, &self.trial.state);
            closed.factorize(model, &self.trial.state, work, self.weights(h))?;
        }
        if outcome == Newton::Slow {
            closed.forget_factors();
            closed.recall_multipliers();
            return Err(DynamicsError::NewtonFailed);
        }
        let weights = self.weights(h);
        let trial = &mut self.trial;
        if closed.settles() {
            closed.settle_end(model, (&mut trial.state, &mut trial.w), work, weights)?;
        } else {
            closed.project(model, &mut trial.state, &mut trial.w, work);
        }
        self.take_over_projection(model, closed, work);
        Ok(())
    }

    /// Newton iterations from the accelerations of the start, with one approximate or fresh exact tangents.
    fn iterate_closed(
        &mut self,
        model: &Model,
        closed: &mut Topological,
        work: &mut Workspace,
        (end, h): (f64, f64),
        exact: bool,
    ) -> Result<Newton, DynamicsError> {
        let weights = self.weights(h);
        self.predict(closed, h);
        self.place(model, work, end, h);
        work.kinematics(model, &self.trial.state);
        work.loads(model, &self.trial.state);
        closed.evaluate_rows(model, &self.trial.state, work);
        // The factors of the last step are good enough for the first correction.
        let mut fresh = exact || !closed.has_factors(weights);
        if fresh {
            closed.factorize(model, &self.trial.state, work, weights)?;
        }
        let mut last = f64::INFINITY;
        // Corrections made with the present factors, and fresh factors that did not help.
        let (mut used, mut stuck, mut restless) = (0, 0, false);
        for iteration in 0..closed.options.iterations {
            closed.react(model, work);
            self.balance(model, work);
            if !self.correct(model, closed, work, h, exact) {
                return Ok(Newton::Slow);
            }
            used += 1;
            let size = motion_size(&self.trial, weights, h);
            if !size.is_finite() {
                return Ok(Newton::Slow);
            }
            self.place(model, work, end, h);
            let rate = if last.is_finite() { (size / last).min(1.0) } else { 1.0 };
            // Factors that have just changed have shown nothing yet.
            let left = size * if used == 1 { rate.max(REFRESH) } else { rate };
            // A small correction that no longer shrinks is rounding.
            let grain = GRAIN * (1.0 + closed.extent(model, work)) / SMALLEST_MOTION;
            let settled = iteration > 0 && rate > 0.5 && size <= ROUNDING.max(grain);
            let allowed = (SHARE * closed.step_error).clamp(FINEST, closed.options.tolerance.max(FINEST));
            let balanced = left <= allowed || settled;
            if balanced && self.close_gaps(model, closed, work, (end, h), exact) {
                return Ok(Newton::Converged);
            }
            // Fresh factors should at least halve the correction, except right at the start, or where a contact
            // begins or ends on the way.
            let bounded = closed.options.bounded;
            if iteration > 2 && !exact && rate > 0.5 && used == 1 && !bounded {
                stuck += 1;
                if stuck > PATIENCE {
                    return Ok(Newton::Slow);
                }
            }
            last = size;
            work.kinematics(model, &self.trial.state);
            work.loads(model, &self.trial.state);
            closed.evaluate_rows(model, &self.trial.state, work);
            if bounded && iteration + 1 == closed.options.iterations {
                closed.counts.unfinished += 1;
                return Ok(Newton::Converged);
            }
            // The first correction with fresh factors also makes good what the ones before left. Where factors have
            // failed once, a contact begins or ends within the step: they are then formed in every iteration, or two
            // positions would lead to each other for ever.
            restless |= used > 1 && rate > REFRESH;
            if !fresh || (restless && !exact && !bounded) {
                // Astray: the masses of a body far from its true shape need not be positive.
                if closed.factorize(model, &self.trial.state, work, weights).is_err() {
                    return Ok(Newton::Slow);
                }
                (fresh, used) = (true, 0);
            }
        }
        Ok(Newton::Slow)
    }

    /// Largest error of the positions of a step after its projection (Zienkiewicz & Xie), relative to the largest
    /// motion: single coordinates may stand still.
    fn step_error(&self, h: f64) -> f64 {
        let factor = h * h * (self.coefficients.beta - 1.0 / 6.0).abs();
        let trial = &self.trial;
        let (mut error, mut motion) = (0.0_f64, 0.0_f64);
        for i in 0..trial.a.len() {
            error = error.max(factor * (trial.a[i] - self.algorithmic[i]).abs());
            motion = motion.max(motion_scale(trial, h, i));
        }
        error / motion
    }

    /// Whether the loops are closed, after corrections that leave the balance of forces alone: it changes by much less
    /// than the positions do.
    fn close_gaps(
        &mut self,
        model: &Model,
        closed: &mut Topological,
        work: &mut Workspace,
        (end, h): (f64, f64),
        exact: bool,
    ) -> bool {
        let mut last = f64::INFINITY;
        loop {
            outward_velocity(model, &self.trial.state, &mut work.motion.kinematics);
            work.poses(model, &self.trial.state);
            closed.evaluate_rows(model, &self.trial.state, work);
            let gap = closed.largest_residual();
            if gap <= CLOSED * (1.0 + closed.extent(model, work)) {
                return true;
            }
            if exact || gap > QUICK * last {
                return false;
            }
            last = gap;
            let trial = &mut self.trial;
            trial.residual.fill(0.0);
            closed.add_penalty_forces(model, &mut trial.residual);
            closed.solve(&trial.residual, &mut trial.correction);
            closed.update_multipliers(model, &trial.correction);
            trial.w.iter_mut().zip(&trial.correction).for_each(|(w, x)| *w -= x);
            closed.counts.closings += 1;
            self.place(model, work, end, h);
        }
    }

    /// Mean accelerations stay: those at the start ring with what the step does not resolve. Stiff coordinates hold
    /// their position: their deformation at the end is nearer to that of the start than to where the present speed
    /// would carry it.
    fn predict(&mut self, closed: &Topological, h: f64) {
        let (c, weight) = (self.coefficients, self.weights(h).stiffness);
        for i in 0..self.trial.w.len() {
            let (w0, a0) = (self.acceleration[i], self.algorithmic[i]);
            let moved =
                if closed.is_stiff(i, weight) { -self.trial.start.v[i] / h } else { 0.5 * self.mean[i] };
            let a1 = (moved - (0.5 - c.beta) * a0) / c.beta;
            self.trial.w[i] = ((1.0 - c.alpha_m) * a1 + c.alpha_m * a0 - c.alpha_f * w0) / (1.0 - c.alpha_f);
        }
    }

    /// One Newton correction of w and the multipliers; false if the exact tangent is singular.
    fn correct(
        &mut self,
        model: &Model,
        closed: &mut Topological,
        work: &Workspace,
        h: f64,
        exact: bool,
    ) -> bool {
        let weights = self.weights(h);
        let trial = &mut self.trial;
        match (&mut self.exact, exact) {
            (Some(tangent), true) => {
                tangent.copy_prescribed(&work.load.acceleration);
                if !tangent.factorize_with(model, &trial.state, &trial.w, weights, Some(closed)) {
                    return false;
                }
                closed.refresh_jacobian(model, work);
                closed.add_penalty_forces(model, &mut trial.residual);
                tangent.solve(&trial.residual, &mut trial.correction);
                closed.counts.exact_tangents += 1;
            }
            _ => {
                closed.add_penalty_forces(model, &mut trial.residual);
                closed.solve(&trial.residual, &mut trial.correction);
            }
        }
        closed.update_multipliers(model, &trial.correction);
        for (w, correction) in trial.w.iter_mut().zip(&trial.correction) {
            *w -= correction;
        }
        closed.counts.iterations += 1;
        self.statistics.evaluations += 1;
        true
    }

    /// Algorithmic accelerations and driving forces that belong to the projected motion.
    fn take_over_projection(&mut self, model: &Model, closed: &mut Topological, work: &mut Workspace) {
        self.mix_accelerations();
        closed.step_error = self.step_error(self.trial.state.time - self.trial.start.time);
        let driven = |joint: &LoopJoint| joint.rows.iter().any(|row| row.driver.is_some());
        if !model.prescribed.contains(&true) && !model.loops.iter().any(driven) {
            return;
        }
        // Driving forces are those of the projected motion: Newton's multipliers belong to the one before.
        work.kinematics(model, &self.trial.state);
        for round in 0..3 {
            work.loads(model, &self.trial.state);
            closed.react(model, work);
            self.balance(model, work);
            if round < 2 {
                closed.remember_multipliers();
                closed.settle_multipliers(model, &self.trial.residual);
            }
        }
    }
}
