//! Samples the selected channels of a state into a row. No allocation.

use super::channel::{Channel, Source, all_channels, matches_pattern};
use crate::algorithm::energy::{Momentum, energy, momentum};
use crate::algorithm::observe::{FrameMotion, frame_motion, inertial_velocity};
use crate::error::SimulationError;
use crate::model::Model;
use crate::model::words::nearest;
use crate::prescribe::apply_prescribed;
use crate::spatial::{
    Matrix3, Spatial, Vector3, matrix_vector, negate6, quaternion_from_matrix, rotate_back6, rotate6,
    shift_force, sub,
};
use crate::state::State;
use crate::workspace::{Workspace, evaluate};

/// Selected channels and scratch.
#[derive(Clone, Debug)]
pub struct Recorder {
    channels: Vec<Channel>,
    state: State,
    /// Total energy at the first sample (J); NaN before.
    first_energy: f64,
    needs_reactions: bool,
}

impl Recorder {
    /// A recorder of the channels of `model` that match any of `patterns`.
    pub fn new(model: &Model, patterns: &[String]) -> Result<Self, SimulationError> {
        let all = all_channels(model);
        for pattern in patterns {
            if !all.iter().any(|channel| matches_pattern(pattern, &channel.name)) {
                let near = nearest(pattern, all.iter().map(|channel| channel.name.as_str()));
                let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                return Err(SimulationError::Channel(format!("no channel matches `{pattern}`{hint}")));
            }
        }
        let wanted =
            |channel: &Channel| patterns.iter().any(|pattern| matches_pattern(pattern, &channel.name));
        let channels: Vec<Channel> = all.into_iter().filter(wanted).collect();
        let needs_reactions = channels.iter().any(|channel| matches!(channel.source, Source::Reaction(..)));
        let state = State { time: 0.0, q: model.initial_q.clone(), v: model.initial_v.clone() };
        Ok(Self { channels, state, first_energy: f64::NAN, needs_reactions })
    }

    /// The selected channels, in the order of a row after the time.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Fills `row` (time first) for `state`; `work_done` is the work since the start (J).
    pub fn sample(
        &mut self,
        model: &Model,
        state: &State,
        work_done: f64,
        work: &mut Workspace,
        row: &mut [f64],
    ) -> Result<(), SimulationError> {
        self.state.time = state.time;
        self.state.q.copy_from_slice(&state.q);
        self.state.v.copy_from_slice(&state.v);
        work.load.before = false;
        apply_prescribed(model, &mut self.state, Some(&mut work.load));
        let state = &self.state;
        evaluate(model, state, work).map_err(|error| SimulationError::dynamics(state.time, error))?;
        work.poses(model, state);
        if self.needs_reactions {
            work.reactions(model);
        }
        let energies = energy(model, state, &work.kinematics, &work.inertias, &work.poses);
        if self.first_energy.is_nan() {
            self.first_energy = energies.total();
        }
        let total = energies.total();
        let balance = total - self.first_energy - work_done;
        let parts = [
            energies.kinetic,
            energies.gravity,
            energies.elastic,
            energies.springs,
            total,
            work_done,
            balance,
        ];
        let snapshot = Snapshot {
            model,
            state,
            work,
            energies: parts,
            powers: powers(state, work),
            momentum: momentum(model, state, &work.kinematics, &work.inertias, &work.poses, &[0.0; 3]),
        };
        row[0] = state.time;
        snapshot.fill(&self.channels, &mut row[1..]);
        Ok(())
    }
}

/// Efforts, forces, dampers, friction, modal damping, drivers (W).
fn powers(state: &State, work: &Workspace) -> [f64; 6] {
    let p = &work.power;
    let drivers = work.articulated.driving.iter().zip(&state.v).map(|(force, speed)| force * speed).sum();
    [p.efforts, p.forces, p.dampers, p.friction, p.modal_damping, drivers]
}

/// Everything known about one instant.
struct Snapshot<'a> {
    model: &'a Model,
    state: &'a State,
    work: &'a Workspace,
    energies: [f64; 7],
    powers: [f64; 6],
    momentum: Momentum,
}

