//! Coordinates moved along a step of speeds: the one retraction of the configuration manifold.
//!
//! Modal coordinates and coordinates of most joints add; orientations turn by the exponential of the step. Two charts stand
//! side by side because methods need them: [`retract`], the increment whose rate explicit methods integrate, in which the place of
//! a free joint adds along the axes of its parent, and [`move_by_twist`], the exponential map of a constant body twist, whose
//! translation is along the body's axes and turns with it. They differ for the places of free joints alone.

use crate::model::Model;
use crate::scalar::Scalar;

/// `q` = `start` moved by the increment `step`, one entry per speed.
pub fn retract<S: Scalar>(model: &Model, start: &[S], step: &[S], q: &mut [S]) {
    for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
        for r in 0..part.modes {
            q[part.q + r] = start[part.q + r] + step[part.v + r];
        }
        let range = part.joint_q();
        joint.joint.kind.retract(&start[range.clone()], &step[part.joint_v()], &mut q[range]);
    }
}

/// `q` = `start` moved by the constant body twist `step` over a unit of time, one entry per speed.
pub fn move_by_twist<S: Scalar>(model: &Model, start: &[S], step: &[S], q: &mut [S]) {
    for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
        for r in 0..part.modes {
            q[part.q + r] = start[part.q + r] + step[part.v + r];
        }
        let range = part.joint_q();
        joint.joint.kind.move_by_twist(&start[range.clone()], &step[part.joint_v()], &mut q[range]);
    }
}

/// `q` moved in place by the constant body twist `step` over a unit of time.
pub fn move_in_place<S: Scalar>(model: &Model, q: &mut [S], step: &[S]) {
    for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
        for r in 0..part.modes {
            q[part.q + r] += step[part.v + r];
        }
        let mut start = [S::ZERO; 7];
        let start = &mut start[..part.joint_q];
        start.copy_from_slice(&q[part.joint_q()]);
        joint.joint.kind.move_by_twist(start, &step[part.joint_v()], &mut q[part.joint_q()]);
    }
}
