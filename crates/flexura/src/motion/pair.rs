//! Two frames: motion of one as seen from the other, and wrenches between them.

use super::observe::FrameMotion;
use crate::model::closure::RelativeMotion;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, Vector3, add, angular, cross, join, linear, matrix_product, matrix_vector, negate6, scale, sub,
    transposed, transposed_matrix_vector,
};

/// Pose, velocity and acceleration of frame `second` in frame `first`, from their inertial motions.
#[inline]
pub fn relative_motion<S: Scalar>(first: &FrameMotion<S>, second: &FrameMotion<S>) -> RelativeMotion<S> {
    let back = |v: &Vector3<S>| transposed_matrix_vector(&first.rotation, v);
    let distance = sub(&second.position, &first.position);
    let (w1, w2) = (angular(&first.velocity), angular(&second.velocity));
    let (al1, al2) = (angular(&first.acceleration), angular(&second.acceleration));
    let slide = sub(&sub(&linear(&second.velocity), &linear(&first.velocity)), &cross(&w1, &distance));
    let carried = add(&cross(&al1, &distance), &cross(&w1, &cross(&w1, &distance)));
    let coriolis = scale(S::from_f64(2.0), &cross(&w1, &slide));
    let pull = sub(&linear(&second.acceleration), &linear(&first.acceleration));
    let turn = sub(&sub(&al2, &al1), &cross(&w1, &w2));
    RelativeMotion {
        rotation: matrix_product(&transposed(&first.rotation), &second.rotation),
        position: back(&distance),
        velocity: join(&back(&sub(&w2, &w1)), &back(&slide)),
        acceleration: join(&back(&turn), &back(&sub(&sub(&pull, &carried), &coriolis))),
    }
}

/// Unit reaction of a row with `gradient`: wrenches on the second and on the first frame, each at its own
/// origin, inertial components.
#[inline]
pub(crate) fn unit_wrenches<S: Scalar>(
    frames: &[FrameMotion<S>; 2],
    gradient: &Spatial<S>,
) -> [Spatial<S>; 2] {
    let turn = |v: &Vector3<S>| matrix_vector(&frames[0].rotation, v);
    let (moment, force) = (turn(&angular(gradient)), turn(&linear(gradient)));
    let distance = sub(&frames[1].position, &frames[0].position);
    let on_first = join(&add(&moment, &cross(&distance, &force)), &force);
    [join(&moment, &force), negate6(&on_first)]
}
