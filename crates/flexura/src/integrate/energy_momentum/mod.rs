//! Steps that conserve energy exactly, or take it out of vibrations only, for trees and closed loops.
//!
//! Source: the energy-preserving schemes of Bauchau, Damilano & Theron, Int. J. Numer. Methods Eng. 38 (1995)
//! 2727-2751, in the form of a discrete gradient: Gonzalez, J. Nonlinear Sci. 6 (1996) 449-467, constraints
//! after Gonzalez, Physica D 132 (1999) 165-174. With the twist Δ that takes q₀ to q₁, the middle q_m = q₀ exp(Δ/2)
//! and v_m = Δ/h, the accelerations a = (v₁ − v₀)/h and multipliers λ solve
//!
//! * F(q_m, v_m, a) + s M v_m + (ε h/2) K v_m = J̄*λ,  Φ(q₁) = 0
//! * s = (E₁ − E₀ + D − h P − Δ·F) / (h v_m·M v_m): what the middle misses of the energy
//! * J̄ = J_m + (ΔΦ − J_m Δ) (M v_m)* / (h v_m·M v_m), so that J̄ Δ = ΔΦ: reactions do no work
//!
//! F is inverse dynamics minus loads, P the power of loads that are not conservative, E the energy of the same
//! mass blocks. Multiplied by Δ: E₁ − E₀ = h P + work of drivers − D − (ε h²/2) v_m·K v_m, to the accuracy of the
//! solution, whatever the step. Second order: s is O(h²).
//!
//! Energy-preserving: Δ = h (v₀ + v₁)/2, ε = D = 0. Energy-decaying, acting on the modes of flexible bodies (K,
//! η) alone: Δ_η = h (v₀ + θ h a)_η, θ = (1 + ε)/2, D = (ε h²/2) a_η·(M a)_η; a step that would gain energy that way
//! is taken with ε = 0. A linear mode then follows the θ-method: its amplitude shrinks by ((1 + (1−θ)²Ω²)/(1 + θ²Ω²))^½ per step with Ω = ω h, by ρ = (1−θ)/θ for Ω → ∞;
//! vibrations are of first order then, rigid motion stays of second. Weights that differ open the speeds of loops by
//! ε h J_η a_η; they are put back in the metric of the masses, along J* alone, which takes ½ Φ̇*(J M⁻¹ J*)⁺Φ̇ out of the
//! energy and puts none in. Without damping, speeds satisfy the constraints to O(h²), but what is off may grow with the
//! motion, energy or no energy: a step from speeds that are far apart is refused.
//!
//! Between the ends of a step, rows need more than the method itself knows: positions by Hermite from q and v, speeds by Hermite from v
//! and the accelerations of the equations of motion at both ends (fourth order). With v alone speeds would be linear, which
//! loses (ω h)²/8 of a vibration's amplitude between two ends. Vibrations that the step does not resolve stay linear.
//!
//! The equations are solved by corrections with the structured tangent (`structured_tangent`), O(N) per iteration and
//! row of Φ, sped up by their own history (`mixing`).
//!
//! Typeset: book/src/theory/integrators.md (TI.12) to (TI.15).

mod mixing;
pub(crate) mod refusal;
mod residual;

use super::fixed_step::FixedStep;
use super::stepper::{End, Stepper};
use super::{Dense, Flow, StepStatistics};
use crate::algorithm::inverse_dynamics::InverseDynamics;
use crate::algorithm::structured_tangent::{StructuredTangent, TangentWeights};
use crate::error::{DynamicsError, SimulationError};
use crate::linear::PivotedCholesky;
use crate::model::Model;
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;
use mixing::Mixing;
use refusal::without_energy;

/// Iterations of one step.
const ITERATIONS: usize = 60;
/// Change of the speeds, relative to their size, that ends the iteration.
const CONVERGED: f64 = 1e-15;
/// Change at which iterations that no longer shrink have reached rounding; where all is nearly at rest, the
/// energy correction divides small numbers.
const ROUNDING: f64 = 1e-9;
/// Most of the speeds that rounding of the energy may leave open.
const LARGEST_ROUNDING: f64 = 1e-5;
/// Violation of a constraint accepted at the end of a step.
const CLOSED: f64 = 1e-13;
/// Share of the last change above which an iteration has not helped.
const STALLED: f64 = 0.5;
/// Pivots of the scaled reflected tangent below this are dependent constraints.
const DEPENDENT: f64 = 1e-11;

/// Largest h (a₀ − a₁) against the mean speed of a step for which speeds bend between its ends; (ω h)² for a vibration.
const LARGEST_BEND: f64 = 1.2;

