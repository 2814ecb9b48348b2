//! Frequency response of a linear system: CSV, and a plot of amplitude and phase.

use crate::Outcome;
use crate::failure::Failure;
use crate::plot::draw::{Figure, Panel};
use crate::plot::series::Series;
use crate::print::print;
use flexura::analysis::{LinearSystem, frequency_response, input_unit};
use flexura::model::Model;
use flexura::record::all_channels;
use std::f64::consts::TAU;
use std::fmt::Write;
use std::path::Path;

/// Magnitude and phase of every input-output pair over a logarithmic grid.
pub fn response(
    model: &Model,
    system: &LinearSystem,
    [from, to, points]: [f64; 3],
    plot: Option<&Path>,
) -> Outcome {
    let usable = from > 0.0 && to > from && points >= 2.0 && system.inputs.len() * system.outputs.len() > 0;
    if !usable {
        let text = "--response needs --inputs, --outputs and 0 < FROM < TO with at least 2 points";
        return Err(Failure::Usage(text.into()));
    }
    let known = all_channels(model);
    let mut text = String::from("frequency [Hz]");
    let mut pairs: Vec<Pair> = Vec::new();
    for output in &system.outputs {
        for input in &system.inputs {
            let _ = write!(text, ",|{output} / {input}|,phase {output} / {input} [rad]");
            let above =
                known.iter().find(|channel| channel.name == *output).map_or("", |channel| channel.unit);
            let unit = ratio(above, input_unit(model, input));
            pairs.push(Pair { name: format!("{output} / {input}"), unit, ..Pair::default() });
        }
    }
    text.push('\n');
    let count = points as usize;
    let mut frequencies = Vec::with_capacity(count);
    for i in 0..count {
        let frequency = from * (to / from).powf(i as f64 / (count - 1) as f64);
        frequencies.push(frequency);
        let _ = write!(text, "{frequency}");
        let values = frequency_response(system, TAU * frequency).unwrap_or_default();
        for ((re, im), pair) in values.into_iter().zip(&mut pairs) {
            let _ = write!(text, ",{},{}", re.hypot(im), im.atan2(re));
            pair.amplitude.push(re.hypot(im));
            pair.phase.push(im.atan2(re).to_degrees());
        }
        text.push('\n');
    }
    print(&text)?;
    match plot {
        None => Ok(()),
        Some(path) => crate::plot::write(&bode(&frequencies, pairs), path, 3.0),
    }
}

/// An output over an input.
#[derive(Clone, Default)]
struct Pair {
    name: String,
    unit: String,
    amplitude: Vec<f64>,
    phase: Vec<f64>,
}

/// The unit of a quotient.
fn ratio(above: &str, below: &str) -> String {
    let above = if above.is_empty() { "1" } else { above };
    match below {
        "" | "1" => above.to_owned(),
        _ if below.contains(' ') => format!("{above}/({below})"),
        _ => format!("{above}/{below}"),
    }
}

/// A panel of amplitudes for every unit, and one of all phases.
fn bode(frequencies: &[f64], pairs: Vec<Pair>) -> Figure {
    let line = |pair: &Pair, y: &[f64], unit: &str| Series {
        name: pair.name.clone(),
        unit: unit.into(),
        source: String::new(),
        file: 0,
        reference: false,
        x: frequencies.to_vec(),
        y: y.to_vec(),
    };
    let panel = |y_label: &str, unit: &str, logarithmic: bool, series: Vec<Series>| Panel {
        series,
        x_label: "frequency [Hz]".into(),
        y_label: y_label.into(),
        unit: unit.into(),
        logarithmic,
        shared: true,
        logarithmic_x: true,
        ..Panel::default()
    };
    let mut units: Vec<&str> = pairs.iter().map(|pair| pair.unit.as_str()).collect();
    let mut seen = std::collections::BTreeSet::new();
    units.retain(|unit| seen.insert(*unit));
    let of = |unit: &str| {
        pairs.iter().filter(|pair| pair.unit == unit).map(|pair| line(pair, &pair.amplitude, unit)).collect()
    };
    let mut panels: Vec<Panel> = units.iter().map(|unit| panel("amplitude", unit, true, of(unit))).collect();
    panels.push(panel(
        "phase",
        "deg",
        false,
        pairs.iter().map(|pair| line(pair, &pair.phase, "deg")).collect(),
    ));
    let title = match &pairs[..] {
        [pair] => pair.name.clone(),
        _ => "frequency response".into(),
    };
    Figure { width: 760.0, height: 240.0, title, panels }
}
