//! Extremes of all chosen places as CSV, JSON or VTU; section forces as CSV.

use super::table::FORCES;
use super::vtu::{self, Field};
use super::{Looked, Measure};
use crate::Outcome;
use crate::failure::Failure;
use crate::whole_file;
use flexura_output::stress::{Extreme, section_peaks};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Ending of a file name.
pub fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// Refuses names whose ending says no known format.
pub fn check_endings(paths: &[PathBuf], known: &[&str]) -> Outcome {
    match paths.iter().find(|path| !known.contains(&ending(path).as_str())) {
        None => Ok(()),
        Some(path) => {
            let list = known.iter().map(|known| format!(".{known}")).collect::<Vec<_>>().join(", ");
            Err(Failure::Usage(format!("{}: end the name with {list}", path.display())))
        }
    }
}

/// A cell of a CSV file: quoted where it has to be.
pub fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// Writes the extremes of all places.
pub fn write(bodies: &[Looked], path: &Path, by: Measure) -> Outcome {
    match ending(path).as_str() {
        "json" => {
            whole_file::write(path, serde_json::to_string_pretty(&document(bodies)).unwrap_or_default())
        }
        "vtu" => vtu::write(path, &bodies.iter().map(|body| field(body, by)).collect::<Vec<_>>()),
        _ => whole_file::write(path, csv(bodies)),
    }
}

fn csv(bodies: &[Looked]) -> String {
    let mut out = String::from(
        "body,node,layer,x [m],y [m],z [m],von_mises [Pa],von_mises_time [s],tension [Pa],tension_time [s],\
         compression [Pa],compression_time [s]\n",
    );
    for body in bodies {
        for peak in &body.peaks {
            let point = &body.field.points[peak.point];
            let [x, y, z] = body.rows.positions[point.node];
            let _ = write!(out, "{},{},{}", quoted(&body.name), body.rows.numbers[point.node], point.word());
            let _ = write!(out, ",{x},{y},{z}");
            for Extreme { value, time } in [peak.von_mises, peak.tension, peak.compression] {
                let _ = write!(out, ",{value},{time}");
            }
            out.push('\n');
        }
    }
    out
}

fn document(bodies: &[Looked]) -> Value {
    let extreme = |found: Extreme| json!({ "value": found.value, "time": found.time });
    let list = bodies.iter().map(|body| {
        let places = body.peaks.iter().map(|peak| {
            let point = &body.field.points[peak.point];
            json!({
                "node": body.rows.numbers[point.node],
                "layer": point.word(),
                "position": body.rows.positions[point.node],
                "von_mises": extreme(peak.von_mises),
                "tension": extreme(peak.tension),
                "compression": extreme(peak.compression),
            })
        });
        json!({
            "name": body.name,
            "from": body.instants.times.first(),
            "to": body.instants.times.last(),
            "rows": body.instants.len(),
            "notes": body.notes,
            "places": places.collect::<Vec<_>>(),
        })
    });
    json!({ "unit": "Pa", "bodies": list.collect::<Vec<_>>() })
}

/// The undeformed body with the extremes of the worst place of every node.
fn field(body: &Looked, by: Measure) -> Field {
    let count = body.rows.positions.len();
    let mut values = vec![vec![f64::NAN; count]; 4];
    for peak in body.ranked(by) {
        let node = body.field.points[peak.point].node;
        values[0][node] = peak.von_mises.value.abs();
        values[1][node] = peak.von_mises.time;
        values[2][node] = peak.tension.value;
        values[3][node] = peak.compression.value;
    }
    let names = ["von_mises", "von_mises_time", "tension", "compression"];
    Field::new(&body.rows, names.iter().map(|name| (*name).to_owned()).zip(values).collect())
}

/// Writes the largest section forces, end by end.
pub fn write_sections(bodies: &[Looked], path: &Path) -> Outcome {
    let mut out = String::from("body,line,node");
    for (name, unit) in FORCES {
        let _ = write!(out, ",{name} [{unit}],{name}_time [s]");
    }
    out.push('\n');
    let mut found = 0;
    for body in bodies {
        for peak in section_peaks(&body.rows, &body.instants, body.nodes.as_deref()) {
            found += 1;
            let node = body.rows.numbers[body.rows.lines[peak.line][peak.end] as usize];
            let _ = write!(out, "{},{},{node}", quoted(&body.name), peak.line + 1);
            for Extreme { value, time } in peak.forces {
                let _ = write!(out, ",{value},{time}");
            }
            out.push('\n');
        }
    }
    if found == 0 {
        let names = bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(Failure::Usage(format!("--sections: there are no beams in {names}")));
    }
    whole_file::write(path, out)
}
