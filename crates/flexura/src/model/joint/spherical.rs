//! Spherical joint: q = quaternion (w, x, y, z), O → O⁺; u = angular velocity of
//! O relative to O⁺ in O components.

use super::JointMotion;
use crate::scalar::Scalar;
use crate::spatial::{
    cross, matrix_from_quaternion, quaternion_exp, quaternion_product, right_jacobian_inverse,
};

#[inline(always)]
pub(super) fn evaluate<S: Scalar>(q: &[S], u: &[S], out: &mut JointMotion<S>) {
    out.rotation = matrix_from_quaternion(&[q[0], q[1], q[2], q[3]]);
    out.translation = [S::ZERO; 3];
    (out.velocity, out.bias) = ([S::ZERO; 6], [S::ZERO; 6]);
    for i in 0..3 {
        out.columns[i] = [S::ZERO; 6];
        out.columns[i][i] = S::ONE;
        out.velocity[i] = u[i];
    }
}

/// `q` = `start` exp(step), normalised.
pub(super) fn retract<S: Scalar>(start: &[S], step: &[S], q: &mut [S]) {
    let turn = quaternion_exp(&[step[0], step[1], step[2]]);
    let product = quaternion_product(&[start[0], start[1], start[2], start[3]], &turn);
    let norm2 = product.iter().fold(S::ZERO, |sum, &x| sum + x * x);
    let inverse = S::ONE / norm2.sqrt();
    for i in 0..4 {
        q[i] = product[i] * inverse;
    }
}

pub(super) fn increment_rate<S: Scalar>(step: &[S], u: &[S], rate: &mut [S]) {
    let value = right_jacobian_inverse(&[step[0], step[1], step[2]], &[u[0], u[1], u[2]]);
    rate[..3].copy_from_slice(&value);
}

/// θ̇ = u − u × θ for the turn θ from a motion to its neighbour.
pub(super) fn disturbance_rate<S: Scalar>(step: &[S], u: &[S], rate: &mut [S]) {
    let turning = cross(&[step[0], step[1], step[2]], &[u[0], u[1], u[2]]);
    for i in 0..3 {
        rate[i] = u[i] + turning[i];
    }
}