/// Memory of the method.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct EnergyMomentum {
    step: FixedStep,
    /// ε: zero conserves energy.
    decay: f64,
    /// ε of the present step.
    active: f64,
    /// Energy that the present step takes out of vibrations (J).
    lost: f64,
    /// Whether speeds are put back on the loops at the end of a step: numerical damping of modes opens them.
    closes_speeds: bool,
    started: bool,
    acceleration: Vec<f64>,
    multipliers: Vec<f64>,
    start: State,
    middle: State,
    end: State,
    twist: Vec<f64>,
    residual: Vec<f64>,
    correction: Vec<f64>,
    /// M v_m.
    momentum: Vec<f64>,
    inverse: InverseDynamics,
    /// Φ plus target at both ends.
    measured: [Vec<f64>; 2],
    gap: Vec<f64>,
    targets: [Vec<f64>; 2],
    start_energy: f64,
    /// Energy that the last step should have reached (J); NaN before.
    expected: f64,
    /// Fastest motion that the rows have met: Σ|J v| of a row (m/s, rad/s).
    fastest: f64,
    /// K̂⁻¹J*, one row per constraint.
    responses: Vec<f64>,
    reflected: Vec<f64>,
    right: Vec<f64>,
    factor: PivotedCholesky,
    tangent: StructuredTangent,
    mixing: Mixing,
    /// Accelerations and multipliers, and their correction.
    unknowns: [Vec<f64>; 2],
    values: Vec<f64>,
    slopes: [Vec<f64>; 2],
    /// Whether the step resolves all modes, so that accelerations at its ends say something about its middle.
    resolves: bool,
    /// Rates by the equations of motion at both ends of the step.
    rates: [Vec<f64>; 2],
    /// Counters; evaluations count residuals.
    pub statistics: StepStatistics,
}

impl EnergyMomentum {
    /// A method with step `step` (s); `spectral_radius` is that of a linear mode at infinite frequency, one
    /// conserves energy.
    pub fn new(model: &Model, step: f64, spectral_radius: f64) -> Self {
        let (n, rows) = (model.speed_count(), model.constraint_count());
        let state = State::unprescribed(model, 0.0);
        let (zero, row, long) = (vec![0.0; n], vec![0.0; rows], vec![0.0; Flow::size(model)]);
        let slow = |frequency: &f64| (frequency * step).powi(2) < LARGEST_BEND;
        let resolves = model.bodies.iter().all(|body| body.mode_frequencies().iter().all(slow));
        Self {
            resolves,
            step: FixedStep::new(step),
            decay: (1.0 - spectral_radius) / (1.0 + spectral_radius),
            active: 0.0,
            lost: 0.0,
            closes_speeds: spectral_radius < 1.0
                && !model.loops.is_empty()
                && model.bodies.iter().any(|body| body.modes > 0),
            started: false,
            acceleration: zero.clone(),
            multipliers: row.clone(),
            start: state.clone(),
            middle: state.clone(),
            end: state,
            twist: zero.clone(),
            residual: zero.clone(),
            correction: zero.clone(),
            momentum: zero,
            inverse: InverseDynamics::new(model),
            measured: [row.clone(), row.clone()],
            gap: row.clone(),
            targets: [row.clone(), row.clone()],
            start_energy: 0.0,
            expected: f64::NAN,
            fastest: 0.0,
            responses: vec![0.0; rows * n],
            reflected: vec![0.0; rows * rows],
            right: row,
            factor: PivotedCholesky::new(rows),
            tangent: StructuredTangent::new(model),
            mixing: Mixing::new(n + rows, n),
            unknowns: [vec![0.0; n + rows], vec![0.0; n + rows]],
            values: long.clone(),
            slopes: [long.clone(), long.clone()],
            rates: [long.clone(), long],
            statistics: StepStatistics::default(),
        }
    }
}

impl Stepper for EnergyMomentum {
    /// What lasts from one step to the next, written to or read from a checkpoint.
    fn fixed(&self) -> Option<&FixedStep> {
        Some(&self.step)
    }

    fn remember(&mut self, tape: &mut crate::checkpoint::Tape) {
        tape.flag(&mut self.started);
        self.step.remember(tape);
        tape.number(&mut self.expected);
        tape.number(&mut self.fastest);
        tape.numbers(&mut self.acceleration);
        tape.numbers(&mut self.multipliers);
        tape.numbers(&mut self.rates[0]);
        self.statistics.remember(tape);
    }

    /// Forgets the history, after an input jumped.
    fn restart(&mut self) {
        self.started = false;
        self.expected = f64::NAN;
    }

