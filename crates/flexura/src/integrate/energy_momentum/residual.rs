//! Residual of a step: forces in the middle, corrected so that energy and constraints are exact.

use super::EnergyMomentum;
use crate::algorithm::closure::constraint_targets;
use crate::algorithm::energy;
use crate::algorithm::inverse_dynamics::{Terms, inverse_dynamics};
use crate::constraint::{largest_gap, move_by, rows_and_jacobian};
use crate::model::Model;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Share of the kinetic energy of the fastest body below which a step has no direction to correct along.
const STANDSTILL: f64 = 1e-24;

/// Difference to the energy expected that counts as rounding; more means that the state was changed.
const SAME: f64 = 1e-9;

impl EnergyMomentum {
    /// Energy and constraints at the start of the step.
    pub(super) fn measure_start(&mut self, model: &Model, work: &mut Workspace) {
        let now = total_energy(model, &self.start, work);
        // What rounding changed is made good in the next step, so that it does not add up.
        let same = (now - self.expected).abs() <= SAME * (1.0 + now.abs());
        self.start_energy = if same { self.expected } else { now };
        constraint_targets(model, self.start.time, Side::After, &mut self.targets[0]);
        for (r, slot) in self.measured[0].iter_mut().enumerate() {
            *slot = work.closure.residual[r];
        }
    }

    /// Remembers the fastest motion of a row, with the Jacobian in the middle of the step.
    pub(super) fn meet_speeds(&mut self, work: &Workspace) {
        for r in 0..self.gap.len() {
            let parts = work.closure.jacobian.entries(r).map(|(i, x)| (x * self.middle.v[i]).abs());
            self.fastest = self.fastest.max(parts.sum());
        }
    }

    /// Places middle and end for the present accelerations and fills the residual; returns the work of loads
    /// and drivers (J).
    pub(super) fn evaluate(&mut self, model: &Model, work: &mut Workspace, end: f64, h: f64) -> f64 {
        self.place(model, work, end, h);
        let energy = total_energy(model, &self.end, work);
        self.gap.copy_from_slice(&work.closure.residual);
        self.rate.copy_from_slice(&work.closure.rate);
        self.measured[1].copy_from_slice(&work.closure.residual);
        constraint_targets(model, end, Side::Before, &mut self.targets[1]);
        self.force(model, work);
        let n = model.speed_count();
        let along: f64 = (0..n).map(|i| self.twist[i] * self.residual[i]).sum();
        let (decayed, damping) = self.dissipation(model, work, h);
        self.lost = decayed + damping;
        let power = work.power.total();
        let square: f64 = (0..n).map(|i| self.middle.v[i] * self.momentum[i]).sum();
        let missing = energy - self.start_energy + decayed - h * power - along;
        let share = if square > STANDSTILL { missing / (h * square) } else { 0.0 };
        for i in 0..n {
            self.residual[i] += share * self.momentum[i];
        }
        self.subtract_reactions(model, work, h * if square > STANDSTILL { square } else { f64::INFINITY });
        let drivers: f64 =
            (0..n).filter(|&i| model.prescribed[i]).map(|i| self.residual[i] * self.twist[i]).sum();
        for i in (0..n).filter(|&i| model.prescribed[i]) {
            self.residual[i] = 0.0;
        }
        let chords: f64 = (0..self.gap.len())
            .map(|r| self.multipliers[r] * (self.targets[1][r] - self.targets[0][r]))
            .sum();
        h * power + drivers + chords - decayed - damping
    }

