//! Joints of SDF: between frames of two links, or of the world and a link.

use super::super::description::{Coordinate, End, Joint, Kind};
use super::super::xml::Node;
use super::frames::{Frames, MODEL, says, word};
use super::{NO_PART, number};
use crate::finding::Findings;
use nalgebra::{Isometry3, Unit, Vector3};
use std::collections::BTreeMap;

/// Limits beyond this are none (SDF writes 1e16 for them).
const NO_LIMIT: f64 = 1e15;
/// Axes of a universal joint that are normal to each other to this cosine.
const NORMAL: f64 = 1e-9;

/// The joint of an element; `place` is the pose of the model in the world.
pub fn read(
    node: &Node,
    frames: &Frames,
    links: &BTreeMap<String, usize>,
    place: &Isometry3<f64>,
    findings: &mut Findings,
) -> Option<Joint> {
    node.only(&["name", "type"], findings);
    let passed = ["physics", "sensor", "plugin"];
    node.only_children(&[&["pose", "parent", "child", "axis", "axis2"], &passed[..]].concat(), findings);
    for child in node.children.iter().filter(|child| passed.contains(&child.tag.as_str())) {
        findings.passed(&child.place, &format!("<{}>", child.tag), NO_PART);
    }
    let name = node.need("name", findings);
    let at = frames.pose(&name);
    let parent = end(node, "parent", &at, frames, links, place, findings);
    let child = end(node, "child", &at, frames, links, place, findings);
    let first = axis(node, "axis", &at, frames, findings);
    let (kind, laws) = match node.need("type", findings).as_str() {
        "fixed" => (Kind::Weld, Vec::new()),
        "revolute" | "continuous" => (Kind::Revolute(first?.0), vec![first?.1]),
        "prismatic" => (Kind::Prismatic(first?.0), vec![first?.1]),
        "ball" => (Kind::Spherical, Vec::new()),
        "universal" => {
            let second = axis(node, "axis2", &at, frames, findings);
            if first?.0.dot(&second?.0).abs() > NORMAL {
                let message = "the axes of a universal joint are not normal to each other";
                findings.foreign(&node.place, message, "put a link with mass between two revolute joints");
            }
            (Kind::Universal(first?.0, second?.0), vec![first?.1, second?.1])
        }
        "" => return None,
        other => {
            let message = format!("<joint> of type `{other}` has no counterpart here");
            let help = "types are fixed, revolute, continuous, prismatic, ball and universal; a screw is \
                        [[joint]] type = \"helical\" in the model file";
            findings.foreign(&node.place, message, help);
            return None;
        }
    };
    let mut coordinates = laws;
    if node.text("type") == Some("continuous") {
        coordinates.iter_mut().for_each(|law| law.limits = None);
    }
    Some(Joint { name, place: node.place.clone(), kind, ends: [parent?, child?], coordinates, start: None })
}

/// Where the joint, whose pose in the model is `at`, sits on the link that `tag` names.
fn end(
    node: &Node,
    tag: &str,
    at: &Isometry3<f64>,
    frames: &Frames,
    links: &BTreeMap<String, usize>,
    place: &Isometry3<f64>,
    findings: &mut Findings,
) -> Option<End> {
    let Some(name) = word(node, tag, findings) else {
        findings.fault(&node.place, format!("<joint> has no <{tag}>"), format!("add <{tag}>link</{tag}>"));
        return None;
    };
    if name == "world" && tag == "parent" {
        return Some(End { link: None, pose: place * at });
    }
    match frames.link(name).and_then(|link| Some((links.get(&link).copied()?, link))) {
        Some((index, link)) => Some(End { link: Some(index), pose: frames.pose(&link).inverse() * at }),
        None => {
            let message = format!("<{tag}> `{name}` is no link, nor a frame that is attached to one");
            findings.fault(&node.place, message, "name a link of this model; `world` may be a parent");
            None
        }
    }
}

/// An axis in the joint's frame, with law and limits of its coordinate.
fn axis(
    node: &Node,
    tag: &str,
    at: &Isometry3<f64>,
    frames: &Frames,
    findings: &mut Findings,
) -> Option<(Vector3<f64>, Coordinate)> {
    let written = node.one(tag, findings);
    let Some(written) = written else {
        let turns = !matches!(node.text("type"), Some("fixed" | "ball"));
        if turns && tag == "axis2" {
            findings.fault(&node.place, "<joint> has no <axis2>", "a universal joint has two axes");
        }
        // What SDF has for an axis that is not written.
        return (tag == "axis").then(|| (Vector3::z(), Coordinate::default()));
    };
    written
        .only_children(&["xyz", "dynamics", "limit", "use_parent_model_frame", "initial_position"], findings);
    let base = written.one("xyz", findings).and_then(|xyz| xyz.text("expressed_in")).unwrap_or_default();
    let of_model = says(written, "use_parent_model_frame", findings).unwrap_or(false);
    let base = if of_model { MODEL } else { base };
    let given = written.one("xyz", findings).map(Node::with_value);
    let xyz = given.and_then(|lifted| lifted.array("value", findings)).unwrap_or([0.0, 0.0, 1.0]);
    let Some(unit) = Unit::try_new(Vector3::from(xyz), 1e-12) else {
        findings.fault(&written.place, "<xyz> of an axis has no length", "give a direction such as 0 0 1");
        return None;
    };
    if !base.is_empty() && !frames.has(base) {
        findings.fault(&written.place, format!("no frame is called `{base}`"), "correct `expressed_in`");
    }
    let turn = if base.is_empty() { at.rotation } else { frames.pose(base).rotation };
    let unit = at.rotation.inverse() * (turn * unit.into_inner());
    Some((unit, law(written, findings)))
}

/// Damping, friction, spring and limits of a coordinate.
fn law(axis: &Node, findings: &mut Findings) -> Coordinate {
    let mut law =
        Coordinate { position: number(axis, "initial_position", 0.0, findings), ..Coordinate::default() };
    if let Some(dynamics) = axis.one("dynamics", findings) {
        dynamics.only_children(&["damping", "friction", "spring_reference", "spring_stiffness"], findings);
        law.damping = number(dynamics, "damping", 0.0, findings);
        law.friction = number(dynamics, "friction", 0.0, findings);
        law.stiffness = number(dynamics, "spring_stiffness", 0.0, findings);
        law.rest = number(dynamics, "spring_reference", 0.0, findings);
    }
    if let Some(limit) = axis.one("limit", findings) {
        limit.only_children(&["lower", "upper", "effort", "velocity", "stiffness", "dissipation"], findings);
        for tag in ["effort", "velocity", "stiffness", "dissipation"] {
            if let Some(child) = limit.one(tag, findings) {
                findings.passed(
                    &child.place,
                    &format!("<{tag}> of <limit>"),
                    "binds drives and stops, of which a model has none yet",
                );
            }
        }
        let limits = [number(limit, "lower", -1e16, findings), number(limit, "upper", 1e16, findings)];
        let held = [-limits[0] < NO_LIMIT, limits[1] < NO_LIMIT];
        if held[0] != held[1] {
            let why = "a limit has two sides here: give the other one, far away, to have both";
            findings.passed(&limit.place, "<limit> on one side", why);
        }
        law.limits = Some(limits).filter(|[lower, upper]| lower < upper && held == [true, true]);
    }
    law
}
