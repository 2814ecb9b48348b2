//! Point or sphere on the second frame against the x-y plane of the first.
//!
//! The plane's normal n is the z axis of the first frame; the side of positive z
//! is free. With the height h of the second origin the penetration is δ = r − h.
//! Normal force N = k δⁿ max(0, 1 + a δ̇) (`one_sided.rs`), E = k δⁿ⁺¹/(n + 1).
//! Friction acts at the lowest point of the sphere against its sliding velocity w:
//! F = −μ N tanh(|w|/w₀) w/|w|, power −μ N tanh(|w|/w₀) |w|. It is regularised:
//! below about w₀ a body at rest creeps.

use super::fault::Faults;
use super::one_sided::OneSided;
use super::relative::{FrameState, Relative};
use super::{ElementForce, ElementKind};
use crate::scalar::Scalar;
use crate::spatial::{add, cross, dot, join, matrix_vector, scale, sub};

/// Sliding speed over which friction builds up, where none is given (m/s).
pub(crate) const DEFAULT_SLIP_SPEED: f64 = 1e-3;

/// Parameters of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Radius of the sphere; zero is a point (m).
    pub radius: f64,
    /// Stiffness k (N/mⁿ).
    pub stiffness: f64,
    /// Exponent n, at least one; 1.5 is Hertz' sphere.
    pub exponent: f64,
    /// Dissipation a (s/m).
    pub dissipation: f64,
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Sliding speed over which friction builds up w₀ (m/s).
    pub friction_speed: f64,
}

impl Contact {
    pub(super) fn evaluate<S: Scalar>(
        &self,
        first: &FrameState<S>,
        second: &FrameState<S>,
    ) -> ElementForce<S> {
        let relative = Relative::new(first, second);
        let normal = matrix_vector(&first.rotation, &[S::ZERO, S::ZERO, S::ONE]);
        let clearance = dot(&normal, &relative.arm) - S::from_f64(self.radius);
        let climb = dot(&normal, &relative.velocity);
        let law =
            OneSided { stiffness: self.stiffness, exponent: self.exponent, dissipation: self.dissipation };
        let push = law.push(-clearance, -climb);
        if push.force.at_most(0.0) {
            return ElementForce { energy: push.energy, power: push.power, ..ElementForce::zero(clearance) };
        }
        // The lowest point moves with the second frame and is seen from the first.
        let to_contact = scale(S::from_f64(-self.radius), &normal);
        let velocity = add(&relative.velocity, &cross(&relative.spin, &to_contact));
        let slip = sub(&velocity, &scale(dot(&normal, &velocity), &normal));
        // Not zero, so that the direction of a vanishing velocity stays differentiable.
        let smallest = 1e-9 * self.friction_speed;
        let speed = (dot(&slip, &slip) + S::from_f64(smallest * smallest)).sqrt();
        let grip = push.force * self.friction * (speed * (1.0 / self.friction_speed)).tanh() / speed;
        let drag = scale(-grip, &slip);
        let force = add(&scale(push.force, &normal), &drag);
        ElementForce {
            wrench: join(&cross(&to_contact, &drag), &force),
            energy: push.energy,
            power: push.power - grip * dot(&slip, &slip),
            measure: clearance,
        }
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        let help = "give the radius of the sphere, or 0 for a point";
        faults.not_negative("radius", self.radius, "negative-length", help);
        faults.positive("stiffness", self.stiffness, "N/mⁿ");
        faults.exponent(self.exponent);
        faults.damping("dissipation", self.dissipation);
        let help = "give the magnitude; its direction follows the motion";
        faults.not_negative("friction", self.friction, "negative-friction", help);
        faults.positive("friction_speed", self.friction_speed, "m/s");
    }
}

impl From<Contact> for ElementKind {
    fn from(element: Contact) -> Self {
        Self::Contact(element)
    }
}
