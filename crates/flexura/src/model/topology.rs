//! What the graph says about a description, as diagnostics.

use super::description::Description;
use crate::diagnostic::Diagnostic;
use crate::graph::{Edge, SpanningTree};
use std::collections::{HashMap, HashSet};

/// Longest list of names spelled out in a message.
const LONGEST_LIST: usize = 12;

/// Bodies by name.
pub(super) struct Ends<'a> {
    bodies: HashMap<&'a str, usize>,
}

impl<'a> Ends<'a> {
    pub fn new(description: &'a Description) -> Self {
        let named = description.bodies.iter().enumerate();
        Self { bodies: named.map(|(index, body)| (body.name.as_str(), index)).collect() }
    }

    /// Joints as edges; removed joints become ground-ground and are ignored later.
    pub fn edges(&self, description: &Description, removed: &HashSet<usize>) -> Vec<Edge> {
        let body_of =
            |frame: &String| frame.split_once('.').and_then(|(name, _)| self.bodies.get(name).copied());
        let edge = |(index, joint): (usize, &super::description::JointDescription)| {
            if removed.contains(&index) {
                return Edge { first: None, second: None };
            }
            Edge { first: body_of(&joint.between[0]), second: body_of(&joint.between[1]) }
        };
        description.joints.iter().enumerate().map(edge).collect()
    }
}

fn listing<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let shown: Vec<String> = names.iter().take(LONGEST_LIST).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(LONGEST_LIST);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

/// Loops and unconnected bodies, each named with a fix.
pub(super) fn report_topology(
    description: &Description,
    tree: &SpanningTree,
    edges: &[Edge],
    removed_bodies: &HashSet<usize>,
    removed_joints: &HashSet<usize>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for &chord in tree.chords.iter().filter(|&chord| !removed_joints.contains(chord)) {
        let joint = &description.joints[chord];
        let members = tree.loop_of(chord, edges[chord]);
        let names = listing(members.iter().map(|&j| description.joints[j].name.as_str()));
        found.push(Diagnostic::error(
            "closed-loop",
            format!("joint[{chord}]"),
            format!("joint `{}`", joint.name),
            format!("closes a kinematic loop through the joints {names}"),
            "closed loops are not supported yet: remove one joint of the loop, or replace it by a force",
        ));
    }
    for &body in tree.unreached.iter().filter(|&body| !removed_bodies.contains(body)) {
        let name = &description.bodies[body].name;
        found.push(Diagnostic::error(
            "unconnected-body",
            format!("body[{body}]"),
            format!("body `{name}`"),
            "no chain of joints connects it to the ground",
            format!(
                "connect it by a joint; for a free-floating body write a joint with type = \"free\" \
                 between = [\"ground.origin\", \"{name}.origin\"]"
            ),
        ));
    }
    found
}
