//! Turns of joints that close loops, counted from step to step.

use crate::force::loop_joint::{frames_of, measured};
use crate::model::Model;
use crate::motion::Motion;
use crate::state::State;
use crate::workspace::Workspace;

/// Takes the angles at `state` as those from which turns are counted. No allocation.
pub(crate) fn follow_turns(model: &Model, state: &mut State, work: &mut Workspace) {
    if model.loops.iter().all(|joint| joint.angle().is_none()) {
        return;
    }
    work.kinematics(model, state);
    work.poses(model, state);
    count_turns(model, state, &work.motion);
}

/// The same at the motion of `state`.
pub(super) fn count_turns(model: &Model, state: &mut State, motion: &Motion) {
    let (mut angle, mut rate) = (0.0, 0.0);
    for joint in &model.loops {
        if let Some(index) = joint.angle() {
            let frames = frames_of(model, state, motion, joint);
            if let Some(row) = measured(state, &frames, joint, index) {
                (angle, rate) = (row.value, row.rate);
            }
            // Other joints do not look at this one's entry.
            state.turns.angles[joint.index] = angle;
            state.turns.rates[joint.index] = rate;
        }
    }
    if model.loops.iter().any(|joint| joint.angle().is_some()) {
        (state.turns.time, state.turns.measured) = (state.time, true);
    }
}
