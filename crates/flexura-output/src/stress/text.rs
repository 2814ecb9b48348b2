//! Rows of stresses as the text stored in a result file (book/src/result_file.md).
//!
//! Numbers are little-endian `f64`, `u64`, `u32` or bytes in base64. Unlike the picture these are data: no digit is given up.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flexura::model::recovery::{LineSection, Recovery, StressLayer};
use serde_json::{Value, json};
use std::sync::Arc;

/// Metadata key of the rows.
pub const STRESS_KEY: &str = "stress";
/// Version of their text.
pub(super) const STRESS_VERSION: u64 = 1;

fn encode<const N: usize>(values: impl Iterator<Item = [u8; N]>) -> String {
    STANDARD.encode(values.flatten().collect::<Vec<u8>>())
}

fn reals<'a>(values: impl IntoIterator<Item = &'a f64>) -> String {
    encode(values.into_iter().map(|value| value.to_le_bytes()))
}

fn indices<'a>(values: impl IntoIterator<Item = &'a u32>) -> String {
    encode(values.into_iter().map(|value| value.to_le_bytes()))
}

/// The text of the rows of some bodies.
pub fn stress_text(bodies: &[(String, Arc<Recovery>)]) -> String {
    let bodies: Vec<Value> = bodies.iter().map(|(name, rows)| body(name, rows)).collect();
    json!({ "version": STRESS_VERSION, "bodies": bodies }).to_string()
}

fn body(name: &str, rows: &Recovery) -> Value {
    let names = rows.names.iter().map(|(name, node)| json!([name, node])).collect::<Vec<_>>();
    let sets = rows.sets.iter().map(|(name, nodes)| json!([name, indices(nodes)])).collect::<Vec<_>>();
    // Lines of a frame share few sections.
    let mut sections: Vec<&LineSection> = Vec::new();
    let mut of_lines = Vec::new();
    for section in &rows.sections {
        let known = sections.iter().position(|other| *other == section).unwrap_or_else(|| {
            sections.push(section);
            sections.len() - 1
        });
        of_lines.push(known as u32);
    }
    json!({
        "name": name,
        "modes": rows.modes,
        "numbers": encode(rows.numbers.iter().map(|number| number.to_le_bytes())),
        "positions": reals(rows.positions.as_flattened()),
        "displacements": reals(rows.displacements.as_flattened()),
        "names": names,
        "sets": sets,
        "triangles": indices(rows.triangles.as_flattened()),
        "lines": indices(rows.lines.as_flattened()),
        "place_nodes": encode(rows.places.iter().map(|place| place.node.to_le_bytes())),
        "place_layers": encode(rows.places.iter().map(|place| [layer_code(place.layer)])),
        "place_sides": encode(rows.places.iter().map(|place| [place.side])),
        "stress": reals(&rows.stress),
        "section_forces": reals(&rows.section_forces),
        "sections": sections.into_iter().map(section).collect::<Vec<_>>(),
        "section_of": indices(&of_lines),
        "notes": rows.notes,
    })
}

fn section(section: &LineSection) -> Value {
    let fibres = section.fibres.iter().map(|fibre| [fibre.place[0], fibre.place[1], fibre.torsion_radius]);
    json!({
        "axes": section.axes,
        "area": section.area,
        "inertia": section.inertia,
        "torsion": section.torsion,
        "fibres": fibres.collect::<Vec<_>>(),
    })
}

fn layer_code(layer: StressLayer) -> u8 {
    match layer {
        StressLayer::Solid => 0,
        StressLayer::Middle => 1,
        StressLayer::Top => 2,
        StressLayer::Bottom => 3,
    }
}
