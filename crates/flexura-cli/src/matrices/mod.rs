//! `flexura matrices`: mass matrix, its inverse and determinant, bias and applied forces at a state.

mod format;

use crate::Outcome;
use crate::failure::Failure;
use crate::open::open;
use crate::print::print;
use crate::start::{recorded_motion, start};
use crate::whole_file;
use flexura::analysis::{DynamicsDerivatives, MassMatrices, mass_matrices};
use flexura::file::Loaded;
use flexura::model::words::{count, number};
use flexura::{Model, State};
pub use format::matrix_market;
use format::{Format, Matrix};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Speeds up to which matrices are printed as text.
const PRINTED: usize = 8;

/// Mass matrix M, M⁻¹, log det M, bias and applied forces: M a + bias = applied + further forces.
#[derive(clap::Args)]
#[command(
    after_help = "Rows and columns are the speeds of the tree in the order of `names.json`, those of prescribed motions included. Loops
are open in M; their constraints are the rows of J. M⁻¹ and log det M come from the innovations factorisation, without
factorising M. `bias` holds velocity terms, gravity and elasticity, `applied` every load of the model. --derivatives adds
those of the forces that the accelerations need beside all loads (tau_q, tau_v) and of the accelerations that follow (a_q, a_v);
displacements are twists in the axes of the speeds, rows are those of forces and accelerations. Prescribed speeds are held: their rows of a_q and a_v
are zero, while M is that of all speeds. Closed loops, controllers and points held undeformed are refused.

Examples:
  flexura matrices models/robot_arm.toml
  flexura matrices models/satellite.toml --output satellite            M.npy, M_inverse.npy, bias.npy, applied.npy, names.json
  flexura matrices models/robot_arm.toml --derivatives --output arm    also tau_q.npy, tau_v.npy, a_q.npy, a_v.npy
  flexura matrices models/four_bar.toml --output four_bar --format mtx
  flexura matrices arm.toml --result arm.fxr --time 0.5 --json"
)]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Use another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// At the static equilibrium instead of the initial state
    #[arg(long = "static")]
    at_equilibrium: bool,
    /// At an instant of a result file
    #[arg(long, value_name = "FXR", conflicts_with = "at_equilibrium")]
    result: Option<PathBuf>,
    /// The instant (s): the nearest row; default: the last
    #[arg(long, value_name = "SECONDS", requires = "result", allow_hyphen_values = true)]
    time: Option<f64>,
    /// Derivatives of forces and accelerations over positions and speeds too
    #[arg(long)]
    derivatives: bool,
    /// Folder for one file per matrix and the names
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Format of the files
    #[arg(long, value_enum, default_value = "npy", requires = "output")]
    format: Format,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn matrices(arguments: &Arguments) -> Outcome {
    let loaded = open(&arguments.model, &arguments.set)?;
    let state = state(arguments, &loaded)?;
    let model = &loaded.built.model;
    let matrices = mass_matrices(model, &state).map_err(Failure::simulation)?;
    let derivatives = arguments.derivatives.then(|| derivatives(model, &state)).transpose()?;
    let found = Found { matrices, derivatives };
    if let Some(folder) = &arguments.output {
        write(&found, &state, folder, arguments.format)?;
    }
    print(&match arguments.json {
        true => format!("{}\n", as_json(&found, &state)),
        false => as_text(&found, &state, arguments.output.as_deref()),
    })
}

/// What was asked for.
struct Found {
    matrices: MassMatrices,
    derivatives: Option<DynamicsDerivatives>,
}

fn derivatives(model: &Model, state: &State) -> Result<DynamicsDerivatives, Failure> {
    let mut found = DynamicsDerivatives::new(model).map_err(|refused| Failure::Usage(refused.to_string()))?;
    found.evaluate(model, state).map_err(Failure::simulation)?;
    Ok(found)
}

fn state(arguments: &Arguments, loaded: &Loaded) -> Result<State, Failure> {
    match &arguments.result {
        Some(path) => recorded_state(&loaded.built.model, path, arguments.time),
        None => start(loaded, arguments.at_equilibrium),
    }
}

