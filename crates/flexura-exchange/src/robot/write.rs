//! A robot as the text of a model file.

use super::description::{Coordinate, Joint, Kind, Link, Mass, Robot, Shape, Softness, Solid};
use super::names::Names;
use super::verify::Places;
use crate::finding::Findings;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::fmt::Write;

/// Poses that differ by less (m, and as much in quaternions) are one frame.
const SAME: f64 = 1e-14;
/// Farther from an interface of a part than this (m), a frame is said to be carried by it.
const BESIDE: f64 = 1e-6;

/// Frames of one body: what the file gives, and what joints need.
struct Frames {
    names: Names,
    list: Vec<(String, Isometry3<f64>)>,
}

impl Frames {
    fn new(given: &[super::description::Frame]) -> Self {
        let mut frames = Self { names: Names::reserved(&["origin"]), list: Vec::new() };
        for frame in given {
            let name = frames.names.quietly(&frame.name);
            frames.list.push((name, frame.pose));
        }
        frames
    }

    /// The frame at a pose, made where there is none.
    fn at(&mut self, pose: &Isometry3<f64>, wanted: &str) -> String {
        if same(pose, &Isometry3::identity()) {
            return "origin".into();
        }
        if let Some((name, _)) = self.list.iter().find(|(_, known)| same(known, pose)) {
            return name.clone();
        }
        let name = self.names.quietly(wanted);
        self.list.push((name.clone(), *pose));
        name
    }
}

fn same(a: &Isometry3<f64>, b: &Isometry3<f64>) -> bool {
    (a.translation.vector - b.translation.vector).norm() < SAME
        && (a.rotation.coords - b.rotation.coords).norm() < SAME
}

/// The model file of a robot, and where its bodies and joints come from.
pub fn write(robot: &Robot, findings: &mut Findings) -> (String, Places) {
    let mut bodies = Names::reserved(&["ground"]);
    let names: Vec<String> =
        robot.links.iter().map(|link| bodies.take("link", &link.name, findings)).collect();
    let mut joint_names = Names::default();
    let joints: Vec<String> =
        robot.joints.iter().map(|joint| joint_names.take("joint", &joint.name, findings)).collect();
    let mut ground = Frames::new(&robot.ground_frames);
    let mut frames: Vec<Frames> = robot.links.iter().map(|link| Frames::new(&link.frames)).collect();
    let mut between = Vec::with_capacity(robot.joints.len());
    for (joint, name) in robot.joints.iter().zip(&joints) {
        between.push(joint.ends.map(|end| match end.link {
            Some(link) => format!("{}.{}", names[link], frames[link].at(&end.pose, name)),
            None => format!("ground.{}", ground.at(&end.pose, name)),
        }));
    }
    let mut text = format!("[model]\nname = {}\ngravity = {}\n", quoted(&robot.name), list(&robot.gravity));
    for (name, pose) in &ground.list {
        text += &format!("\n[[ground.frame]]\nname = {}\n", quoted(name));
        write_pose(&mut text, &pose.translation.vector, &pose.rotation);
    }
    for ((link, name), frames) in robot.links.iter().zip(&names).zip(&frames) {
        write_body(&mut text, link, name, frames, findings);
    }
    for ((joint, name), between) in robot.joints.iter().zip(&joints).zip(&between) {
        write_joint(&mut text, joint, name, between);
    }
    for (link, name) in robot.links.iter().zip(&names) {
        link.shapes.iter().for_each(|shape| write_shape(&mut text, shape, name));
    }
    text += "\n[simulation]\nend = 1.0\n";
    for (joint, name) in robot.joints.iter().zip(&joints) {
        write_limits(&mut text, joint, name, findings);
    }
    let places = Places {
        bodies: robot.links.iter().map(|link| link.place.clone()).collect(),
        joints: robot.joints.iter().map(|joint| joint.place.clone()).collect(),
    };
    (text, places)
}

fn write_body(text: &mut String, link: &Link, name: &str, frames: &Frames, findings: &mut Findings) {
    *text += &format!("\n[[body]]\nname = {}\n", quoted(name));
    match (&link.softness, &link.mass) {
        (Softness::Beam { length, lines }, _) => {
            *text += &format!("[body.beam]\nlength = {length:?}\n");
            lines.iter().for_each(|line| *text += &format!("{line}\n"));
        }
        (Softness::Part { file, .. }, _) => *text += &format!("fe = {}\n", quoted(file)),
        (Softness::Rigid, Some(mass)) => write_mass(text, mass),
        (Softness::Rigid, None) => {}
    }
    for (frame, pose) in &frames.list {
        *text += &format!("\n[[body.frame]]\nname = {}\n", quoted(frame));
        let mut position = pose.translation.vector;
        match &link.softness {
            Softness::Rigid => {}
            Softness::Beam { length, .. } => {
                let station = position.x.clamp(0.0, *length);
                *text += &format!("station = {station:?}\n");
                position.x -= station;
            }
            Softness::Part { interfaces, .. } => {
                let near = interfaces
                    .iter()
                    .min_by(|a, b| (a.1 - position).norm().total_cmp(&(b.1 - position).norm()));
                if let Some((interface, at)) = near {
                    *text += &format!("node = {}\n", quoted(interface));
                    position -= at;
                    if position.norm() > BESIDE {
                        let away = position.norm();
                        findings.notice(format!(
                            "frame `{name}.{frame}` is {away:.3e} m from interface `{interface}`, which carries it"
                        ));
                    }
                }
            }
        }
        write_pose(text, &position, &pose.rotation);
    }
}

