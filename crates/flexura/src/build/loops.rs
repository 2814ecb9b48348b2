//! Loop-closing joints of a model, and what is said about them.

use super::coordinate;
use crate::constraint::mobility;
use crate::diagnostic::Diagnostic;
use crate::graph::{Edge, SpanningTree};
use crate::model::closure::LoopJoint;
use crate::model::coordinate::Coordinate;
use crate::model::description::{AttachmentRule, Description, JointDescription};
use crate::model::{Body, Frame, FrameId, Model, TreeJoint};
use crate::state::State;
use std::collections::{HashMap, HashSet};

/// What the graph says about the joints outside the tree.
pub(super) struct Chords<'a> {
    /// Branches and chords.
    pub tree: &'a SpanningTree,
    /// Every joint as an edge.
    pub edges: &'a [Edge],
    /// Joints of merged point masses, which close nothing.
    pub removed: &'a HashSet<usize>,
}

/// The chords as constraints.
pub(super) fn loop_joints(
    description: &Description,
    chords: &Chords<'_>,
    frames: &[Frame],
    frame_index: &HashMap<String, usize>,
) -> Vec<LoopJoint> {
    let mut loops: Vec<LoopJoint> = Vec::new();
    for &chord in chords.tree.chords.iter().filter(|&chord| !chords.removed.contains(chord)) {
        let source = &description.joints[chord];
        let names = chords.tree.loop_of(chord, chords.edges[chord]);
        let members = names.iter().map(|&j| description.joints[j].name.clone()).collect();
        let frame = |i: usize| frame_index.get(&source.between[i]).filter(|&&index| index < frames.len());
        let (Some(&first), Some(&second)) = (frame(0), frame(1)) else { continue };
        let coordinates: Vec<Coordinate> = source.coordinates.iter().map(coordinate).collect();
        let next = loops.last().map_or(0, |last| last.row_range().end);
        let ends = [FrameId(first), FrameId(second)];
        let joint = LoopJoint::new(&source.name, source.kind, ends, coordinates, next, members);
        let start_angle = start_angle(&joint, source, description.simulation.start);
        loops.push(LoopJoint { index: loops.len(), start_angle, ..joint });
    }
    loops
}

/// Where the angle of a chord starts: as it is driven, as given, or else near the rest of its spring.
fn start_angle(joint: &LoopJoint, source: &JointDescription, start: f64) -> f64 {
    let Some(index) = joint.angle() else { return 0.0 };
    let coordinate = joint.coordinates.get(index);
    let driven = coordinate.and_then(|c| c.motion.as_ref()).map(|motion| motion.sample(start).value);
    let given = driven.or_else(|| source.position.get(index).copied());
    given.unwrap_or_else(|| coordinate.map_or(0.0, |c| c.rest))
}

/// Path and words of a loop-closing joint.
fn item_of(description: &Description, joint: &LoopJoint) -> (String, String) {
    let index = description.joints.iter().position(|source| source.name == joint.name).unwrap_or(0);
    (format!("joint[{index}]"), format!("joint `{}`", joint.name))
}

/// What a joint cannot do where it closes a loop.
pub(super) fn loop_problems(
    description: &Description,
    joint: &LoopJoint,
    frames: &[Frame],
    bodies: &[Body],
    joints: &[TreeJoint],
) -> Option<Diagnostic> {
    let (path, item) = item_of(description, joint);
    if joint.unmeasured_law().is_some() {
        let message = "closes a loop, and its coordinates cannot be measured there: springs, dampers, efforts and \
                       motions on it need it in the tree";
        let help = "cut another joint of the loop: [graph] cut = \"other joint\"";
        return Some(Diagnostic::error("loop-law", path, item, message, help));
    }
    for FrameId(frame) in joint.frames {
        let mut at = frames[frame].body.map(|body| body.0);
        while let Some(k) = at {
            let body = &bodies[k];
            if body.modes > 0 && body.rule != AttachmentRule::Exact {
                let message = format!(
                    "closes a loop through body `{}`, whose attachment points do not move exactly with its modes: the \
                     loop would not stay closed",
                    body.name
                );
                let help = format!(
                    "give body `{}` attachments = \"exact\", or level = \"gram\" or \"full\"",
                    body.name
                );
                return Some(Diagnostic::error("loop-attachment", path, item, message, help));
            }
            at = joints[k].parent;
        }
    }
    None
}

/// Dependent constraints, mechanisms that cannot move and singular positions.
pub(super) fn mobility_findings(model: &Model, description: &Description) -> Vec<Diagnostic> {
    let state = State::initial(model, description.simulation.start);
    // An evaluation that fails here fails in the run too, with its own message.
    let Some(found) = (!model.loops.is_empty()).then(|| mobility(model, &state).ok()).flatten() else {
        return Vec::new();
    };
    let at = |l: usize| item_of(description, &model.loops[l]);
    let mut list = Vec::new();
    for &(l, rows) in &found.redundant {
        let (path, item) = at(l);
        let members: Vec<String> = model.loops[l].members.iter().map(|name| format!("`{name}`")).collect();
        let message = format!(
            "{rows} of the {} constraints with which it closes the loop through {} follow from the others: motion \
             is determined, the reactions in these directions are not",
            model.loops[l].rows.len(),
            members.join(", ")
        );
        let help = "harmless for the motion; for true reactions give a joint of the loop more freedom (a planar loop \
                    in space: one spherical and one cylindrical joint), or make a body flexible";
        list.push(Diagnostic::warning("redundant-constraints", path, item, message, help));
    }
    if let Some(rank) = found.regular_rank {
        let (path, item) = at(0);
        let message = format!(
            "the initial position is singular: {} independent constraints here, {rank} beside it; the motion may go \
             on along different branches",
            found.rank
        );
        let help = "start from another position, or accept that rounding decides the branch";
        list.push(Diagnostic::warning("singular-position", path, item, message, help));
    } else if found.freedoms == 0 && found.tree_freedoms > 0 && !model.prescribed.contains(&true) {
        // A mechanism without freedoms of its own still moves where it is driven.
        let (path, item) = at(0);
        let message = format!(
            "the mechanism cannot move: {} freedoms of the opened tree, {} independent constraints",
            found.tree_freedoms, found.rank
        );
        let help =
            "give a joint of the loop more freedom, or check the axes (parallel axes let a planar loop move)";
        list.push(Diagnostic::warning("locked-mechanism", path, item, message, help));
    }
    list
}
