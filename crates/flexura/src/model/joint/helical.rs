//! Helical (screw) joint: q = [angle]; p = pitch q a.

use super::{JointMotion, revolute};
use crate::scalar::Scalar;
use crate::spatial::{Vector3, join, lift3, scale};

#[inline(always)]
pub(super) fn evaluate<S: Scalar>(axis: &Vector3, pitch: f64, q: &[S], u: &[S], out: &mut JointMotion<S>) {
    let a = lift3(axis);
    let advance = lift3(&axis.map(|x| pitch * x));
    out.rotation = revolute::rotation(&a, q[0]);
    out.translation = scale(q[0], &advance);
    out.columns[0] = join(&a, &advance);
    out.velocity = join(&scale(u[0], &a), &scale(u[0], &advance));
    out.bias = [S::ZERO; 6];
}
