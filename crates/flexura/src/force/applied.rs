//! Fills a [`Load`] from the laws of joints, modal damping, applied forces and
//! force elements, and says what power each of them has.

use crate::force::body::add_body_load;
use crate::force::power::AppliedPower;
use crate::force::tree_joint::joint_efforts;
use crate::model::{AppliedForce, Model, layout_of};
use crate::motion::Motion;
use crate::motion::kinematics::referred_influence;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, add6, dot6, lift_matrix, lift3, matrix_product, matrix_vector, shift_force, shift_motion,
};
use crate::state::{Felt, Load, State};

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
        joint_efforts(model, state, k, forces, &mut power);
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
    add_items(model, state, motion, load, power);
    crate::force::loop_joint::add_loop_laws(model, state, motion, load, power);
}

/// The same without the laws of joints that close loops; what each item does is left in `load`.
pub(crate) fn add_items<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    load: &mut Load<S>,
    power: &mut AppliedPower<S>,
) {
    load.points.fill([S::ZERO; 6]);
    for (index, force) in model.forces.iter().enumerate() {
        let factor = S::sampled(force.scale_at(state.time, state.side));
        load.force_scale[index] = factor;
        load.force_power[index] = match model.frames[force.frame.0].body {
            Some(body) => add_force(model, motion, force, factor, &mut load.of_body(model, body.0)),
            None => S::ZERO,
        };
        power.forces += load.force_power[index];
    }
    for (index, body_load) in model.loads.iter().enumerate() {
        let factor = S::sampled(body_load.scale_at(state.time, state.side));
        load.body_scale[index] = factor;
        let mut felt = load.of_body(model, body_load.body.0);
        load.body_power[index] = add_body_load(model, state, motion, body_load, factor, &mut felt);
        power.forces += load.body_power[index];
    }
    power.elements = crate::force::element::add_elements(model, state, motion, load);
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
    let none = *damping == crate::model::body::ModalMatrix::Zero && !S::OVER_CONSTANTS;
    if part.modes == 0 || none {
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

/// Adds `factor` times one applied wrench to what its body feels; returns its power.
pub(crate) fn add_force<S: Scalar>(
    model: &Model,
    motion: &Motion<S>,
    force: &AppliedForce,
    factor: S,
    felt: &mut Felt<'_, S>,
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
    apply_wrench(model, motion, k, index, &shift_force(&arm, &in_body), felt)
}

/// Adds a wrench at attachment `index` of body `k`, body components; returns its power.
pub(crate) fn apply_wrench<S: Scalar>(
    model: &Model,
    motion: &Motion<S>,
    k: usize,
    index: usize,
    wrench: &Spatial<S>,
    felt: &mut Felt<'_, S>,
) -> S {
    let (kin, poses) = (&motion.kinematics, &motion.poses);
    let part = layout_of(model, k);
    let point = &kin.attachments[part.attachment + index].state;
    for (r, column) in referred_influence(model, kin, k, index).iter().enumerate() {
        felt.generalized[r] += dot6(column, wrench);
    }
    *felt.wrench = add6(felt.wrench, &shift_force(&point.position, wrench));
    if let Some(kept) = felt.points.get_mut(index) {
        *kept = add6(kept, wrench);
    }
    let velocity = add6(&shift_motion(&point.position, &poses.velocity[k]), &point.rate);
    dot6(&velocity, wrench)
}
