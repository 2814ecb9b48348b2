//! Quadratic drag of a medium, aerodynamic or hydrodynamic.
//!
//! The medium moves with the first frame plus a velocity u in its axes (wind,
//! current). With the velocity w of the second origin relative to the medium, in
//! the second frame's axes, the force on the second frame at its origin is
//! Fᵢ = −½ ρ cᵢ Aᵢ |w| wᵢ. Nothing is stored; P = F·v with v the velocity seen
//! from the first frame, never positive in a medium at rest.

use super::fault::Faults;
use super::relative::{FrameState, Relative};
use super::{ElementForce, ElementKind};
use crate::model::words;
use crate::scalar::Scalar;
use crate::spatial::{Vector3, dot, join, lift3, matrix_vector, sub, transposed_matrix_vector, zero3};

/// Parameters of a drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// Density of the medium ρ (kg/m³).
    pub density: f64,
    /// Drag coefficient along each axis of the second frame.
    pub coefficient: [f64; 3],
    /// Reference area along each axis of the second frame (m²).
    pub area: [f64; 3],
    /// Velocity of the medium in the first frame's axes (m/s).
    pub medium_velocity: Vector3,
}

impl Drag {
    pub(super) fn evaluate<S: Scalar>(
        &self,
        first: &FrameState<S>,
        second: &FrameState<S>,
    ) -> ElementForce<S> {
        let seen = Relative::new(first, second).velocity;
        let medium = matrix_vector(&first.rotation, &lift3(&self.medium_velocity));
        let flow = transposed_matrix_vector(&second.rotation, &sub(&seen, &medium));
        let square = dot(&flow, &flow);
        // |w| has no slope at zero, but the force has, and it is zero.
        let speed = if square.above(0.0) { square.sqrt() } else { S::ZERO };
        let force: Vector3<S> = std::array::from_fn(|i| {
            speed * flow[i] * (-0.5 * self.density * self.coefficient[i] * self.area[i])
        });
        let force = matrix_vector(&second.rotation, &force);
        ElementForce {
            wrench: join(&zero3(), &force),
            energy: S::ZERO,
            power: dot(&force, &seen),
            measure: speed,
        }
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        faults.positive("density", self.density, "kg/m³");
        faults.finite("medium_velocity", &self.medium_velocity);
        for (key, values) in [("coefficient", &self.coefficient), ("area", &self.area)] {
            faults.finite(key, values);
            if values.iter().any(|&x| x < 0.0) {
                let message = format!("`{key}` has a negative entry: {}", words::numbers(values));
                faults.error(
                    "negative-drag",
                    key,
                    message,
                    "drag acts against the motion; give zero or more",
                );
            }
        }
    }
}

impl From<Drag> for ElementKind {
    fn from(element: Drag) -> Self {
        Self::Drag(element)
    }
}
