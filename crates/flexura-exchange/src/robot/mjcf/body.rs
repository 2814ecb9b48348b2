//! Bodies of `<worldbody>`, from the outside in.

use super::Context;
use super::geom;
use super::joint::{self, BodyJoint};
use super::settings::InertiaFrom;
use crate::finding::{Findings, Place};
use crate::robot::combine;
use crate::robot::description::{End, Frame, Joint, Kind, Link, Mass, Robot, Shape};
use crate::robot::placed::{self, TURNS};
use crate::robot::xml::Node;
use nalgebra::{Isometry3, Matrix3, Translation3};

const INSIDE: [&str; 9] =
    ["body", "joint", "freejoint", "inertial", "geom", "site", "camera", "light", "frame"];

/// Where a body stands: on which link, in which pose, and whose defaults its elements have.
#[derive(Clone)]
struct Around {
    link: Option<usize>,
    /// Pose of the element around in the link.
    pose: Isometry3<f64>,
    class: String,
}

/// What the elements of one body give, frames around them resolved.
#[derive(Default)]
struct Contents {
    joints: Vec<BodyJoint>,
    inertial: Option<Mass>,
    solids: Option<Mass>,
    /// Pictures of each geom that has some, where it stands, and whether it can touch others.
    drawn: Vec<(Place, bool, Vec<Shape>)>,
}

impl Contents {
    /// The pictures of a body: where it has geoms without contact, those with it are hulls around the same thing.
    fn pictures(&mut self, findings: &mut Findings) -> Vec<Shape> {
        let shown = self.drawn.iter().any(|(_, touches, _)| !touches);
        let (hulls, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.drawn).into_iter().partition(|(_, touches, _)| shown && *touches);
        let why = "is not drawn beside geoms without contact of the same body";
        hulls.iter().for_each(|(place, ..)| findings.passed(place, "<geom> with contact", why));
        kept.into_iter().flat_map(|(.., shapes)| shapes).collect()
    }
}

/// All bodies of a `<worldbody>`.
pub fn read_world(world: &Node, context: &Context, robot: &mut Robot, findings: &mut Findings) {
    world.only(&[], findings);
    let around = Around { link: None, pose: Isometry3::identity(), class: String::new() };
    for child in &world.children {
        match child.tag.as_str() {
            "joint" | "freejoint" | "inertial" => {
                let message = format!("<{}> of the world, which does not move", child.tag);
                findings.fault(&child.place, message, "put it into a <body>");
            }
            "geom" => findings.passed(&child.place, "<geom> of the world", "is neither drawn nor touched"),
            _ => {
                let mut contents = Contents::default();
                element(child, &around, false, context, robot, &mut contents, findings);
            }
        }
    }
}

/// One element inside a body (or the world): what it adds goes to its link, bodies are read in turn.
fn element(
    node: &Node,
    around: &Around,
    weighed: bool,
    context: &Context,
    robot: &mut Robot,
    contents: &mut Contents,
    findings: &mut Findings,
) {
    let angles = &context.settings.angles;
    match node.tag.as_str() {
        "body" => body(node, around, context, robot, findings),
        "frame" => {
            let known: Vec<&str> = ["name", "pos", "childclass"].into_iter().chain(TURNS).collect();
            node.only(&known, findings);
            let pose = around.pose * placed::pose(node, angles, findings);
            let class = node.text("childclass").unwrap_or(&around.class).to_owned();
            let inner = Around { link: around.link, pose, class };
            for child in &node.children {
                match child.tag.as_str() {
                    "joint" | "freejoint" | "inertial" => {
                        let message = format!("<{}> inside <frame>", child.tag);
                        findings.fault(&child.place, message, "put it into the <body> itself");
                    }
                    _ => element(child, &inner, weighed, context, robot, contents, findings),
                }
            }
        }
        "geom" => {
            let whole = context.defaults.complete(node, &around.class, findings);
            let found = geom::read(&whole, &around.pose, weighed, context, findings);
            if !found.shapes.is_empty() {
                contents.drawn.push((node.place.clone(), found.touches, found.shapes));
            }
            if let Some(mass) = found.mass {
                contents.solids = Some(contents.solids.map_or(mass, |other| other.joined(&mass)));
            }
        }
        "site" => {
            let whole = context.defaults.complete(node, &around.class, findings);
            let Some(name) = whole.text("name").map(str::to_owned) else { return };
            let frame = Frame { name, pose: around.pose * placed::pose(&whole, angles, findings) };
            match around.link {
                Some(link) => robot.links[link].frames.push(frame),
                None => robot.ground_frames.push(frame),
            }
        }
        "camera" | "light" => {
            findings.passed(&node.place, &format!("<{}>", node.tag), "takes no part in the motion");
        }
        "joint" | "freejoint" | "inertial" => {}
        other => {
            let message = format!("<{other}> has no counterpart in an import");
            let help = format!("bodies may hold: {}", INSIDE.join(", "));
            findings.foreign(&node.place, message, help);
        }
    }
}

