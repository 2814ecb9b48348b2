//! Joints: what they connect, their axes and their sizes.

use super::names::{Carrier, Names};
use super::{Report, coordinates, point_mass};
use crate::model::description::{Description, JointDescription, JointKindDescription as Kind};
use crate::model::item::{Item, ItemPath, ROOT};
use crate::model::words;

/// Sine of the angle below which two axes count as parallel.
const PARALLEL: f64 = 1e-6;

/// Checks every joint, and that no point mass is left to spin.
pub(super) fn check(description: &Description, names: &Names<'_>, report: &mut Report) {
    let list = ROOT.key("joint");
    let mut ends = Vec::with_capacity(description.joints.len());
    let span = (description.simulation.start, description.simulation.end);
    for (i, joint) in description.joints.iter().enumerate() {
        let (path, item) = (list.index(i), Item::named("joint", &joint.name, i));
        ends.push(check_ends(joint, names, &path, &item, report));
        check_geometry(&joint.kind, &path, &item, report);
        check_sizes(joint, &path, &item, report);
        coordinates::check(joint, span, &path, &item, report);
    }
    point_mass::check(description, &ends, report);
}

/// What the joint connects, where that makes sense.
fn check_ends(
    joint: &JointDescription,
    names: &Names<'_>,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) -> Option<[Carrier; 2]> {
    let path = path.key("between");
    let [first, second] = &joint.between;
    let ends =
        (names.frame(first, &path.index(0), item, report), names.frame(second, &path.index(1), item, report));
    let (Some(a), Some(b)) = ends else { return None };
    if a != b {
        return Some([a, b]);
    }
    let help = "name a frame of each of two bodies, or of one body and the ground";
    if first == second {
        let message = format!("both ends are the same frame `{first}`");
        report.error("same-frame", &path, item, message, help);
    } else if a == Carrier::Ground {
        let message = format!("both frames, `{first}` and `{second}`, are on the ground");
        report.error("joint-on-ground", &path, item, message, help);
    } else {
        let body = first.split_once('.').map_or(first.as_str(), |(body, _)| body);
        let message = format!("both frames, `{first}` and `{second}`, are on body `{body}`");
        report.error("same-body", &path, item, message, help);
    }
    None
}

fn check_geometry(kind: &Kind, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    match kind {
        Kind::Helical { pitch: 0.0, .. } => {
            let help = "use type = \"revolute\", or give the advance in metres per radian";
            let message = "the pitch is zero, so the joint does not advance";
            report.error("zero-pitch", &path.key("pitch"), item, message, help);
        }
        Kind::Rolling { radius, .. } if *radius <= 0.0 => {
            let message = format!("the radius {} is not positive", words::number(*radius));
            let help = "give the radius of the disc in metres: radius = 0.3";
            report.error("radius", &path.key("radius"), item, message, help);
        }
        Kind::Universal { axis: a, axis2: b } => {
            let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
            let sine = cross.iter().map(|x| x * x).sum::<f64>().sqrt();
            let zero = [*a, *b].contains(&[0.0; 3]);
            if sine < PARALLEL && !zero {
                let (a, b) = (words::numbers(a), words::numbers(b));
                let message = format!("the axes {a} and {b} are parallel: both turn the same way");
                let help = "give axes at an angle, usually a right one: axis = [0, 0, 1], axis2 \
                            = [1, 0, 0]";
                report.error("parallel-axes", &path.key("axis2"), item, message, help);
            }
        }
        _ => {}
    }
}

fn check_sizes(joint: &JointDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let (positions, freedoms) = (joint.kind.coordinate_count(), joint.kind.degrees_of_freedom());
    let sizes = [
        ("position", joint.position.len(), positions),
        ("speed", joint.speed.len(), freedoms),
        ("coordinates", joint.coordinates.len(), freedoms),
    ];
    for (key, found, expected) in sizes {
        if found != expected && found != 0 {
            let message =
                format!("`{key}` has {}, but the joint needs {expected}", words::count(found, "value"),);
            let help = "give one per coordinate (an orientation is a quaternion of four), or none";
            report.error("coordinate-count", &path.key(key), item, message, help);
        }
    }
}
