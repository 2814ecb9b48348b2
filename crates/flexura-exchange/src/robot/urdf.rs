//! URDF: the XML of ROS robots (wiki.ros.org/urdf/XML).
//!
//! Used: `<robot>`, `<link>` with `<inertial>` and solids of `<visual>`, `<joint>` of every type with `<origin>`, `<axis>`,
//! `<dynamics>` and the positions of `<limit>`. A link's frame is the frame of the joint that leads to it, so that the
//! child end of every joint is an origin. What no equation of motion has (colours, meshes, collision, transmissions) is said;
//! everything else is refused by line.

use super::description::{Coordinate, End, Joint, Kind, Link, Mass, Robot, Shape, Solid};
use super::mesh::Folders;
use super::placed::{direction, origin, z_towards};
use super::xml::Node;
use crate::finding::Findings;
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::collections::BTreeMap;

/// Standard gravity of models that cannot say it (m/s²).
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

const NOT_DRAWN: &str = "is not drawn: pictures of rigid bodies are boxes, spheres and cylinders";
const NO_CONTACT: &str = "is not used: write contacts as [[element]]";
const NO_PART: &str = "takes no part in the motion";

/// The robot of a `<robot>` element.
pub fn read(root: &Node, floating: bool, folders: &Folders<'_>, findings: &mut Findings) -> Option<Robot> {
    root.only(&["name", "version"], findings);
    let passed = ["material", "transmission", "gazebo", "ros2_control"];
    let known = ["link", "joint", passed[0], passed[1], passed[2], passed[3]];
    root.only_children(&known, findings);
    for node in root.children.iter().filter(|node| passed.contains(&node.tag.as_str())) {
        findings.passed(&node.place, &format!("<{}>", node.tag), NO_PART);
    }
    let name = root.text("name").filter(|name| !name.is_empty()).unwrap_or("robot").to_owned();
    let mut robot = Robot { name, gravity: GRAVITY, ..Robot::default() };
    let mut indices = BTreeMap::new();
    for node in root.all("link") {
        let link = read_link(node, folders, findings);
        if indices.insert(link.name.clone(), robot.links.len()).is_some() {
            let message = format!("a second link `{}`", link.name);
            findings.fault(&node.place, message, "give every link a name of its own");
        }
        robot.links.push(link);
    }
    for node in root.all("joint") {
        robot.joints.extend(read_joint(node, &indices, findings));
    }
    settle_root(root, &mut robot, floating, findings)?;
    Some(robot)
}

/// Ties the root link to the ground, or lets it float; `None` where the links are no tree.
fn settle_root(root: &Node, robot: &mut Robot, floating: bool, findings: &mut Findings) -> Option<()> {
    let mut leads = vec![0; robot.links.len()];
    for joint in &robot.joints {
        if let Some(child) = joint.ends[1].link {
            leads[child] += 1;
            if leads[child] == 2 {
                let message = format!("a second joint leads to link `{}`", robot.links[child].name);
                findings.fault(&joint.place, message, "URDF is a tree: close loops in the model file");
            }
        }
    }
    let roots: Vec<usize> = (0..leads.len()).filter(|&link| leads[link] == 0).collect();
    let [link] = roots[..] else {
        let names: Vec<&str> = roots.iter().map(|&link| robot.links[link].name.as_str()).collect();
        let message = match names.len() {
            0 => "no link is the root".to_owned(),
            _ => format!("several links are roots: {}", names.join(", ")),
        };
        findings.fault(&root.place, message, "one link must be the root, and joints lead to all others");
        return None;
    };
    let ground = End { link: None, pose: Isometry3::identity() };
    let end = End { link: Some(link), pose: Isometry3::identity() };
    robot.joints.insert(
        0,
        Joint {
            name: if floating { "floating_base" } else { "base" }.into(),
            place: robot.links[link].place.clone(),
            kind: if floating { Kind::Free } else { Kind::Weld },
            ends: [ground, end],
            coordinates: Vec::new(),
            start: None,
        },
    );
    Some(())
}

fn read_link(node: &Node, folders: &Folders<'_>, findings: &mut Findings) -> Link {
    node.only(&["name", "type"], findings);
    let touching = ["collision", "contact", "collision_checking", "self_filter"];
    node.only_children(&["inertial", "visual", touching[0], touching[1], touching[2], touching[3]], findings);
    for child in node.children.iter().filter(|child| touching.contains(&child.tag.as_str())) {
        findings.passed(&child.place, &format!("<{}>", child.tag), NO_CONTACT);
    }
    let mass = node.one("inertial", findings).and_then(|inertial| read_inertial(inertial, findings));
    let shapes = node.all("visual").filter_map(|visual| read_visual(visual, folders, findings)).collect();
    let name = node.need("name", findings);
    Link { name, place: node.place.clone(), mass, shapes, ..Link::default() }
}

