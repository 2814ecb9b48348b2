//! Values of channels at one instant, in any number type.

use crate::algorithm::closure::{driving_power, reaction};
use crate::algorithm::divide_and_conquer::{Par, totals};
use crate::algorithm::energy::{Energy, Momentum, energy, momentum};
use crate::force::coupler::{evaluate_coupler, wrench_at_loop};
use crate::force::element::evaluate_element;
use crate::force::loop_joint::{added_wrench, frames_of, law_wrench, measured};
use crate::force::power::AppliedPower;
use crate::model::Model;
use crate::model::channel::{Channel, Source};
use crate::model::closure::RowValue;
use crate::motion::observe::{FrameMotion, frame_motion, inertial_acceleration, inertial_velocity};
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Spatial, Vector3, add6, dot6, lift_matrix, lift3, matrix_vector, negate6,
    quaternion_from_matrix, rotate_back6, rotate6, shift_force, shift_motion, sub, sub6,
};
use crate::state::State;
use crate::workspace::Workspace;

/// Everything known about one instant; the workspace must hold an evaluation of `state`.
pub(crate) struct Snapshot<'a, S> {
    model: &'a Model,
    state: &'a State<S>,
    work: &'a Workspace<S>,
    energies: [S; 8],
    powers: [S; 7],
    momentum: Momentum<S>,
}

/// Channels of one frame, joint, body or element are adjacent: the last one is remembered.
pub(crate) struct Cache<S> {
    frame: Option<(usize, FrameMotion<S>, [S; 4])>,
    reaction: Option<(usize, Spatial<S>)>,
    body: Option<(usize, [S; 19])>,
    element: Option<(usize, [S; 9])>,
}

impl<S> Default for Cache<S> {
    fn default() -> Self {
        Self { frame: None, reaction: None, body: None, element: None }
    }
}

/// Efforts, forces, dampers, friction, modal damping, elements, drivers (W).
fn powers<S: Scalar>(work: &Workspace<S>, drivers: S) -> [S; 7] {
    let p = &work.power;
    [p.efforts, p.forces, p.dampers, p.friction, p.modal_damping, p.elements, drivers]
}

/// Sums over the whole system at one instant.
pub(crate) struct Totals<S> {
    energy: Energy<S>,
    momentum: Momentum<S>,
    /// Power of what prescribes motions (W).
    drivers: S,
}

impl<S: Scalar> Totals<S> {
    /// One body after the other.
    fn in_sequence(model: &Model, state: &State<S>, work: &Workspace<S>) -> Self {
        let driving = work.accelerations.driving.iter().zip(&state.v);
        Self {
            energy: energy(model, state, &work.motion, &work.inertias),
            momentum: momentum(model, state, &work.motion, &work.inertias, &[0.0; 3]),
            drivers: driving.fold(work.closure.driver_power, |sum, (&force, &speed)| sum + force * speed),
        }
    }

    /// In the order of the algorithm chosen: along the assembly tree where it divides, on all ranks where there are several.
    pub fn new(model: &Model, state: &State<S>, work: &mut Workspace<S>) -> Self {
        if !S::EVERY_ALGORITHM {
            return Self::in_sequence(model, state, work);
        }
        let Some(mut divided) = work.divided.take() else { return Self::in_sequence(model, state, work) };
        let given = (&work.motion, &work.inertias, &work.accelerations.driving[..]);
        let par = Par::Threads(&divided.threads);
        let (energy, momentum, drivers) = totals(model, state, given, &mut divided.solver, par);
        work.divided = Some(divided);
        Self { energy, momentum, drivers: work.closure.driver_power + drivers }
    }

    /// Energy of the whole system (J).
    pub fn energy(&self) -> S {
        self.energy.total()
    }
}

impl<'a, S: Scalar> Snapshot<'a, S> {
    /// A snapshot; `work_done` since the start and `first_energy` at it give the balance (J).
    pub fn new(
        model: &'a Model,
        state: &'a State<S>,
        work: &'a Workspace<S>,
        work_done: S,
        first_energy: S,
    ) -> Self {
        let totals = Totals::in_sequence(model, state, work);
        Self::with_totals(model, state, work, totals, work_done, first_energy)
    }

    /// The same with sums that are known.
    pub fn with_totals(
        model: &'a Model,
        state: &'a State<S>,
        work: &'a Workspace<S>,
        totals: Totals<S>,
        work_done: S,
        first_energy: S,
    ) -> Self {
        let Totals { energy: e, momentum, drivers } = totals;
        let total = e.total();
        let balance = total - first_energy - work_done;
        Self {
            model,
            state,
            work,
            energies: [e.kinetic, e.gravity, e.elastic, e.springs, e.elements, total, work_done, balance],
            powers: powers(work, drivers),
            momentum,
        }
    }

