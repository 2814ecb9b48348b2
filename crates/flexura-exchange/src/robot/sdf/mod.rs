//! SDF: the XML of Gazebo (sdformat.org, versions 1.5 to 1.12), one model in a file.
//!
//! Used: `<model>` with its pose, `<link>` with `<inertial>` and solids of `<visual>`, `<frame>`, `<joint>` of the types fixed,
//! revolute, continuous, prismatic, ball and universal with `<axis>`, its `<dynamics>` and the positions of its `<limit>`; `<gravity>` of a
//! world. What no joint holds moves freely, as in Gazebo, unless the model is `<static>`; a second joint that leads to a link closes
//! a loop. What takes no part in the motion is said; everything else is refused by line.

mod frames;
mod joint;

use super::description::{End, Frame, Joint, Kind, Link, Mass, Robot, Shape, Solid};
use super::mesh::Folders;
use super::xml::Node;
use crate::finding::Findings;
use frames::{Frames, MODEL, pose, says, word};
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::collections::BTreeMap;

/// Standard gravity of models that cannot say it (m/s²).
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
/// What SDF has for worlds that do not say it (m/s²).
const GRAVITY_OF_WORLDS: [f64; 3] = [0.0, 0.0, -9.8];

const NO_PART: &str = "takes no part in the motion";
const NO_CONTACT: &str = "is not used: write contacts as [[element]]";
const NOT_DRAWN: &str = "is not drawn: pictures of rigid bodies are boxes, spheres, cylinders and meshes";

/// The robot of an `<sdf>` element.
pub fn read(root: &Node, folders: &Folders<'_>, findings: &mut Findings) -> Option<Robot> {
    root.only(&["version"], findings);
    let version = root.need("version", findings);
    let minor = version.strip_prefix("1.").and_then(|minor| minor.parse::<u32>().ok());
    if !minor.is_some_and(|minor| (5..=12).contains(&minor)) {
        let message =
            format!("SDF of version `{version}`: poses and axes of other versions mean something else");
        findings.fault(&root.place, message, "convert the file to a version from 1.5 to 1.12 (`gz sdf -p`)");
        return None;
    }
    let (model, gravity) = the_model(root, findings)?;
    let mut robot =
        Robot { name: model.need("name", findings), gravity: gravity.unwrap_or(GRAVITY), ..Robot::default() };
    model.only(&["name", "canonical_link"], findings);
    let passed = ["plugin", "self_collide", "allow_auto_disable", "enable_wind", "gripper"];
    model.only_children(&[&["pose", "static", "link", "joint", "frame"], &passed[..]].concat(), findings);
    for node in model.children.iter().filter(|node| passed.contains(&node.tag.as_str())) {
        findings.passed(&node.place, &format!("<{}>", node.tag), NO_PART);
    }
    let frames = frames_of(model, findings);
    let (place, base) = pose(model, findings);
    if let Some(base) = base {
        let message = format!("the pose of the model is relative to `{base}`");
        findings.fault(&model.place, message, "give it in the world");
    }
    let mut links = BTreeMap::new();
    for node in model.all("link") {
        let link = read_link(node, folders, findings);
        links.insert(link.name.clone(), robot.links.len());
        robot.links.push(link);
    }
    for node in model.all("joint") {
        robot.joints.extend(joint::read(node, &frames, &links, &place, findings));
    }
    for name in model.all("frame").filter_map(|node| node.text("name")) {
        if let Some(&link) = frames.link(name).as_ref().and_then(|link| links.get(link)) {
            let pose = frames.pose(&robot.links[link].name).inverse() * frames.pose(name);
            robot.links[link].frames.push(Frame { name: name.to_owned(), pose });
        }
    }
    let still = says(model, "static", findings).unwrap_or(false);
    if still {
        hold(&mut robot, findings);
    }
    settle_roots(&mut robot, still, &frames, &place);
    Some(robot)
}

