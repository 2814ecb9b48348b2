//! Fills a [`Load`] from springs, dampers, friction, efforts, applied forces and
//! force elements, and says what power each of them has.
//!
//! Spherical and free joints carry springs on the rotation vector θ of the
//! joint: potential ½ θ*Kθ, effort −Jr⁻ᵀ K θ, so that energy is exact.

use crate::force::body::add_body_load;
use crate::model::joint::JointKind;
use crate::model::{AppliedForce, Coordinate, Model, layout_of};
use crate::motion::Motion;
use crate::motion::kinematics::referred_influence;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, add6, dot6, lift_matrix, lift3, matrix_product, matrix_vector, quaternion_log,
    right_jacobian_inverse, shift_force, shift_motion, transposed_matrix_vector,
};
use crate::state::Load;
use crate::state::State;

/// Power of the forces that are not derived from a potential (W).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AppliedPower<S = f64> {
    /// Joint actuators.
    pub efforts: S,
    /// Applied forces at frames and loads on bodies.
    pub forces: S,
    /// Joint dampers (never positive).
    pub dampers: S,
    /// Joint friction (never positive).
    pub friction: S,
    /// Modal damping (never positive).
    pub modal_damping: S,
    /// What force elements do not store; positive only where a moving medium drives a drag.
    pub elements: S,
}

impl<S: Scalar> AppliedPower<S> {
    /// No power.
    pub const ZERO: Self = Self {
        efforts: S::ZERO,
        forces: S::ZERO,
        dampers: S::ZERO,
        friction: S::ZERO,
        modal_damping: S::ZERO,
        elements: S::ZERO,
    };

    /// The powers of two sets of forces together.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self {
            efforts: self.efforts + other.efforts,
            forces: self.forces + other.forces,
            dampers: self.dampers + other.dampers,
            friction: self.friction + other.friction,
            modal_damping: self.modal_damping + other.modal_damping,
            elements: self.elements + other.elements,
        }
    }

    /// Sum of all parts.
    pub fn total(&self) -> S {
        self.efforts + self.forces + self.dampers + self.friction + self.modal_damping + self.elements
    }
}

/// Whether `poses` are needed to fill loads: for applied forces (axes and power) and for elements.
pub(crate) fn needs_poses(model: &Model) -> bool {
    !model.forces.is_empty() || !model.elements.is_empty() || !model.loads.is_empty()
}

/// Fills `load` (forces only) at `state` and returns the power of each kind.
pub(crate) fn fill_load<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    load: &mut Load<S>,
) -> AppliedPower<S> {
    load.clear();
    let mut power = AppliedPower::ZERO;
    for k in 0..model.body_count() {
        let forces = &mut load.generalized[layout_of(model, k).speeds()];
        joint_efforts(model, state, k, load.before, forces, &mut power);
        modal_damping(model, state, k, forces, &mut power);
    }
    add_forces(model, state, motion, load, &mut power);
    power
}

/// Adds what acts at frames, over bodies and between bodies.
pub(crate) fn add_forces<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    load: &mut Load<S>,
    power: &mut AppliedPower<S>,
) {
    load.points.fill([S::ZERO; 6]);
    for (index, force) in model.forces.iter().enumerate() {
        let factor = S::from_f64(force.scale_at(state.time, load.before));
        load.force_scale[index] = factor;
        load.force_power[index] = add_force(model, motion, force, factor, load);
        power.forces += load.force_power[index];
    }
    for (index, body_load) in model.loads.iter().enumerate() {
        let factor = S::from_f64(body_load.scale_at(state.time, load.before));
        load.body_scale[index] = factor;
        load.body_power[index] = add_body_load(model, state, motion, body_load, factor, load);
        power.forces += load.body_power[index];
    }
    power.elements = crate::force::element::add_elements(model, state, motion, load);
    crate::force::loop_joint::add_loop_laws(model, state, motion, load, power);
}

/// Spring deflection of each rotational or sliding direction of a joint: (θ or q − rest).
fn deflection<S: Scalar>(kind: &JointKind, coordinates: &[Coordinate], q: &[S], out: &mut [S; 6]) {
    let rest = |i: usize| S::from_f64(coordinates[i].rest);
    match kind {
        JointKind::Spherical | JointKind::Free => {
            let theta = quaternion_log(&[q[0], q[1], q[2], q[3]]);
            for i in 0..3 {
                out[i] = theta[i] - rest(i);
            }
            for i in 4..q.len() {
                out[i - 1] = q[i] - rest(i - 1);
            }
        }
        _ => {
            for i in 0..q.len() {
                out[i] = q[i] - rest(i);
            }
        }
    }
}

fn has_springs(coordinates: &[Coordinate]) -> bool {
    coordinates.iter().any(|c| c.stiffness != 0.0)
}

/// Energy of all joint springs (J).
pub(crate) fn spring_energy<S: Scalar>(model: &Model, state: &State<S>) -> S {
    let mut sum = S::ZERO;
    for (k, joint) in model.joints.iter().enumerate() {
        if has_springs(&joint.coordinates) {
            let part = layout_of(model, k);
            let mut x = [S::ZERO; 6];
            deflection(&joint.joint.kind, &joint.coordinates, &state.q[part.joint_q()], &mut x);
            for (c, &x) in joint.coordinates.iter().zip(&x) {
                sum += x * x * (0.5 * c.stiffness);
            }
        }
    }
    sum
}

