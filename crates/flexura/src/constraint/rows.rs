//! Rows of all loops at the motion that a workspace holds.

use crate::algorithm::closure::target;
use crate::model::Model;
use crate::model::closure::{LoopJoint, RelativeMotion};
use crate::motion::observe::{FrameMotion, frame_motion};
use crate::motion::pair::{relative_motion, unit_wrenches};
use crate::scalar::Scalar;
use crate::state::State;
use crate::workspace::Workspace;

/// Inertial motions of the two frames of a loop joint, and the second in the first.
pub(crate) fn loop_motion<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &Workspace<S>,
    joint: &LoopJoint,
) -> ([FrameMotion<S>; 2], RelativeMotion<S>) {
    let motion = |index: usize| {
        frame_motion(
            model,
            state,
            &work.kinematics,
            &work.poses,
            &work.articulated.acceleration,
            &work.articulated.chidot,
            &model.frames[joint.frames[index].0],
        )
    };
    let frames = [motion(0), motion(1)];
    let relative = relative_motion(&frames[0], &frames[1]);
    (frames, relative)
}

/// Fills Φ, Φ̇, Φ̈ and the unit wrenches of all rows; poses and accelerations must be current.
pub(super) fn evaluate_rows<S: Scalar>(model: &Model, state: &State<S>, work: &mut Workspace<S>) {
    for joint in &model.loops {
        let (frames, relative) = loop_motion(model, state, work, joint);
        for (row, index) in joint.rows.iter().zip(joint.row_range()) {
            let target = target(joint, row, state.time, work.load.before);
            let value = row.shape.evaluate(&relative, &target);
            work.closure.residual[index] = value.value;
            work.closure.rate[index] = value.rate;
            work.closure.acceleration[index] = value.acceleration;
            work.closure.wrenches[index] = unit_wrenches(&frames, &value.gradient);
        }
    }
}
