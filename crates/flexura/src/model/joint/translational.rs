//! Translational joint: q = position of O in O⁺, u = q̇; orientation is kept.
//! Carries point masses (3-dof particles).

use super::JointMotion;
use crate::scalar::Scalar;

#[inline(always)]
pub(super) fn evaluate<S: Scalar>(q: &[S], u: &[S], out: &mut JointMotion<S>) {
    *out = JointMotion::at_rest();
    for i in 0..3 {
        out.translation[i] = q[i];
        out.columns[i][i + 3] = S::ONE;
        out.velocity[i + 3] = u[i];
    }
}
