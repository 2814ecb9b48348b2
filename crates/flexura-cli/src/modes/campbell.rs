//! Modes over a number of the model file: Campbell diagram and root locus.

use super::{Arguments, linear_system, warn_of_azimuth, warn_of_imbalance};
use crate::Outcome;
use crate::failure::Failure;
use crate::open::open;
use crate::plot::draw::{Figure, Guide, Panel};
use crate::plot::series::Series;
use crate::print::print;
use flexura::analysis::{Mode, Spin, Whirl, WhirlDirection, modes, spin, track_modes};
use std::f64::consts::TAU;
use std::fmt::Write;

/// Pixels of a PNG per px of a figure.
const SCALE: f32 = 3.0;

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

/// One branch: its mode at every value, and how that goes round.
type Branch = Vec<Option<(Mode, Option<Whirl>)>>;

/// Frequencies and damping of every branch over the parameter, as CSV and as plots.
pub fn campbell(arguments: &Arguments, range: &str) -> Outcome {
    let (path, values) = read_range(range)?;
    let (mut lists, mut whirls): (Vec<Vec<Mode>>, Vec<Vec<Option<Whirl>>>) = Default::default();
    let mut warned = false;
    for value in &values {
        let mut settings = arguments.set.clone();
        settings.push(format!("{path}={value:?}"));
        let loaded = open(&arguments.model, &settings)?;
        let (state, system) = linear_system(arguments, &loaded)?;
        if lists.is_empty() {
            warn_of_imbalance(&loaded, &state)?;
        }
        warned = warned || warn_of_azimuth(&loaded, &state, &system)?;
        let all = modes(&system).map_err(Failure::simulation)?;
        let list: Vec<Mode> = all.into_iter().filter(|mode| mode.imaginary > 0.0).collect();
        let spin = if arguments.whirl { spin(&loaded.built.model, &state, &system) } else { None };
        let whirl = |spin: &Spin, mode: &Mode| spin.whirl(&system, mode);
        whirls.push(list.iter().map(|mode| spin.as_ref().and_then(|spin| whirl(spin, mode))).collect());
        lists.push(list);
    }
    let tracked = track_modes(&lists);
    let branches: Vec<Branch> = tracked
        .iter()
        .take(arguments.count)
        .map(|steps| {
            let at = |(i, step): (usize, &Option<usize>)| step.map(|k| (lists[i][k].clone(), whirls[i][k]));
            steps.iter().enumerate().map(at).collect()
        })
        .collect();
    if let Some(file) = &arguments.plot {
        crate::plot::write(&campbell_figure(arguments, &path, &values, &branches), file, SCALE)?;
    }
    if let Some(file) = &arguments.locus {
        crate::plot::write(&locus_figure(&path, &values, &branches), file, SCALE)?;
    }
    print(&table(&path, &values, &branches, arguments.whirl))
}

/// Frequency (Hz) that is drawn: as seen from outside where that is asked for.
fn shown(mode: &Mode, whirl: Option<&Whirl>) -> f64 {
    whirl.map_or(mode.imaginary, |whirl| whirl.frequency) / TAU
}

fn table(path: &str, values: &[f64], branches: &[Branch], whirl: bool) -> String {
    let mut text = path.to_owned();
    for number in 1..=branches.len() {
        let _ = write!(text, ",mode {number} [Hz],damping {number}");
    }
    for number in (1..=branches.len()).filter(|_| whirl) {
        let _ = write!(text, ",whirl {number},seen from outside {number} [Hz]");
    }
    text.push('\n');
    for (i, value) in values.iter().enumerate() {
        let _ = write!(text, "{value}");
        for branch in branches {
            let _ = match &branch[i] {
                Some((mode, _)) => write!(text, ",{},{}", mode.imaginary / TAU, mode.damping_ratio()),
                None => write!(text, ",,"),
            };
        }
        for branch in branches.iter().filter(|_| whirl) {
            let _ = match &branch[i] {
                Some((_, Some(whirl))) => {
                    write!(text, ",{},{}", whirl.direction.word(), whirl.frequency / TAU)
                }
                _ => write!(text, ",,"),
            };
        }
        text.push('\n');
    }
    text
}

