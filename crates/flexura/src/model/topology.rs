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
    for group in groups(tree, edges) {
        let mut members = group.iter().filter(|&body| !removed_bodies.contains(body));
        let Some(&body) = members.next() else { continue };
        let name = &description.bodies[body].name;
        let others: Vec<&str> = members.map(|&other| description.bodies[other].name.as_str()).collect();
        let message = match others.len() {
            0 => "no chain of joints connects it to the ground".to_string(),
            _ => format!("no chain of joints connects it and {} to the ground", listing(others.into_iter())),
        };
        found.push(Diagnostic::error(
            "unconnected-body",
            format!("body[{body}]"),
            format!("body `{name}`"),
            message,
            format!(
                "connect it by a joint; for a free-floating body write a joint with type = \"free\" \
                 between = [\"ground.origin\", \"{name}.origin\"]"
            ),
        ));
    }
    found
}

/// Unreached bodies, those that joints connect to each other together, in the order of the file.
fn groups(tree: &SpanningTree, edges: &[Edge]) -> Vec<Vec<usize>> {
    let mut group_of: HashMap<usize, usize> = HashMap::new();
    let mut parent: Vec<usize> = (0..tree.unreached.len()).collect();
    for (index, &body) in tree.unreached.iter().enumerate() {
        group_of.insert(body, index);
    }
    for edge in edges {
        let ends = edge.first.zip(edge.second);
        let Some((a, b)) = ends.and_then(|(a, b)| group_of.get(&a).zip(group_of.get(&b))) else { continue };
        let (a, b) = (root(&mut parent, *a), root(&mut parent, *b));
        parent[a.max(b)] = a.min(b);
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); parent.len()];
    for (index, &body) in tree.unreached.iter().enumerate() {
        groups[root(&mut parent, index)].push(body);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Representative of the group of `index`; halves the path to it on the way.
fn root(parent: &mut [usize], mut index: usize) -> usize {
    while parent[index] != index {
        parent[index] = parent[parent[index]];
        index = parent[index];
    }
    index
}
