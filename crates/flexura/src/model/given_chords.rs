//! Initial values given for joints that close loops.
//!
//! A chord has no coordinate of its own, so what the description says about its
//! position or speed becomes a constraint for the time of assembly: a driver that
//! holds the measured coordinate at the given value.

use super::Model;
use super::closure::LoopJoint;
use super::description::{Description, JointDescription};
use crate::time_function::TimeFunction;

/// Which initial values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Coordinates.
    Position,
    /// Speeds.
    Speed,
}

/// `model` with drivers that hold chords at their given values; `None` where none is given.
pub(super) fn with_given_chords(model: &Model, description: &Description, level: Level) -> Option<Model> {
    let source = |name: &str| description.joints.iter().find(|joint| joint.name == name);
    let given = |joint: &JointDescription| match level {
        Level::Position => !joint.position.is_empty(),
        Level::Speed => !joint.speed.is_empty(),
    };
    let found = |chord: &LoopJoint| source(&chord.name).filter(|joint| given(joint));
    if !model.loops.iter().any(|chord| found(chord).is_some()) {
        return None;
    }
    let mut aided = model.clone();
    let mut next = 0;
    for chord in &mut aided.loops {
        let mut coordinates = chord.coordinates.clone();
        if let Some(joint) = found(chord) {
            coordinates.resize(chord.kind.degrees_of_freedom(), Default::default());
            for (i, coordinate) in coordinates.iter_mut().enumerate() {
                let measured = chord.measures[i].is_some() && coordinate.motion.is_none();
                coordinate.motion = if measured { hold(joint, i, level) } else { coordinate.motion.take() };
            }
        }
        let (members, kind) = (std::mem::take(&mut chord.members), chord.kind);
        let (index, start_angle) = (chord.index, chord.start_angle);
        let aided = LoopJoint::new(&chord.name, kind, chord.frames, coordinates, next, members);
        *chord = LoopJoint { index, start_angle, ..aided };
        next = chord.row_range().end;
    }
    Some(aided)
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