/// The one model of a file, and the gravity of the world it stands in.
fn the_model<'a>(root: &'a Node, findings: &mut Findings) -> Option<(&'a Node, Option<[f64; 3]>)> {
    root.only_children(&["model", "world"], findings);
    let world = root.one("world", findings);
    let mut gravity = None;
    if let Some(world) = world {
        for node in world.children.iter().filter(|node| !matches!(node.tag.as_str(), "model" | "gravity")) {
            if matches!(node.tag.as_str(), "include" | "joint" | "frame" | "wind") {
                let message = format!("<{}> inside <world> has no counterpart here", node.tag);
                findings.foreign(&node.place, message, "give a file with the model alone");
            } else {
                findings.passed(&node.place, &format!("<{}>", node.tag), NO_PART);
            }
        }
        let written = world.one("gravity", findings);
        gravity =
            written.and_then(|node| node.with_value().array("value", findings)).or(Some(GRAVITY_OF_WORLDS));
    }
    let models: Vec<&Node> =
        root.all("model").chain(world.iter().flat_map(|world| world.all("model"))).collect();
    let [model] = models[..] else {
        let message = format!("the file has {} models", models.len());
        findings.fault(&root.place, message, "give a file with one <model>");
        return None;
    };
    Some((model, gravity))
}

/// Every frame of the model, with its pose found.
fn frames_of(model: &Node, findings: &mut Findings) -> Frames {
    let mut frames = Frames::default();
    // What moves with a frame that is attached to nothing.
    let first = model.all("link").next().and_then(|node| node.text("name"));
    let canonical = model.text("canonical_link").or(first).map(str::to_owned);
    for node in model.all("link") {
        let name = node.text("name").map(str::to_owned);
        frames.add(node, name, MODEL, findings);
    }
    for node in model.all("joint") {
        let child = word(node, "child", findings).unwrap_or(MODEL).to_owned();
        frames.add(node, Some(child.clone()), &child, findings);
    }
    for node in model.all("frame") {
        node.only(&["name", "attached_to"], findings);
        node.only_children(&["pose"], findings);
        let to = node.text("attached_to").filter(|name| !name.is_empty()).map(str::to_owned);
        let base = to.clone().unwrap_or_else(|| MODEL.to_owned());
        frames.add(node, to.or_else(|| canonical.clone()), &base, findings);
    }
    frames.settle(findings);
    frames
}

/// Nothing of a static model moves: every link is welded to the ground where it stands, whatever its joints would allow.
fn hold(robot: &mut Robot, findings: &mut Findings) {
    for joint in robot.joints.drain(..) {
        if joint.coordinates.iter().any(|coordinate| coordinate.position != 0.0) {
            let message = format!("joint `{}` of a static model has an initial position", joint.name);
            findings.fault(&joint.place, message, "give the poses of its links instead");
        }
        if joint.kind != Kind::Weld {
            findings.passed(
                &joint.place,
                &format!("joint `{}`", joint.name),
                "in a static model nothing moves",
            );
        }
    }
}

/// Lets links that no joint leads to move freely, or welds them to the ground.
fn settle_roots(robot: &mut Robot, still: bool, frames: &Frames, place: &Isometry3<f64>) {
    let led = |link: usize| robot.joints.iter().any(|joint| joint.ends[1].link == Some(link));
    let roots: Vec<usize> = (0..robot.links.len()).filter(|&link| !led(link)).collect();
    for &link in &roots {
        let pose = place * frames.pose(&robot.links[link].name);
        let at = |pose, link| End { link, pose };
        let name = if roots.len() == 1 { String::new() } else { format!("_{}", robot.links[link].name) };
        let (kind, ground, start) = match still {
            true => (Kind::Weld, pose, None),
            false => (Kind::Free, Isometry3::identity(), Some(pose)),
        };
        let joint = Joint {
            name: if still { format!("base{name}") } else { format!("floating_base{name}") },
            place: robot.links[link].place.clone(),
            kind,
            ends: [at(ground, None), at(Isometry3::identity(), Some(link))],
            coordinates: Vec::new(),
            start,
        };
        robot.joints.insert(0, joint);
    }
}

