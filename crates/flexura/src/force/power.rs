//! Power of what acts, by kind.

use crate::scalar::Scalar;

/// Power of the forces that are not derived from a potential (W).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AppliedPower<S = f64> {
    /// Joint actuators.
    pub efforts: S,
    /// Applied forces at frames and loads on bodies.
    pub forces: S,
    /// Joint dampers (never positive).
    pub dampers: S,
    /// Joint friction (never positive).
    pub friction: S,
    /// Modal damping (never positive).
    pub modal_damping: S,
    /// What force elements do not store; positive only where a moving medium drives a drag.
    pub elements: S,
}

impl<S: Scalar> AppliedPower<S> {
    /// No power.
    pub const ZERO: Self = Self {
        efforts: S::ZERO,
        forces: S::ZERO,
        dampers: S::ZERO,
        friction: S::ZERO,
        modal_damping: S::ZERO,
        elements: S::ZERO,
    };

    /// Sum of all parts.
    pub fn total(&self) -> S {
        self.efforts + self.forces + self.dampers + self.friction + self.modal_damping + self.elements
    }
}
