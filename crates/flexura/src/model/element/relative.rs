//! Motion of the second frame seen from the first.

use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Spatial, Vector3, add, angular, cross, dot, lift3, linear, matrix_product, matrix_vector,
    rotation_exp, scale, sub,
};

/// Pose and velocity of a frame in a basis that both frames of an element share.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct FrameState<S = f64> {
    /// Orientation, frame → common basis.
    pub rotation: Matrix3<S>,
    /// Position of the origin (m).
    pub position: Vector3<S>,
    /// Velocity [ω; v] of the origin (rad/s, m/s).
    pub velocity: Spatial<S>,
}

impl FrameState {
    /// Where the frame is after a short time (s), to first order.
    pub fn moved(&self, time: f64) -> Self {
        let (omega, v) = (angular(&self.velocity), linear(&self.velocity));
        let turn = rotation_exp(&scale(time, &omega));
        Self {
            rotation: matrix_product(&turn, &self.rotation),
            position: add(&self.position, &scale(time, &v)),
            velocity: self.velocity,
        }
    }
}

/// Square of the length that keeps a line between coinciding points differentiable (m²).
///
/// The length is √(d·d + ε²) with ε = 1e-9 m: the change of a real length is far
/// below rounding, no direction is divided by zero, and forces remain the exact
/// gradient of the energy.
const SMALLEST_LENGTH_SQUARED: f64 = 1e-18;

/// Relative motion, common basis.
pub(super) struct Relative<S> {
    /// From the first origin to the second (m).
    pub arm: Vector3<S>,
    /// Velocity of the second origin seen from the first frame (m/s).
    pub velocity: Vector3<S>,
    /// Angular velocity seen from the first frame (rad/s).
    pub spin: Vector3<S>,
}

/// The line from the first origin to the second, or an axis that takes its place.
pub(super) struct Line<S> {
    /// Length, or coordinate along the axis (m).
    pub length: S,
    /// Rate of the length (m/s).
    pub rate: S,
    /// From the first to the second, or the axis.
    pub direction: Vector3<S>,
}

impl<S: Scalar> Relative<S> {
    #[inline(always)]
    pub fn new(first: &FrameState<S>, second: &FrameState<S>) -> Self {
        let arm = sub(&second.position, &first.position);
        let carrier = angular(&first.velocity);
        let apart = sub(&linear(&second.velocity), &linear(&first.velocity));
        Self {
            arm,
            velocity: sub(&apart, &cross(&carrier, &arm)),
            spin: sub(&angular(&second.velocity), &carrier),
        }
    }

    #[inline(always)]
    pub fn line(&self) -> Line<S> {
        let length = (dot(&self.arm, &self.arm) + S::from_f64(SMALLEST_LENGTH_SQUARED)).sqrt();
        let direction = scale(S::ONE / length, &self.arm);
        Line { length, rate: dot(&direction, &self.velocity), direction }
    }
    /// The line between the origins, or the axis fixed in the first frame that replaces it.
    #[inline(always)]
    pub fn along(&self, first: &FrameState<S>, axis: Option<&Vector3>) -> Line<S> {
        let Some(axis) = axis else { return self.line() };
        let direction = matrix_vector(&first.rotation, &lift3(axis));
        let (length, rate) = (dot(&direction, &self.arm), dot(&direction, &self.velocity));
        Line { length, rate, direction }
    }
}
