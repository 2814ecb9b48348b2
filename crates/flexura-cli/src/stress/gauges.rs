//! Strain gauges on bodies of a result: what they would have shown, as a table and as histories.

use super::files::ending;
use super::refused;
use super::table::node_words;
use crate::Outcome;
use crate::failure::Failure;
use crate::plot;
use crate::plot::draw::{Figure, Panel};
use crate::plot::series::Series;
use crate::whole_file;
use flexura::model::recovery::StressLayer;
use flexura_output::stress::{
    BodyRows, Gauge, GaugeEntry, Instants, NoGauge, PointKind, Selection, StressError, StressField, nodes_of,
    surface_normal,
};
use std::fmt::Write;
use std::path::Path;

/// Most panels of a figure.
const MOST_PANELS: usize = 12;

/// A gauge on its body, with what it shows.
pub struct Measured {
    name: String,
    words: String,
    times: Vec<f64>,
    columns: Vec<Column>,
}

/// One reading over time.
struct Column {
    name: String,
    unit: &'static str,
    values: Vec<f64>,
}

/// The readings of all gauges of a file.
pub fn measure(bodies: &[BodyRows], entries: &[GaugeEntry], file: &Path) -> Result<Vec<Measured>, Failure> {
    entries.iter().map(|entry| one(bodies, entry, file)).collect()
}

fn one(bodies: &[BodyRows], entry: &GaugeEntry, file: &Path) -> Result<Measured, Failure> {
    let wrong = |message: &str, help: &str| {
        let message = format!("gauge `{}`: {message}", entry.name);
        Failure::Usage(
            StressError::Gauge { file: file.display().to_string(), message, help: help.into() }.to_string(),
        )
    };
    let known = bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>().join(", ");
    let body = match (&entry.body, bodies) {
        (Some(name), _) => bodies.iter().find(|body| body.name == *name),
        (None, [single]) => Some(single),
        _ => None,
    };
    let body = body.ok_or_else(|| {
        wrong("which body it sits on is not known", &format!("give `body`, one of: {known}"))
    })?;
    let wanted = Selection { nodes: vec![entry.node.clone()], sets: Vec::new() };
    let node =
        nodes_of(&body.name, &body.rows, &wanted).map_err(refused)?.and_then(|nodes| nodes.first().copied());
    let node = node.ok_or_else(|| wrong("it has no node", "give `node`"))?;
    let mut field = StressField::new(&body.rows, Some(&[node]));
    field.retain(|point| match point.kind {
        PointKind::Surface(layer, _) => layer == entry.layer.unwrap_or(StressLayer::Solid),
        PointKind::Fibre { .. } => false,
    });
    if field.points.len() != 1 {
        let help = "gauges sit on surfaces of solids, or on the `layer` top, bottom or middle of a shell that is not folded there";
        return Err(wrong(&format!("there are {} such surfaces at its node", field.points.len()), help));
    }
    let no_gauge = |why: NoGauge| match why {
        NoGauge::NoSurface => {
            wrong("no surface of the body meets its node", "choose another node, or give `normal`")
        }
        NoGauge::Edge => {
            wrong("its node lies on an edge", "choose a node of a smooth surface, or give `normal`")
        }
        NoGauge::Across => wrong("its direction does not lie in the surface", "choose another `direction`"),
        NoGauge::Alike => {
            wrong("its grids do not lie apart", "take angles_deg = [0, 45, 90] or [0, 60, 120]")
        }
    };
    let normal = entry.normal.map_or_else(|| surface_normal(&body.rows, node), Ok).map_err(no_gauge)?;
    let gauge = Gauge::new(entry.direction, normal, &entry.angles, entry.material).map_err(no_gauge)?;
    let stresses = field.history(0, &body.instants);
    Ok(Measured {
        name: format!("{}.{}", body.name, entry.name),
        words: format!("node {}, {}", node_words(&body.rows, node), field.points[0].words()),
        times: body.instants.times.clone(),
        columns: columns(&gauge, &stresses),
    })
}

