//! Force elements: what they connect, and their parameters.

use std::collections::HashMap;

use super::Report;
use super::names::{Carrier, Names};
use crate::model::description::{
    BodyKind, Description, ElementDescription, ElementKindDescription, JointDescription,
};
use crate::model::element::{Faults, find_coordinate};
use crate::model::item::{Item, ItemPath, ROOT};
use crate::model::joint::JointKind;
use crate::model::words;

/// Checks every element.
pub(super) fn check(description: &Description, names: &Names<'_>, report: &mut Report) {
    let list = ROOT.key("element");
    let joints: HashMap<&str, &JointDescription> =
        description.joints.iter().map(|joint| (joint.name.as_str(), joint)).collect();
    for (i, element) in description.elements.iter().enumerate() {
        let (path, item) = (list.index(i), Item::named("element", &element.name, i));
        check_name(description, &joints, element, &path, &item, report);
        let between = path.key("between");
        match &element.kind {
            ElementKindDescription::Frames(kind) => {
                check_frames(description, names, element, &between, &item, report);
                report_faults(kind.faults(), &path, &item, report);
            }
            ElementKindDescription::Coordinates(coupler) => {
                check_coordinates(&joints, element, &between, &item, report);
                report_faults(coupler.faults(), &path, &item, report);
            }
        }
    }
}

fn report_faults(faults: Faults, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    for fault in faults.0 {
        let path = path.key(fault.key);
        if fault.is_warning {
            report.warning(fault.code, &path, item, fault.message, fault.help);
        } else {
            report.error(fault.code, &path, item, fault.message, fault.help);
        }
    }
}

/// Channels of elements, bodies and joints start with their names: these must differ.
fn check_name(
    description: &Description,
    joints: &HashMap<&str, &JointDescription>,
    element: &ElementDescription,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let joint = joints.contains_key(element.name.as_str()).then_some("joint");
    let body = || description.bodies.iter().any(|body| body.name == element.name).then_some("body");
    if let Some(kind) = joint.or_else(body).filter(|_| !element.name.is_empty()) {
        let message = format!("the name `{}` is also that of a {kind}", element.name);
        let help = "give the element another name: their channels start with it";
        report.error("duplicate-name", &path.key("name"), item, message, help);
    }
}

fn check_frames(
    description: &Description,
    names: &Names<'_>,
    element: &ElementDescription,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let [first, second] = &element.between;
    let ends =
        (names.frame(first, &path.index(0), item, report), names.frame(second, &path.index(1), item, report));
    let (Some(a), Some(b)) = ends else { return };
    let help = "name a frame of each of two bodies, or of one body and the ground";
    if first == second {
        let message = format!("both ends are the same frame `{first}`");
        report.error("same-frame", path, item, message, help);
    } else if a == b && !deforms(description, a) {
        let carrier = if a == Carrier::Ground { "the ground" } else { "one body that does not deform" };
        let message =
            format!("both frames, `{first}` and `{second}`, are on {carrier}: the element moves nothing");
        report.warning("same-body", path, item, message, help);
    }
}

/// Whether two frames on the carrier can move relative to each other.
fn deforms(description: &Description, carrier: Carrier) -> bool {
    match carrier {
        Carrier::Ground => false,
        Carrier::Body(i) => matches!(description.bodies[i].kind, BodyKind::Modal(_) | BodyKind::Beam(_)),
    }
}

fn check_coordinates(
    joints: &HashMap<&str, &JointDescription>,
    element: &ElementDescription,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let mut found = [None; 2];
    for (k, reference) in element.between.iter().enumerate() {
        found[k] = check_coordinate(joints, reference, &path.index(k), item, report);
    }
    if let [Some(a), Some(b)] = found
        && a == b
    {
        let message = format!("both ends are the same joint coordinate `{}`", element.between[0]);
        let help = "name two coordinates; a spring on one is `stiffness` of the joint";
        report.error("same-coordinate", path, item, message, help);
    }
}

/// The joint and the index of the coordinate called `reference`.
fn check_coordinate<'a>(
    joints: &HashMap<&'a str, &JointDescription>,
    reference: &str,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) -> Option<(&'a str, usize)> {
    let (name, word) = match reference.split_once('.') {
        Some((name, word)) => (name, Some(word)),
        None => (reference, None),
    };
    let Some((&name, joint)) = joints.get_key_value(name) else {
        let mut known: Vec<&str> = joints.keys().copied().collect();
        known.sort_unstable();
        let near = words::nearest(name, known.iter().copied());
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let help = format!("{near}a coupler acts on joint coordinates; joints: {}", words::list(known));
        report.error("unknown-joint", path, item, format!("no joint `{name}`"), help);
        return None;
    };
    let kind = joint.kind;
    if let Some(index) = find_coordinate(&kind, word) {
        return Some((name, index));
    }
    let (message, help) = no_coordinate(name, word, &kind);
    report.error("unknown-coordinate", path, item, message, help);
    None
}

/// Why `word` names no coordinate of the joint, and what does.
fn no_coordinate(name: &str, word: Option<&str>, kind: &JointKind) -> (String, String) {
    let names: Vec<&str> = kind.coordinate_names().iter().map(|(word, _)| *word).collect();
    if matches!(kind, JointKind::Spherical | JointKind::Free) {
        let message = format!("joint `{name}` is {}: no coordinate of it can be coupled", kind.word());
        return (message, "use a torsion-spring-damper or a bushing between frames".into());
    }
    match (word, names.is_empty()) {
        (_, true) => {
            (format!("joint `{name}` is a weld and has no coordinate"), "name a joint that moves".into())
        }
        (Some(word), false) => {
            (format!("joint `{name}` has no coordinate `{word}`"), format!("it has: {}", words::list(names)))
        }
        (None, false) => (
            format!("joint `{name}` has {}", words::count(names.len(), "coordinate")),
            format!(
                "name one of them, `{name}.{}`; it has: {}",
                names[0],
                words::list(names.iter().copied())
            ),
        ),
    }
}