/// The state of a result file nearest to `time`, or its last.
pub fn recorded_state(model: &Model, path: &Path, time: Option<f64>) -> Result<State, Failure> {
    if let Some(controller) = model.controllers.iter().find(|controller| controller.state_count() > 0) {
        // M, its inverse, the bias and J do not depend on it.
        let name = &controller.name;
        eprintln!(
            "note: `applied` has controller `{name}` at its start: the file does not hold what it remembers"
        );
    }
    let series = recorded_motion(model, path)?;
    let times = series.times();
    let (first, last) = (times[0], times[times.len() - 1]);
    let time = time.unwrap_or(last);
    // A time beyond the ends is a mistake; half an interval beyond them is rounding.
    let room = 0.5 * (last - first) / times.len() as f64;
    if !(first - room..=last + room).contains(&time) {
        let text = format!("--time {time}: {} goes from {first} s to {last} s", path.display());
        return Err(Failure::Usage(text));
    }
    let nearest =
        (0..times.len()).min_by(|&a, &b| (times[a] - time).abs().total_cmp(&(times[b] - time).abs()));
    let mut state = State::initial(model, first);
    series.fill(model, nearest.unwrap_or(0), &mut state, &mut vec![0.0; model.speed_count()]);
    Ok(state)
}

/// Every matrix with its file name and the names of its rows and columns.
fn named(found: &Found) -> Vec<Matrix<'_>> {
    let Found { matrices: found, derivatives } = found;
    let speeds: Vec<&str> = found.labels.iter().map(|label| label.speed.as_str()).collect();
    let rows: Vec<&str> = found.rows.iter().map(String::as_str).collect();
    let matrix = |name, values, rows: &[&'_ str], columns: &[&'_ str]| {
        let own = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        Matrix { name, values, rows: own(rows), columns: own(columns) }
    };
    let mut list = vec![
        matrix("M", &found.mass[..], &speeds, &speeds),
        matrix("M_inverse", &found.inverse, &speeds, &speeds),
        matrix("bias", &found.bias, &speeds, &[]),
        matrix("applied", &found.applied, &speeds, &[]),
    ];
    if !rows.is_empty() {
        list.push(matrix("J", &found.jacobian, &rows, &speeds));
    }
    if let Some(derivatives) = derivatives {
        list.push(matrix("tau_q", &derivatives.forces_over_positions, &speeds, &speeds));
        list.push(matrix("tau_v", &derivatives.forces_over_speeds, &speeds, &speeds));
        list.push(matrix("a_q", &derivatives.accelerations_over_positions, &speeds, &speeds));
        list.push(matrix("a_v", &derivatives.accelerations_over_speeds, &speeds, &speeds));
    }
    list
}

fn write(found: &Found, state: &State, folder: &Path, format: Format) -> Outcome {
    std::fs::create_dir_all(folder).map_err(|error| whole_file::unwritten(folder, &error))?;
    for matrix in named(found) {
        let path = folder.join(format!("{}.{}", matrix.name, format.ending()));
        whole_file::write(&path, format.bytes(&matrix))?;
    }
    let speeds: Vec<&str> = found.matrices.labels.iter().map(|label| label.speed.as_str()).collect();
    let names = json!({
        "time": state.time,
        "log_determinant": found.matrices.log_determinant,
        "speeds": speeds,
        "constraints": found.matrices.rows,
    });
    whole_file::write(&folder.join("names.json"), format!("{names}\n"))
}

fn as_json(found: &Found, state: &State) -> Value {
    let speeds: Vec<&str> = found.matrices.labels.iter().map(|label| label.speed.as_str()).collect();
    let mut out = json!({
        "time": state.time,
        "speeds": speeds,
        "constraints": found.matrices.rows,
        "log_determinant": found.matrices.log_determinant,
    });
    for matrix in named(found) {
        out[matrix.name] = match matrix.columns.len() {
            0 => json!(matrix.values),
            width => json!(matrix.values.chunks(width).collect::<Vec<_>>()),
        };
    }
    out
}

fn as_text(found: &Found, state: &State, folder: Option<&Path>) -> String {
    let mut text = format!(
        "t = {} s, {}, {}\nlog det M = {}\n",
        state.time,
        count(found.matrices.labels.len(), "speed"),
        count(found.matrices.rows.len(), "constraint"),
        found.matrices.log_determinant
    );
    if let Some(folder) = folder {
        let _ = writeln!(text, "written to {}", folder.display());
    } else if found.matrices.labels.len() > PRINTED {
        let _ = writeln!(text, "matrices with more than {PRINTED} speeds: --output FOLDER or --json");
    } else {
        named(found).iter().for_each(|matrix| print_matrix(&mut text, matrix));
    }
    text
}

fn print_matrix(text: &mut String, matrix: &Matrix<'_>) {
    let _ = writeln!(text, "{}:", matrix.name);
    let width = matrix.columns.len().max(1);
    for (name, row) in matrix.rows.iter().zip(matrix.values.chunks(width)) {
        let _ = write!(text, "  {name:24}");
        row.iter().for_each(|value| {
            let _ = write!(text, " {:>12}", number(*value));
        });
        text.push('\n');
    }
}
