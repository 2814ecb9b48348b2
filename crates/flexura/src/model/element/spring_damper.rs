//! Spring and damper along the line between the two origins, or along an axis.
//!
//! With the length ℓ, or the coordinate of the second origin along an axis of the
//! first frame (a leaf spring or a guided spring keeps its direction), and the extension x = ℓ − free length, the tension is
//! T = preload + F(x) + c ℓ̇, c that of extension or compression; it pulls the
//! origins together. E = preload x + ∫₀ˣ F, P = −c ℓ̇². Where the origins
//! coincide the direction, and with it the force, goes to zero (`relative.rs`).

use super::fault::Faults;
use super::law::{Damping, ForceLaw, warn_if_idle};
use super::relative::{FrameState, Relative};
use super::{ElementForce, ElementKind};
use crate::scalar::Scalar;
use crate::spatial::{Vector3, join, scale, zero3};

/// Parameters of a spring-damper.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringDamper {
    /// Unit axis in the first frame along which it acts; `None`: along the line between the origins.
    pub axis: Option<Vector3>,
    /// Length without spring force, preload apart (m).
    pub free_length: f64,
    /// Spring force over the extension (N over m).
    pub law: ForceLaw,
    /// Tension at the free length (N).
    pub preload: f64,
    /// Damping (N s/m).
    pub damping: Damping,
}

impl SpringDamper {
    /// A linear spring with the same damping in both directions.
    pub fn linear(free_length: f64, stiffness: f64, damping: f64) -> Self {
        let law = ForceLaw::Linear { stiffness };
        Self { axis: None, free_length, law, preload: 0.0, damping: Damping::both(damping) }
    }

    pub(super) fn evaluate<S: Scalar>(
        &self,
        first: &FrameState<S>,
        second: &FrameState<S>,
    ) -> ElementForce<S> {
        let line = Relative::new(first, second).along(first, self.axis.as_ref());
        let extension = line.length - S::from_f64(self.free_length);
        let (spring, stored) = self.law.sample(extension);
        let damper = self.damping.force(line.rate);
        let tension = spring + damper + S::from_f64(self.preload);
        ElementForce {
            wrench: join(&zero3(), &scale(-tension, &line.direction)),
            energy: stored + extension * self.preload,
            power: -(damper * line.rate),
            measure: line.length,
        }
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        if let Some(axis) = &self.axis {
            faults.finite("axis", axis);
            faults.finite("free_length", &[self.free_length]);
        } else {
            let help = "give the length at which the spring is relaxed, zero or more";
            faults.not_negative("free_length", self.free_length, "negative-length", help);
        }
        faults.finite("preload", &[self.preload]);
        self.law.check(faults);
        self.damping.check(faults);
        warn_if_idle(&self.law, &self.damping, self.preload, faults);
    }
}

impl From<SpringDamper> for ElementKind {
    fn from(element: SpringDamper) -> Self {
        Self::SpringDamper(element)
    }
}
