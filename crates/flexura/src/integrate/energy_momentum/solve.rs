//! Corrections of a step until forces, positions and speeds are those of one motion.
//!
//! With K̂ = M + θ²h²K + θh C at the middle of the first trial, held through the step, and G = J K̂⁻¹J*:
//!
//! * da = −K̂⁻¹R + K̂⁻¹J* dλ with G dλ = J K̂⁻¹R − Φ̇₁/h closes the speeds,
//! * G dμ = −Φ₁ − (h²/2) J (1 + ε) da closes the positions.
//!
//! What this leaves out (turning of J over the step, gyroscopic terms) is of first order in h: the corrections shrink by that factor, and
//! faster with their history (`mixing`). Cost per iteration: one inverse dynamics, one solution with K̂, O(rows²) for G.

use super::EnergyMomentum;
use crate::algorithm::structured_tangent::TangentWeights;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::workspace::Workspace;

/// Iterations of one step.
const ITERATIONS: usize = 60;
/// Change of the speeds, relative to their size, that ends the iteration.
const CONVERGED: f64 = 1e-15;
/// Change at which iterations that no longer shrink have reached rounding; where all is nearly at rest, the
/// energy correction divides small numbers.
const ROUNDING: f64 = 1e-9;
/// Most of the speeds that rounding of the energy may leave open.
const LARGEST_ROUNDING: f64 = 1e-5;
/// Violation of a constraint accepted at the end of a step: of positions, and of speeds per unit of the motion of a row.
const CLOSED: f64 = 1e-13;
/// Share of the last change above which an iteration has not helped.
const STALLED: f64 = 0.5;
/// Pivots of the scaled reflected tangent below this are dependent constraints.
const DEPENDENT: f64 = 1e-11;

impl EnergyMomentum {
    /// Solves for accelerations and multipliers; returns the work of loads and drivers (J).
    pub(super) fn newton(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        end: f64,
        h: f64,
    ) -> Result<f64, DynamicsError> {
        let (mut last, mut stalled) = (f64::INFINITY, 0);
        self.mixing.restart();
        self.shifts.fill(0.0);
        self.choose_shares(h);
        for iteration in 0..ITERATIONS {
            let done = self.evaluate(model, work, end, h);
            self.statistics.evaluations += 1;
            if iteration == 0 {
                self.meet_speeds(work);
                self.prepare(model, work, h)?;
            }
            let (size, speed) = self.correct(model, work, h);
            if !size.is_finite() {
                return Err(DynamicsError::NewtonFailed);
            }
            stalled = if size > STALLED * last { stalled + 1 } else { 0 };
            // Loops whose speeds are closed to rounding say no more, which matters where all is at rest.
            let loops = if self.gap.is_empty() { 0.0 } else { CLOSED / speed };
            let rounding = ROUNDING + loops + self.energy_rounding(h);
            if self.is_closed() && (size <= CONVERGED || (stalled > 1 && size < rounding)) {
                return Ok(done);
            }
            last = size;
        }
        Err(DynamicsError::NewtonFailed)
    }

    /// ε_r of every speed: ε∞ where the step does not resolve a mode, nothing where it does.
    fn choose_shares(&mut self, h: f64) {
        for (share, &squared) in self.share.iter_mut().zip(&self.frequencies) {
            let fast = squared * h * h;
            *share = if fast.is_infinite() { self.active } else { self.active * fast / (1.0 + fast) };
        }
    }

    /// Whether positions and speeds at the end fit the loops.
    fn is_closed(&self) -> bool {
        let moving = CLOSED * (1.0 + self.fastest);
        self.gap.iter().all(|gap| gap.abs() < CLOSED) && self.rate.iter().all(|rate| rate.abs() < moving)
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
        // That of modes the step does not resolve: for others it is near enough.
        let theta = 0.5 * (1.0 + self.active);
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

    /// One correction of accelerations and multipliers; returns the largest change of a speed relative to the
    /// largest speed, and that speed.
    fn correct(&mut self, model: &Model, work: &Workspace, h: f64) -> (f64, f64) {
        let (n, rows) = (model.speed_count(), self.gap.len());
        let (kin, prescribed) = (&work.motion.kinematics, &model.prescribed);
        self.tangent.solve(model, kin, prescribed, &self.residual, &mut self.correction);
        for (r, slot) in self.right.iter_mut().enumerate() {
            *slot = work.closure.jacobian.times(r, &self.correction) - self.rate[r] / h;
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
        unknowns[n..n + rows].copy_from_slice(&self.multipliers);
        changes[n..n + rows].copy_from_slice(&self.right);
        for (i, slot) in self.correction.iter_mut().enumerate() {
            *slot = 0.5 * h * h * (1.0 + self.share[i]) * changes[i];
        }
        for (r, slot) in self.right.iter_mut().enumerate() {
            *slot = -self.gap[r] - work.closure.jacobian.times(r, &self.correction);
        }
        self.factor.solve(&mut self.right);
        unknowns[n + rows..].copy_from_slice(&self.shifts);
        changes[n + rows..].copy_from_slice(&self.right);
        self.mixing.advance(unknowns, changes);
        self.acceleration.copy_from_slice(&unknowns[..n]);
        self.multipliers.copy_from_slice(&unknowns[n..n + rows]);
        self.shifts.copy_from_slice(&unknowns[n + rows..]);
        (largest / speed, speed)
    }
}