    /// All energies and the work, and the balance (J).
    pub fn energies(&self) -> ([S; 6], S) {
        let [kinetic, gravity, elastic, springs, elements, _, work, balance] = self.energies;
        ([kinetic, gravity, elastic, springs, elements, work], balance)
    }

    /// Fills `row` with the values of `channels`.
    pub fn fill(&self, channels: &[Channel], row: &mut [S]) {
        let mut cache = Cache::default();
        for (slot, channel) in row.iter_mut().zip(channels) {
            *slot = self.value(channel.source, &mut cache);
        }
    }

    /// The value of one source.
    pub fn value(&self, source: Source, cache: &mut Cache<S>) -> S {
        match source {
            Source::Energy(i) => self.energies[usize::from(i)],
            Source::Power(i) => self.powers[usize::from(i)],
            Source::Momentum(i) if i < 3 => self.momentum.linear[usize::from(i)],
            Source::Momentum(i) => self.momentum.angular[usize::from(i) - 3],
            Source::Coordinate(i) => self.state.q[i],
            Source::Speed(i) => self.state.v[i],
            Source::Acceleration(i) => self.work.accelerations.chidot[i],
            Source::Control(i) => self.work.control.outputs[i],
            Source::ForcePower(i) => self.work.load.force_power[i],
            Source::ForceScale(i) => self.work.load.force_scale[i],
            Source::LoadPower(i) => self.work.load.body_power[i],
            Source::JointPower(k) => self.joint_power(k, &self.work.load.generalized),
            Source::DrivingPower(k) => self.joint_power(k, &self.work.accelerations.driving),
            Source::LoopPower(l) => self.loop_power(l),
            Source::LoopDrivingPower(l) => {
                let (joint, work) = (&self.model.loops[l], self.work);
                driving_power(joint, self.state.time, self.state.side, &work.closure.multipliers)
            }
            Source::Driving(i) => self.work.accelerations.driving[i],
            Source::Body(k, i) => {
                let known = cache.body.filter(|(at, _)| *at == k);
                let (_, values) = *cache.body.insert(known.unwrap_or_else(|| (k, self.body_pose(k))));
                values[usize::from(i)]
            }
            Source::Reaction(k, i) => {
                let known = cache.reaction.filter(|(at, _)| *at == k);
                let (_, wrench) = *cache.reaction.insert(known.unwrap_or_else(|| (k, self.reaction(k))));
                wrench[usize::from(i)]
            }
            Source::Frame(f, i) => {
                let known = cache.frame.filter(|(at, ..)| *at == f);
                let (_, motion, q) = *cache.frame.insert(known.unwrap_or_else(|| self.frame(f)));
                frame_value(&motion, &q, usize::from(i))
            }
            Source::Element(e, i) => {
                let known = cache.element.filter(|(at, _)| *at == e);
                let (_, values) = *cache.element.insert(known.unwrap_or_else(|| (e, self.element(e))));
                values[usize::from(i)]
            }
            Source::LoopCoordinate(l, i) => {
                self.loop_coordinate(l, usize::from(i)).map_or(S::ZERO, |row| row.value)
            }
            Source::LoopSpeed(l, i) => {
                self.loop_coordinate(l, usize::from(i)).map_or(S::ZERO, |row| row.rate)
            }
            Source::LoopReaction(l, i) => self.loop_reaction(l)[usize::from(i)],
            Source::NormalForce(l) => {
                let disc = self.model.loops[l].rolling_disc();
                disc.map_or(S::ZERO, |(_, row)| self.work.closure.multipliers[row])
            }
            Source::Constraint(0) => self.work.closure.largest_residual(),
            Source::Constraint(_) => self.work.closure.largest_rate(),
            Source::Coupler(c, i) => {
                let (work, coupler) = (self.work, &self.model.couplers[c]);
                let force = evaluate_coupler(self.model, self.state, &work.motion, coupler);
                [force.deflection, force.effort, force.energy, force.power][usize::from(i)]
            }
        }
    }

    /// Power of generalised forces on the speeds of joint `k` (W).
    fn joint_power(&self, k: usize, forces: &[S]) -> S {
        let range = self.model.layout.bodies[k].joint_v();
        range.fold(S::ZERO, |sum, i| sum + forces[i] * self.state.v[i])
    }

