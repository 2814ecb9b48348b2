//! What projections onto closed loops leave of an evaluation: masses along given changes, and the rows at every level.
//!
//! At coordinates q with speeds v and accelerations w, for changes x and y with forces σ and τ of the rows:
//!
//! W x + Jᵀσ,  W y + Jᵀτ,  Φ(q),  Φ̇(q, v),  Φ̈(q, v, w)   with W = M + w_d C + w_s K of bodies and joints   (AD.10)
//!
//! All of it vanishes at the end of a step, so that multipliers of these lines are all that going back over projections needs. Changes and
//! forces are held; what is followed are coordinates, speeds and constants of the model. Cost: two products with the masses, the rows twice.
//!
//! Typeset: book/src/theory/adjoint.md (AD.10).

use super::evaluation::{Evaluation, Followed, Place};
use crate::algorithm::closure::apply_reactions;
use crate::algorithm::inverse_dynamics::{Terms, inverse_dynamics, outward_acceleration};
use crate::constraint::fill_rows;
use crate::integrate::place;
use crate::model::Model;
use crate::scalar::{Meaning, Scalar};
use crate::state::prescribe::apply_prescribed;
use std::ops::Range;

/// Places of what is given and of what is left, for a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopPlaces {
    speeds: usize,
    rows: usize,
}

impl LoopPlaces {
    pub fn new(model: &Model) -> Self {
        Self { speeds: model.speed_count(), rows: model.constraint_count() }
    }

    /// Numbers given: w, x, y, σ, τ, w_s and w_d.
    pub fn given(&self) -> usize {
        3 * self.speeds + 2 * self.rows + 2
    }

    /// What is left: two equations of forces, three levels of rows.
    pub fn left(&self) -> usize {
        2 * self.speeds + 3 * self.rows
    }

    pub fn accelerations(&self) -> Range<usize> {
        0..self.speeds
    }

    /// Change `which`, x or y, among what is given.
    pub fn change(&self, which: usize) -> Range<usize> {
        self.part((1 + which) * self.speeds, self.speeds)
    }

    /// Its forces.
    pub fn forces(&self, which: usize) -> Range<usize> {
        self.part(3 * self.speeds + which * self.rows, self.rows)
    }

    /// Weights of stiffness and damping.
    pub fn weights(&self) -> Range<usize> {
        self.part(3 * self.speeds + 2 * self.rows, 2)
    }

    /// Equation of forces of change `which` among what is left.
    pub fn balance(&self, which: usize) -> Range<usize> {
        self.part(which * self.speeds, self.speeds)
    }

    /// Rows of positions, speeds or accelerations among what is left.
    pub fn level(&self, which: usize) -> Range<usize> {
        self.part(2 * self.speeds + which * self.rows, self.rows)
    }

    fn part(&self, first: usize, length: usize) -> Range<usize> {
        first..first + length
    }
}

impl<S: Followed> Evaluation<S> {
    /// What projections leave at `at`, with what is `given` in the order of [`LoopPlaces`].
    pub fn loops(&mut self, model: &Model, at: Place<'_>, given: &[f64]) {
        let places = LoopPlaces::new(model);
        self.begin_loops(at);
        place(model, &self.start_q, &self.y, &mut self.state);
        let (state, work) = (&mut self.state, &mut self.work);
        apply_prescribed(model, state, Some(&mut work.load));
        work.accelerations.chidot.fill(S::ZERO);
        work.accelerations.acceleration.fill([S::ZERO; 6]);
        work.kinematics(model, state);
        work.poses(model, state);
        fill_rows(model, state, work);
        self.found.clear();
        self.found.extend(given.iter().enumerate().map(|(i, &x)| S::held(x, Meaning::Acceleration(i))));
        let rows = [work.closure.residual.clone(), work.closure.rate.clone()];
        self.residual.clear();
        for which in 0..2 {
            let change = &self.found[places.change(which)];
            work.load.clear();
            let forces = self.found[places.forces(which)].iter();
            work.closure.multipliers.iter_mut().zip(forces).for_each(|(slot, &force)| *slot = -force);
            apply_reactions(model, (state.time, state.side), &mut work.loop_parts());
            let (kin, bodies, wrench) = (&work.motion.kinematics, &work.inertias, &work.load.wrench);
            inverse_dynamics(model, kin, bodies, change, wrench, Terms::MassAndWrenches, &mut work.inverse);
            let forces = work.inverse.generalized.iter().zip(&work.load.generalized);
            let mut left: Vec<S> = forces.map(|(&needed, &given)| needed - given).collect();
            let weights = &self.found[places.weights()];
            add_stiffness(model, [weights[0], weights[1]], change, &mut left);
            self.residual.extend(left);
        }
        work.accelerations.chidot.copy_from_slice(&self.found[places.accelerations()]);
        let (kin, chidot) = (&work.motion.kinematics, &work.accelerations.chidot);
        outward_acceleration(model, kin, chidot, Terms::All, &mut work.inverse);
        work.accelerations.acceleration.copy_from_slice(&work.inverse.acceleration);
        fill_rows(model, state, work);
        let levels = rows.iter().chain([&work.closure.acceleration]);
        levels.for_each(|rows| self.residual.extend_from_slice(rows));
    }
}

/// `out` += (w_s K + w_d C) x of bodies and joints.
fn add_stiffness<S: Scalar>(model: &Model, [stiffness, damping]: [S; 2], x: &[S], out: &mut [S]) {
    for (k, part) in model.layout.bodies.iter().enumerate() {
        let body = &model.bodies[k];
        for (matrix, weight) in [(&body.stiffness, stiffness), (&body.damping, damping)] {
            let mut product = vec![S::ZERO; part.modes];
            matrix.accumulate(&x[part.modal_v()], &mut product);
            out[part.modal_v()].iter_mut().zip(product).for_each(|(slot, force)| *slot += weight * force);
        }
        for (i, c) in part.joint_v().zip(&model.joints[k].coordinates) {
            out[i] += stiffness * (x[i] * c.stiffness) + damping * (x[i] * c.damping);
        }
    }
}