    /// One step, shortened to end on `limit`.
    fn step(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        limit: f64,
        dense: &mut Dense,
    ) -> Result<(), SimulationError> {
        let time = flow.start_time();
        let (end, h) = self.step.next(time, limit);
        flow.copy_start(&mut self.start);
        self.middle.turns.copy_from(&self.start.turns);
        self.end.turns.copy_from(&self.start.turns);
        let goes_on = self.started;
        if !goes_on {
            if let Some(body) = without_energy(model) {
                let cause = format!("{} (`{body}`): {}", refusal::WHAT, refusal::FIX);
                return Err(SimulationError::dynamics(time, DynamicsError::Unsupported { cause }));
            }
            self.first_guess(model, flow, work, time)?;
        }
        self.measure_start(model, work);
        let fail = |cause| SimulationError::dynamics(end, cause);
        // Where an input has jumped, speeds may have to jump as well.
        if goes_on {
            self.loops_hold(model, work, h).map_err(fail)?;
        }
        self.active = self.decay;
        let mut work_done = self.newton(model, work, end, h).map_err(fail)?;
        if self.lost < 0.0 {
            // Rigid and modal accelerations oppose each other: rather conserve energy than gain any.
            self.active = 0.0;
            work_done = self.newton(model, work, end, h).map_err(fail)?;
        }
        self.meet_speeds(work);
        if self.closes_speeds {
            work_done += self.close_speeds(model, work).map_err(fail)?;
        }
        self.expected = self.start_energy + work_done;
        self.accept(model, flow, (time, end), work_done, work, dense);
        Ok(())
    }

    fn end(&self) -> End {
        End::Closed
    }

    fn complete(&self, _: &Model, _: bool, _: &mut Workspace) -> bool {
        false
    }

    fn carries_speeds(&self) -> bool {
        true
    }

    fn statistics(&self) -> StepStatistics {
        self.statistics
    }
}

impl EnergyMomentum {
    /// Accelerations at the start of the integration or after a jump.
    fn first_guess(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        time: f64,
    ) -> Result<(), SimulationError> {
        let n = model.speed_count();
        self.values.copy_from_slice(flow.initial());
        flow.rate(model, work, time, &self.values, Side::After, &mut self.slopes[0])?;
        self.rates[0].copy_from_slice(&self.slopes[0]);
        self.acceleration.copy_from_slice(&self.slopes[0][n..2 * n]);
        self.multipliers.copy_from_slice(&work.closure.multipliers);
        self.started = true;
        Ok(())
    }

    /// Weight θ of the end in the motion of speed `i`.
    fn theta(&self, modal: bool) -> f64 {
        if modal { 0.5 * (1.0 + self.active) } else { 0.5 }
    }

    /// Solves for accelerations and multipliers; returns the work of loads and drivers (J).
    fn newton(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        end: f64,
        h: f64,
    ) -> Result<f64, DynamicsError> {
        let (mut last, mut stalled) = (f64::INFINITY, 0);
        self.mixing.restart();
        for iteration in 0..ITERATIONS {
            let done = self.evaluate(model, work, end, h);
            self.statistics.evaluations += 1;
            if iteration == 0 {
                self.prepare(model, work, h)?;
            }
            let (size, speed) = self.correct(model, work, h);
            if !size.is_finite() {
                return Err(DynamicsError::NewtonFailed);
            }
            stalled = if size > STALLED * last { stalled + 1 } else { 0 };
            let closed = self.gap.iter().all(|gap| gap.abs() < CLOSED);
            // Loops whose positions are closed to rounding say no more about speeds, which matters where all is at rest.
            let loops = if self.gap.is_empty() { 0.0 } else { CLOSED / (h * speed) };
            let rounding = ROUNDING + loops + self.energy_rounding(h);
            if closed && (size <= CONVERGED || (stalled > 1 && size < rounding)) {
                return Ok(done);
            }
            last = size;
        }
        Err(DynamicsError::NewtonFailed)
    }

    /// Share of the speeds that rounding of the energy leaves open: the correction s divides it by h v·Mv, and a slow body high
    /// up has little of that.
    fn energy_rounding(&self, h: f64) -> f64 {
        let action: f64 = self.momentum.iter().zip(&self.twist).map(|(p, twist)| p * twist / h).sum();
        let share = 16.0 * f64::EPSILON * (1.0 + self.start_energy.abs()) / action.abs();
        if share.is_finite() { share.min(LARGEST_ROUNDING) } else { 0.0 }
    }

