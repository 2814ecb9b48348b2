//! Cylindrical joint: q = [angle, displacement] about and along one axis.

use super::{JointMotion, revolute};
use crate::scalar::Scalar;
use crate::spatial::{Vector3, join, lift3, scale};

#[inline(always)]
pub(super) fn evaluate<S: Scalar>(axis: &Vector3, q: &[S], u: &[S], out: &mut JointMotion<S>) {
    let a = lift3(axis);
    let zero = [S::ZERO; 3];
    out.rotation = revolute::rotation(&a, q[0]);
    out.translation = scale(q[1], &a);
    out.columns[0] = join(&a, &zero);
    out.columns[1] = join(&zero, &a);
    out.velocity = join(&scale(u[0], &a), &scale(u[1], &a));
    // Spin and slide are parallel, so the bias Δω × Δv vanishes.
    out.bias = [S::ZERO; 6];
}
