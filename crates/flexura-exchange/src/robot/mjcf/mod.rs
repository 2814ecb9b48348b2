//! MJCF: the XML of MuJoCo (mujoco.readthedocs.io, "XML Reference").
//!
//! Used: `<include>`, `<default>` classes, `<compiler>`, gravity of `<option>`, and of `<worldbody>` bodies, frames, joints,
//! inertias, solids (as mass where a body has no `<inertial>`, and as pictures), meshes (as pictures) and sites (as frames). Joints of one body become
//! one joint where a kind of joint has the same freedoms (`robot/combine.rs`). What no equation of motion has is said; all else is
//! refused by line.

mod body;
mod defaults;
mod geom;
mod include;
mod joint;
mod meshes;
mod settings;

use super::description::Robot;
use super::xml::Node;
use crate::finding::Findings;
use crate::robot::mesh::Folders;
use defaults::Defaults;
use meshes::Meshes;
use settings::Settings;

/// Sections without a word on the motion.
const PASSED: [(&str, &str); 7] = [
    ("contact", "contacts between geoms are not simulated: write them as [[element]]"),
    ("custom", "takes no part in the motion"),
    ("keyframe", "is not used: give `position` and `speed` of joints"),
    ("sensor", "is not used: every quantity is a channel of the run"),
    ("size", "takes no part in the motion"),
    ("statistic", "takes no part in the motion"),
    ("visual", "takes no part in the motion"),
];

/// What a reader of bodies needs to know.
pub(super) struct Context {
    pub settings: Settings,
    pub defaults: Defaults,
    pub meshes: Meshes,
}

/// The robot of a `<mujoco>` element.
pub fn read(root: Node, folders: &Folders<'_>, findings: &mut Findings) -> Option<Robot> {
    let root = include::expand(root, folders.robot, findings)?;
    root.only(&["model"], findings);
    let used = ["compiler", "option", "default", "asset", "worldbody", "actuator", "equality", "tendon"];
    let known: Vec<&str> = used.iter().copied().chain(PASSED.map(|(tag, _)| tag)).collect();
    root.only_children(&known, findings);
    for (tag, why) in PASSED {
        root.all(tag)
            .filter(|node| !node.children.is_empty() || tag == "size" || tag == "statistic")
            .for_each(|node| findings.passed(&node.place, &format!("<{tag}>"), why));
    }
    refuse_constraints(&root, findings);
    root.all("actuator").flat_map(|node| &node.children).for_each(|node| actuator(node, findings));
    let (settings, defaults) = (settings::read(&root, findings), defaults::read(&root, findings));
    let meshes = meshes::read(&root, &settings, &defaults, folders, findings);
    let context = Context { settings, defaults, meshes };
    let name = root.text("model").filter(|name| !name.is_empty()).unwrap_or("robot").to_owned();
    let mut robot = Robot { name, gravity: context.settings.gravity, ..Robot::default() };
    for world in root.all("worldbody") {
        body::read_world(world, &context, &mut robot, findings);
    }
    Some(robot)
}

/// Ties that MuJoCo keeps by forces of its own.
fn refuse_constraints(root: &Node, findings: &mut Findings) {
    for (tag, help) in [
        (
            "equality",
            "close loops in the model file by [[joint]]: any joint outside the tree is a constraint",
        ),
        (
            "tendon",
            "write it in the model file as [[element]] of type \"spring-damper\", \"actuator\" or \"coupler\"",
        ),
    ] {
        for node in root.all(tag).flat_map(|section| &section.children) {
            let message = format!("<{}> of <{tag}> has no counterpart in an import", node.tag);
            findings.foreign(&node.place, message, help);
        }
    }
}

/// Actuators are at rest until something drives them; those that act by themselves are refused.
fn actuator(node: &Node, findings: &mut Findings) {
    let biased = node.text("biastype").is_some_and(|word| word != "none");
    match node.tag.as_str() {
        "motor" | "adhesion" => {}
        "general" if !biased => {}
        _ => {
            let message = format!("<{}> acts without being driven", node.tag);
            let help =
                "write it in the model file: `stiffness` and `damping` of the joint, or a [[controller]]";
            findings.foreign(&node.place, message, help);
            return;
        }
    }
    let why = "no force without a control: drive joints by `effort`, `motion` or a [[controller]]";
    findings.passed(&node.place, &format!("<{}>", node.tag), why);
}
