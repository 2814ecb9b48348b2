//! Springs, dampers, friction and efforts of joints that close loops.
//!
//! Such a joint has no coordinate in the tree: its angle or displacement is
//! measured from the two frames, and the effort acts along the same direction as
//! the reaction of a driver would. Poses tell an angle up to whole turns; which
//! turn it is follows from the slide of a screw, else from the angle and rate at
//! the last step (`state::Turns`), so that a spring may be wound up.

use crate::force::element::add_wrench;
use crate::force::joint_law::{law_effort, spring};
use crate::force::power::AppliedPower;
use crate::model::closure::{LoopJoint, RowShape, RowValue};
use crate::model::joint::JointKind;
use crate::model::{FrameId, Model};
use crate::motion::Motion;
use crate::motion::frame_state::frame_state;
use crate::motion::observe::FrameMotion;
use crate::motion::pair::{relative_motion, unit_wrenches};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, dot, lift3, scale6};
use crate::state::Load;
use crate::state::State;
use std::f64::consts::TAU;

/// Motions of both frames of a loop joint, without accelerations.
pub(crate) fn frames_of<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    joint: &LoopJoint,
) -> [FrameMotion<S>; 2] {
    let frame = |FrameId(index): FrameId| {
        let seen = frame_state(model, state, motion, &model.frames[index]);
        FrameMotion {
            rotation: seen.rotation,
            position: seen.position,
            velocity: seen.velocity,
            acceleration: [S::ZERO; 6],
        }
    };
    let [first, second] = joint.frames;
    [frame(first), frame(second)]
}

/// Coordinate `index` of a loop joint, where it can be measured.
pub(crate) fn measured<S: Scalar>(
    state: &State<S>,
    frames: &[FrameMotion<S>; 2],
    joint: &LoopJoint,
    index: usize,
) -> Option<RowValue<S>> {
    let relative = relative_motion(&frames[0], &frames[1]);
    let shape = joint.measures[index]?;
    let mut row = shape.evaluate(&relative, &[0.0; 3]);
    if matches!(shape, RowShape::About { .. }) {
        let (angle, rate) = (row.value.value(), row.rate.value());
        let offset = match &joint.kind {
            JointKind::Helical { axis, pitch } => {
                let turned = dot(&lift3(axis), &relative.position).value() / pitch;
                TAU * ((turned - angle) / TAU).round()
            }
            _ => state.turns.offset(joint.index, state.time, angle, rate),
        };
        row.value += S::from_f64(offset);
    }
    Some(row)
}

fn has_laws(joint: &LoopJoint) -> bool {
    joint.coordinates.iter().any(|c| c.acts())
}

/// Wrench of the laws of a loop joint on its second and first frame; adds their power.
pub(crate) fn law_wrench<S: Scalar>(
    state: &State<S>,
    joint: &LoopJoint,
    frames: &[FrameMotion<S>; 2],
    power: &mut AppliedPower<S>,
) -> [Spatial<S>; 2] {
    let mut sum = [[S::ZERO; 6]; 2];
    for (index, c) in joint.coordinates.iter().enumerate() {
        let Some(row) = measured(state, frames, joint, index) else { continue };
        let effort = law_effort(c, spring(c, row.value).effort, row.rate, (state.time, state.side), power);
        let unit = unit_wrenches(frames, &row.gradient);
        for side in 0..2 {
            sum[side] = add6(&sum[side], &scale6(effort, &unit[side]));
        }
    }
    sum
}

/// Adds the laws of all loop joints to `load`.
pub(crate) fn add_loop_laws<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    load: &mut Load<S>,
    power: &mut AppliedPower<S>,
) {
    for joint in model.loops.iter().filter(|joint| has_laws(joint)) {
        let frames = frames_of(model, state, motion, joint);
        let wrenches = law_wrench(state, joint, &frames, power);
        add_wrench(model, motion, &model.frames[joint.frames[1].0], &wrenches[0], load);
        add_wrench(model, motion, &model.frames[joint.frames[0].0], &wrenches[1], load);
    }
}

/// Adds `effort` along one coordinate of a loop joint to `load`, and its power.
pub(crate) fn add_loop_effort<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    (index, coordinate): (usize, usize),
    effort: S,
    (load, power): (&mut Load<S>, &mut AppliedPower<S>),
) {
    let joint = &model.loops[index];
    let frames = frames_of(model, state, motion, joint);
    let Some(row) = measured(state, &frames, joint, coordinate) else { return };
    let [on_second, on_first] = unit_wrenches(&frames, &row.gradient).map(|unit| scale6(effort, &unit));
    add_wrench(model, motion, &model.frames[joint.frames[1].0], &on_second, load);
    add_wrench(model, motion, &model.frames[joint.frames[0].0], &on_first, load);
    power.efforts += effort * row.rate;
    load.loop_efforts.push((index, coordinate, effort));
}

/// Wrench of the efforts beside the laws of loop joint `index` on its second frame.
pub(crate) fn added_wrench<S: Scalar>(
    state: &State<S>,
    joint: &LoopJoint,
    index: usize,
    frames: &[FrameMotion<S>; 2],
    load: &Load<S>,
) -> Spatial<S> {
    let own = load.loop_efforts.iter().filter(|(at, ..)| *at == index);
    own.fold([S::ZERO; 6], |sum, &(_, coordinate, effort)| match measured(state, frames, joint, coordinate) {
        Some(row) => add6(&sum, &scale6(effort, &unit_wrenches(frames, &row.gradient)[0])),
        None => sum,
    })
}

/// Energy of the springs of all loop joints (J).
pub(crate) fn loop_spring_energy<S: Scalar>(model: &Model, state: &State<S>, motion: &Motion<S>) -> S {
    let mut sum = S::ZERO;
    for joint in model.loops.iter().filter(|joint| has_laws(joint)) {
        let frames = frames_of(model, state, motion, joint);
        for (index, c) in joint.coordinates.iter().enumerate() {
            if let Some(row) = measured(state, &frames, joint, index) {
                sum += spring(c, row.value).energy;
            }
        }
    }
    sum
}