fn write_mass(text: &mut String, mass: &Mass) {
    let rows: [String; 3] = std::array::from_fn(|i| list(&std::array::from_fn(|j| mass.inertia[(i, j)])));
    *text += &format!("mass = {:?}\n", mass.mass);
    let diagonal = (0..3).all(|i| (0..3).all(|j| i == j || mass.inertia[(i, j)] == 0.0));
    *text += &match diagonal {
        true => format!("inertia = {}\n", list(&std::array::from_fn(|i| mass.inertia[(i, i)]))),
        false => format!("inertia = [{}]\n", rows.join(", ")),
    };
    if mass.center != Vector3::zeros() {
        *text += &format!("center_of_mass = {}\n", list(&mass.center.into()));
    }
}

fn write_joint(text: &mut String, joint: &Joint, name: &str, between: &[String; 2]) {
    let [first, second] = between;
    *text += &format!("\n[[joint]]\nname = {}\ntype = \"{}\"\n", quoted(name), joint.kind.word());
    *text += &format!("between = [{}, {}]\n", quoted(first), quoted(second));
    match &joint.kind {
        Kind::Revolute(axis) | Kind::Prismatic(axis) | Kind::Cylindrical(axis) => {
            *text += &format!("axis = {}\n", list(&(*axis).into()));
        }
        Kind::Universal(one, two) => {
            *text += &format!("axis = {}\naxis2 = {}\n", list(&(*one).into()), list(&(*two).into()));
        }
        _ => {}
    }
    if let Some(start) = &joint.start {
        write_turn(text, "orientation", &start.rotation);
        *text += &format!("position = {}\n", list(&start.translation.vector.into()));
    }
    for key in ["position", "stiffness", "rest", "damping", "friction"] {
        let value = |law: &Coordinate| match key {
            "position" => law.position,
            "stiffness" => law.stiffness,
            "rest" => law.rest,
            "damping" => law.damping,
            _ => law.friction,
        };
        let values: Vec<f64> = joint.coordinates.iter().map(value).collect();
        if values.iter().any(|&value| value != 0.0) {
            let shown: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
            *text += &match &shown[..] {
                [one] => format!("{key} = {one}\n"),
                _ => format!("{key} = [{}]\n", shown.join(", ")),
            };
        }
    }
}

/// Limits are watched, not enforced: a run says when one is passed.
fn write_limits(text: &mut String, joint: &Joint, name: &str, findings: &mut Findings) {
    for (coordinate, channel) in joint.coordinates.iter().zip(joint.kind.channels()) {
        let Some(limits) = coordinate.limits else { continue };
        findings.passed(&joint.place, "limits of a joint", "are watched by events of the run, not enforced");
        for (value, word, direction) in [(limits[0], "lower", "falling"), (limits[1], "upper", "rising")] {
            *text += &format!(
                "\n[[simulation.event]]\nname = {}\nchannel = {}\nvalue = {value:?}\ndirection = \"{direction}\"\n",
                quoted(&format!("{name}-{channel}-{word}")),
                quoted(&format!("{name}.{channel}")),
            );
        }
    }
}

fn write_shape(text: &mut String, shape: &Shape, body: &str) {
    *text += &format!("\n[[picture]]\nbody = {}\n", quoted(body));
    *text += &match &shape.solid {
        Solid::Box(edges) => format!("box = {}\n", list(edges)),
        Solid::Sphere(radius) => format!("sphere = {radius:?}\n"),
        Solid::Cylinder(radius, length) => {
            format!("cylinder = {{ radius = {radius:?}, length = {length:?} }}\n")
        }
        Solid::Mesh(file, scale) if *scale == [1.0; 3] => format!("file = {}\n", quoted(file)),
        Solid::Mesh(file, scale) => format!("file = {}\nscale = {}\n", quoted(file), list(scale)),
    };
    write_pose(text, &shape.pose.translation.vector, &shape.pose.rotation);
}

fn write_pose(text: &mut String, position: &Vector3<f64>, turn: &UnitQuaternion<f64>) {
    if *position != Vector3::zeros() {
        *text += &format!("position = {}\n", list(&(*position).into()));
    }
    write_turn(text, "rotation", turn);
}

fn write_turn(text: &mut String, key: &str, turn: &UnitQuaternion<f64>) {
    let [x, y, z, w] = turn.coords.into();
    if [x, y, z] != [0.0; 3] {
        let _ = writeln!(text, "{key} = {{ quaternion = [{w:?}, {x:?}, {y:?}, {z:?}] }}");
    }
}

fn list(values: &[f64; 3]) -> String {
    let [x, y, z] = values;
    format!("[{x:?}, {y:?}, {z:?}]")
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
