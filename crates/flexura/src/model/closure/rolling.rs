//! Rows of joints that are not holonomic: a disc that rolls on a plane, an edge that does not slip sideways.
//!
//! Source: Neimark and Fufaev, Dynamics of Nonholonomic Systems (1972), chapters I and II, for disc and sleigh. With R and r the
//! orientation and position of the second frame in the first, ω and ṙ their rates, c = R a the axis of the disc, n the
//! normal of the plane, ρ the radius, s = |n − (n·c)c| and
//!
//! p = −ρ (n − (n·c) c)/s
//!
//! the way from the centre to the contact, the point of the disc at the contact has the velocity w = ṙ + ω × p, and
//!
//! | row | value | rate | ∂rate/∂ω | ∂rate/∂ṙ |
//! |---|---|---|---|---|
//! | touch | n·r − ρ s | n·w | p × n | n |
//! | slip along t | none | t·w | p × t | t |
//! | sideways along b = R a | none | b·ṙ | 0 | b |
//!
//! The rate of the first is that of its value, because ṡ = −n·(ω × p)/ρ. Reactions of the first three are forces at the
//! contact. A disc that lies flat, s = 0, has no lowest point: it is refused (`constraint/nonholonomic.rs`). Cost O(1).
//!
//! Typeset: book/src/theory/loops.md (LO.7), (LO.8).

use super::rows::{RelativeMotion, RowValue};
use crate::scalar::Scalar;
use crate::spatial::{
    Vector3, add, angular, cross, dot, join, lift3, linear, matrix_vector, norm, scale, sub,
};

/// A disc and the plane it rolls on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Disc {
    /// Radius (m).
    pub radius: f64,
    /// Unit axis, fixed in the second frame.
    pub axis: Vector3,
    /// Unit normal of the plane, fixed in the first frame.
    pub normal: Vector3,
}

/// Where a disc touches.
struct Contact<S> {
    /// s, the sine of the angle between axis and normal.
    sine: S,
    /// p (m).
    arm: Vector3<S>,
    /// ṗ (m/s): the contact moves over the disc.
    arm_rate: Vector3<S>,
}

impl Disc {
    /// s at a pose: zero where the disc lies flat.
    pub fn sine<S: Scalar>(&self, motion: &RelativeMotion<S>) -> f64 {
        let axis = matrix_vector(&motion.rotation, &lift3::<S>(&self.axis));
        norm(&cross(&lift3(&self.normal), &axis)).value()
    }

    fn contact<S: Scalar>(&self, motion: &RelativeMotion<S>) -> Contact<S> {
        let (n, omega) = (lift3::<S>(&self.normal), angular(&motion.velocity));
        let axis = matrix_vector(&motion.rotation, &lift3(&self.axis));
        let axis_rate = cross(&omega, &axis);
        let (cosine, cosine_rate) = (dot(&n, &axis), dot(&n, &axis_rate));
        let steepest = sub(&n, &scale(cosine, &axis));
        // Not from 1 − cosine², which loses half the digits near an upright axis.
        let sine = norm(&steepest);
        if sine.value() == 0.0 {
            return Contact { sine, arm: [S::ZERO; 3], arm_rate: [S::ZERO; 3] };
        }
        let inverse = S::ONE / sine;
        let up = scale(inverse, &steepest);
        let sine_rate = -(cosine * cosine_rate * inverse);
        let steepest_rate = add(&scale(cosine_rate, &axis), &scale(cosine, &axis_rate));
        let up_rate = scale(-inverse, &add(&steepest_rate, &scale(sine_rate, &up)));
        let radius = S::from_f64(-self.radius);
        Contact { sine, arm: scale(radius, &up), arm_rate: scale(radius, &up_rate) }
    }

    /// d·w with its gradient and its time derivative.
    fn velocity_at_contact<S: Scalar>(
        &self,
        contact: &Contact<S>,
        direction: &Vector3,
        motion: &RelativeMotion<S>,
    ) -> RowValue<S> {
        let d = lift3::<S>(direction);
        let (omega, slide) = (angular(&motion.velocity), linear(&motion.velocity));
        let (alpha, pull) = (angular(&motion.acceleration), linear(&motion.acceleration));
        let turned = add(&cross(&alpha, &contact.arm), &cross(&omega, &contact.arm_rate));
        RowValue {
            value: S::ZERO,
            gradient: join(&cross(&contact.arm, &d), &d),
            rate: dot(&d, &add(&slide, &cross(&omega, &contact.arm))),
            acceleration: dot(&d, &add(&pull, &turned)),
        }
    }
}

/// n·r − ρ s.
pub(super) fn touch<S: Scalar>(disc: &Disc, motion: &RelativeMotion<S>) -> RowValue<S> {
    let contact = disc.contact(motion);
    let mut row = disc.velocity_at_contact(&contact, &disc.normal, motion);
    row.value = dot(&lift3(&disc.normal), &motion.position) - contact.sine * disc.radius;
    row
}

/// t·w.
pub(super) fn slip<S: Scalar>(disc: &Disc, direction: &Vector3, motion: &RelativeMotion<S>) -> RowValue<S> {
    disc.velocity_at_contact(&disc.contact(motion), direction, motion)
}

/// b·ṙ with b = R a.
pub(super) fn sideways<S: Scalar>(axis: &Vector3, motion: &RelativeMotion<S>) -> RowValue<S> {
    let axis = matrix_vector(&motion.rotation, &lift3::<S>(axis));
    let (omega, slide) = (angular(&motion.velocity), linear(&motion.velocity));
    RowValue {
        value: S::ZERO,
        gradient: join(&[S::ZERO; 3], &axis),
        rate: dot(&axis, &slide),
        acceleration: dot(&cross(&omega, &axis), &slide) + dot(&axis, &linear(&motion.acceleration)),
    }
}
