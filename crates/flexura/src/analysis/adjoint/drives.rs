//! Functions of time in the order in which an evaluation asks for them, for derivatives over what they depend on.
//!
//! With s̄ⱼ(t) the derivative of the result over the j-th value that an evaluation takes of functions of time, a number p of
//! the file that a function depends on has Σ s̄ⱼ ∂sⱼ(t)/∂p over all evaluations, and an input that is held has Σ s̄ⱼ. The order is
//! written here a second time; every evaluation is compared with it, so that a difference cannot pass.

use crate::control::Controller;
use crate::model::Model;
use crate::model::joint::JointKind;
use crate::time_function::{Side, TimeFunction};

/// What an evaluation takes of a function.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Drive {
    /// Position, speed and acceleration of a coordinate.
    Motion(TimeFunction),
    /// The value.
    Value(TimeFunction),
    /// So many numbers of a prescribed orientation or place, by joint; their functions.
    Pose(usize, Vec<TimeFunction>),
}

/// Which functions an evaluation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// All but the references of sampled controllers.
    Dynamics,
    /// Motions, and the references of the controllers that are due.
    Samples,
    /// Motions alone.
    Loops,
}

/// Motions of the joints of the tree.
fn motions(model: &Model, list: &mut Vec<Drive>) {
    for joint in &model.joints {
        let given = |range: std::ops::Range<usize>| -> Vec<TimeFunction> {
            let all = joint.coordinates.get(range.clone()).unwrap_or_default();
            let found: Vec<TimeFunction> = all.iter().filter_map(|c| c.motion.clone()).collect();
            if found.len() == range.len() { found } else { Vec::new() }
        };
        match joint.joint.kind {
            JointKind::Spherical | JointKind::Free => {
                for (range, count) in [(0..3, 10), (3..6, 9)] {
                    let functions = given(range);
                    if !functions.is_empty() {
                        list.push(Drive::Pose(count, functions));
                    }
                }
            }
            _ => list.extend(joint.coordinates.iter().filter_map(|c| c.motion.clone()).map(Drive::Motion)),
        }
    }
}

fn scale(function: Option<&TimeFunction>) -> Drive {
    Drive::Value(function.cloned().unwrap_or(TimeFunction::Constant(1.0)))
}

/// Functions that an evaluation of `model` asks for; `due` says which sampled controllers are.
pub(super) fn drives_of(model: &Model, asked: Asked, due: impl Fn(usize) -> bool) -> Vec<Drive> {
    let mut list = Vec::new();
    motions(model, &mut list);
    let references = |c: &Controller| c.references.iter().cloned().map(Drive::Value).collect::<Vec<Drive>>();
    let controllers = model.controllers.iter().enumerate();
    if asked == Asked::Loops {
        return list;
    }
    if asked == Asked::Samples {
        list.extend(controllers.filter(|(i, c)| c.is_sampled() && due(*i)).flat_map(|(_, c)| references(c)));
        return list;
    }
    for joint in &model.joints {
        list.extend(joint.coordinates.iter().filter_map(|c| c.effort.clone()).map(Drive::Value));
    }
    list.extend(model.forces.iter().map(|force| scale(force.scale.as_ref())));
    list.extend(model.loads.iter().map(|load| scale(load.scale.as_ref())));
    list.extend(model.elements.iter().filter_map(|e| e.kind.effort().cloned()).map(Drive::Value));
    let chords = model.loops.iter().flat_map(|joint| joint.coordinates.iter().zip(&joint.measures));
    let efforts = chords.filter(|(_, measure)| measure.is_some()).filter_map(|(c, _)| c.effort.clone());
    list.extend(efforts.map(Drive::Value));
    list.extend(controllers.filter(|(_, c)| !c.is_sampled()).flat_map(|(_, c)| references(c)));
    list
}

/// The values that an evaluation at `time` takes; those of poses are not known here and NaN.
pub(super) fn values_of(drives: &[Drive], (time, side): (f64, Side), out: &mut Vec<f64>) {
    out.clear();
    for drive in drives {
        match drive {
            Drive::Motion(function) => {
                let s = function.sample_side(time, side);
                out.extend([s.value, s.rate, s.acceleration]);
            }
            Drive::Value(function) => out.push(function.sample_side(time, side).value),
            Drive::Pose(count, _) => out.resize(out.len() + count, f64::NAN),
        }
    }
}
