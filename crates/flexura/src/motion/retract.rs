//! Coordinates moved along a step of speeds: the one retraction of the configuration manifold.
//!
//! Modal coordinates and coordinates of most joints add; orientations turn by the exponential of the step. Two charts stand
//! side by side because methods need them: [`retract`], the increment whose rate explicit methods integrate, in which the place of
//! a free joint adds along the axes of its parent, and [`move_by_twist`], the exponential map of a constant body twist, whose
//! translation is along the body's axes and turns with it. They differ for the places of free joints alone. [`coordinate_rates`] has the rates of
//! the coordinates themselves, for those who integrate them as plain numbers.

use crate::model::Model;
use crate::model::joint::JointKind;
use crate::scalar::Scalar;
use crate::spatial::quaternion_product;
use crate::state::State;

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

/// q̇ of every coordinate: ½ q ∘ ω for orientations, R v for the places of free joints, the speeds elsewhere.
pub fn coordinate_rates<S: Scalar>(model: &Model, state: &State<S>, rates: &mut [S]) {
    for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
        rates[part.modal_q()].copy_from_slice(&state.v[part.modal_v()]);
        let (q, u) = (&state.q[part.joint_q()], &state.v[part.joint_v()]);
        let out = &mut rates[part.joint_q()];
        match joint.joint.kind {
            JointKind::Spherical | JointKind::Free => {
                let half = S::from_f64(0.5);
                let turn = [S::ZERO, half * u[0], half * u[1], half * u[2]];
                out[..4].copy_from_slice(&quaternion_product(&[q[0], q[1], q[2], q[3]], &turn));
                if out.len() == 7 {
                    let mut rate = [S::ZERO; 6];
                    joint.joint.kind.increment_rate(q, &[S::ZERO; 6], u, &mut rate);
                    out[4..].copy_from_slice(&rate[3..]);
                }
            }
            _ => out.copy_from_slice(u),
        }
    }
}
