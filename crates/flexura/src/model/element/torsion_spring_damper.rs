//! Torsional spring and damper about an axis of the first frame.
//!
//! The angle φ is the twist of the relative rotation about the axis a: with its
//! quaternion (w, u) and s = u·a, φ = 2 atan(s/w). It lies between −π and π and
//! jumps at half a turn; for more turns use a spring on a joint coordinate. The
//! rate is φ̇ = g·ω, ω the relative angular velocity in the first frame's axes,
//! g = (w² a + w u×a + s u)/(s² + w²); g = a for a rotation about the axis alone.
//! The moment on the second frame is −T g with T = preload + F(φ) + c φ̇, which is
//! the exact gradient of E = preload φ + ∫₀^φ F; P = −c φ̇². A tilt of the axis by
//! half a turn leaves the twist undefined: there the element gives no moment.

use super::fault::Faults;
use super::law::{Damping, ForceLaw, warn_if_idle};
use super::relative::{FrameState, Relative};
use super::{ElementForce, ElementKind};
use crate::scalar::Scalar;
use crate::spatial::{
    Vector3, cross, dot, join, lift3, matrix_product, matrix_vector, quaternion_from_matrix, scale,
    transposed, transposed_matrix_vector, zero3,
};

/// Value of s² + w² below which the twist is taken as undefined.
const UNDEFINED: f64 = 1e-20;

/// Parameters of a torsional spring-damper.
#[derive(Clone, Debug, PartialEq)]
pub struct TorsionSpringDamper {
    /// Unit axis in the first frame.
    pub axis: Vector3,
    /// Spring torque over the angle (N m over rad).
    pub law: ForceLaw,
    /// Torque at zero angle (N m).
    pub preload: f64,
    /// Damping (N m s/rad): extension is a growing angle.
    pub damping: Damping,
}

/// Quaternion (w, u) of the relative rotation, s = u·a, s² + w².
struct Twist<S> {
    w: S,
    vector: Vector3<S>,
    along: S,
    size: S,
}

impl TorsionSpringDamper {
    /// A linear spring with the same damping in both directions.
    pub fn linear(axis: Vector3, stiffness: f64, damping: f64) -> Self {
        let law = ForceLaw::Linear { stiffness };
        Self { axis, law, preload: 0.0, damping: Damping::both(damping) }
    }

    pub(super) fn evaluate<S: Scalar>(
        &self,
        first: &FrameState<S>,
        second: &FrameState<S>,
    ) -> ElementForce<S> {
        let axis = lift3(&self.axis);
        let Twist { w, vector, along, size } = self.twist(first, second);
        if size.below(UNDEFINED) {
            return ElementForce::zero(S::ZERO);
        }
        let angle = along.atan2(w) * 2.0;
        let tilt = cross(&vector, &axis);
        let gradient: Vector3<S> =
            std::array::from_fn(|i| (w * (w * axis[i] + tilt[i]) + along * vector[i]) / size);
        let spin = transposed_matrix_vector(&first.rotation, &Relative::new(first, second).spin);
        let rate = dot(&gradient, &spin);
        let (spring, stored) = self.law.sample(angle);
        let damper = self.damping.force(rate);
        let torque = spring + damper + S::from_f64(self.preload);
        let moment = matrix_vector(&first.rotation, &scale(-torque, &gradient));
        ElementForce {
            wrench: join(&moment, &zero3()),
            energy: stored + angle * self.preload,
            power: -(damper * rate),
            measure: angle,
        }
    }

    /// The relative rotation, seen about the axis.
    #[inline(always)]
    fn twist<S: Scalar>(&self, first: &FrameState<S>, second: &FrameState<S>) -> Twist<S> {
        let relative = matrix_product(&transposed(&first.rotation), &second.rotation);
        let [w, x, y, z] = quaternion_from_matrix(&relative);
        let vector = [x, y, z];
        let along = dot(&vector, &lift3(&self.axis));
        Twist { w, vector, along, size: along * along + w * w }
    }

    /// The angle as a rotation about the axis, and the cosine of half the tilt of the axis.
    pub(super) fn place(&self, first: &FrameState, second: &FrameState) -> (Vector3, f64) {
        let Twist { w, along, size, .. } = self.twist(first, second);
        ([2.0 * along.atan2(w), 0.0, 0.0], size.sqrt())
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        faults.finite("axis", &self.axis);
        faults.finite("preload", &[self.preload]);
        self.law.check(faults);
        self.damping.check(faults);
        warn_if_idle(&self.law, &self.damping, self.preload, faults);
    }
}

impl From<TorsionSpringDamper> for ElementKind {
    fn from(element: TorsionSpringDamper) -> Self {
        Self::TorsionSpringDamper(element)
    }
}
