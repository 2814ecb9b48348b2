//! Motion of bodies and frames: poses, velocities and Jacobians at one state.
//!
//! `kinematics` goes outward from joint to joint with what the recursions need, relative to parents; [`observe`]
//! gives inertial poses and the motion of any frame.

pub(crate) mod frame_state;
pub(crate) mod kinematics;
pub mod observe;
pub mod pair;