/// Stress and strain of one grid; of a rosette the strains of three and what they say of the surface.
fn columns(gauge: &Gauge, stresses: &[[f64; 6]]) -> Vec<Column> {
    let column = |name: &str, unit, value: &dyn Fn(&[f64; 6]) -> f64| Column {
        name: name.into(),
        unit,
        values: stresses.iter().map(value).collect(),
    };
    let strain = |grid: usize| move |stress: &[f64; 6]| gauge.strain(grid, stress).unwrap_or(f64::NAN);
    if gauge.grids.len() == 1 {
        let mut found = vec![column("stress", "Pa", &|stress| gauge.stress(0, stress))];
        if gauge.material.is_some() {
            found.push(column("strain", "1", &strain(0)));
        }
        return found;
    }
    let grids = ["a", "b", "c"].iter().enumerate();
    let mut found: Vec<Column> =
        grids.map(|(grid, name)| column(&format!("{name}.strain"), "1", &strain(grid))).collect();
    let of = |choose: fn(&flexura_output::stress::Rosette) -> f64| {
        move |stress: &[f64; 6]| gauge.rosette(stress).map_or(f64::NAN, |found| choose(&found))
    };
    found.push(column("stress1", "Pa", &of(|found| found.stresses[0])));
    found.push(column("stress2", "Pa", &of(|found| found.stresses[1])));
    found.push(column("angle", "rad", &of(|found| found.angle)));
    found
}

/// The largest and smallest reading of every gauge, and when.
pub fn table(gauges: &[Measured]) -> String {
    let mut out = format!(
        "{:<28} {:<10} {:>12} {:>9}  {:>12} {:>9}  place\n",
        "gauge", "reading", "largest", "at s", "smallest", "at s"
    );
    for gauge in gauges {
        for (index, column) in gauge.columns.iter().filter(|column| column.unit != "rad").enumerate() {
            let (unit, factor) = if column.unit == "Pa" { ("MPa", 1e-6) } else { ("µm/m", 1e6) };
            let best = |larger: fn(f64, f64) -> bool| {
                let better = |best: usize, row: usize| {
                    if larger(column.values[row], column.values[best]) { row } else { best }
                };
                let row = (0..column.values.len()).fold(0, better);
                (column.values[row] * factor, gauge.times[row])
            };
            let ((most, when), (least, then)) = (best(|a, b| a > b), best(|a, b| a < b));
            let (name, words) =
                if index == 0 { (gauge.name.as_str(), gauge.words.as_str()) } else { ("", "") };
            let reading = format!("{} {unit}", column.name.trim_end_matches(".strain"));
            let _ = writeln!(
                out,
                "{name:<28} {reading:<10} {most:>12.4} {when:>9.4}  {least:>12.4} {then:>9.4}  {words}"
            );
        }
    }
    out
}

/// Histories of all gauges: columns, or a figure.
pub fn write(gauges: &[Measured], path: &Path) -> Outcome {
    if ending(path) != "csv" {
        return plot::write(&figure(gauges)?, path, 3.0);
    }
    let mut out = String::from("time [s]");
    for gauge in gauges {
        gauge
            .columns
            .iter()
            .for_each(|column| out += &format!(",{}.{} [{}]", gauge.name, column.name, column.unit));
    }
    out.push('\n');
    let times = gauges.first().map_or(&[][..], |gauge| &gauge.times);
    for (row, time) in times.iter().enumerate() {
        let _ = write!(out, "{time}");
        let columns = gauges.iter().flat_map(|gauge| &gauge.columns);
        columns.for_each(|column| out += &format!(",{}", column.values[row]));
        out.push('\n');
    }
    whole_file::write(path, out)
}

/// A panel per gauge, of its strains where there are some.
fn figure(gauges: &[Measured]) -> Result<Figure, Failure> {
    if gauges.len() > MOST_PANELS {
        return Err(Failure::Usage(format!(
            "--history: {} gauges are more than {MOST_PANELS} panels",
            gauges.len()
        )));
    }
    let panel = |gauge: &Measured| {
        let strains = gauge.columns.iter().any(|column| column.unit == "1");
        let (kind, unit, factor) = if strains { ("1", "µm/m", 1e6) } else { ("Pa", "MPa", 1e-6) };
        let of = |column: &Column| Series {
            name: format!("{}.{}", gauge.name, column.name),
            unit: unit.into(),
            source: String::new(),
            file: 0,
            reference: false,
            x: gauge.times.clone(),
            y: column.values.iter().map(|value| value * factor).collect(),
        };
        let series = gauge.columns.iter().filter(|column| column.unit == kind).map(of).collect();
        let y_label = format!("{}, {}", gauge.name, if strains { "strain" } else { "stress" });
        let x_label = "time [s]".into();
        Panel { series, x_label, y_label, unit: unit.into(), shared: true, ..Panel::default() }
    };
    Ok(Figure {
        width: 640.0,
        height: 190.0,
        title: "strain gauges".into(),
        panels: gauges.iter().map(panel).collect(),
    })
}

/// The instants of every body that are looked at.
pub fn within(bodies: &mut [BodyRows], choose: impl Fn(&Instants) -> Instants) {
    bodies.iter_mut().for_each(|body| body.instants = choose(&body.instants));
}
