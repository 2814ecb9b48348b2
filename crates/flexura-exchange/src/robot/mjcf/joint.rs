//! Joints of a body: each with axis, anchor and law in axes of the body.

use super::Context;
use crate::finding::Findings;
use crate::robot::combine::{Single, Turn};
use crate::robot::description::Coordinate;
use crate::robot::placed::direction;
use crate::robot::xml::Node;
use nalgebra::Vector3;

const ATTRIBUTES: [&str; 25] = [
    "name",
    "class",
    "type",
    "pos",
    "axis",
    "ref",
    "springref",
    "stiffness",
    "damping",
    "frictionloss",
    "armature",
    "range",
    "limited",
    "springdamper",
    "margin",
    "group",
    "user",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "actuatorfrcrange",
    "actuatorfrclimited",
    "actuatorgravcomp",
    "align",
];

/// A joint of a body.
pub enum BodyJoint {
    Single(Single),
    Ball { name: String, anchor: Vector3<f64>, law: Coordinate },
    Free { name: String, law: Coordinate },
}

/// The joint of an element whose defaults are in place.
pub fn read(node: &Node, body: &str, context: &Context, findings: &mut Findings) -> Option<BodyJoint> {
    let name = node.text("name").filter(|name| !name.is_empty());
    if node.tag == "freejoint" {
        node.only(&["name", "group", "align"], findings);
        let name = name.map_or_else(|| format!("{body}_free"), str::to_owned);
        return Some(BodyJoint::Free { name, law: Coordinate::default() });
    }
    node.only(&ATTRIBUTES, findings);
    refuse_rotor(node, findings);
    let kind = node.text("type").unwrap_or("hinge");
    let name = name.map_or_else(|| format!("{body}_{kind}"), str::to_owned);
    let unit = if kind == "hinge" || kind == "ball" { context.settings.angles.unit } else { 1.0 };
    let mut law = Coordinate {
        stiffness: node.number_or("stiffness", 0.0, findings),
        damping: node.number_or("damping", 0.0, findings),
        friction: node.number_or("frictionloss", 0.0, findings),
        ..Coordinate::default()
    };
    if law.friction != 0.0 {
        findings.passed(
            &node.place,
            "frictionloss",
            "builds up over `friction_speed` of the joint, smoothly",
        );
    }
    let anchor = Vector3::from(node.array("pos", findings).unwrap_or_default());
    if node.text("actuatorfrcrange").is_some() {
        findings.passed(&node.place, "actuatorfrcrange", "binds drives, of which a model has none yet");
    }
    let turn = match kind {
        "hinge" => Turn::Hinge,
        "slide" => Turn::Slide,
        "ball" | "free" => {
            if limited(node, context, findings) {
                findings.passed(&node.place, "limits of a ball joint", "are neither enforced nor watched");
            }
            if kind == "free" && law.stiffness != 0.0 {
                let message = "a spring of a free joint pulls to its first pose, which no joint here does";
                findings.foreign(&node.place, message, "write it as [[element]] type = \"bushing\"");
                law.stiffness = 0.0;
            }
            return Some(match kind {
                "ball" => BodyJoint::Ball { name, anchor, law },
                _ => BodyJoint::Free { name, law },
            });
        }
        other => {
            let message = format!("<joint> of type `{other}`");
            findings.fault(&node.place, message, "types are hinge, slide, ball and free");
            return None;
        }
    };
    law.position = node.number_or("ref", 0.0, findings) * unit;
    law.rest = node.number_or("springref", 0.0, findings) * unit;
    if limited(node, context, findings) {
        let range: Option<[f64; 2]> = node.array("range", findings);
        law.limits = range.map(|range| range.map(|value| value * unit)).filter(|[low, high]| low < high);
    }
    let axis = direction(node, "axis", [0.0, 0.0, 1.0], findings);
    Some(BodyJoint::Single(Single { name, turn, axis, anchor, law, place: node.place.clone() }))
}

/// Whether the joint has limits.
fn limited(node: &Node, context: &Context, findings: &mut Findings) -> bool {
    match node.text("limited").unwrap_or("auto") {
        "true" => true,
        "false" => false,
        "auto" => context.settings.automatic_limits && node.text("range").is_some(),
        other => {
            let message = format!("<joint> limited=\"{other}\"");
            findings.fault(&node.place, message, "write true, false or auto");
            false
        }
    }
}

/// Inertia of rotors and springs set by their frequency change the equations of motion in ways that joints here do not.
fn refuse_rotor(node: &Node, findings: &mut Findings) {
    let some = |name: &str, findings: &mut Findings| {
        node.numbers(name, findings).is_some_and(|list| list.iter().any(|&value| value != 0.0))
    };
    if some("armature", findings) {
        let message = "`armature` is inertia of a joint by itself, which no joint here has";
        findings.foreign(&node.place, message, "model the rotor as a body on a coupler, or leave it out");
    }
    if some("springdamper", findings) {
        let message = "`springdamper` sets stiffness and damping by the inertia MuJoCo finds";
        findings.foreign(&node.place, message, "write `stiffness` and `damping`");
    }
    if node.text("actuatorgravcomp") == Some("true") {
        findings.foreign(&node.place, "`actuatorgravcomp` is a drive", "leave it out");
    }
}