/// A curve of the numbered branch.
fn series(name: String, x: Vec<f64>, y: Vec<f64>) -> Series {
    Series { name, unit: String::new(), source: String::new(), file: 0, reference: false, x, y }
}

fn campbell_figure(arguments: &Arguments, path: &str, values: &[f64], branches: &[Branch]) -> Figure {
    let curve = |(k, branch): (usize, &Branch)| {
        let words = whirl_words(branch).map_or(String::new(), |words| format!(" ({words})"));
        let y = branch.iter().map(|at| at.as_ref().map_or(f64::NAN, |(m, w)| shown(m, w.as_ref()))).collect();
        series(format!("mode {}{words}", k + 1), values.to_vec(), y)
    };
    // The n-th order of a speed in rad/s.
    let ends = [values[0], values[values.len() - 1]];
    let guides = arguments.orders.iter().map(|order| Guide {
        name: format!("{order}×"),
        ends: ends.map(|value| (value, order * value / TAU)),
    });
    let panel = Panel {
        series: branches.iter().enumerate().map(curve).collect(),
        x_label: parameter_label(path, !arguments.orders.is_empty()),
        y_label: if arguments.whirl { "frequency seen from outside" } else { "damped frequency" }.into(),
        unit: "Hz".into(),
        shared: true,
        from_zero: true,
        guides: guides.collect(),
        ..Panel::default()
    };
    Figure { width: 760.0, height: 380.0, title: format!("modes over {path}"), panels: vec![panel] }
}

/// The parameter with its unit: orders are multiples of a speed in rad/s, as is the rate of a motion or a joint's speed.
fn parameter_label(path: &str, orders: bool) -> String {
    let speed = orders || path.ends_with("motion.polynomial.2") || path.ends_with(".speed");
    if speed { format!("{path} [rad/s]") } else { path.to_owned() }
}

/// What most of a branch does, in a word.
fn whirl_words(branch: &Branch) -> Option<&'static str> {
    let count = |wanted: WhirlDirection| {
        let found = branch.iter().flatten().filter_map(|(_, whirl)| *whirl);
        found.filter(|whirl| whirl.direction == wanted).count()
    };
    let kinds = [WhirlDirection::Forward, WhirlDirection::Backward, WhirlDirection::Line];
    let most = kinds.into_iter().max_by_key(|kind| count(*kind)).filter(|kind| count(*kind) > 0);
    most.map(WhirlDirection::word)
}

/// Real part of an eigenvalue (1/s), zero where it is rounding.
fn real_part(mode: &Mode) -> f64 {
    let noise = 1e-12 * mode.real.hypot(mode.imaginary);
    if mode.real.abs() <= noise { 0.0 } else { mode.real }
}

/// Eigenvalues in the plane, branch by branch; a circle where the parameter begins.
fn locus_figure(path: &str, values: &[f64], branches: &[Branch]) -> Figure {
    let mut curves = Vec::new();
    for (k, branch) in branches.iter().enumerate() {
        let name = format!("mode {}", k + 1);
        let part = |pick: fn(&Mode) -> f64| -> Vec<f64> {
            branch.iter().map(|at| at.as_ref().map_or(f64::NAN, |(mode, _)| pick(mode))).collect()
        };
        let (x, y) = (part(real_part), part(|mode| mode.imaginary / TAU));
        // Without a name: the title says what circles are.
        let start = Series { reference: true, ..series(String::new(), x[..1].to_vec(), y[..1].to_vec()) };
        curves.push(series(name, x, y));
        curves.push(start);
    }
    let panel = Panel {
        series: curves,
        x_label: "real part [1/s]".into(),
        y_label: "imaginary part / 2π".into(),
        unit: "Hz".into(),
        ..Panel::default()
    };
    let (from, to) = (values[0], values[values.len() - 1]);
    let title = format!("eigenvalues, {path} from {from} (circles) to {to}");
    Figure { width: 760.0, height: 420.0, title, panels: vec![panel] }
}