impl Snapshot<'_> {
    fn fill(&self, channels: &[Channel], row: &mut [f64]) {
        // Channels of one frame or joint are adjacent: remember the last one.
        let mut frame: Option<(usize, FrameMotion, [f64; 4])> = None;
        let mut reaction: Option<(usize, Spatial)> = None;
        let mut body: Option<(usize, [f64; 13])> = None;
        for (slot, channel) in row.iter_mut().zip(channels) {
            *slot = match channel.source {
                Source::Energy(i) => self.energies[usize::from(i)],
                Source::Power(i) => self.powers[usize::from(i)],
                Source::Momentum(i) if i < 3 => self.momentum.linear[usize::from(i)],
                Source::Momentum(i) => self.momentum.angular[usize::from(i) - 3],
                Source::Coordinate(i) => self.state.q[i],
                Source::Speed(i) => self.state.v[i],
                Source::Acceleration(i) => self.work.articulated.chidot[i],
                Source::Driving(i) => self.work.articulated.driving[i],
                Source::Body(k, i) => {
                    let known = body.filter(|(at, _)| *at == k);
                    let (_, values) = *body.insert(known.unwrap_or_else(|| (k, self.body_pose(k))));
                    values[usize::from(i)]
                }
                Source::Reaction(k, i) => {
                    let known = reaction.filter(|(at, _)| *at == k);
                    let (_, wrench) = *reaction.insert(known.unwrap_or_else(|| (k, self.reaction(k))));
                    wrench[usize::from(i)]
                }
                Source::Frame(f, i) => {
                    let known = frame.filter(|(at, ..)| *at == f);
                    let (_, motion, q) = *frame.insert(known.unwrap_or_else(|| self.frame(f)));
                    frame_value(&motion, &q, usize::from(i))
                }
            };
        }
    }

    fn body_pose(&self, k: usize) -> [f64; 13] {
        let poses = &self.work.poses;
        let q = quaternion_from_matrix(&poses.rotation[k]);
        let (w, v) = inertial_velocity(poses, k);
        let p = poses.position[k];
        [p[0], p[1], p[2], q[0], q[1], q[2], q[3], w[0], w[1], w[2], v[0], v[1], v[2]]
    }

    fn frame(&self, f: usize) -> (usize, FrameMotion, [f64; 4]) {
        let work = self.work;
        let motion = frame_motion(
            self.model,
            self.state,
            &work.kinematics,
            &work.poses,
            &work.articulated.acceleration,
            &work.articulated.chidot,
            &self.model.frames[f],
        );
        (f, motion, quaternion_from_matrix(&motion.rotation))
    }

    /// Wrench of the first body on the second at the second frame, in its axes.
    fn reaction(&self, k: usize) -> Spatial {
        let (joint, kin) = (&self.model.joints[k], &self.work.kinematics);
        let body = &kin.bodies[k];
        // On the outboard body at its joint frame O, F_k axes.
        let at_hinge = shift_force(&crate::spatial::negate(&body.hinge), &self.work.inverse.joint_force[k]);
        if !joint.swapped {
            let inner = self.mount_rotation(Some(k), joint.inner.attachment, &joint.inner.rotation);
            return rotate_back6(&inner, &at_hinge);
        }
        // The second frame is inboard: opposite wrench, at O⁺ in its axes.
        let in_parent = rotate6(&body.rotation, &negate6(&at_hinge));
        let outer = self.mount_rotation(joint.parent, joint.outer.attachment, &joint.outer.rotation);
        let hinge = crate::spatial::add(&body.from_node, &matrix_vector(&body.rotation, &body.hinge));
        let to_hinge =
            sub(&hinge, &self.mount_arm(joint.parent, joint.outer.attachment, &joint.outer.position));
        rotate_back6(&outer, &shift_force(&to_hinge, &in_parent))
    }

    /// Orientation of a mount in its body frame.
    fn mount_rotation(&self, body: Option<usize>, attachment: usize, rotation: &Matrix3) -> Matrix3 {
        crate::spatial::matrix_product(&self.point_rotation(body, attachment), rotation)
    }

    /// Position of a mount relative to its attachment point, body axes.
    fn mount_arm(&self, body: Option<usize>, attachment: usize, position: &Vector3) -> Vector3 {
        matrix_vector(&self.point_rotation(body, attachment), position)
    }

    fn point_rotation(&self, body: Option<usize>, attachment: usize) -> Matrix3 {
        match body {
            Some(k) if attachment != 0 => {
                let slot = self.model.layout.bodies[k].attachment + attachment;
                self.work.kinematics.attachments[slot].state.rotation
            }
            _ => crate::spatial::identity3(),
        }
    }
}

fn frame_value(motion: &FrameMotion, q: &[f64; 4], i: usize) -> f64 {
    match i {
        0..=2 => motion.position[i],
        3..=6 => q[i - 3],
        7..=12 => motion.velocity[i - 7],
        _ => motion.acceleration[i - 13],
    }
}
