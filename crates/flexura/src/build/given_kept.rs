//! What assembly made of given initial values: every one that had to change is named.

use crate::constraint::loop_motion;
use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::model::closure::{LoopJoint, coordinates_at, speeds_at};
use crate::model::description::{Description, JointDescription};
use crate::model::joint::JointKind;
use crate::state::State;
use crate::workspace::Workspace;

/// Change of a given position that is reported (m or rad).
const MOVED: f64 = 1e-6;
/// Change of a given speed that is reported, as a share of the joint's largest: more than rounded numbers need.
const CHANGED: f64 = 0.01;

/// Code of the warning about given speeds.
pub(super) const SPEED_CHANGED: &str = "speed-changed";

/// Loop-closing joints whose given position was changed, with the change (m or rad); warnings about given speeds of all
/// joints that were changed.
pub(super) fn changes(
    model: &Model,
    description: &Description,
    state: &State,
) -> (Vec<(String, f64)>, Vec<Diagnostic>) {
    let mut work = Workspace::new(model);
    work.kinematics(model, state);
    work.poses(model, state);
    let (mut moved, mut warnings) = (Vec::new(), Vec::new());
    for (index, joint) in description.joints.iter().enumerate() {
        if joint.position.is_empty() && joint.speed.is_empty() {
            continue; // nothing was given
        }
        let chord = model.loops.iter().find(|chord| chord.name == joint.name);
        let speeds = match chord {
            Some(chord) => {
                let (change, speeds) = of_chord(model, state, &work, chord, joint);
                if change > MOVED {
                    moved.push((joint.name.clone(), change));
                }
                speeds
            }
            None => of_branch(model, state, joint),
        };
        warnings.extend(changed_speed(index, joint, &speeds));
    }
    (moved, warnings)
}

/// Change of the given position of a chord (m or rad), and its speeds.
fn of_chord(
    model: &Model,
    state: &State,
    work: &Workspace,
    chord: &LoopJoint,
    joint: &JointDescription,
) -> (f64, Vec<f64>) {
    let (_, relative) = loop_motion(model, state, work, chord);
    let q = coordinates_at(&chord.kind, &relative, &joint.position);
    let speeds = speeds_at(&chord.kind, &relative, &q);
    let pairs = || joint.position.iter().zip(&q);
    let largest = |skip: usize| pairs().skip(skip).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    let change = match chord.kind {
        _ if joint.position.is_empty() => 0.0,
        JointKind::Spherical | JointKind::Free => {
            let cosine: f64 = pairs().take(4).map(|(a, b)| a * b).sum();
            largest(4).max(2.0 * cosine.abs().min(1.0).acos())
        }
        _ => largest(0),
    };
    (change, speeds)
}

/// Speeds of a joint of the tree.
fn of_branch(model: &Model, state: &State, joint: &JointDescription) -> Vec<f64> {
    let found = model.joints.iter().position(|branch| branch.name == joint.name);
    found.map_or(Vec::new(), |k| state.v[model.layout.bodies[k].joint_v()].to_vec())
}

fn changed_speed(index: usize, joint: &JointDescription, found: &[f64]) -> Option<Diagnostic> {
    // What is prescribed follows its motion.
    let free = |i: &usize| joint.coordinates.get(*i).is_none_or(|coordinate| coordinate.motion.is_none());
    let given = &joint.speed;
    let largest = given.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let change = |i: usize| found.get(i).map_or(0.0, |x| (x - given[i]).abs());
    let worst = (0..given.len()).filter(free).max_by(|&a, &b| change(a).total_cmp(&change(b)))?;
    if change(worst) <= (CHANGED * largest).max(MOVED) {
        return None;
    }
    let message = format!(
        "its given speed {} cannot be kept with the loops closed: the run starts with {:.6}",
        given[worst], found[worst]
    );
    let help = "leave the speeds of other joints of the loop out, or give this one the speed it must have; `[graph] hold` \
                keeps a joint as given";
    let path = format!("joint[{index}].speed");
    Some(Diagnostic::warning(SPEED_CHANGED, path, format!("joint `{}`", joint.name), message, help))
}
