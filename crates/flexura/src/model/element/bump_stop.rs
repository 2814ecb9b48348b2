//! A one-sided spring: acts while the two origins are closer than the gap.
//!
//! The measure s is the distance of the origins, or the coordinate of the second
//! along an axis of the first frame; the penetration is δ = gap − s. The push
//! follows `one_sided.rs`: F = k δⁿ max(0, 1 + a δ̇) drives the second frame away,
//! E = k δⁿ⁺¹/(n + 1).

use super::fault::Faults;
use super::one_sided::OneSided;
use super::relative::{FrameState, Relative};
use super::{ElementForce, ElementKind};
use crate::scalar::Scalar;
use crate::spatial::{Vector3, join, scale, zero3};

/// Parameters of a bump stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BumpStop {
    /// Unit axis in the first frame; `None` acts on the distance.
    pub axis: Option<Vector3>,
    /// Distance or coordinate below which the stop acts (m).
    pub gap: f64,
    /// Stiffness k (N/mⁿ).
    pub stiffness: f64,
    /// Exponent n, at least one.
    pub exponent: f64,
    /// Dissipation a (s/m).
    pub dissipation: f64,
}

impl BumpStop {
    pub(super) fn evaluate<S: Scalar>(
        &self,
        first: &FrameState<S>,
        second: &FrameState<S>,
    ) -> ElementForce<S> {
        let line = Relative::new(first, second).along(first, self.axis.as_ref());
        let law =
            OneSided { stiffness: self.stiffness, exponent: self.exponent, dissipation: self.dissipation };
        let clearance = line.length - S::from_f64(self.gap);
        let push = law.push(-clearance, -line.rate);
        ElementForce {
            wrench: join(&zero3(), &scale(push.force, &line.direction)),
            energy: push.energy,
            power: push.power,
            measure: clearance,
        }
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        if let Some(axis) = &self.axis {
            faults.finite("axis", axis);
            faults.finite("gap", &[self.gap]);
        } else {
            faults.positive("gap", self.gap, "m");
        }
        faults.positive("stiffness", self.stiffness, "N/mⁿ");
        faults.exponent(self.exponent);
        faults.damping("dissipation", self.dissipation);
    }
}

impl From<BumpStop> for ElementKind {
    fn from(element: BumpStop) -> Self {
        Self::BumpStop(element)
    }
}
