//! Universal joint: q = [angle1, angle2]; R = exp(q1 a1~) exp(q2 a2~) with a1
//! fixed in O⁺ and a2 fixed in O. Bias Δω1 × Δω2 (errata C7 of JPL 90-26).

use super::{JointMotion, revolute};
use crate::scalar::Scalar;
use crate::spatial::{Vector3, add, cross, join, lift3, matrix_product, scale, transposed_matrix_vector};

#[inline(always)]
pub(super) fn evaluate<S: Scalar>(
    axis: &Vector3,
    axis2: &Vector3,
    q: &[S],
    u: &[S],
    out: &mut JointMotion<S>,
) {
    let (a1, a2) = (lift3(axis), lift3(axis2));
    let zero = [S::ZERO; 3];
    let (first, second) = (revolute::rotation(&a1, q[0]), revolute::rotation(&a2, q[1]));
    out.rotation = matrix_product(&first, &second);
    out.translation = zero;
    // a1 is unchanged by the first rotation; in O components it is turned back by the second.
    let a1_in_o = transposed_matrix_vector(&second, &a1);
    out.columns[0] = join(&a1_in_o, &zero);
    out.columns[1] = join(&a2, &zero);
    let (w1, w2) = (scale(u[0], &a1_in_o), scale(u[1], &a2));
    out.velocity = join(&add(&w1, &w2), &zero);
    out.bias = join(&cross(&w1, &w2), &zero);
}
