//! Actuator: a force along the line between the two origins, or a torque about an
//! axis of the first frame, as large as a function of time and controllers say.
//!
//! `evaluate` gives the wrench of a unit effort, which the caller multiplies by
//! the effort: the wrench is linear in it. A positive force pushes the origins
//! apart, a positive torque turns the second frame forward. Nothing is stored;
//! P is the power of the wrench, effort × rate of the length or of the rotation
//! about the axis.

use super::fault::Faults;
use super::relative::{FrameState, Relative};
use super::{ElementForce, ElementKind};
use crate::scalar::Scalar;
use crate::spatial::{Vector3, dot, join, lift3, matrix_vector, zero3};
use crate::time_function::TimeFunction;

/// Parameters of an actuator.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Unit axis of a torque in the first frame; `None` is a force along the line.
    pub axis: Option<Vector3>,
    /// Effort over time (N or N m); controllers add to it.
    pub effort: TimeFunction,
}

impl Actuator {
    pub(super) fn evaluate<S: Scalar>(
        &self,
        first: &FrameState<S>,
        second: &FrameState<S>,
    ) -> ElementForce<S> {
        let relative = Relative::new(first, second);
        match &self.axis {
            None => {
                let line = relative.line();
                let wrench = join(&zero3(), &line.direction);
                ElementForce { wrench, energy: S::ZERO, power: line.rate, measure: line.length }
            }
            Some(axis) => {
                let axis = matrix_vector(&first.rotation, &lift3(axis));
                let rate = dot(&axis, &relative.spin);
                ElementForce { wrench: join(&axis, &zero3()), energy: S::ZERO, power: rate, measure: rate }
            }
        }
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        if let Some(axis) = &self.axis {
            faults.finite("axis", axis);
        }
        if let Err(fault) = self.effort.validate() {
            faults.error("time-function", "effort", fault.to_string(), "correct the function of time");
        }
        if let Some((least, largest)) = self.effort.overshoot() {
            let message = format!(
                "the spline through the table goes from {least:.3} to {largest:.3}, far beyond its values"
            );
            let help = "write interpolation = \"monotone\" or \"linear\" into the table";
            faults.warning("table-overshoot", "effort", &message, help);
        }
    }
}

impl From<Actuator> for ElementKind {
    fn from(element: Actuator) -> Self {
        Self::Actuator(element)
    }
}
