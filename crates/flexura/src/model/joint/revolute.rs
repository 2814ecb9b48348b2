//! Revolute joint: q = [angle], u = [angular rate]; R = exp(q a~).

use super::JointMotion;
use crate::scalar::Scalar;
use crate::spatial::{Vector3, join, lift3, rotation_from, scale};

/// Rotation by angle `q` about the unit vector `axis`.
#[inline(always)]
pub(super) fn rotation<S: Scalar>(axis: &Vector3<S>, q: S) -> crate::spatial::Matrix3<S> {
    let (sin, cos) = q.sin_cos();
    rotation_from(axis, sin, S::ONE - cos)
}

#[inline(always)]
pub(super) fn evaluate<S: Scalar>(axis: &Vector3, q: &[S], u: &[S], out: &mut JointMotion<S>) {
    let a = lift3(axis);
    let zero = [S::ZERO; 3];
    out.rotation = rotation(&a, q[0]);
    out.translation = zero;
    out.columns[0] = join(&a, &zero);
    out.velocity = join(&scale(u[0], &a), &zero);
    out.bias = [S::ZERO; 6];
}
