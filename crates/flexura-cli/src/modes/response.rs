//! Frequency response of a linear system: CSV, and a plot of amplitude and phase.

use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use crate::svg::{Panel, Series, figure};
use flexura::analysis::{LinearSystem, frequency_response};
use std::f64::consts::TAU;
use std::fmt::Write;
use std::path::Path;

/// Magnitude and phase of every input-output pair over a logarithmic grid.
pub fn response(system: &LinearSystem, [from, to, points]: [f64; 3], plot: Option<&Path>) -> Outcome {
    let usable = from > 0.0 && to > from && points >= 2.0 && system.inputs.len() * system.outputs.len() > 0;
    if !usable {
        let text = "--response needs --inputs, --outputs and 0 < FROM < TO with at least 2 points";
        return Err(Failure::Usage(text.into()));
    }
    let mut text = String::from("frequency [Hz]");
    let mut series = Vec::new();
    for output in &system.outputs {
        for input in &system.inputs {
            let _ = write!(text, ",|{output} / {input}|,phase {output} / {input} [rad]");
            series.push((format!("{output} / {input}"), Vec::new(), Vec::new()));
        }
    }
    text.push('\n');
    let count = points as usize;
    for i in 0..count {
        let frequency = from * (to / from).powf(i as f64 / (count - 1) as f64);
        let _ = write!(text, "{frequency}");
        let values = frequency_response(system, TAU * frequency).unwrap_or_default();
        for ((re, im), (_, amplitude, phase)) in values.into_iter().zip(&mut series) {
            let _ = write!(text, ",{},{}", re.hypot(im), im.atan2(re));
            amplitude.push((frequency, re.hypot(im)));
            phase.push((frequency, im.atan2(re).to_degrees()));
        }
        text.push('\n');
    }
    match plot {
        None => print(&text),
        Some(path) => {
            print(&text)?;
            super::save(path, &bode(series))
        }
    }
}

type Line = Vec<(f64, f64)>;

fn bode(series: Vec<(String, Line, Line)>) -> String {
    let x = "frequency (Hz)";
    let panel = |title: &str, y: &str, log_y: bool, series| Panel {
        title: title.into(),
        x: x.into(),
        y: y.into(),
        log_x: true,
        log_y,
        series,
    };
    let line =
        |name: &str, points: &Line| Series { name: name.into(), points: points.clone(), dashed: false };
    let amplitudes = series.iter().map(|(name, amplitude, _)| line(name, amplitude)).collect();
    let phases = series.iter().map(|(name, _, phase)| line(name, phase)).collect();
    figure(&[panel("amplitude", "amplitude", true, amplitudes), panel("phase", "phase (deg)", false, phases)])
}
