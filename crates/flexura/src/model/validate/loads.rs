//! Loads spread over bodies: the body, its kind, and the numbers.

use std::collections::{HashMap, HashSet};

use super::{Report, overshoot};
use crate::model::description::{BodyDescription, BodyKind, Description, LoadDescription, LoadKind, Patch};
use crate::model::item::{Item, ItemPath, ROOT};
use crate::model::words;

/// Checks every load.
pub(super) fn check(description: &Description, report: &mut Report) {
    let list = ROOT.key("load");
    let bodies: HashMap<&str, &BodyDescription> =
        description.bodies.iter().rev().map(|body| (body.name.as_str(), body)).collect();
    let forces: HashSet<&str> = description.forces.iter().map(|force| force.name.as_str()).collect();
    let driven: HashSet<&str> =
        description.controllers.iter().flat_map(|found| &found.actuators).map(String::as_str).collect();
    for (i, load) in description.loads.iter().enumerate() {
        let (path, item) = (list.index(i), Item::named("load", &load.name, i));
        if forces.contains(load.name.as_str()) {
            let message = format!("the name `{}` is also that of a force", load.name);
            let help = "give the load another name: controllers drive both by name";
            report.error("duplicate-name", &path.key("name"), &item, message, help);
        }
        overshoot::check(load.scale.as_ref(), &path.key("scale"), &item, report);
        if let Some(Err(fault)) = load.scale.as_ref().map(|scale| scale.validate()) {
            let help = "correct the function of time in `scale`";
            report.error("time-function", &path.key("scale"), &item, fault.to_string(), help);
        }
        match bodies.get(load.body.as_str()) {
            Some(body) => {
                check_kind(load, body, &path, &item, report);
                if driven.contains(load.name.as_str())
                    && matches!(&body.kind, BodyKind::Beam(beam) if beam.segments > 1)
                {
                    let message =
                        "a controller drives the load, but each segment of the beam has a part of it";
                    let help = "drive forces at frames instead";
                    report.error("load-on-body", &path, &item, message, help);
                }
            }
            None => {
                let names = description.bodies.iter().map(|body| body.name.as_str());
                let near = words::nearest(&load.body, names.clone());
                let help = near.map_or_else(
                    || format!("bodies: {}", words::list(names)),
                    |near| format!("did you mean `{near}`?"),
                );
                let message = format!("there is no body `{}`", load.body);
                report.error("unknown-body", &path.key("body"), &item, message, help);
            }
        }
    }
}

fn check_kind(
    load: &LoadDescription,
    body: &BodyDescription,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    match (&load.kind, &body.kind) {
        (LoadKind::Line { span, force, .. }, BodyKind::Beam(beam)) => {
            finite(force.as_flattened(), "force", path, item, report);
            let (start, end) = (span.0, span.1.unwrap_or(beam.length));
            if !(start >= 0.0 && start < end && end <= beam.length) {
                let message = format!("the load spans {start} to {end} m of a beam of {} m", beam.length);
                let help = "give 0 ≤ from < to ≤ length";
                report.error(
                    "load-span",
                    &path.key(if start < 0.0 { "from" } else { "to" }),
                    item,
                    message,
                    help,
                );
            }
        }
        (LoadKind::Pressure { pressure, patches, .. }, BodyKind::Modal(modal)) => {
            finite(&[*pressure], "pressure", path, item, report);
            for (k, patch) in patches.iter().enumerate() {
                let known = modal.nodes.iter().any(|node| node.name == patch.node);
                check_patch(patch, known, &path.key("patches").index(k), item, report);
            }
        }
        (LoadKind::Thermal { expansion, temperature, gradient }, BodyKind::Beam(_)) => {
            let numbers = [*expansion, *temperature, gradient[0], gradient[1]];
            finite(&numbers, "expansion", path, item, report);
        }
        (LoadKind::Modal { .. }, BodyKind::Beam(beam)) if beam.segments > 1 => {
            let message = format!("body `{}` is split into {} segments", body.name, beam.segments);
            let help = "use a line load or a force at a frame: they find their segments";
            report.error("load-on-body", &path.key("body"), item, message, help);
        }
        (LoadKind::Modal { forces }, kind) => {
            finite(forces, "forces", path, item, report);
            let modes = match kind {
                BodyKind::Beam(beam) => beam.modes.len(),
                BodyKind::Modal(modal) => modal.modes,
                _ => 0,
            };
            if forces.len() != modes {
                let (given, needed) = (words::count(forces.len(), "force"), words::count(modes, "mode"));
                let message = format!("{given} for body `{}`, which has {needed}", body.name);
                report.error("wrong-length", &path.key("forces"), item, message, "give one force per mode");
            }
        }
        (kind, _) => {
            let (word, needed) = match kind {
                LoadKind::Pressure { .. } => ("pressure", "nodes and modes ([body.modal])"),
                LoadKind::Thermal { .. } => ("thermal", "a beam ([body.beam])"),
                _ => ("line", "a beam ([body.beam])"),
            };
            let message = format!("a {word} load needs {needed}, but body `{}` is not one", load.body);
            let help = "name another body, or use [[force]] at a frame or type = \"modal\"";
            report.error("load-on-body", &path.key("body"), item, message, help);
        }
    }
}

fn check_patch(patch: &Patch, known: bool, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    if !known {
        let message = format!("there is no node `{}`", patch.node);
        report.error("unknown-node", &path.key("node"), item, message, "name a node of the body");
    }
    if !(patch.area > 0.0 && patch.area.is_finite()) {
        let message = format!("the area is {}", words::number(patch.area));
        report.error("not-positive", &path.key("area"), item, message, "give a positive area (m²)");
    }
    let size = crate::spatial::norm(&patch.normal);
    if !(size > 0.0 && size.is_finite()) {
        let message = "the normal has no direction";
        report.error("zero-axis", &path.key("normal"), item, message, "give a vector such as [0, 0, 1]");
    }
}

fn finite(values: &[f64], key: &'static str, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    if let Some(value) = values.iter().find(|value| !value.is_finite()) {
        report.error(
            "not-finite",
            &path.key(key),
            item,
            format!("`{key}` is {value}"),
            "give finite numbers",
        );
    }
}
