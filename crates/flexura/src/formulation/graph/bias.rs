//! What accelerates at constant speeds: derivatives along the motion by dual numbers.
//!
//! Source: Richard (2012), eqs 34, 38 and 70: v̇^p, ω̇^p and the products of speeds in Λ are what is left of the accelerations where all q̈
//! vanish. One evaluation of the kinematics with q moving along its own speeds gives them all. Cost O(bodies).

use crate::constraint::loop_motion;
use crate::model::Model;
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Spatial, rotate6};
use crate::state::State;
use crate::workspace::Workspace;

/// Scratch and results.
#[derive(Clone, Debug)]
pub(super) struct BiasMotion {
    /// v̇^p, ω̇^p of every body frame with −g, inertial components.
    pub acceleration: Vec<Spatial>,
    /// Λ: target accelerations minus the part of Φ̈ without q̈.
    pub right: Vec<f64>,
    moving: State<Dual<1>>,
    work: Workspace<Dual<1>>,
}

impl BiasMotion {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            acceleration: vec![[0.0; 6]; model.body_count()],
            right: vec![0.0; model.constraint_count()],
            moving: State::lift(&State::unprescribed(model, 0.0)),
            work: Workspace::new(model),
        }
    }

    /// Evaluates both at `state`.
    pub fn evaluate(&mut self, model: &Model, state: &State) {
        self.set_moving(model, state);
        let work = &mut self.work;
        work.kinematics(model, &self.moving);
        work.poses(model, &self.moving);
        for (k, slot) in self.acceleration.iter_mut().enumerate() {
            let velocity = rotate6(&work.motion.poses.rotation[k], &work.motion.poses.velocity[k]);
            *slot = velocity.map(|x| x.eps[0]);
            for i in 0..3 {
                slot[3 + i] -= model.gravity[i];
            }
        }
        for joint in &model.loops {
            let (_, relative) = loop_motion(model, &self.moving, work, joint);
            for (row, index) in joint.rows.iter().zip(joint.row_range()) {
                let motion = row.driver.and_then(|i| joint.coordinates[i].motion.as_ref());
                let wanted =
                    motion.map_or(0.0, |motion| motion.sample_side(state.time, state.side).acceleration);
                self.right[index] = wanted - row.shape.evaluate(&relative, &[0.0; 3]).rate.eps[0];
            }
        }
    }

    /// `state` moving with its own speeds, which stay as they are.
    fn set_moving(&mut self, model: &Model, state: &State) {
        let moving = &mut self.moving;
        (moving.time, moving.side) = (state.time, state.side);
        moving.turns.copy_from(&state.turns);
        for (slot, &speed) in moving.v.iter_mut().zip(&state.v) {
            *slot = Dual::from_f64(speed);
        }
        for (slot, &value) in moving.z.iter_mut().zip(&state.z) {
            *slot = Dual::from_f64(value);
        }
        for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
            for (i, j) in part.modal_q().zip(part.modal_v()) {
                moving.q[i] = Dual::new(state.q[i], [state.v[j]]);
            }
            let (kind, mut rate) = (&joint.joint.kind, [0.0; 6]);
            let (q, u) = (&state.q[part.joint_q()], &state.v[part.joint_v()]);
            kind.increment_rate(q, &[0.0; 6][..part.joint_v], u, &mut rate[..part.joint_v]);
            let (mut start, mut step) = ([Dual::from_f64(0.0); 7], [Dual::from_f64(0.0); 6]);
            start.iter_mut().zip(q).for_each(|(slot, &x)| *slot = Dual::from_f64(x));
            step.iter_mut().zip(&rate).for_each(|(slot, &x)| *slot = Dual::new(0.0, [x]));
            kind.retract(&start[..q.len()], &step[..part.joint_v], &mut moving.q[part.joint_q()]);
        }
    }
}
