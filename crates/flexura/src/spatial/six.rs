//! Spatial 6-vectors [angular; linear] and their change of reference point.
//!
//! With `phi(l) = [1 l~; 0 1]` (JPL 90-26 eq. 3.8), `shift_force` applies
//! `phi(l)` and `shift_motion` applies `phi(l)ᵀ`.
//!
//! Typeset: book/src/theory/conventions.md (CF.1), (CF.2).

use super::three::{Matrix3, Vector3, add, cross, dot, matrix_vector, sub, transposed_matrix_vector};
use crate::scalar::Scalar;

/// A spatial vector, [angular; linear] or [moment; force].
#[doc(hidden)]
pub type Spatial<S = f64> = [S; 6];

/// The first three components.
#[inline(always)]
#[doc(hidden)]
pub fn angular<S: Scalar>(a: &Spatial<S>) -> Vector3<S> {
    [a[0], a[1], a[2]]
}

/// The last three components.
#[inline(always)]
#[doc(hidden)]
pub fn linear<S: Scalar>(a: &Spatial<S>) -> Vector3<S> {
    [a[3], a[4], a[5]]
}

/// A spatial vector from its halves.
#[inline(always)]
#[doc(hidden)]
pub fn join<S: Scalar>(a: &Vector3<S>, l: &Vector3<S>) -> Spatial<S> {
    [a[0], a[1], a[2], l[0], l[1], l[2]]
}

/// a + b.
#[inline(always)]
#[doc(hidden)]
pub fn add6<S: Scalar>(a: &Spatial<S>, b: &Spatial<S>) -> Spatial<S> {
    std::array::from_fn(|i| a[i] + b[i])
}

/// a − b.
#[inline(always)]
#[doc(hidden)]
pub fn sub6<S: Scalar>(a: &Spatial<S>, b: &Spatial<S>) -> Spatial<S> {
    std::array::from_fn(|i| a[i] - b[i])
}

/// −a.
#[inline(always)]
#[doc(hidden)]
pub fn negate6<S: Scalar>(a: &Spatial<S>) -> Spatial<S> {
    std::array::from_fn(|i| -a[i])
}

/// s a.
#[inline(always)]
#[doc(hidden)]
pub fn scale6<S: Scalar>(s: S, a: &Spatial<S>) -> Spatial<S> {
    std::array::from_fn(|i| s * a[i])
}

/// Scalar product (power when one is a motion and the other a force).
#[inline(always)]
#[doc(hidden)]
pub fn dot6<S: Scalar>(a: &Spatial<S>, b: &Spatial<S>) -> S {
    dot(&angular(a), &angular(b)) + dot(&linear(a), &linear(b))
}

/// The force `f` acting at a point y, referred to x, where `l` = vector from x to y.
#[inline(always)]
#[doc(hidden)]
pub fn shift_force<S: Scalar>(l: &Vector3<S>, f: &Spatial<S>) -> Spatial<S> {
    let force = linear(f);
    join(&add(&angular(f), &cross(l, &force)), &force)
}

/// The motion `m` of a point x, carried to y, where `l` = vector from x to y.
#[inline(always)]
#[doc(hidden)]
pub fn shift_motion<S: Scalar>(l: &Vector3<S>, m: &Spatial<S>) -> Spatial<S> {
    let w = angular(m);
    join(&w, &sub(&linear(m), &cross(l, &w)))
}

/// Both halves multiplied by `r`.
#[inline(always)]
#[doc(hidden)]
pub fn rotate6<S: Scalar>(r: &Matrix3<S>, a: &Spatial<S>) -> Spatial<S> {
    join(&matrix_vector(r, &angular(a)), &matrix_vector(r, &linear(a)))
}

/// Both halves multiplied by the transpose of `r`.
#[inline(always)]
#[doc(hidden)]
pub fn rotate_back6<S: Scalar>(r: &Matrix3<S>, a: &Spatial<S>) -> Spatial<S> {
    join(&transposed_matrix_vector(r, &angular(a)), &transposed_matrix_vector(r, &linear(a)))
}
