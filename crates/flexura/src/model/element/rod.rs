//! A massless rod: pushes and pulls along the line between the two origins.
//!
//! A stiff linear spring-damper, not a constraint: tension T = k (ℓ − length) + c ℓ̇,
//! E = ½ k (ℓ − length)², P = −c ℓ̇². Choose k = EA/length, or as stiff as the
//! step allows: the rod stretches by force/k, and bodies of mass m vibrate on it
//! at √(k/m).

use super::fault::Faults;
use super::relative::{FrameState, Relative};
use super::{ElementForce, ElementKind};
use crate::scalar::Scalar;
use crate::spatial::{join, scale, zero3};

/// Parameters of a rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// Length without force (m).
    pub length: f64,
    /// Axial stiffness (N/m).
    pub stiffness: f64,
    /// Axial damping (N s/m).
    pub damping: f64,
}

impl Rod {
    pub(super) fn evaluate<S: Scalar>(
        &self,
        first: &FrameState<S>,
        second: &FrameState<S>,
    ) -> ElementForce<S> {
        let line = Relative::new(first, second).line();
        let stretch = line.length - S::from_f64(self.length);
        let damper = line.rate * self.damping;
        let tension = stretch * self.stiffness + damper;
        ElementForce {
            wrench: join(&zero3(), &scale(-tension, &line.direction)),
            energy: stretch * stretch * (0.5 * self.stiffness),
            power: -(damper * line.rate),
            measure: line.length,
        }
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        faults.positive("length", self.length, "m");
        faults.positive("stiffness", self.stiffness, "N/m");
        faults.damping("damping", self.damping);
    }
}

impl From<Rod> for ElementKind {
    fn from(element: Rod) -> Self {
        Self::Rod(element)
    }
}
