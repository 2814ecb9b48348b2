//! Initial values given for joints that close loops.
//!
//! A chord has no coordinate of its own, so what the description says about its
//! position or speed becomes a constraint for the time of assembly: a driver that
//! holds the measured coordinate at the given value. Coordinates that cannot be measured
//! (orientations, crosses) are held as a whole: the joint is a weld in the given pose, and
//! its relative velocity has the given components.

use crate::constraint::loop_motion;
use crate::model::closure::{LoopJoint, Row, RowShape, coordinates_at};
use crate::model::coordinate::Coordinate;
use crate::model::description::{Description, JointDescription};
use crate::model::joint::{Joint, JointKind, JointMotion};
use crate::model::{Frame, FrameId, Model};
use crate::spatial::{Vector3, add, matrix_product, matrix_vector};
use crate::state::State;
use crate::time_function::TimeFunction;
use crate::workspace::Workspace;

/// Which initial values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Coordinates.
    Position,
    /// Speeds.
    Speed,
}

/// `model` with drivers that hold chords at their given values; `None` where none is given. Speeds are those at `state`,
/// which is closed.
pub(super) fn with_given_chords(
    model: &Model,
    description: &Description,
    level: Level,
    state: &State,
) -> Option<Model> {
    let source = |name: &str| description.joints.iter().find(|joint| joint.name == name);
    let given = |joint: &JointDescription| match level {
        Level::Position => !joint.position.is_empty(),
        Level::Speed => !joint.speed.is_empty(),
    };
    let found = |chord: &LoopJoint| source(&chord.name).filter(|joint| given(joint));
    if !model.loops.iter().any(|chord| found(chord).is_some()) {
        return None;
    }
    let mut work = Workspace::new(model);
    work.kinematics(model, state);
    work.poses(model, state);
    let mut aided = model.clone();
    let mut next = 0;
    for (l, chord) in model.loops.iter().enumerate() {
        let joint = found(chord);
        let mut held = match joint {
            Some(joint) if !is_measured(&chord.kind) && level == Level::Position => {
                welded(&mut aided.frames, chord, joint, next)
            }
            _ => driven(chord, joint, level, next),
        };
        if let Some(joint) = joint.filter(|_| !is_measured(&chord.kind) && level == Level::Speed) {
            hold_velocity(model, state, &work, chord, joint, &mut held);
        }
        next = held.row_range().end;
        aided.loops[l] = LoopJoint { index: chord.index, start_angle: chord.start_angle, ..held };
    }
    Some(aided)
}

/// Whether the coordinates of a chord are measured one by one.
fn is_measured(kind: &JointKind) -> bool {
    !matches!(kind, JointKind::Spherical | JointKind::Universal { .. } | JointKind::Free)
}

/// The chord with drivers on its measured coordinates.
fn driven(chord: &LoopJoint, joint: Option<&JointDescription>, level: Level, next: usize) -> LoopJoint {
    let mut coordinates = chord.coordinates.clone();
    if let Some(joint) = joint {
        coordinates.resize(chord.kind.degrees_of_freedom(), Default::default());
        for (i, coordinate) in coordinates.iter_mut().enumerate() {
            let measured = chord.measures[i].is_some() && coordinate.motion.is_none();
            coordinate.motion = if measured { hold(joint, i, level) } else { coordinate.motion.take() };
        }
    }
    LoopJoint::new(&chord.name, chord.kind, chord.frames, coordinates, next, chord.members.clone())
}

/// The chord as a weld of its second frame to the given pose in its first.
fn welded(frames: &mut Vec<Frame>, chord: &LoopJoint, joint: &JointDescription, next: usize) -> LoopJoint {
    let mut pose = JointMotion::at_rest();
    let still = vec![0.0; chord.kind.degrees_of_freedom()];
    Joint { kind: chord.kind, reversed: false }.evaluate(&joint.position, &still, &mut pose);
    let mut frame = frames[chord.frames[0].0].clone();
    let shift = matrix_vector(&frame.mount.rotation, &pose.translation);
    frame.mount.position = add(&frame.mount.position, &shift);
    frame.mount.rotation = matrix_product(&frame.mount.rotation, &pose.rotation).into();
    frames.push(frame);
    let ends = [FrameId(frames.len() - 1), chord.frames[1]];
    LoopJoint::new(&chord.name, JointKind::Weld, ends, Vec::new(), next, chord.members.clone())
}

/// Rows that give the relative velocity of a chord the components that belong to its given speeds.
fn hold_velocity(
    model: &Model,
    state: &State,
    work: &Workspace,
    chord: &LoopJoint,
    joint: &JointDescription,
    held: &mut LoopJoint,
) {
    let (_, relative) = loop_motion(model, state, work, chord);
    let q = coordinates_at(&chord.kind, &relative, &joint.position);
    let mut motion = JointMotion::at_rest();
    Joint { kind: chord.kind, reversed: false }.evaluate(&q, &joint.speed, &mut motion);
    // Axes of the second frame in components of the first; velocities are given along them.
    let axis = |k: usize| -> Vector3 { std::array::from_fn(|i| relative.rotation[i][k % 3]) };
    let unit = |k: usize| -> Vector3 { std::array::from_fn(|i| if i == k % 3 { 1.0 } else { 0.0 }) };
    held.coordinates.clear();
    let lines = if matches!(chord.kind, JointKind::Free) { 6 } else { 3 };
    for k in 0..lines {
        // The rate of this cosine is the spin along axis k, because axis k is the product of the other two.
        let turn = RowShape::Between { first: axis(k + 2), second: unit(k + 1), value: 0.0 };
        let shape = if k < 3 { turn } else { RowShape::Along(axis(k)) };
        held.rows.push(Row { shape, driver: Some(k) });
        let motion = Some(TimeFunction::Polynomial { coefficients: vec![0.0, motion.velocity[k]] });
        held.coordinates.push(Coordinate { motion, ..Coordinate::default() });
    }
}

/// The motion that keeps coordinate `i` of `joint` as given. Only one of value and rate is looked at.
fn hold(joint: &JointDescription, i: usize, level: Level) -> Option<TimeFunction> {
    match level {
        Level::Position => joint.position.get(i).map(|&value| TimeFunction::Constant(value)),
        Level::Speed => {
            let line = |&speed: &f64| TimeFunction::Polynomial { coefficients: vec![0.0, speed] };
            joint.speed.get(i).map(line)
        }
    }
}
