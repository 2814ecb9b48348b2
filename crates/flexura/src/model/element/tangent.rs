//! Derivatives of both wrenches with respect to both frames, for implicit methods.
//!
//! The wrenches [on the first; on the second], each [moment; force] at its own
//! origin in the common basis, over the motion [first; second], each a small
//! rotation δθ (R ← exp(δθ~) R, common basis) and a displacement of the origin.
//! Dual numbers run through [`ElementKind::evaluate`]: exact, no second formula.

use super::ElementKind;
use super::relative::FrameState;
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Matrix3, Vector3, add, cross, lift3};

type Varied = Dual<12>;

/// Derivatives of the 12 wrench components.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct Tangent {
    /// Over rotation and displacement, velocities held (N/m, N m/rad, …).
    pub position: [[f64; 12]; 12],
    /// Over angular and linear velocity (N s/m, N m s/rad, …).
    pub velocity: [[f64; 12]; 12],
}

impl ElementKind {
    /// Derivatives at the given motion; a kink of the law takes the side of the present state.
    pub fn tangent(&self, first: &FrameState, second: &FrameState) -> Tangent {
        Tangent {
            position: self.derivative(&displaced(first, 0), &displaced(second, 6)),
            velocity: self.derivative(&accelerated(first, 0), &accelerated(second, 6)),
        }
    }

    fn derivative(&self, first: &FrameState<Varied>, second: &FrameState<Varied>) -> [[f64; 12]; 12] {
        let force = self.evaluate(first, second);
        let on_first = force.on_first(first, second);
        std::array::from_fn(|i| if i < 6 { on_first[i].eps } else { force.wrench[i - 6].eps })
    }
}

/// Zero with a unit derivative along direction `index`.
fn direction(index: usize) -> Varied {
    let mut varied = Varied::ZERO;
    varied.eps[index] = 1.0;
    varied
}

/// A frame whose pose varies along the directions from `start`.
fn displaced(frame: &FrameState, start: usize) -> FrameState<Varied> {
    let turn: Vector3<Varied> = std::array::from_fn(|i| direction(start + i));
    let shift: Vector3<Varied> = std::array::from_fn(|i| direction(start + 3 + i));
    let columns: Matrix3 = crate::spatial::transposed(&frame.rotation);
    let turned = columns.map(|column| {
        let column = lift3(&column);
        add(&column, &cross(&turn, &column))
    });
    FrameState {
        rotation: crate::spatial::transposed(&turned),
        position: add(&lift3(&frame.position), &shift),
        velocity: frame.velocity.map(Varied::from_f64),
    }
}

/// A frame whose velocity varies along the directions from `start`.
fn accelerated(frame: &FrameState, start: usize) -> FrameState<Varied> {
    FrameState {
        rotation: crate::spatial::lift_matrix(&frame.rotation),
        position: lift3(&frame.position),
        velocity: std::array::from_fn(|i| Varied::from_f64(frame.velocity[i]) + direction(start + i)),
    }
}