/// Mass and inertia; `None` where both are zero.
fn read_inertial(node: &Node, findings: &mut Findings) -> Option<Mass> {
    node.only(&[], findings);
    node.only_children(&["origin", "mass", "inertia"], findings);
    let pose = origin(node, findings);
    let mass = match node.one("mass", findings) {
        Some(mass) => {
            mass.only(&["value"], findings);
            mass.need("value", findings);
            mass.number_or("value", 0.0, findings)
        }
        None => {
            findings.fault(&node.place, "<inertial> has no <mass>", "add <mass value=\"1.0\"/>");
            return None;
        }
    };
    let keys = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];
    let [xx, xy, xz, yy, yz, zz] = match node.one("inertia", findings) {
        Some(inertia) => {
            inertia.only(&keys, findings);
            keys.map(|key| inertia.number_or(key, 0.0, findings))
        }
        None => [0.0; 6],
    };
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
    node.only(&["name"], findings);
    node.only_children(&["origin", "geometry", "material"], findings);
    let pose = origin(node, findings);
    let geometry = node.one("geometry", findings)?;
    geometry.only_children(&["box", "cylinder", "sphere", "mesh", "capsule"], findings);
    let solid = geometry.children.first()?;
    let solid = match solid.tag.as_str() {
        "box" => Solid::Box(solid.array("size", findings)?),
        "sphere" => Solid::Sphere(solid.number("radius", findings)?),
        "cylinder" => Solid::Cylinder(solid.number("radius", findings)?, solid.number("length", findings)?),
        "mesh" => {
            solid.only(&["filename", "scale"], findings);
            let named = solid.need("filename", findings);
            let scale = solid.text("scale").and_then(|_| solid.array("scale", findings)).unwrap_or([1.0; 3]);
            match folders.name(&named) {
                Ok(file) => Solid::Mesh(file, scale),
                Err(reason) => {
                    findings.passed(&solid.place, "<mesh>", reason);
                    return None;
                }
            }
        }
        "capsule" => {
            findings.passed(&solid.place, &format!("<{}>", solid.tag), NOT_DRAWN);
            return None;
        }
        _ => return None,
    };
    Some(Shape { pose, solid })
}

fn read_joint(node: &Node, links: &BTreeMap<String, usize>, findings: &mut Findings) -> Option<Joint> {
    node.only(&["name", "type", "dont_collapse"], findings);
    let passed = ["calibration", "safety_controller"];
    let known = ["origin", "parent", "child", "axis", "dynamics", "limit", "mimic", passed[0], passed[1]];
    node.only_children(&known, findings);
    for child in node.children.iter().filter(|child| passed.contains(&child.tag.as_str())) {
        findings.passed(&child.place, &format!("<{}>", child.tag), NO_PART);
    }
    if let Some(mimic) = node.one("mimic", findings) {
        let other = mimic.text("joint").unwrap_or_default();
        let message = format!("<mimic> ties the joint rigidly to `{other}`, which no joint here does");
        let help =
            "couple them in the model by [[element]] type = \"coupler\" with a stiffness, or leave it out";
        findings.foreign(&mimic.place, message, help);
    }
    let name = node.need("name", findings);
    let pose = origin(node, findings);
    let parent = end(node, "parent", links, findings);
    let child = end(node, "child", links, findings);
    // What does not turn or slide along an axis may have one that is none.
    let straight = matches!(node.text("type"), Some("fixed" | "floating"));
    let axis = match node.one("axis", findings) {
        Some(axis) if !straight => {
            axis.only(&["xyz"], findings);
            direction(axis, "xyz", [1.0, 0.0, 0.0], findings)
        }
        _ => Vector3::x(),
    };
    let (kind, turned) = match node.need("type", findings).as_str() {
        "fixed" => (Kind::Weld, Isometry3::identity()),
        "revolute" | "continuous" => (Kind::Revolute(axis), Isometry3::identity()),
        "prismatic" => (Kind::Prismatic(axis), Isometry3::identity()),
        "floating" => (Kind::Free, Isometry3::identity()),
        // Here a plane has its normal along z.
        "planar" => (Kind::Planar, Isometry3::from_parts(Default::default(), z_towards(&axis))),
        "" => return None,
        other => {
            let message = format!("<joint> of type `{other}`");
            let help = "types are fixed, revolute, continuous, prismatic, planar and floating";
            findings.fault(&node.place, message, help);
            return None;
        }
    };
    let coordinates = read_law(node, &kind, findings);
    let ends = [End { link: Some(parent?), pose: pose * turned }, End { link: Some(child?), pose: turned }];
    Some(Joint { name, place: node.place.clone(), kind, ends, coordinates, start: None })
}

/// The link that a joint names.
fn end(node: &Node, tag: &str, links: &BTreeMap<String, usize>, findings: &mut Findings) -> Option<usize> {
    let Some(named) = node.one(tag, findings) else {
        findings.fault(&node.place, format!("<joint> has no <{tag}>"), format!("add <{tag} link=\"...\"/>"));
        return None;
    };
    named.only(&["link"], findings);
    let name = named.need("link", findings);
    let found = links.get(&name).copied();
    if found.is_none() && !name.is_empty() {
        findings.fault(
            &named.place,
            format!("no link is called `{name}`"),
            "add the link or correct the name",
        );
    }
    found
}

/// Damping, friction and limits of every coordinate of a joint.
fn read_law(node: &Node, kind: &Kind, findings: &mut Findings) -> Vec<Coordinate> {
    let mut law = Coordinate::default();
    if let Some(dynamics) = node.one("dynamics", findings) {
        dynamics.only(&["damping", "friction"], findings);
        law.damping = dynamics.number_or("damping", 0.0, findings);
        law.friction = dynamics.number_or("friction", 0.0, findings);
    }
    if let Some(limit) = node.one("limit", findings) {
        limit.only(&["lower", "upper", "effort", "velocity"], findings);
        if ["effort", "velocity"].iter().any(|name| limit.text(name).is_some()) {
            findings.passed(
                &limit.place,
                "<limit> effort and velocity",
                "bind drives, of which a model has none yet",
            );
        }
        let limits = [limit.number_or("lower", 0.0, findings), limit.number_or("upper", 0.0, findings)];
        let turns_on = node.text("type") == Some("continuous");
        law.limits = Some(limits).filter(|[lower, upper]| lower < upper && !turns_on);
    }
    match kind {
        Kind::Weld => Vec::new(),
        Kind::Free => vec![Coordinate { limits: None, ..law }; 6],
        Kind::Planar => vec![Coordinate { limits: None, ..law }; 3],
        _ => vec![law],
    }
}