    fn body_pose(&self, k: usize) -> [S; 19] {
        let (poses, found) = (&self.work.motion.poses, &self.work.accelerations);
        let motion = &self.work.motion;
        let a = inertial_acceleration(self.model, motion, &found.acceleration, &found.chidot, k);
        let q = quaternion_from_matrix(&poses.rotation[k]);
        let (w, v) = inertial_velocity(poses, k);
        let p = poses.position[k];
        [
            p[0], p[1], p[2], q[0], q[1], q[2], q[3], w[0], w[1], w[2], v[0], v[1], v[2], a[0], a[1], a[2],
            a[3], a[4], a[5],
        ]
    }

    /// Wrench on the second frame, inertial axes, then measure, energy and power.
    fn element(&self, e: usize) -> [S; 9] {
        let (work, element) = (self.work, &self.model.elements[e]);
        let (force, _) = evaluate_element(self.model, self.state, &work.motion, element);
        let force =
            if element.kind.effort().is_some() { force.times(work.load.element_input[e]) } else { force };
        let w = &force.wrench;
        [w[0], w[1], w[2], w[3], w[4], w[5], force.measure, force.energy, force.power]
    }

    fn frame(&self, f: usize) -> (usize, FrameMotion<S>, [S; 4]) {
        let work = self.work;
        let motion = frame_motion(
            self.model,
            self.state,
            &work.motion,
            &work.accelerations.acceleration,
            &work.accelerations.chidot,
            &self.model.frames[f],
        );
        (f, motion, quaternion_from_matrix(&motion.rotation))
    }

    /// Coordinate of a joint that closes a loop, measured between its frames.
    fn loop_coordinate(&self, l: usize, index: usize) -> Option<RowValue<S>> {
        let (joint, work) = (&self.model.loops[l], self.work);
        let frames = frames_of(self.model, self.state, &work.motion, joint);
        measured(self.state, &frames, joint, index)
    }

    /// Both frames of a joint that closes a loop, and the wrench of its laws and couplers on the second, inertial axes.
    fn applied_at_loop(&self, l: usize) -> ([FrameMotion<S>; 2], Spatial<S>) {
        let (joint, work) = (&self.model.loops[l], self.work);
        let frames = frames_of(self.model, self.state, &work.motion, joint);
        let mut power = AppliedPower::ZERO;
        let laws = law_wrench(self.state, joint, &frames, &mut power);
        let coupled = wrench_at_loop(self.model, self.state, &work.motion, l);
        let mut applied = add6(&laws[0], &coupled);
        if !work.load.loop_efforts.is_empty() {
            applied = add6(&applied, &added_wrench(self.state, joint, l, &frames, &work.load));
        }
        (frames, applied)
    }

    /// Power of the laws and couplers of a joint that closes a loop: on the motion of its second frame seen from the first (W).
    fn loop_power(&self, l: usize) -> S {
        let ([first, second], applied) = self.applied_at_loop(l);
        let arm = sub(&second.position, &first.position);
        dot6(&applied, &sub6(&second.velocity, &shift_motion(&arm, &first.velocity)))
    }

    /// Wrench of the first body on the second at the second frame, in its axes: reaction and laws.
    fn loop_reaction(&self, l: usize) -> Spatial<S> {
        let (joint, work) = (&self.model.loops[l], self.work);
        let (frames, applied) = self.applied_at_loop(l);
        let wrench = add6(&reaction(&work.closure, joint)[0], &applied);
        rotate_back6(&frames[1].rotation, &wrench)
    }

    /// Wrench of the first body on the second at the second frame, in its axes.
    fn reaction(&self, k: usize) -> Spatial<S> {
        let (joint, kin) = (&self.model.joints[k], &self.work.motion.kinematics);
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
    fn mount_rotation(&self, body: Option<usize>, attachment: usize, rotation: &Matrix3) -> Matrix3<S> {
        crate::spatial::matrix_product(&self.point_rotation(body, attachment), &lift_matrix(rotation))
    }

    /// Position of a mount relative to its attachment point, body axes.
    fn mount_arm(&self, body: Option<usize>, attachment: usize, position: &Vector3) -> Vector3<S> {
        matrix_vector(&self.point_rotation(body, attachment), &lift3(position))
    }

    fn point_rotation(&self, body: Option<usize>, attachment: usize) -> Matrix3<S> {
        match body {
            Some(k) if attachment != 0 => {
                let slot = self.model.layout.bodies[k].attachment + attachment;
                self.work.motion.kinematics.attachments[slot].state.rotation
            }
            _ => crate::spatial::identity3(),
        }
    }
}

fn frame_value<S: Scalar>(motion: &FrameMotion<S>, q: &[S; 4], i: usize) -> S {
    match i {
        0..=2 => motion.position[i],
        3..=6 => q[i - 3],
        7..=12 => motion.velocity[i - 7],
        _ => motion.acceleration[i - 13],
    }
}