fn read_link(node: &Node, folders: &Folders<'_>, findings: &mut Findings) -> Link {
    node.only(&["name"], findings);
    let touching = ["collision", "self_collide"];
    let passed = ["sensor", "light", "plugin", "battery", "audio_source", "audio_sink", "particle_emitter"];
    let known = ["pose", "inertial", "visual", "gravity", "kinematic", "must_be_base_link", "enable_wind"];
    node.only_children(&[&known[..], &touching[..], &passed[..]].concat(), findings);
    for child in &node.children {
        if touching.contains(&child.tag.as_str()) {
            findings.passed(&child.place, &format!("<{}>", child.tag), NO_CONTACT);
        } else if passed.contains(&child.tag.as_str()) {
            findings.passed(&child.place, &format!("<{}>", child.tag), NO_PART);
        }
    }
    for (tag, usual) in
        [("gravity", true), ("kinematic", false), ("enable_wind", false), ("must_be_base_link", false)]
    {
        let other = says(node, tag, findings).is_some_and(|said| said != usual);
        if other {
            let message =
                format!("<{tag}> of link `{}` is not {usual}", node.text("name").unwrap_or_default());
            findings.foreign(&node.place, message, "every body feels gravity and moves by its forces here");
        }
    }
    let mass = match node.one("inertial", findings) {
        Some(inertial) => read_inertial(inertial, findings),
        None => {
            let why = "SDF's own 1 kg and 1 kg m\u{b2} are taken";
            findings.passed(&node.place, "<inertial>, which is missing,", why);
            Some(Mass { mass: 1.0, center: Vector3::zeros(), inertia: Matrix3::identity() })
        }
    };
    let shapes = node.all("visual").filter_map(|visual| read_visual(visual, folders, findings)).collect();
    let name = node.need("name", findings);
    Link { name, place: node.place.clone(), mass, shapes, ..Link::default() }
}

/// The number of the element `tag` inside `node`.
fn number(node: &Node, tag: &str, otherwise: f64, findings: &mut Findings) -> f64 {
    let found = node.one(tag, findings).map(Node::with_value);
    found.and_then(|lifted| lifted.number("value", findings)).unwrap_or(otherwise)
}

/// Mass and inertia; `None` where both are zero.
fn read_inertial(node: &Node, findings: &mut Findings) -> Option<Mass> {
    node.only(&[], findings);
    node.only_children(&["mass", "pose", "inertia"], findings);
    let (pose, base) = pose(node, findings);
    if base.is_some() {
        findings.fault(&node.place, "the pose of <inertial> is that in its link", "take `relative_to` away");
    }
    // What SDF has for a link that says nothing: 1 kg, 1 kg m².
    let mass = number(node, "mass", 1.0, findings);
    let keys = [("ixx", 1.0), ("ixy", 0.0), ("ixz", 0.0), ("iyy", 1.0), ("iyz", 0.0), ("izz", 1.0)];
    let written = node.one("inertia", findings);
    if let Some(written) = written {
        written.only_children(&keys.map(|(key, _)| key), findings);
    }
    let [xx, xy, xz, yy, yz, zz] =
        keys.map(|(key, usual)| written.map_or(usual, |node| number(node, key, usual, findings)));
    let inertia = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    if mass == 0.0 && inertia == Matrix3::zeros() {
        return None;
    }
    let turn = pose.rotation.to_rotation_matrix();
    let inertia = turn.matrix() * inertia * turn.matrix().transpose();
    // Turning leaves roundings on both sides of the diagonal.
    Some(Mass { mass, center: pose.translation.vector, inertia: (inertia + inertia.transpose()) * 0.5 })
}

fn read_visual(node: &Node, folders: &Folders<'_>, findings: &mut Findings) -> Option<Shape> {
    let (pose, base) = pose(node, findings);
    let geometry = node.one("geometry", findings)?;
    let solid = geometry.children.first()?;
    let undrawn = |findings: &mut Findings, why| {
        findings.passed(&solid.place, &format!("<{}>", solid.tag), why);
        None
    };
    if base.is_some() {
        return undrawn(findings, "is not drawn: its pose is relative to something else than its link");
    }
    let value = |tag: &str, findings: &mut Findings| solid.one(tag, findings).map(Node::with_value);
    let solid = match solid.tag.as_str() {
        "box" => Solid::Box(value("size", findings)?.array("value", findings)?),
        "sphere" => Solid::Sphere(value("radius", findings)?.number("value", findings)?),
        "cylinder" => Solid::Cylinder(
            value("radius", findings)?.number("value", findings)?,
            value("length", findings)?.number("value", findings)?,
        ),
        "mesh" => {
            let scale = value("scale", findings).and_then(|scale| scale.array("value", findings));
            match folders.name(word(solid, "uri", findings).unwrap_or_default()) {
                Ok(file) => Solid::Mesh(file, scale.unwrap_or([1.0; 3])),
                Err(reason) => return undrawn(findings, reason),
            }
        }
        _ => return undrawn(findings, NOT_DRAWN),
    };
    Some(Shape { pose, solid })
}
