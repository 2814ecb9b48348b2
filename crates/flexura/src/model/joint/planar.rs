//! Planar joint: q = [x, y, angle]: translations along x and y of O⁺, then a
//! rotation about z; u = q̇. The translation axes are fixed in O⁺, so Δv turns
//! with O⁺ only and there is no bias.

use super::{JointMotion, revolute};
use crate::scalar::Scalar;
use crate::spatial::{join, transposed_matrix_vector};

#[inline(always)]
pub(super) fn evaluate<S: Scalar>(q: &[S], u: &[S], out: &mut JointMotion<S>) {
    let (o, i) = (S::ZERO, S::ONE);
    let zero = [o; 3];
    out.rotation = revolute::rotation(&[o, o, i], q[2]);
    out.translation = [q[0], q[1], o];
    let x = transposed_matrix_vector(&out.rotation, &[i, o, o]);
    let y = transposed_matrix_vector(&out.rotation, &[o, i, o]);
    out.columns[0] = join(&zero, &x);
    out.columns[1] = join(&zero, &y);
    out.columns[2] = [o, o, i, o, o, o];
    let slide = std::array::from_fn(|k| x[k] * u[0] + y[k] * u[1]);
    out.velocity = join(&[o, o, u[2]], &slide);
    out.bias = [o; 6];
}