/// Efforts −∂V/∂(speed) of the springs of one joint.
fn spring_efforts<S: Scalar>(kind: &JointKind, coordinates: &[Coordinate], q: &[S], efforts: &mut [S; 6]) {
    let mut x = [S::ZERO; 6];
    deflection(kind, coordinates, q, &mut x);
    for (i, c) in coordinates.iter().enumerate() {
        efforts[i] = -x[i] * c.stiffness;
    }
    let rotational = matches!(kind, JointKind::Spherical | JointKind::Free);
    if rotational {
        // θ̇ = Jr⁻¹(θ) ω, and Jr⁻¹(θ)ᵀ = Jr⁻¹(−θ): map the gradient to speeds.
        let theta = quaternion_log(&[q[0], q[1], q[2], q[3]]);
        let minus = [-theta[0], -theta[1], -theta[2]];
        let mapped = right_jacobian_inverse(&minus, &[efforts[0], efforts[1], efforts[2]]);
        efforts[..3].copy_from_slice(&mapped);
    }
    if matches!(kind, JointKind::Free) {
        // ṗ = R v: translational efforts in O components.
        let r = crate::spatial::matrix_from_quaternion(&[q[0], q[1], q[2], q[3]]);
        let mapped = transposed_matrix_vector(&r, &[efforts[3], efforts[4], efforts[5]]);
        efforts[3..].copy_from_slice(&mapped);
    }
}

/// Efforts of the joint of body `k`; `forces` are those on its speeds, modes first.
#[inline]
pub(crate) fn joint_efforts<S: Scalar>(
    model: &Model,
    state: &State<S>,
    k: usize,
    before: bool,
    forces: &mut [S],
    power: &mut AppliedPower<S>,
) {
    let (part, joint) = (layout_of(model, k), &model.joints[k]);
    let mut springs = [S::ZERO; 6];
    if has_springs(&joint.coordinates) {
        spring_efforts(&joint.joint.kind, &joint.coordinates, &state.q[part.joint_q()], &mut springs);
    }
    for (i, c) in joint.coordinates.iter().enumerate() {
        let u = state.v[part.v + part.modes + i];
        let mut effort = springs[i];
        if c.damping != 0.0 {
            let damper = -u * c.damping;
            power.dampers += damper * u;
            effort += damper;
        }
        if c.friction != 0.0 {
            let friction = -((u * (1.0 / c.friction_speed)).tanh() * c.friction);
            power.friction += friction * u;
            effort += friction;
        }
        if let Some(function) = &c.effort {
            let actuator = S::from_f64(function.sample_side(state.time, before).value);
            power.efforts += actuator * u;
            effort += actuator;
        }
        forces[part.modes + i] = effort;
    }
}

/// Damping of the modes of body `k`; `forces` are those on its speeds, modes first.
#[inline]
pub(crate) fn modal_damping<S: Scalar>(
    model: &Model,
    state: &State<S>,
    k: usize,
    forces: &mut [S],
    power: &mut AppliedPower<S>,
) {
    let part = layout_of(model, k);
    let damping = &model.bodies[k].damping;
    if part.modes == 0 || *damping == crate::model::body::ModalMatrix::Zero {
        return;
    }
    let rate = &state.v[part.modal_v()];
    let out = &mut forces[..part.modes];
    damping.accumulate(rate, out);
    out.iter_mut().for_each(|x| *x = -*x);
    for (&force, &speed) in out.iter().zip(rate) {
        power.modal_damping += force * speed;
    }
}

/// Adds `factor` times one applied wrench; returns its power.
pub(crate) fn add_force<S: Scalar>(
    model: &Model,
    motion: &Motion<S>,
    force: &AppliedForce,
    factor: S,
    load: &mut Load<S>,
) -> S {
    let (kin, poses) = (&motion.kinematics, &motion.poses);
    let frame = &model.frames[force.frame.0];
    let Some(body) = frame.body else { return S::ZERO };
    let wrench = force.wrench.map(|x| factor * x);
    let k = body.0;
    let part = layout_of(model, k);
    let index = frame.mount.attachment;
    let point = &kin.attachments[part.attachment + index].state;
    let in_body = if force.inertial {
        crate::spatial::rotate_back6(&poses.rotation[k], &wrench)
    } else {
        let rotation = matrix_product(&point.rotation, &lift_matrix(&frame.mount.rotation));
        crate::spatial::rotate6(&rotation, &wrench)
    };
    let arm = matrix_vector(&point.rotation, &lift3(&frame.mount.position));
    apply_wrench(model, motion, k, index, &shift_force(&arm, &in_body), load)
}

/// Adds a wrench at attachment `index` of body `k`, body components; returns its power.
pub(crate) fn apply_wrench<S: Scalar>(
    model: &Model,
    motion: &Motion<S>,
    k: usize,
    index: usize,
    wrench: &Spatial<S>,
    load: &mut Load<S>,
) -> S {
    let (kin, poses) = (&motion.kinematics, &motion.poses);
    let part = layout_of(model, k);
    let point = &kin.attachments[part.attachment + index].state;
    for (r, column) in referred_influence(model, kin, k, index).iter().enumerate() {
        load.generalized[part.v + r] += dot6(column, wrench);
    }
    load.wrench[k] = add6(&load.wrench[k], &shift_force(&point.position, wrench));
    if let Some(kept) = load.points.get_mut(part.attachment + index) {
        *kept = add6(kept, wrench);
    }
    let velocity = add6(&shift_motion(&point.position, &poses.velocity[k]), &point.rate);
    dot6(&velocity, wrench)
}
