//! Rows of all loops at the motion that a workspace holds.

use crate::algorithm::closure::evaluate_rows;
use crate::model::Model;
use crate::model::closure::{LoopJoint, RelativeMotion};
use crate::motion::observe::{FrameMotion, frame_motion};
use crate::motion::pair::relative_motion;
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
            &work.motion,
            &work.accelerations.acceleration,
            &work.accelerations.chidot,
            &model.frames[joint.frames[index].0],
        )
    };
    let frames = [motion(0), motion(1)];
    let relative = relative_motion(&frames[0], &frames[1]);
    (frames, relative)
}

/// Fills Φ, Φ̇, Φ̈ and the unit wrenches of all rows; poses must be current, and accelerations where Φ̈ is wanted.
pub(crate) fn fill_rows<S: Scalar>(model: &Model, state: &State<S>, work: &mut Workspace<S>) {
    let found = Some((&work.accelerations.acceleration[..], &work.accelerations.chidot[..]));
    for joint in &model.loops {
        let frames = work.motion.attached_pair(model, joint.frames, found);
        let closure = &mut work.closure;
        evaluate_rows(
            joint,
            0..joint.rows.len(),
            &frames,
            state.time,
            state.side,
            |index, value, wrenches| {
                closure.residual[index] = value.value;
                closure.rate[index] = value.rate;
                closure.acceleration[index] = value.acceleration;
                closure.wrenches[index] = *wrenches;
            },
        );
    }
}
