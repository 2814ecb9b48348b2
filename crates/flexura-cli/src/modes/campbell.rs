//! Campbell diagram: modes over a number of the model file.

use super::{Arguments, linear_system, save, warn_of_imbalance};
use crate::Outcome;
use crate::failure::Failure;
use crate::open::open;
use crate::print::print;
use crate::svg::{Panel, Series, figure};
use flexura::analysis::{Mode, modes, track_modes};
use std::f64::consts::TAU;
use std::fmt::Write;

/// `PATH=FROM:TO:COUNT`.
fn read_range(text: &str) -> Result<(String, Vec<f64>), Failure> {
    let wrong =
        || Failure::Usage(format!("--over {text}: write PATH=FROM:TO:COUNT, such as hub.speed=0:100:21"));
    let (path, range) = text.split_once('=').ok_or_else(wrong)?;
    let numbers: Vec<f64> = range.split(':').filter_map(|number| number.trim().parse().ok()).collect();
    match numbers[..] {
        [from, to, count] if count >= 2.0 && count.fract() == 0.0 && from.is_finite() && to.is_finite() => {
            let at = |i: usize| from + (to - from) * i as f64 / (count - 1.0);
            Ok((path.trim().to_string(), (0..count as usize).map(at).collect()))
        }
        _ => Err(wrong()),
    }
}

/// Frequencies and damping of every branch over the parameter, as CSV and as a plot.
pub fn campbell(arguments: &Arguments, range: &str) -> Outcome {
    let (path, values) = read_range(range)?;
    let mut lists: Vec<Vec<Mode>> = Vec::new();
    for value in &values {
        let mut settings = arguments.set.clone();
        settings.push(format!("{path}={value:?}"));
        let loaded = open(&arguments.model, &settings)?;
        let (state, system) = linear_system(arguments, &loaded)?;
        if lists.is_empty() {
            warn_of_imbalance(&loaded, &state)?;
        }
        let all = modes(&system).map_err(Failure::simulation)?;
        lists.push(all.into_iter().filter(|mode| mode.imaginary > 0.0).collect());
    }
    let branches = track_modes(&lists);
    let shown = branches.len().min(arguments.count);
    let mut text = path.clone();
    for number in 1..=shown {
        let _ = write!(text, ",mode {number} [Hz],damping {number}");
    }
    text.push('\n');
    let mut series: Vec<Series> = (1..=shown)
        .map(|number| Series { name: format!("mode {number}"), points: Vec::new(), dashed: false })
        .collect();
    for (i, value) in values.iter().enumerate() {
        let _ = write!(text, "{value}");
        for (branch, line) in branches.iter().zip(&mut series) {
            match branch[i].map(|index| &lists[i][index]) {
                Some(mode) => {
                    let _ = write!(text, ",{},{}", mode.imaginary / TAU, mode.damping_ratio());
                    line.points.push((*value, mode.imaginary / TAU));
                }
                None => text.push_str(",,"),
            }
        }
        text.push('\n');
    }
    if let Some(file) = &arguments.plot {
        // The n-th order of a speed in rad/s.
        series.extend(arguments.orders.iter().map(|order| Series {
            name: format!("{order} x"),
            points: values.iter().map(|value| (*value, order * value / TAU)).collect(),
            dashed: true,
        }));
        let title = format!("modes over {path}");
        let y = "damped frequency (Hz)".to_string();
        save(file, &figure(&[Panel { title, x: path, y, log_x: false, log_y: false, series }]))?;
    }
    print(&text)
}
