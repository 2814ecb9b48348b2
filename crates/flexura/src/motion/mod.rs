//! Motion of bodies and frames: poses, velocities and Jacobians at one state.
//!
//! [`Motion`] holds both passes over the tree: `kinematics` goes outward from joint to joint with what the recursions need,
//! relative to parents; [`observe`] gives inertial poses and the motion of any frame as it is recorded,
//! `attached` as the equations see it. [`jacobian`] gives the partial velocities
//! of a frame, [`retract`] moves coordinates along a step of speeds.

pub(crate) mod attached;
pub(crate) mod frame_state;
pub mod jacobian;
pub(crate) mod kinematics;
pub mod observe;
#[doc(hidden)]
pub mod pair;
#[doc(hidden)]
pub mod retract;

use crate::model::Model;
use crate::scalar::Scalar;
use crate::state::State;
use kinematics::{Kinematics, outward_velocity};
use observe::{Poses, outward_pose};

/// Motion of all bodies at one state.
#[derive(Clone, Debug)]
pub struct Motion<S = f64> {
    /// Poses and velocities relative to parents, Jacobians of attachments.
    pub kinematics: Kinematics<S>,
    /// Inertial poses and velocities.
    pub poses: Poses<S>,
}

impl<S: Scalar> Motion<S> {
    /// Room for `model`.
    pub fn new(model: &Model) -> Self {
        Self { kinematics: Kinematics::new(model), poses: Poses::new(model) }
    }

    /// Both passes at `state`.
    pub fn evaluate(&mut self, model: &Model, state: &State<S>) {
        outward_velocity(model, state, &mut self.kinematics);
        outward_pose(model, state, &self.kinematics, &mut self.poses);
    }
}
