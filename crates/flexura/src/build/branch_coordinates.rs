//! Branch coordinates: which tree carries the coordinates of a system.
//!
//! Source: Richard (2012), section 2, after McPhee (1998): joints in the tree
//! give relative coordinates, bodies in the tree absolute ones, anything between
//! mixed ones. A body edge of the linear graph (ground to reference frame) is a
//! joint of six freedoms here, so a tree of bodies is one of joints too. Such a
//! tree starts from the assembled state of the joint tree: every joint and every
//! body edge takes the coordinates that belong to the same poses.

use crate::graph::{DisjointSets, Edge, joint_rank};
use crate::model::Model;
use crate::model::closure::{coordinates_at, speeds_at};
use crate::model::description::{BodyKind, Description, JointDescription, JointKindDescription, TreeChoice};
use crate::motion::observe::{FrameMotion, frame_motion};
use crate::motion::pair::relative_motion;
use crate::state::State;
use crate::workspace::Workspace;
use std::collections::{HashMap, HashSet};

/// Rank of every joint of `description` under its choice of tree.
pub(super) fn ranks(description: &Description) -> Vec<u32> {
    let cut = |joint: &JointDescription| description.graph.cut.contains(&joint.name);
    let points: HashSet<&str> = description
        .bodies
        .iter()
        .filter(|body| is_point(&body.kind))
        .map(|body| body.name.as_str())
        .collect();
    let carries_point = |joint: &JointDescription| {
        let body = |frame: &'_ String| frame.split('.').next().is_some_and(|body| points.contains(body));
        joint.between.iter().any(body)
    };
    let rank = |joint: &JointDescription| match &description.graph.tree {
        _ if cut(joint) || joint.kind.is_nonholonomic() => Edge::CUT,
        TreeChoice::Joint => joint_rank(joint),
        // Joints turn a point mass along with what carries it; a body edge would hold it, and with it that body.
        _ if carries_point(joint) => 0,
        TreeChoice::Absolute if is_body_edge(joint) => 1,
        TreeChoice::Absolute => Edge::CUT,
        TreeChoice::Listed(names) if names.contains(&joint.name) => 0,
        TreeChoice::Listed(_) if is_body_edge(joint) => 1,
        TreeChoice::Listed(_) => Edge::CUT,
    };
    description.joints.iter().map(rank).collect()
}

fn is_point(kind: &BodyKind) -> bool {
    matches!(kind, BodyKind::PointMass { .. })
}

/// Whether a joint is what an absolute coordinate needs: all freedoms, from the ground.
fn is_body_edge(joint: &JointDescription) -> bool {
    let grounded = joint.between.iter().any(|frame| frame.starts_with("ground."));
    let whole = matches!(joint.kind, JointKindDescription::Free | JointKindDescription::Translational);
    grounded && whole
}

/// `description` (whose frames are called `names` in the model) with a body edge for every part its tree does not connect to the ground, started from
/// the state of the same system in joint coordinates.
pub(super) fn expand(
    description: &Description,
    names: &HashMap<String, String>,
    removed: &HashSet<usize>,
    start: &Model,
) -> Description {
    let mut expanded = description.clone();
    for body in unconnected(description, removed) {
        let part = &description.bodies[body];
        let kind = if is_point(&part.kind) {
            JointKindDescription::Translational
        } else {
            JointKindDescription::Free
        };
        expanded.joints.push(JointDescription {
            name: format!("{}@ground", part.name),
            kind,
            between: ["ground.origin".into(), format!("{}.origin", part.name)],
            position: Vec::new(),
            speed: Vec::new(),
            coordinates: Vec::new(),
        });
    }
    take_over_state(&mut expanded, names, start);
    expanded
}

/// First body of every part that the chosen tree does not connect to the ground.
fn unconnected(description: &Description, removed: &HashSet<usize>) -> Vec<usize> {
    let ranks = ranks(description);
    let ends = super::topology::Ends::new(description);
    let edges = ends.edges(description, &HashSet::new(), &ranks);
    let ground = description.bodies.len();
    let mut sets = DisjointSets::new(ground + 1);
    for edge in edges.iter().filter(|edge| edge.rank != Edge::CUT) {
        sets.join(edge.first.unwrap_or(ground), edge.second.unwrap_or(ground));
    }
    let mut list = Vec::new();
    for body in (0..ground).filter(|body| !removed.contains(body)) {
        if sets.root(body) != sets.root(ground) {
            sets.join(body, ground);
            list.push(body);
        }
    }
    list
}

/// Gives every joint the coordinates and speeds that belong to the initial poses of `start`.
fn take_over_state(description: &mut Description, names: &HashMap<String, String>, start: &Model) {
    let state = State::initial(start, description.simulation.start);
    let mut work = Workspace::new(start);
    work.kinematics(start, &state);
    work.poses(start, &state);
    // Frames of segments have other names in the model.
    let called = |frame: &'_ String| names.get(frame).unwrap_or(frame).clone();
    for joint in &mut description.joints {
        let [Some(first), Some(second)] =
            [0, 1].map(|i| motion_of(start, &state, &work, &called(&joint.between[i])))
        else {
            continue;
        };
        let relative = relative_motion(&first, &second);
        let kind = joint.kind;
        joint.position = coordinates_at(&kind, &relative, &joint.position);
        joint.speed = speeds_at(&kind, &relative, &joint.position);
    }
    let simulation = &mut description.simulation;
    simulation.modal_position.clear();
    simulation.modal_speed.clear();
    for (k, body) in start.bodies.iter().enumerate().filter(|(_, body)| body.modes > 0) {
        let part = &start.layout.bodies[k];
        simulation.modal_position.push((body.name.clone(), state.q[part.modal_q()].to_vec()));
        simulation.modal_speed.push((body.name.clone(), state.v[part.modal_v()].to_vec()));
    }
}

fn motion_of(model: &Model, state: &State, work: &Workspace, frame: &str) -> Option<FrameMotion> {
    let frame = &model.frames[model.frame(frame)?.0];
    let zero = vec![[0.0; 6]; model.body_count()];
    let chidot = vec![0.0; model.speed_count()];
    Some(frame_motion(model, state, &work.motion, &zero, &chidot, frame))
}
