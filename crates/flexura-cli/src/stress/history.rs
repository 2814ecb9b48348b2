//! Histories of the stresses of chosen nodes as CSV or as a figure.

use super::files::ending;
use super::table::{FORCES, node_words};
use super::{Looked, Measure};
use crate::Outcome;
use crate::failure::Failure;
use crate::plot;
use crate::plot::draw::{Figure, Panel};
use crate::plot::series::Series;
use crate::whole_file;
use flexura_output::stress::{principal, section_forces, signed_von_mises};
use std::fmt::Write;
use std::path::Path;

/// Components of a tensor.
const COMPONENTS: [&str; 6] = ["xx", "yy", "zz", "xy", "yz", "zx"];
/// Most curves of one panel.
const MOST_CURVES: usize = 12;

/// A place whose history is written.
struct Chosen<'a> {
    body: &'a Looked,
    point: usize,
    history: Vec<[f64; 6]>,
}

/// Writes the histories of the chosen nodes; of the worst one where none were named.
pub fn write(bodies: &[Looked], path: &Path, by: Measure) -> Outcome {
    let chosen: Vec<Chosen<'_>> = bodies.iter().flat_map(|body| places(body, by)).collect();
    if chosen.is_empty() {
        return Err(Failure::Usage("--history: no place with stresses is chosen".into()));
    }
    match ending(path).as_str() {
        "csv" => whole_file::write(path, csv(&chosen, bodies)),
        _ => plot::write(&figure(&chosen)?, path, 3.0),
    }
}

/// All layers of solids and shells at the chosen nodes, the worst fibre of beams at each.
fn places(body: &Looked, by: Measure) -> Vec<Chosen<'_>> {
    let ranked = body.ranked(by);
    let worst = ranked.first().map(|peak| body.field.points[peak.point].node);
    let nodes: Vec<usize> = body.nodes.clone().unwrap_or_else(|| worst.into_iter().collect());
    let mut found = Vec::new();
    for node in nodes {
        let here = |point: &usize| body.field.points[*point].node == node;
        let flat =
            (0..body.field.points.len()).filter(here).filter(|point| !body.field.points[*point].is_fibre());
        found.extend(flat);
        let fibres =
            body.peaks.iter().filter(|peak| here(&peak.point) && body.field.points[peak.point].is_fibre());
        let worst = fibres.max_by(|a, b| by.of(a).total_cmp(&by.of(b)));
        found.extend(worst.map(|peak| peak.point));
    }
    let chosen = |point: usize| Chosen { body, point, history: body.field.history(point, &body.instants) };
    found.into_iter().map(chosen).collect()
}

impl Chosen<'_> {
    fn name(&self) -> String {
        let point = &self.body.field.points[self.point];
        format!("{}.node{}.{}", self.body.name, self.body.rows.numbers[point.node], point.word())
    }

    fn words(&self) -> String {
        let point = &self.body.field.points[self.point];
        format!("node {}, {}", node_words(&self.body.rows, point.node), point.words())
    }
}

/// Columns of every place, and section forces of the lines at chosen nodes. Bodies have the same rows.
fn csv(chosen: &[Chosen<'_>], bodies: &[Looked]) -> String {
    let mut out = String::from("time [s]");
    for place in chosen {
        let name = place.name();
        let words = COMPONENTS.into_iter().chain(["von_mises", "principal1", "principal2", "principal3"]);
        words.for_each(|word| out += &format!(",{name}.{word} [Pa]"));
    }
    let ends: Vec<(&Looked, usize, usize)> = bodies.iter().flat_map(line_ends).collect();
    for (body, line, end) in &ends {
        let number = body.rows.numbers[body.rows.lines[*line][*end] as usize];
        for (force, unit) in FORCES {
            let _ = write!(out, ",{}.node{number}.line{}.{force} [{unit}]", body.name, line + 1);
        }
    }
    out.push('\n');
    let times = chosen.first().map_or(&[][..], |place| place.body.instants.times.as_slice());
    for (row, time) in times.iter().enumerate() {
        let _ = write!(out, "{time}");
        for place in chosen {
            let stress = &place.history[row];
            stress.iter().for_each(|value| out += &format!(",{value}"));
            let _ = write!(out, ",{}", signed_von_mises(stress));
            principal(stress).iter().for_each(|value| out += &format!(",{value}"));
        }
        for (body, line, end) in &ends {
            let forces = section_forces(&body.rows, *line, *end, body.instants.at(row));
            forces.iter().for_each(|value| out += &format!(",{value}"));
        }
        out.push('\n');
    }
    out
}

/// Ends of lines at the nodes that were named.
fn line_ends(body: &Looked) -> Vec<(&Looked, usize, usize)> {
    let Some(nodes) = &body.nodes else { return Vec::new() };
    let ends = (0..body.rows.lines.len()).flat_map(|line| [(line, 0), (line, 1)]);
    let named = ends.filter(|(line, end)| nodes.contains(&(body.rows.lines[*line][*end] as usize)));
    named.map(|(line, end)| (body, line, end)).collect()
}

fn figure(chosen: &[Chosen<'_>]) -> Result<Figure, Failure> {
    if chosen.len() > MOST_CURVES {
        let text = format!(
            "--history: {} places are more than {MOST_CURVES} curves: name fewer nodes",
            chosen.len()
        );
        return Err(Failure::Usage(text));
    }
    let panels = match chosen {
        [single] => {
            let components = (0..6).map(|i| single.series(COMPONENTS[i], |stress| stress[i])).collect();
            let invariants = vec![
                single.series("von Mises, signed", signed_von_mises),
                single.series("principal 1", |stress| principal(stress)[0]),
                single.series("principal 3", |stress| principal(stress)[2]),
            ];
            vec![panel(components, "components"), panel(invariants, "stress")]
        }
        _ => {
            let of = |measure: fn(&[f64; 6]) -> f64| {
                chosen.iter().map(|place| place.series(&place.words(), measure)).collect::<Vec<_>>()
            };
            let largest = |stress: &[f64; 6]| {
                let [first, _, third] = principal(stress);
                if first.abs() >= third.abs() { first } else { third }
            };
            vec![panel(of(signed_von_mises), "von Mises, signed"), panel(of(largest), "principal")]
        }
    };
    let title = match chosen {
        [single] => format!("{}, {}", single.body.name, single.words()),
        _ => chosen.first().map_or(String::new(), |place| place.body.name.clone()),
    };
    Ok(Figure { width: 640.0, height: 190.0, title, panels })
}

impl Chosen<'_> {
    fn series(&self, name: &str, measure: impl Fn(&[f64; 6]) -> f64) -> Series {
        Series {
            name: name.into(),
            unit: "MPa".into(),
            source: String::new(),
            file: 0,
            reference: false,
            x: self.body.instants.times.clone(),
            y: self.history.iter().map(|stress| measure(stress) / 1e6).collect(),
        }
    }
}

fn panel(series: Vec<Series>, label: &str) -> Panel {
    Panel {
        series,
        x_label: "time [s]".into(),
        y_label: label.into(),
        unit: "MPa".into(),
        shared: true,
        ..Panel::default()
    }
}
