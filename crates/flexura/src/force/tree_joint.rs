//! Laws of the joints of the tree: along their coordinates, onto their speeds.
//!
//! Spherical and free joints carry springs on the rotation vector θ of the
//! joint: potential ½ θ*Kθ, effort −Jr⁻ᵀ K θ, so that energy is exact.

use crate::force::joint_law::{law_effort, spring};
use crate::force::power::AppliedPower;
use crate::model::joint::JointKind;
use crate::model::{Coordinate, Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{
    matrix_from_quaternion, quaternion_log, right_jacobian_inverse, transposed_matrix_vector,
};
use crate::state::State;

/// What the springs of a joint see of its coordinates: q, for orientations the rotation vector θ.
fn spring_positions<S: Scalar>(kind: &JointKind, q: &[S]) -> [S; 6] {
    let mut out = [S::ZERO; 6];
    match kind {
        JointKind::Spherical | JointKind::Free => {
            out[..3].copy_from_slice(&quaternion_log(&[q[0], q[1], q[2], q[3]]));
            out[3..q.len() - 1].copy_from_slice(&q[4..]);
        }
        _ => out[..q.len()].copy_from_slice(q),
    }
    out
}

/// Whether springs act; derivatives over a stiffness of zero are followed where that takes no rotation vector.
fn has_springs<S: Scalar>(kind: &JointKind, coordinates: &[Coordinate]) -> bool {
    let straight = !matches!(kind, JointKind::Spherical | JointKind::Free);
    (S::OVER_CONSTANTS && straight) || coordinates.iter().any(|c| c.stiffness != 0.0)
}

/// Energy of all joint springs (J).
pub(crate) fn spring_energy<S: Scalar>(model: &Model, state: &State<S>) -> S {
    let mut sum = S::ZERO;
    for k in 0..model.joints.len() {
        add_spring_energy(model, state, k, &mut sum);
    }
    sum
}

/// Adds the energy of the springs of joint `k` (J).
pub(crate) fn add_spring_energy<S: Scalar>(model: &Model, state: &State<S>, k: usize, sum: &mut S) {
    let joint = &model.joints[k];
    if has_springs::<S>(&joint.joint.kind, &joint.coordinates) {
        let positions = spring_positions(&joint.joint.kind, &state.q[layout_of(model, k).joint_q()]);
        for (c, &position) in joint.coordinates.iter().zip(&positions) {
            *sum += spring(c, position).energy;
        }
    }
}

/// Efforts −∂V/∂(speed) of the springs of one joint.
fn spring_efforts<S: Scalar>(kind: &JointKind, coordinates: &[Coordinate], q: &[S], efforts: &mut [S; 6]) {
    let positions = spring_positions(kind, q);
    for (i, c) in coordinates.iter().enumerate() {
        efforts[i] = spring(c, positions[i]).effort;
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
        let r = matrix_from_quaternion(&[q[0], q[1], q[2], q[3]]);
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
    forces: &mut [S],
    power: &mut AppliedPower<S>,
) {
    let (part, joint) = (layout_of(model, k), &model.joints[k]);
    let mut springs = [S::ZERO; 6];
    if has_springs::<S>(&joint.joint.kind, &joint.coordinates) {
        spring_efforts(&joint.joint.kind, &joint.coordinates, &state.q[part.joint_q()], &mut springs);
    }
    for (i, c) in joint.coordinates.iter().enumerate() {
        let u = state.v[part.v + part.modes + i];
        forces[part.modes + i] = law_effort(c, springs[i], u, (state.time, state.side), power);
    }
}