    /// Factorises the tangent at the middle and what it reflects on the constraints.
    fn prepare(&mut self, model: &Model, work: &Workspace, h: f64) -> Result<(), DynamicsError> {
        let theta = self.theta(true);
        let weights = TangentWeights { stiffness: theta * theta * h * h, damping: theta * h };
        let (kin, bodies) = (&work.motion.kinematics, &work.inertias);
        self.tangent.factorize(model, kin, bodies, weights, &model.prescribed)?;
        let (n, rows) = (model.speed_count(), self.gap.len());
        let jacobian = &work.closure.jacobian;
        for r in 0..rows {
            self.correction.fill(0.0);
            for (i, x) in jacobian.entries(r).filter(|&(i, _)| !model.prescribed[i]) {
                self.correction[i] = x;
            }
            let out = &mut self.responses[r * n..(r + 1) * n];
            self.tangent.solve(model, kin, &model.prescribed, &self.correction, out);
        }
        for r in 0..rows {
            for s in 0..rows {
                self.reflected[r * rows + s] = jacobian.times(r, &self.responses[s * n..(s + 1) * n]);
            }
        }
        self.factor.factorize(&self.reflected, DEPENDENT);
        Ok(())
    }

    /// One correction of accelerations and multipliers; returns its size relative to the speeds, and that of the speeds.
    fn correct(&mut self, model: &Model, work: &Workspace, h: f64) -> (f64, f64) {
        let n = model.speed_count();
        self.tangent.solve(
            model,
            &work.motion.kinematics,
            &model.prescribed,
            &self.residual,
            &mut self.correction,
        );
        // Φ₁ + (h²/2) J da = 0 with da = −K̂⁻¹R + K̂⁻¹J* dλ.
        let factor = 0.5 * h * h;
        for (r, slot) in self.right.iter_mut().enumerate() {
            let along = work.closure.jacobian.times(r, &self.correction);
            *slot = along - self.gap[r] / factor;
        }
        self.factor.solve(&mut self.right);
        let [unknowns, changes] = &mut self.unknowns;
        let (mut largest, mut speed) = (0.0_f64, 1e-9_f64);
        for i in 0..n {
            let mut change = -self.correction[i];
            for (r, &multiplier) in self.right.iter().enumerate() {
                change += self.responses[r * n + i] * multiplier;
            }
            (unknowns[i], changes[i]) =
                (self.acceleration[i], if model.prescribed[i] { 0.0 } else { change });
            largest = if change.is_nan() { f64::NAN } else { largest.max((h * changes[i]).abs()) };
            let fastest = self.start.v[i].abs().max(self.end.v[i].abs());
            speed = speed.max(fastest).max((h * self.acceleration[i]).abs());
        }
        unknowns[n..].copy_from_slice(&self.multipliers);
        changes[n..].copy_from_slice(&self.right);
        self.mixing.advance(unknowns, changes);
        self.acceleration.copy_from_slice(&unknowns[..n]);
        self.multipliers.copy_from_slice(&unknowns[n..]);
        (largest / speed, speed)
    }

    /// Slopes of the speeds at both ends by the equations of motion, where the step resolves them.
    fn bend_speeds(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        (start, end): (f64, f64),
        work: &mut Workspace,
    ) {
        if !self.resolves {
            return;
        }
        let (n, h) = (model.speed_count(), end - start);
        let [first, last] = &mut self.rates;
        if flow.rate(model, work, end, &self.values, Side::Before, last).is_err() {
            // Rows inside this step stay linear; the next step finds out what is wrong.
            last.copy_from_slice(&self.slopes[1]);
        }
        for i in n..2 * n {
            let (a, b) = (first[i], last[i]);
            let mean = 0.5 * (flow.initial()[i] + self.values[i]);
            if (h * (a - b)).abs() <= LARGEST_BEND * mean.abs() {
                (self.slopes[0][i], self.slopes[1][i]) = (a, b);
            }
        }
        first.copy_from_slice(last);
    }

    /// Keeps the step: dense output and work.
    fn accept(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        (start, end): (f64, f64),
        work_done: f64,
        work: &mut Workspace,
        dense: &mut Dense,
    ) {
        let (n, last) = (model.speed_count(), self.values.len() - 1);
        flow.local_increment(model, &self.end.q, &self.twist, &mut self.values[..n]);
        self.values[n..2 * n].copy_from_slice(&self.end.v);
        self.values[2 * n..last].copy_from_slice(&self.end.z);
        self.values[last] = flow.initial()[last] + work_done;
        let [first, final_slopes] = &mut self.slopes;
        flow.increment_slopes(model, &self.start, None, &mut first[..n]);
        flow.increment_slopes(model, &self.end, Some(&self.values[..n]), &mut final_slopes[..n]);
        for slopes in [first, final_slopes] {
            slopes[n..2 * n].copy_from_slice(&self.acceleration);
            slopes[2 * n..last].copy_from_slice(&work.control.rates);
            slopes[last] = work_done / (end - start);
        }
        self.bend_speeds(model, flow, (start, end), work);
        let [first, final_slopes] = &self.slopes;
        dense.fill((start, end), (flow.initial(), &self.values), (first, final_slopes), |_| 0.0);
        self.statistics.accepted += 1;
    }
}
