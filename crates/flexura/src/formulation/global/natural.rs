//! Natural coordinates: Cartesian components of points and unit vectors.
//!
//! Source: García de Jalón and Bayo, Kinematic and Dynamic Simulation of Multibody
//! Systems (1994), chapter 2. Every component along which an element may move is
//! one coordinate of the system: three in space, two in a plane, none for what
//! is fixed to the ground. Value = constant + Σ direction_k q_(first + k). Where a model chooses so
//! (`chosen`), points are carried: they move with coordinates of other elements.

use crate::spatial::{Vector3, axpy, dot};

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NaturalKind {
    /// A point (m).
    Point,
    /// A unit vector.
    Vector,
}

/// A point or unit vector shared by the bodies that meet there.
#[derive(Clone, Debug, PartialEq)]
pub struct Natural {
    /// Point or vector.
    pub(crate) kind: NaturalKind,
    /// The part that never moves.
    pub constant: Vector3,
    /// First coordinate.
    pub first: usize,
    /// Directions of its coordinates; none for an element fixed to the ground.
    pub directions: Vec<Vector3>,
    /// Coordinates of other elements that carry it along, where the model chooses so, and how far each does.
    pub carried: Vec<(usize, Vector3)>,
}

impl Natural {
    /// Value for coordinates `q`.
    pub fn value(&self, q: &[f64]) -> Vector3 {
        let mut value = self.constant;
        for (k, direction) in self.directions.iter().enumerate() {
            axpy(&mut value, q[self.first + k], direction);
        }
        for (c, direction) in &self.carried {
            axpy(&mut value, q[*c], direction);
        }
        value
    }

    /// Whether it never moves.
    pub(super) fn is_fixed(&self) -> bool {
        self.directions.is_empty() && self.carried.is_empty()
    }

    /// Writes the coordinates at which the element has `value` (of its moving part for a rate); those that carry it are known.
    pub(super) fn place(&self, value: &Vector3, q: &mut [f64]) {
        let mut own = *value;
        for (c, direction) in &self.carried {
            axpy(&mut own, -q[*c], direction);
        }
        for (k, direction) in self.directions.iter().enumerate() {
            q[self.first + k] = dot(direction, &own);
        }
    }

    /// Its coordinates.
    pub fn coordinates(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.directions.len()
    }
}