    /// States in the middle and at the end.
    fn place(&mut self, model: &Model, work: &mut Workspace, end: f64, h: f64) {
        let middle = self.start.time + 0.5 * h;
        self.end.set_instant(end, Side::Before);
        self.middle.set_instant(middle, Side::After);
        let n = self.twist.len();
        for i in 0..n {
            let theta = 0.5 * (1.0 + self.share[i]);
            self.end.v[i] = self.start.v[i] + h * self.acceleration[i];
            self.twist[i] = h * (self.start.v[i] + theta * h * self.acceleration[i]);
        }
        for (r, shift) in self.shifts.iter().enumerate().filter(|(_, shift)| **shift != 0.0) {
            for (twist, response) in self.twist.iter_mut().zip(&self.responses[r * n..(r + 1) * n]) {
                *twist += shift * response;
            }
        }
        for (i, rate) in work.control.rates.iter().enumerate() {
            self.middle.z[i] = self.start.z[i] + 0.5 * h * rate;
            self.end.z[i] = self.start.z[i] + h * rate;
        }
        // Prescribed coordinates follow their functions.
        self.end.q.copy_from_slice(&self.start.q);
        move_by(model, &mut self.end, &self.twist);
        apply_prescribed(model, &mut self.end, None);
        self.middle.q.copy_from_slice(&self.start.q);
        for x in &mut self.twist {
            *x *= 0.5;
        }
        move_by(model, &mut self.middle, &self.twist);
        for (i, x) in self.twist.iter_mut().enumerate() {
            *x *= 2.0;
            self.middle.v[i] = *x / h;
        }
        apply_prescribed(model, &mut self.middle, None);
        for i in (0..self.twist.len()).filter(|&i| model.prescribed[i]) {
            // The mean of both ends, not the speed in the middle: work and kinetic energy of a drive from rest then agree, where s, which
            // divides by the square of the motion, would have to make up for all of it.
            self.middle.v[i] = 0.5 * (self.start.v[i] + self.end.v[i]);
            self.twist[i] = h * self.middle.v[i];
            self.acceleration[i] = (self.end.v[i] - self.start.v[i]) / h;
        }
    }

    /// F = inverse dynamics minus loads, and M v, in the middle; rows and Jacobian there.
    fn force(&mut self, model: &Model, work: &mut Workspace) {
        rows_and_jacobian(model, &self.middle, work);
        work.loads(model, &self.middle);
        let (kin, bodies, wrench) = (&work.motion.kinematics, &work.inertias, &work.load.wrench);
        let inverse = &mut self.inverse;
        inverse_dynamics(model, kin, bodies, &self.middle.v, wrench, Terms::MassOnly, inverse);
        self.momentum.copy_from_slice(&inverse.generalized);
        inverse_dynamics(model, kin, bodies, &self.acceleration, wrench, Terms::All, inverse);
        for (slot, (needed, load)) in
            self.residual.iter_mut().zip(inverse.generalized.iter().zip(&work.load.generalized))
        {
            *slot = needed - load;
        }
    }

    /// D and the work of numerical damping (J); adds its force to the residual.
    fn dissipation(&mut self, model: &Model, work: &Workspace, h: f64) -> (f64, f64) {
        if self.active == 0.0 {
            return (0.0, 0.0);
        }
        let (kin, bodies, wrench) = (&work.motion.kinematics, &work.inertias, &work.load.wrench);
        inverse_dynamics(model, kin, bodies, &self.acceleration, wrench, Terms::MassOnly, &mut self.inverse);
        let (mut decayed, mut damping) = (0.0, 0.0);
        for (k, part) in model.layout.bodies.iter().enumerate().filter(|(_, part)| part.modes > 0) {
            for i in part.modal_v() {
                self.weighed[i] = self.share[i].sqrt() * self.middle.v[i];
                self.correction[i] = 0.0;
            }
            let forces = &mut self.correction[part.modal_v()];
            model.bodies[k].stiffness.accumulate(&self.weighed[part.modal_v()], forces);
            for (i, force) in part.modal_v().zip(forces.iter()) {
                let share = 0.5 * h * self.share[i];
                decayed += share * h * self.acceleration[i] * self.inverse.generalized[i];
                damping += 0.5 * h * h * force * self.weighed[i];
                self.residual[i] += 0.5 * h * self.share[i].sqrt() * force;
            }
        }
        (decayed, damping)
    }

    /// Subtracts J̄*λ; rows bend so that the reactions do no work over the step. `square` is h v·M v.
    fn subtract_reactions(&mut self, model: &Model, work: &Workspace, square: f64) {
        let n = model.speed_count();
        for r in 0..self.gap.len() {
            let along = work.closure.jacobian.times(r, &self.twist);
            let change = self.measured[1][r] - self.measured[0][r] + self.targets[1][r] - self.targets[0][r];
            let bend = (change - along) / square;
            let multiplier = self.multipliers[r];
            work.closure.jacobian.add_to(r, -multiplier, &mut self.residual);
            for i in 0..n {
                self.residual[i] -= multiplier * bend * self.momentum[i];
            }
        }
    }
}

/// Energy at `state`; fills rows too.
fn total_energy(model: &Model, state: &State, work: &mut Workspace) -> f64 {
    largest_gap(model, state, work);
    energy(model, state, &work.motion, &work.inertias).total()
}