fn body(node: &Node, around: &Around, context: &Context, robot: &mut Robot, findings: &mut Findings) {
    let known: Vec<&str> = ["name", "pos", "childclass", "mocap", "gravcomp", "user", "sleep"]
        .into_iter()
        .chain(TURNS)
        .collect();
    node.only(&known, findings);
    if node.text("mocap") == Some("true") {
        findings.foreign(
            &node.place,
            "mocap=\"true\": a body moved from outside",
            "give its joint a `motion`",
        );
    }
    if node.number_or("gravcomp", 0.0, findings) != 0.0 {
        findings.foreign(
            &node.place,
            "`gravcomp` holds the body against gravity",
            "apply a [[force]] instead",
        );
    }
    let link = robot.links.len();
    let name = node
        .text("name")
        .filter(|name| !name.is_empty())
        .map_or_else(|| format!("body_{}", link + 1), str::to_owned);
    robot.links.push(Link { name: name.clone(), place: node.place.clone(), ..Link::default() });
    let class = node.text("childclass").unwrap_or(&around.class).to_owned();
    let inner = Around { link: Some(link), pose: Isometry3::identity(), class };
    let pose = around.pose * placed::pose(node, &context.settings.angles, findings);
    let mut contents = Contents::default();
    for child in &node.children {
        match child.tag.as_str() {
            "joint" | "freejoint" => {
                let whole = match child.tag.as_str() {
                    "joint" => context.defaults.complete(child, &inner.class, findings),
                    _ => child.clone(),
                };
                contents.joints.extend(joint::read(&whole, &name, context, findings));
            }
            "inertial" => contents.inertial = inertial(child, context, findings),
            _ => {}
        }
    }
    let end = End { link: around.link, pose };
    connect(node, &name, end, link, std::mem::take(&mut contents.joints), robot, findings);
    let weighed = match context.settings.inertia {
        InertiaFrom::Either => contents.inertial.is_none(),
        InertiaFrom::Solids => true,
        InertiaFrom::Inertial => false,
    };
    for child in &node.children {
        element(child, &inner, weighed, context, robot, &mut contents, findings);
    }
    robot.links[link].shapes = contents.pictures(findings);
    robot.links[link].mass = if weighed { contents.solids.or(contents.inertial) } else { contents.inertial };
}

fn inertial(node: &Node, context: &Context, findings: &mut Findings) -> Option<Mass> {
    let known: Vec<&str> = ["pos", "mass", "diaginertia", "fullinertia"].into_iter().chain(TURNS).collect();
    node.only(&known, findings);
    let pose = placed::pose(node, &context.settings.angles, findings);
    let mass = node.number("mass", findings);
    let inertia = match (node.array("diaginertia", findings), node.array("fullinertia", findings)) {
        (Some(diagonal), None) => Matrix3::from_diagonal(&diagonal.into()),
        (None, Some([xx, yy, zz, xy, xz, yz])) => Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
        (None, None) => Matrix3::zeros(),
        (Some(_), Some(_)) => {
            findings.fault(&node.place, "both `diaginertia` and `fullinertia`", "keep one of them");
            return None;
        }
    };
    let Some(mass) = mass else {
        findings.fault(&node.place, "<inertial> has no `mass`", "add mass=\"1.0\"");
        return None;
    };
    let mut moved = Mass { mass, center: Default::default(), inertia }.moved(&pose);
    moved.inertia = (moved.inertia + moved.inertia.transpose()) * 0.5;
    (mass != 0.0 || inertia != Matrix3::zeros()).then_some(moved)
}

/// The joint of a body to what carries it.
fn connect(
    node: &Node,
    body: &str,
    carrier: End,
    link: usize,
    joints: Vec<BodyJoint>,
    robot: &mut Robot,
    findings: &mut Findings,
) {
    let own = End { link: Some(link), pose: Isometry3::identity() };
    let place = node.place.clone();
    let mut singles = Vec::new();
    for joint in joints {
        let made = match joint {
            BodyJoint::Single(single) => {
                singles.push(single);
                continue;
            }
            BodyJoint::Ball { name, anchor, law } => {
                let at = Isometry3::from_parts(Translation3::from(anchor), Default::default());
                let ends = [End { pose: carrier.pose * at, ..carrier }, End { pose: at, ..own }];
                Joint {
                    name,
                    place: place.clone(),
                    kind: Kind::Spherical,
                    ends,
                    coordinates: vec![law; 3],
                    start: None,
                }
            }
            BodyJoint::Free { name, law } => {
                if carrier.link.is_some() {
                    let message = format!("body `{body}` is free, but stands inside another body");
                    findings.fault(&node.place, message, "put free bodies right into <worldbody>");
                }
                let ends = [End { link: None, pose: Isometry3::identity() }, own];
                let start = Some(carrier.pose);
                Joint { name, place: place.clone(), kind: Kind::Free, ends, coordinates: vec![law; 6], start }
            }
        };
        robot.joints.push(made);
    }
    let before = robot.joints.iter().filter(|joint| joint.ends[1].link == Some(link)).count();
    if before + usize::from(!singles.is_empty()) > 1 {
        let message = format!("body `{body}` has joints that no single joint here can replace");
        findings.fault(&node.place, message, combine::HELP);
        return;
    }
    if before == 1 {
        return;
    }
    robot.joints.extend(combine::combine(&place, body, carrier, own, &singles, findings));
}
