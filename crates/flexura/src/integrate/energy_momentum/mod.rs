//! Steps that conserve energy exactly, or take it out of vibrations only, for trees and closed loops, with loops closed in positions
//! and in speeds.
//!
//! Source: the energy-preserving schemes of Bauchau, Damilano & Theron, Int. J. Numer. Methods Eng. 38 (1995)
//! 2727-2751, in the form of a discrete gradient: Gonzalez, J. Nonlinear Sci. 6 (1996) 449-467, constraints
//! after Gonzalez, Physica D 132 (1999) 165-174, and at both levels after Gear, Leimkuhler & Gupta, J. Comput. Appl. Math. 12
//! (1985) 77-90. With the twist Δ that takes q₀ to q₁, the middle q_m = q₀ exp(Δ/2) and v_m = Δ/h, the accelerations
//! a = (v₁ − v₀)/h and the multipliers λ of speeds and μ of positions solve
//!
//! * Δ = h v₀ + (h²/2)(1 + ε) a + K̂⁻¹J_m*μ
//! * F(q_m, v_m, a) + s M v_m + (h/2) ε^½ K ε^½ v_m = J̄*λ,  Φ(q₁) = 0,  Φ̇(q₁, v₁) = 0
//! * s = (E₁ − E₀ + D − h P − Δ·F) / (h v_m·M v_m): what the middle misses of the energy
//! * J̄ = J_m + (ΔΦ − J_m Δ) (M v_m)* / (h v_m·M v_m), so that J̄ Δ = ΔΦ: reactions do no work
//!
//! F is inverse dynamics minus loads, P the power of loads that are not conservative, E the energy of the same
//! mass blocks, K̂ the tangent of the step. Multiplied by Δ: E₁ − E₀ = h P + work of drivers − D − (h/2) Δ·ε^½ K ε^½ v_m, to the
//! accuracy of the solution, whatever the step. Speeds that fit at both ends leave positions open by O(h³) only, so μ is
//! O(h³), s is O(h²), and the order is two. With positions alone (μ = 0, λ closing Φ) what speeds are off changes its sign from step
//! to step and grows with the motion, energy or no energy.
//!
//! Energy-preserving: ε = D = 0. Energy-decaying, acting on the modes of flexible bodies (K, η) alone: ε is diagonal, with
//! ε_r = ε∞ Ω²/(1 + Ω²) for a mode of Ω = ω_r h on its own, and D = (h²/2) (ε a)·(M a); a step that would gain energy that way is
//! taken with ε = 0. A linear mode then follows the θ-method with θ = (1 + ε_r)/2: its amplitude shrinks by
//! ((1 + (1−θ)²Ω²)/(1 + θ²Ω²))^½ per step, by ρ = (1 − ε∞)/(1 + ε∞) for Ω → ∞; what a step resolves loses O(Ω⁴), so that vibrations
//! are of second order like everything else.
//!
//! Between the ends of a step, rows need more than the method itself knows: positions by Hermite from q and v, speeds by Hermite from v
//! and the accelerations of the equations of motion at both ends (fourth order). With v alone speeds would be linear, which
//! loses (ω h)²/8 of a vibration's amplitude between two ends. Vibrations that the step does not resolve stay linear.
//!
//! The equations are solved by corrections with the structured tangent (`structured_tangent`), O(N) per iteration and
//! row of Φ, sped up by their own history (`mixing`).
//!
//! Typeset: book/src/theory/integrators.md (TI.12) to (TI.16).

mod mixing;
pub(crate) mod refusal;
mod residual;
mod solve;

use super::fixed_step::FixedStep;
use super::stepper::{End, Stepper};
use super::{Dense, Flow, StepStatistics};
use crate::algorithm::inverse_dynamics::InverseDynamics;
use crate::algorithm::structured_tangent::StructuredTangent;
use crate::constraint::nonholonomic;
use crate::error::{DynamicsError, SimulationError};
use crate::linear::PivotedCholesky;
use crate::model::Model;
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;
use mixing::Mixing;
use refusal::without_energy;

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
    /// Squared frequency of every speed on its own: zero at joints (rad²/s²).
    frequencies: Vec<f64>,
    /// ε_r of every speed in the present step.
    share: Vec<f64>,
    started: bool,
    acceleration: Vec<f64>,
    /// λ.
    multipliers: Vec<f64>,
    /// μ.
    shifts: Vec<f64>,
    start: State,
    middle: State,
    end: State,
    twist: Vec<f64>,
    residual: Vec<f64>,
    correction: Vec<f64>,
    /// ε^½ v_m.
    weighed: Vec<f64>,
    /// M v_m.
    momentum: Vec<f64>,
    inverse: InverseDynamics,
    /// Φ plus target at both ends.
    measured: [Vec<f64>; 2],
    gap: Vec<f64>,
    /// Φ̇ at the end.
    rate: Vec<f64>,
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
    /// Accelerations and both kinds of multipliers, and their correction.
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
            frequencies: squared_frequencies(model),
            share: zero.clone(),
            started: false,
            acceleration: zero.clone(),
            multipliers: row.clone(),
            shifts: row.clone(),
            start: state.clone(),
            middle: state.clone(),
            end: state,
            twist: zero.clone(),
            residual: zero.clone(),
            correction: zero.clone(),
            weighed: zero.clone(),
            momentum: zero,
            inverse: InverseDynamics::new(model),
            measured: [row.clone(), row.clone()],
            gap: row.clone(),
            rate: row.clone(),
            targets: [row.clone(), row.clone()],
            start_energy: 0.0,
            expected: f64::NAN,
            fastest: 0.0,
            responses: vec![0.0; rows * n],
            reflected: vec![0.0; rows * rows],
            right: row,
            factor: PivotedCholesky::new(rows),
            tangent: StructuredTangent::new(model),
            mixing: Mixing::new(n + 2 * rows, n),
            unknowns: [vec![0.0; n + 2 * rows], vec![0.0; n + 2 * rows]],
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

    /// The iterates of a step that has failed are no first guess.
    fn give_up(&mut self) {
        self.statistics.rejected += 1;
        self.restart();
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
        if !self.started {
            if let Some(body) = without_energy(model) {
                let cause = format!("{} (`{body}`): {}", refusal::WHAT, refusal::FIX);
                return Err(SimulationError::dynamics(time, DynamicsError::Unsupported { cause }));
            }
            if let Some(cause) = nonholonomic::refusal(model, "energy-preserving steps do") {
                return Err(SimulationError::dynamics(time, DynamicsError::Unsupported { cause }));
            }
            self.first_guess(model, flow, work, time)?;
        }
        self.measure_start(model, work);
        let fail = |cause| SimulationError::dynamics(end, cause);
        self.active = self.decay;
        let mut work_done = self.newton(model, work, end, h).map_err(fail)?;
        if self.lost < 0.0 {
            // Rigid and modal accelerations oppose each other: rather conserve energy than gain any.
            self.active = 0.0;
            work_done = self.newton(model, work, end, h).map_err(fail)?;
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

/// Squared frequency of each mode on its own (rad²/s²), zero for the speeds of joints.
fn squared_frequencies(model: &Model) -> Vec<f64> {
    let mut list = vec![0.0; model.speed_count()];
    for (body, part) in model.bodies.iter().zip(&model.layout.bodies).filter(|(body, _)| body.modes > 0) {
        for (slot, frequency) in list[part.modal_v()].iter_mut().zip(body.mode_frequencies()) {
            *slot = frequency * frequency;
        }
    }
    list
}
