//! Free joint: q = [quaternion; position in O⁺], u = [ω; v] of O relative to O⁺
//! in O components (v = Rᵀ ṗ). Bias Δω × Δv because Δv is constant in O.

use super::{JointMotion, spherical};
use crate::scalar::Scalar;
use crate::spatial::{
    angular, cross, dot, exp_coefficients, join, linear, matrix_from_quaternion, matrix_vector,
};

#[inline(always)]
pub(super) fn evaluate<S: Scalar>(q: &[S], u: &[S], out: &mut JointMotion<S>) {
    *out = JointMotion::at_rest();
    out.rotation = matrix_from_quaternion(&[q[0], q[1], q[2], q[3]]);
    out.translation = [q[4], q[5], q[6]];
    for i in 0..6 {
        out.columns[i][i] = S::ONE;
        out.velocity[i] = u[i];
    }
    out.bias = join(&[S::ZERO; 3], &cross(&angular(&out.velocity), &linear(&out.velocity)));
}

pub(super) fn retract<S: Scalar>(start: &[S], step: &[S], q: &mut [S]) {
    spherical::retract(&start[..4], &step[..3], &mut q[..4]);
    for i in 0..3 {
        q[4 + i] = start[4 + i] + step[3 + i];
    }
}

/// SE(3) exponential: p += R₀ Jl(θ) v for the twist (θ, v) in O components.
pub(super) fn move_by_twist<S: Scalar>(start: &[S], twist: &[S], q: &mut [S]) {
    spherical::retract(&start[..4], &twist[..3], &mut q[..4]);
    let theta = [twist[0], twist[1], twist[2]];
    let v = [twist[3], twist[4], twist[5]];
    let e = exp_coefficients(dot(&theta, &theta));
    let first = cross(&theta, &v);
    let second = cross(&theta, &first);
    let path = std::array::from_fn(|i| v[i] + e.b * first[i] + e.c * second[i]);
    let turned = matrix_vector(&matrix_from_quaternion(&[start[0], start[1], start[2], start[3]]), &path);
    for i in 0..3 {
        q[4 + i] = start[4 + i] + turned[i];
    }
}

pub(super) fn increment_rate<S: Scalar>(q: &[S], step: &[S], u: &[S], rate: &mut [S]) {
    spherical::increment_rate(step, u, rate);
    let r = matrix_from_quaternion(&[q[0], q[1], q[2], q[3]]);
    rate[3..6].copy_from_slice(&matrix_vector(&r, &[u[3], u[4], u[5]]));
}

/// The shift s of a neighbour in O components: ṡ = v − ω × s − v × θ.
pub(super) fn disturbance_rate<S: Scalar>(step: &[S], u: &[S], rate: &mut [S]) {
    spherical::disturbance_rate(step, u, rate);
    let (turn, shift) = ([step[0], step[1], step[2]], [step[3], step[4], step[5]]);
    let carried = cross(&turn, &[u[3], u[4], u[5]]);
    let turning = cross(&shift, &[u[0], u[1], u[2]]);
    for i in 0..3 {
        rate[3 + i] = u[3 + i] + carried[i] + turning[i];
    }
}
