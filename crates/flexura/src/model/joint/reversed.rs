//! Exchanges the two frames of an evaluated joint.
//!
//! Forward: frame B moves relative to A with pose (R, p), velocity (ω, ṗ) and
//! acceleration bias (ω̇, p̈) seen from A. Reversed, A moves relative to B:
//! R' = Rᵀ, p' = −Rᵀp, and in A components
//! ω' = −ω, v' = −(ṗ − ω×p), ω̇' = −ω̇, p̈' = −(p̈ − ω̇×p − 2ω×ṗ + ω×(ω×p)).

use super::JointMotion;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, Vector3, add, angular, cross, join, linear, negate, negate6, rotate6, scale, sub, transposed,
    transposed_matrix_vector,
};

pub(super) fn reverse<S: Scalar>(degrees_of_freedom: usize, motion: &mut JointMotion<S>) {
    let (r, p) = (motion.rotation, motion.translation);
    let opposite = |column: &Spatial<S>| -> Spatial<S> {
        let in_a = rotate6(&r, column);
        let w: Vector3<S> = angular(&in_a);
        negate6(&join(&w, &sub(&linear(&in_a), &cross(&w, &p))))
    };
    let velocity = rotate6(&r, &motion.velocity);
    let (w, p_rate) = (angular(&velocity), linear(&velocity));
    let bias = rotate6(&r, &motion.bias);
    let (w_rate, p_second) = (angular(&bias), linear(&bias));
    let coriolis = scale(S::from_f64(2.0), &cross(&w, &p_rate));
    let centripetal = cross(&w, &cross(&w, &p));
    let linear_bias = add(&sub(&sub(&p_second, &cross(&w_rate, &p)), &coriolis), &centripetal);
    for column in motion.columns.iter_mut().take(degrees_of_freedom) {
        *column = opposite(column);
    }
    motion.velocity = opposite(&motion.velocity);
    motion.bias = negate6(&join(&w_rate, &linear_bias));
    motion.translation = negate(&transposed_matrix_vector(&r, &p));
    motion.rotation = transposed(&r);
}
