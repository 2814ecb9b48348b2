//! From natural coordinates back to bodies, joint coordinates and energies.

use super::GlobalState;
use super::build::GlobalModel;
use super::forces::potential_energy;
use super::frame::{rotation, spin};
use super::integrator::GlobalIntegrator;
use super::joint_ends::End;
use super::pose::{BodyMotion, frame_motion, ground_frame, relative_motion};
use crate::model::Model;
use crate::model::closure::{coordinates_at, speeds_at};
use crate::model::joint::JointKind;
use crate::spatial::add;
use crate::state::State;
use crate::time_function::Side;

impl GlobalModel {
    /// Pose and velocity of the frame of body `k`, inertial components.
    pub fn body_motion(&self, state: &GlobalState, k: usize) -> BodyMotion {
        let (x, rate) = (self.maps[k].frame(&state.q), self.maps[k].rate(&state.v));
        let origin = &self.naturals.origin;
        BodyMotion {
            rotation: rotation(&x),
            position: add(&[x[0][0], x[1][0], x[2][0]], origin),
            spin: spin(&x, &rate),
            velocity: [rate[0][0], rate[1][0], rate[2][0]],
        }
    }

    /// Acceleration of the origin of the frame of body `k` (m/s²).
    pub fn body_acceleration(&self, state: &GlobalState, k: usize) -> [f64; 3] {
        let second = self.maps[k].rate(&state.a);
        [second[0][0], second[1][0], second[2][0]]
    }

    /// Modal amplitudes and rates of body `k`.
    pub fn modal<'a>(&self, state: &'a GlobalState, k: usize) -> (&'a [f64], &'a [f64]) {
        (&state.q[self.modes(k)], &state.v[self.modes(k)])
    }

    /// The same state in coordinates of the tree; angles come out nearest to those of `near`.
    pub fn tree_state(&self, model: &Model, state: &GlobalState, near: &State) -> State {
        let mut tree = near.clone();
        tree.time = state.time;
        let motions: Vec<BodyMotion> = (0..model.body_count()).map(|k| self.body_motion(state, k)).collect();
        for k in 0..model.body_count() {
            let part = &model.layout.bodies[k];
            let (eta, rate) = self.modal(state, k);
            tree.q[part.modal_q()].copy_from_slice(eta);
            tree.v[part.modal_v()].copy_from_slice(rate);
        }
        for k in 0..model.body_count() {
            let (part, joint) = (&model.layout.bodies[k], &self.joints[k]);
            let motion = |end: &End| match end.body {
                None => ground_frame(&end.mount),
                Some(body) => frame_motion(model, (Some(body), &motions[body]), &end.mount, &tree),
            };
            let relative = relative_motion(&motion(&joint.ends[0]), &motion(&joint.ends[1]));
            let known = &near.q[part.joint_q()];
            let mut q = coordinates_at(&joint.kind, &relative, known);
            // Of the two quaternions of an orientation the one next to `near`.
            let turns = matches!(joint.kind, JointKind::Spherical | JointKind::Free);
            if turns && (0..4).map(|i| q[i] * known[i]).sum::<f64>() < 0.0 {
                q[..4].iter_mut().for_each(|x| *x = -*x);
            }
            let u = speeds_at(&joint.kind, &relative, &q);
            tree.q[part.joint_q()].copy_from_slice(&q);
            tree.v[part.joint_v()].copy_from_slice(&u);
        }
        tree
    }
}

impl GlobalIntegrator {
    /// Kinetic and potential energy (J).
    pub fn energy(&mut self, model: &Model, global: &GlobalModel, state: &GlobalState) -> [f64; 2] {
        (self.at.time, self.at.side) = (state.time, Side::After);
        self.at.measured.copy_from_slice(&state.measured);
        self.at.kinematics(model, global, &state.q, &state.v);
        self.at.inertia(global, &state.q, &state.v);
        self.at.residual(model, global, &state.q, &state.v, &state.a);
        let mut kinetic = 0.0;
        for k in 0..model.body_count() {
            kinetic += self.at.inertias[k].1.kinetic_energy(&self.at.rates[k], &state.v[global.modes(k)]);
        }
        [kinetic, potential_energy(model, global, &state.q, &self.at)]
    }

    /// Whether the constraints hold at `state` to 1e-9.
    pub fn is_closed(&mut self, model: &Model, global: &GlobalModel, state: &GlobalState) -> bool {
        self.at.kinematics(model, global, &state.q, &state.v);
        self.at.largest_violation() < 1e-9
    }

    /// Evaluates the inertia of all bodies alone, for measurements of its cost.
    pub fn evaluate_inertia(&mut self, global: &GlobalModel, state: &GlobalState) {
        self.at.inertia(global, &state.q, &state.v);
    }
}
