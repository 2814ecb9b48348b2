//! What the graph says about a description, as diagnostics.

use crate::diagnostic::Diagnostic;
use crate::graph::{Edge, SpanningTree};
use crate::model::channel::matches_pattern;
use crate::model::description::{Description, NaturalChoice, TreeChoice};
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

    /// Joints as edges with the given ranks; removed joints become ground-ground and are ignored later.
    pub fn edges(&self, description: &Description, removed: &HashSet<usize>, ranks: &[u32]) -> Vec<Edge> {
        let body_of =
            |frame: &String| frame.rsplit_once('.').and_then(|(name, _)| self.bodies.get(name).copied());
        let edge = |(index, joint): (usize, &crate::model::description::JointDescription)| {
            if removed.contains(&index) {
                return Edge { first: None, second: None, rank: Edge::CUT };
            }
            let [first, second] = [0, 1].map(|end| body_of(&joint.between[end]));
            Edge { first, second, rank: ranks[index] }
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
    found.extend(report_choice(description, tree, removed_joints));
    for group in groups(tree, edges) {
        let mut members = group.iter().filter(|&body| !removed_bodies.contains(body));
        let Some(&body) = members.next() else { continue };
        let name = &description.bodies[body].name;
        let others: Vec<&str> = members.map(|&other| description.bodies[other].name.as_str()).collect();
        let mut message = match others.len() {
            0 => "no chain of joints connects it to the ground".to_string(),
            _ => format!("no chain of joints connects it and {} to the ground", listing(others.into_iter())),
        };
        let mut help = format!(
            "connect it by a joint; for a free-floating body write a joint with type = \"free\" \
             between = [\"ground.origin\", \"{name}.origin\"]"
        );
        let cut = cut_joints(description, edges, &group);
        if !cut.is_empty() {
            message += &format!(" once {} {} cut", listing(cut.iter().copied()), be(cut.len()));
            help = "leave one of them in the tree: `[graph] cut` names joints that close loops".into();
        }
        let carriers = speed_joints(description, edges, &group);
        if !carriers.is_empty() {
            let verbs = if carriers.len() == 1 {
                "constrains speeds and carries"
            } else {
                "constrain speeds and carry"
            };
            message += &format!("; {} {verbs} nothing", listing(carriers.into_iter()));
        }
        let (path, item) = (format!("body[{body}]"), format!("body `{name}`"));
        found.push(Diagnostic::error("unconnected-body", path, item, message, help));
    }
    found
}

/// Joints at the bodies of `group` that constrain speeds and have no coordinates.
fn speed_joints<'a>(description: &'a Description, edges: &[Edge], group: &[usize]) -> Vec<&'a str> {
    let touches = |edge: &Edge| [edge.first, edge.second].into_iter().flatten().any(|b| group.contains(&b));
    let found = description
        .joints
        .iter()
        .zip(edges)
        .filter(|(joint, edge)| joint.kind.is_nonholonomic() && touches(edge));
    found.map(|(joint, _)| joint.name.as_str()).collect()
}

fn be(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// Joints that `[graph] cut` takes from the tree at the bodies of `group`.
fn cut_joints<'a>(description: &'a Description, edges: &[Edge], group: &[usize]) -> Vec<&'a str> {
    let touches = |edge: &Edge| [edge.first, edge.second].into_iter().flatten().any(|b| group.contains(&b));
    let named =
        description.joints.iter().zip(edges).filter(|(_, edge)| edge.rank == Edge::CUT && touches(edge));
    let cut = named.map(|(joint, _)| joint.name.as_str());
    cut.filter(|name| description.graph.cut.iter().any(|cut| cut == name)).collect()
}

/// Names and patterns of `[graph.natural]` that no body or joint has.
fn natural_names(description: &Description) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let bodies: Vec<&str> = description.bodies.iter().map(|body| body.name.as_str()).collect();
    let joints: Vec<&str> = description.joints.iter().map(|joint| joint.name.as_str()).collect();
    let natural = &description.graph.natural;
    for ((key, of_joints), list) in NaturalChoice::KEYS.into_iter().zip(natural.lists()) {
        let (what, code, known) =
            if of_joints { ("joint", "unknown-joint", &joints) } else { ("body", "unknown-body", &bodies) };
        for (i, name) in list.iter().enumerate() {
            if known.iter().any(|known| matches_pattern(name, known)) {
                continue;
            }
            let near = crate::model::words::nearest(name, known.iter().copied());
            let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            let help = format!("{near}name a {what} of the model, or a pattern such as \"arm_*\"");
            let message = format!("no {what} is called `{name}`");
            let path = format!("graph.natural.{key}[{i}]");
            found.push(Diagnostic::error(code, path, "graph settings", message, help));
        }
    }
    found
}

/// What cannot be done as `[graph]` asks.
fn report_choice(
    description: &Description,
    tree: &SpanningTree,
    removed_joints: &HashSet<usize>,
) -> Vec<Diagnostic> {
    let graph = &description.graph;
    let listed: &[String] = if let TreeChoice::Listed(names) = &graph.tree { names } else { &[] };
    let mut found = natural_names(description);
    for (key, names) in [("cut", graph.cut.as_slice()), ("hold", &graph.hold), ("tree", listed)] {
        for (i, name) in names.iter().enumerate() {
            let path = format!("graph.{key}[{i}]");
            let Some(joint) = description.joints.iter().position(|joint| joint.name == *name) else {
                let all = description.joints.iter().map(|joint| joint.name.as_str());
                let near =
                    crate::model::words::nearest(name, all).map(|near| format!("did you mean `{near}`? "));
                let help = format!("{}name a joint of the model", near.unwrap_or_default());
                let message = format!("no joint is called `{name}`");
                found.push(Diagnostic::error("unknown-joint", path, "graph settings", message, help));
                continue;
            };
            let closes = tree.chords.contains(&joint) && !removed_joints.contains(&joint);
            if key == "tree" && description.joints[joint].kind.is_nonholonomic() {
                let message = format!("joint `{name}` constrains speeds and has no coordinates for a tree");
                let help = "leave it out of the list, and list the joint that carries the body";
                found.push(Diagnostic::error(
                    "tree-without-coordinates",
                    path,
                    "graph settings",
                    message,
                    help,
                ));
            } else if key == "tree" && closes {
                let message = format!("joint `{name}` closes a loop with the other joints of the tree");
                let help = "a tree has no loops: leave one joint of the loop out of the list";
                found.push(Diagnostic::error("tree-with-loop", path, "graph settings", message, help));
            } else if key == "hold" && closes {
                let message = format!("joint `{name}` closes a loop and has no coordinate to hold");
                let help = "hold a joint of the tree, or choose another joint to cut";
                found.push(Diagnostic::warning("held-chord", path, "graph settings", message, help));
            }
        }
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
