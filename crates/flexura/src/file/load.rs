//! `[[load]]` entries: loads spread over a body.

use super::fields::Fields;
use super::time_function::read_time_function;
use crate::model::description::{LoadAxes, LoadDescription, LoadKind, Patch};

#[derive(Clone, Copy)]
enum Tag {
    Line,
    Pressure,
    Thermal,
    Modal,
}

const TYPES: [(&str, Tag); 4] =
    [("line", Tag::Line), ("pressure", Tag::Pressure), ("thermal", Tag::Thermal), ("modal", Tag::Modal)];

/// An entry of `[[load]]`.
pub(super) fn read_load(fields: &mut Fields<'_>) -> LoadDescription {
    let name = fields.need_text("name", "name = \"wind\"");
    let body = fields.need_text("body", "body = \"arm\"");
    let scale = fields.get("scale").and_then(|value| read_time_function(&value));
    let before = fields.sink.count();
    let kind = match fields.need("type", "type = \"line\"").and_then(|value| value.choice(&TYPES)) {
        Some(Tag::Line) => line(fields),
        Some(Tag::Pressure) => pressure(fields),
        Some(Tag::Thermal) => thermal(fields),
        Some(Tag::Modal) => modal(fields),
        None => {
            fields.allow(&["from", "to", "force", "end_force", "axes", "pressure", "patches"]);
            fields.allow(&["expansion", "temperature", "gradient_y", "gradient_z", "forces"]);
            LoadKind::Modal { forces: Vec::new() }
        }
    };
    if fields.sink.count() > before {
        // What was not read is not worth a second message.
        fields.sink.unreliable(fields.path);
    }
    LoadDescription { name, body, kind, scale }
}

fn line(fields: &mut Fields<'_>) -> LoadKind {
    let force = fields.need("force", "force = [0, 0, -20] (N/m)").and_then(|value| value.vector3());
    let force = force.unwrap_or([0.0; 3]);
    let words =
        [("inertial", LoadAxes::Inertial), ("body", LoadAxes::Body), ("follower", LoadAxes::Follower)];
    LoadKind::Line {
        span: (fields.f64("from", 0.0), fields.get("to").and_then(|value| value.f64())),
        force: [force, fields.vector3("end_force", force)],
        axes: fields.choice("axes", &words).unwrap_or(LoadAxes::Inertial),
    }
}

fn pressure(fields: &mut Fields<'_>) -> LoadKind {
    let patches = fields.need("patches", "patches = [{ node = \"far\", area = 0.1, normal = [0, 0, 1] }]");
    let patches = patches.and_then(|value| {
        value.each(|patch| {
            patch.table(|fields| Patch {
                node: fields.need_text("node", "node = \"far\""),
                area: fields.need_f64("area", "area = 0.1 (m²)"),
                normal: fields
                    .need("normal", "normal = [0, 0, 1]")
                    .and_then(|n| n.vector3())
                    .unwrap_or([0.0; 3]),
            })
        })
    });
    let words = [("follower", LoadAxes::Follower), ("body", LoadAxes::Body)];
    LoadKind::Pressure {
        pressure: fields.need_f64("pressure", "pressure = 1000 (Pa)"),
        patches: patches.unwrap_or_default(),
        axes: fields.choice("axes", &words).unwrap_or(LoadAxes::Follower),
    }
}

fn thermal(fields: &mut Fields<'_>) -> LoadKind {
    LoadKind::Thermal {
        expansion: fields.need_f64("expansion", "expansion = 23e-6 (1/K)"),
        temperature: fields.f64("temperature", 0.0),
        gradient: [fields.f64("gradient_y", 0.0), fields.f64("gradient_z", 0.0)],
    }
}

fn modal(fields: &mut Fields<'_>) -> LoadKind {
    let forces = fields.need("forces", "forces = [..], one per mode").and_then(|value| value.numbers());
    LoadKind::Modal { forces: forces.unwrap_or_default() }
}
