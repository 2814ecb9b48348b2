//! `flexura modes`: linear system, eigenvalues, frequency response.

use crate::Outcome;
use crate::failure::Failure;
use crate::open::open;
use crate::print::print;
use flexura::State;
use flexura::analysis::{
    EquilibriumOptions, LinearSystem, Mode, equilibrium, frequency_response, linearize, modes as eigenmodes,
};
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Eigenvalues this small relative to the largest count as zero.
const RIGID: f64 = 1e-8;

/// Modes of the system linearised about its initial state or its equilibrium.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura modes models/satellite.toml
  flexura modes arm.toml --static --json
  flexura modes arm.toml --inputs elbow.effort --outputs fore.hand.position.y --response 0.1 100 200
  flexura modes arm.toml --inputs elbow.effort --outputs 'fore.hand.*' --matrices linear   (A.mtx, B.mtx, C.mtx, D.mtx)")]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Use another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// Linearise about the static equilibrium instead of the initial state
    #[arg(long = "static")]
    at_equilibrium: bool,
    /// Inputs: JOINT.effort, JOINT.effort.N, or names of applied forces
    #[arg(long, num_args = 1..)]
    inputs: Vec<String>,
    /// Outputs: channel names with `*` and `?`
    #[arg(long, num_args = 1..)]
    outputs: Vec<String>,
    /// Frequency response from FROM to TO (Hz) at POINTS frequencies, as CSV
    #[arg(long, num_args = 3, value_names = ["FROM", "TO", "POINTS"])]
    response: Vec<f64>,
    /// Write A, B, C, D as MatrixMarket files and the names as JSON into this folder
    #[arg(long, value_name = "FOLDER")]
    matrices: Option<PathBuf>,
    /// Show at most this many modes
    #[arg(long, default_value_t = 20)]
    count: usize,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn modes(arguments: &Arguments) -> Outcome {
    let loaded = open(&arguments.model, &arguments.set)?;
    let model = &loaded.built.model;
    let mut state = State::initial(model, loaded.built.description.simulation.start);
    if arguments.at_equilibrium {
        state =
            equilibrium(model, &state, &EquilibriumOptions::default()).map_err(Failure::simulation)?.state;
    }
    let system = linearize(model, &state, &arguments.inputs, &arguments.outputs)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(folder) = &arguments.matrices {
        write_matrices(&system, folder)?;
    }
    if let [from, to, points] = arguments.response[..] {
        return response(&system, from, to, points);
    }
    let list = eigenmodes(&system).map_err(Failure::simulation)?;
    if arguments.json {
        return print(&format!("{}\n", as_json(&system, &list, arguments.count)));
    }
    print(&as_text(&system, &list, arguments.count))
}

fn as_text(system: &LinearSystem, list: &[Mode], count: usize) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} states; eigenvalues with non-negative imaginary part, slowest first",
        system.states.len()
    );
    let _ = writeln!(
        text,
        "{:>5} {:>14} {:>14} {:>12} {:>10}  largest in",
        "mode", "real (1/s)", "imag (rad/s)", "f (Hz)", "damping"
    );
    let fastest = list.iter().fold(0.0_f64, |m, mode| m.max(mode.frequency()));
    let still = list.iter().filter(|mode| mode.frequency() <= RIGID * fastest).count();
    if still > 0 {
        let _ = writeln!(text, "{still} eigenvalues are zero: rigid-body or unheld motion");
    }
    for (i, mode) in list.iter().enumerate().skip(still).take(count) {
        let _ = writeln!(
            text,
            "{:>5} {:>14.6e} {:>14.6e} {:>12.5e} {:>10.4}  {}",
            i + 1,
            mode.real,
            mode.imaginary,
            mode.frequency() / TAU,
            mode.damping_ratio(),
            leading(system, mode).join(", ")
        );
    }
    if list.len() > still + count {
        let _ = writeln!(text, "… and {} more (--count)", list.len() - still - count);
    }
    text
}

/// The coordinates with the largest part in a mode.
fn leading(system: &LinearSystem, mode: &Mode) -> Vec<String> {
    let size = |i: usize| mode.shape[i].0.hypot(mode.shape[i].1);
    let mut order: Vec<usize> = (0..mode.shape.len()).filter(|&i| size(i) > 0.3).collect();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
    order.into_iter().take(3).map(|i| system.states[i].clone()).collect()
}

fn as_json(system: &LinearSystem, list: &[Mode], count: usize) -> Value {
    let modes: Vec<Value> = list
        .iter()
        .take(count)
        .map(|mode| {
            json!({
                "real": mode.real,
                "imaginary": mode.imaginary,
                "frequency_hz": mode.frequency() / TAU,
                "damping_ratio": mode.damping_ratio(),
                "shape": mode.shape,
            })
        })
        .collect();
    let half = system.speeds.len();
    json!({ "coordinates": system.states[..half], "modes": modes })
}

/// Magnitude and phase of every input-output pair over a logarithmic grid.
fn response(system: &LinearSystem, from: f64, to: f64, points: f64) -> Outcome {
    let usable = from > 0.0 && to > from && points >= 2.0 && system.inputs.len() * system.outputs.len() > 0;
    if !usable {
        let text = "--response needs --inputs, --outputs and 0 < FROM < TO with at least 2 points";
        return Err(Failure::Usage(text.into()));
    }
    let mut text = String::from("frequency [Hz]");
    for output in &system.outputs {
        for input in &system.inputs {
            let _ = write!(text, ",|{output} / {input}|,phase {output} / {input} [rad]");
        }
    }
    text.push('\n');
    let count = points as usize;
    for i in 0..count {
        let frequency = from * (to / from).powf(i as f64 / (count - 1) as f64);
        let _ = write!(text, "{frequency}");
        for (re, im) in frequency_response(system, TAU * frequency).unwrap_or_default() {
            let _ = write!(text, ",{},{}", re.hypot(im), im.atan2(re));
        }
        text.push('\n');
    }
    print(&text)
}

fn write_matrices(system: &LinearSystem, folder: &Path) -> Outcome {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::File(format!("{}: {error}", folder.display())))?;
    let (n, m, p) = (system.states.len(), system.inputs.len(), system.outputs.len());
    let files =
        [("A", &system.a, n, n), ("B", &system.b, n, m), ("C", &system.c, p, n), ("D", &system.d, p, m)];
    for (name, values, rows, columns) in files {
        save(&folder.join(format!("{name}.mtx")), &matrix_market(values, rows, columns))?;
    }
    let names = json!({ "states": system.states, "inputs": system.inputs, "outputs": system.outputs });
    save(&folder.join("names.json"), &format!("{names}\n"))
}

fn save(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| Failure::File(format!("{}: {error}", path.display())))
}

/// Dense MatrixMarket text, column by column, of a row-major matrix.
fn matrix_market(values: &[f64], rows: usize, columns: usize) -> String {
    let mut text = format!("%%MatrixMarket matrix array real general\n{rows} {columns}\n");
    for j in 0..columns {
        for i in 0..rows {
            let _ = writeln!(text, "{:e}", values[i * columns + j]);
        }
    }
    text
}
