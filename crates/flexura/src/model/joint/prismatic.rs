//! Prismatic joint: q = [displacement], u = [speed]; p = q a.

use super::JointMotion;
use crate::scalar::Scalar;
use crate::spatial::{Vector3, identity3, join, lift3, scale};

#[inline(always)]
pub(super) fn evaluate<S: Scalar>(axis: &Vector3, q: &[S], u: &[S], out: &mut JointMotion<S>) {
    let a = lift3(axis);
    let zero = [S::ZERO; 3];
    out.rotation = identity3();
    out.translation = scale(q[0], &a);
    out.columns[0] = join(&zero, &a);
    out.velocity = join(&zero, &scale(u[0], &a));
    out.bias = [S::ZERO; 6];
}
