//! Modes over a number of the model file: Campbell diagram and root locus.

use super::{Arguments, linear_system, warn_of_azimuth, warn_of_imbalance};
use crate::Outcome;
use crate::failure::Failure;
use crate::open::open;
use crate::plot::draw::{Figure, Guide, Panel};
use crate::plot::series::Series;
use crate::print::print;
use flexura::analysis::{Mode, RotorMode, Whirl, modes, spin, track_modes};
use flexura::file::Loaded;
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

/// A mode as an observer beside the machine sees it.
#[derive(Clone)]
struct Seen {
    word: String,
    /// rad/s.
    frequency: f64,
}

/// One branch: its mode at every value, and how that goes round.
type Branch = Vec<Option<(Mode, Option<Seen>)>>;

/// Frequencies and damping of every branch over the parameter, as CSV and as plots.
pub fn campbell(arguments: &Arguments, range: &str) -> Outcome {
    let (path, values) = read_range(range)?;
    let (mut lists, mut seen): (Vec<Vec<Mode>>, Vec<Vec<Option<Seen>>>) = Default::default();
    let mut warned = false;
    for value in &values {
        let mut settings = arguments.set.clone();
        settings.push(format!("{path}={value:?}"));
        let loaded = open(&arguments.model, &settings)?;
        let (list, how) = match arguments.rotor {
            Some(method) => turning(arguments, &loaded, method, &mut warned)?,
            None => frozen(arguments, &loaded, lists.is_empty(), &mut warned)?,
        };
        seen.push(how);
        lists.push(list);
    }
    let tracked = track_modes(&lists);
    let branches: Vec<Branch> = tracked
        .iter()
        .take(arguments.count)
        .map(|steps| {
            let at =
                |(i, step): (usize, &Option<usize>)| step.map(|k| (lists[i][k].clone(), seen[i][k].clone()));
            steps.iter().enumerate().map(at).collect()
        })
        .collect();
    if let Some(file) = &arguments.plot {
        crate::plot::write(&campbell_figure(arguments, &path, &values, &branches), file, SCALE)?;
    }
    if let Some(file) = &arguments.locus {
        crate::plot::write(&locus_figure(&path, &values, &branches), file, SCALE)?;
    }
    print(&table(&path, &values, &branches, arguments.whirl || arguments.rotor.is_some()))
}

type Modes = (Vec<Mode>, Vec<Option<Seen>>);

/// Modes that vibrate, of a frozen azimuth.
fn frozen(arguments: &Arguments, loaded: &Loaded, first: bool, warned: &mut bool) -> Result<Modes, Failure> {
    let (state, system) = linear_system(arguments, loaded)?;
    if first {
        warn_of_imbalance(loaded, &state)?;
    }
    *warned = *warned || warn_of_azimuth(loaded, &state, &system)?;
    let all = modes(&system).map_err(Failure::simulation)?;
    let list: Vec<Mode> = all.into_iter().filter(|mode| mode.imaginary > 0.0).collect();
    let spin = if arguments.whirl { spin(&loaded.built.model, &state, &system) } else { None };
    let of = |whirl: Whirl| Seen { word: whirl.direction.word().into(), frequency: whirl.frequency };
    let whirl = |mode: &Mode| spin.as_ref().and_then(|spin| spin.whirl(&system, mode)).map(of);
    let seen = list.iter().map(whirl).collect();
    Ok((list, seen))
}

/// Modes that vibrate, of the turning rotor.
fn turning(
    arguments: &Arguments,
    loaded: &Loaded,
    method: super::rotor::Method,
    warned: &mut bool,
) -> Result<Modes, Failure> {
    let found = super::rotor::find(arguments, loaded, method)?;
    *warned = *warned || super::rotor::warn_of_change(&found, method);
    let vibrating = found.list.into_iter().filter(|rotor| rotor.mode.imaginary > 0.0);
    let of = |rotor: RotorMode| {
        let seen = Seen { word: rotor.pattern.word(), frequency: rotor.mode.imaginary };
        (rotor.mode, Some(seen))
    };
    Ok(vibrating.map(of).unzip())
}

/// Frequency (Hz) that is drawn: as seen from outside where that is asked for.
fn shown(mode: &Mode, whirl: Option<&Seen>) -> f64 {
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
                Some((_, Some(seen))) => write!(text, ",{},{}", seen.word, seen.frequency / TAU),
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
        y_label: if arguments.whirl || arguments.rotor.is_some() {
            "frequency seen from outside"
        } else {
            "damped frequency"
        }
        .into(),
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
fn whirl_words(branch: &Branch) -> Option<String> {
    let words =
        || branch.iter().flatten().filter_map(|(_, seen)| seen.as_ref()).map(|seen| seen.word.as_str());
    let most = words().max_by_key(|word| words().filter(|other| other == word).count())?;
    (most != "-").then(|| most.to_owned())
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
