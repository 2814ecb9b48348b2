//! Flexible bodies given by nodes and modes, and modal damping.

use super::fields::Fields;
use super::value::Value;
use crate::model::description::{DampingDescription, ModalDescription, NodeDescription};

/// The table `[body.modal]`.
pub(super) fn read_modal(fields: &mut Fields<'_>) -> ModalDescription {
    let help = "stiffness = [k1, k2] (one number per mode) or all rows of the matrix";
    let stiffness = fields.need("stiffness", help).and_then(|value| value.square(true));
    if stiffness.is_none() {
        // Without it the number of modes is unknown and every size looks wrong.
        fields.sink.unreliable(fields.path);
    }
    let (modes, stiffness) = stiffness.unwrap_or_default();
    ModalDescription {
        modes,
        nodes: fields.entries("node", "node", |node| read_node(node, modes)),
        stiffness,
        damping: read_damping(fields),
        invariants: None,
    }
}

fn read_node(fields: &mut Fields<'_>, modes: usize) -> NodeDescription {
    let shapes = |value: Option<Value<'_>>| match value {
        Some(value) => value.vectors().unwrap_or_default(),
        None => vec![[0.0; 3]; modes],
    };
    NodeDescription {
        name: fields.get("name").and_then(|name| name.text()).unwrap_or_default().to_owned(),
        mass: fields.f64("mass", 0.0),
        inertia: fields.get("inertia").and_then(|value| value.inertia()).unwrap_or_default(),
        offset: fields.vector3("offset", [0.0; 3]),
        position: fields.vector3("position", [0.0; 3]),
        slopes: shapes(fields.get("slopes")),
        translations: shapes(fields.get("translations")),
        quadratic: fields.get("quadratic").and_then(|value| read_quadratic(&value)).unwrap_or_default(),
    }
}

/// A vector per pair of modes.
fn read_quadratic(value: &Value<'_>) -> Option<Vec<[f64; 3]>> {
    let size = value.items()?.len();
    let rows = value.each(|row| {
        let vectors = row.vectors()?;
        row.expect_length(vectors.len(), size)?;
        Some(vectors)
    })?;
    Some(rows.concat())
}

/// The key `damping` of a flexible body.
#[doc(hidden)]
pub fn read_damping(fields: &mut Fields<'_>) -> DampingDescription {
    let read = fields.section("damping", |fields| {
        let forms = ["ratios", "coefficients", "matrix", "rayleigh", "kelvin_voigt"];
        let Some(form) = fields.one_of(&forms) else {
            let help = "write { ratios = [0.01] }, { coefficients = [..] }, { matrix = [[..]] }, \
                        { rayleigh = { mass = 0, stiffness = 1e-4 } } or { kelvin_voigt = 1e-4 }";
            fields.missing("missing-key", &forms, "the damping is empty", help);
            return None;
        };
        let value = fields.get(form)?;
        match form {
            "ratios" => value.numbers().map(DampingDescription::Ratios),
            "coefficients" => value.numbers().map(DampingDescription::Coefficients),
            "matrix" => value.square(false).map(|(_, matrix)| DampingDescription::Matrix(matrix)),
            "rayleigh" => value.table(|factors| DampingDescription::Rayleigh {
                mass: factors.f64("mass", 0.0),
                stiffness: factors.f64("stiffness", 0.0),
            }),
            _ => value.f64().map(|time| DampingDescription::KelvinVoigt { time }),
        }
    });
    read.flatten().unwrap_or_default()
}
