//! Damage of all chosen places as CSV, JSON, VTU or a figure.

use super::{Damaged, figure};
use crate::Outcome;
use crate::plot;
use crate::stress::vtu::{self, Field};
use crate::stress::{ending, quoted};
use crate::whole_file;
use flexura_output::fatigue::FatigueCase;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Writes one file, by the ending of its name.
pub fn write(bodies: &[Damaged], case: &FatigueCase, path: &Path) -> Outcome {
    match ending(path).as_str() {
        "json" => {
            whole_file::write(path, serde_json::to_string_pretty(&document(bodies, case)).unwrap_or_default())
        }
        "vtu" => vtu::write(path, &bodies.iter().map(field).collect::<Vec<_>>()),
        "csv" => whole_file::write(path, csv(bodies)),
        _ => plot::write(&figure::figure(bodies, case)?, path, 3.0),
    }
}

fn csv(bodies: &[Damaged]) -> String {
    let mut out = String::from("body,node,layer,x [m],y [m],z [m],damage,largest_range [Pa],cycles\n");
    for body in bodies {
        for (point, found) in body.field.points.iter().zip(&body.damages) {
            let [x, y, z] = body.rows.positions[point.node];
            let _ = writeln!(
                out,
                "{},{},{},{x},{y},{z},{},{},{}",
                quoted(&body.name),
                body.rows.numbers[point.node],
                point.word(),
                found.sum,
                found.largest_range,
                found.cycles
            );
        }
    }
    out
}

fn document(bodies: &[Damaged], case: &FatigueCase) -> Value {
    let list = bodies.iter().map(|body| {
        let places = body.field.points.iter().zip(&body.damages).map(|(point, found)| {
            json!({
                "node": body.rows.numbers[point.node],
                "layer": point.word(),
                "position": body.rows.positions[point.node],
                "damage": found.sum,
                "largest_range": found.largest_range,
                "cycles": found.cycles,
                "plane": found.plane,
            })
        });
        json!({ "name": body.name, "notes": body.rows.notes, "places": places.collect::<Vec<_>>() })
    });
    json!({
        "curve": case.name,
        "equivalent": case.equivalent.words(),
        "mean": case.mean.words(),
        "factor": case.factor,
        "unit": "Pa",
        "bodies": list.collect::<Vec<_>>(),
    })
}

/// The undeformed body with the damage of the worst place of every node.
fn field(body: &Damaged) -> Field {
    let mut values = vec![vec![f64::NAN; body.rows.positions.len()]; 3];
    for point in body.ranked() {
        let (node, found) = (body.field.points[point].node, &body.damages[point]);
        values[0][node] = found.sum;
        values[1][node] = if found.sum > 0.0 { found.sum.log10() } else { f64::NAN };
        values[2][node] = found.largest_range;
    }
    let names = ["damage", "damage_log10", "largest_range"];
    Field::new(&body.rows, names.iter().map(|name| (*name).to_owned()).zip(values).collect())
}
