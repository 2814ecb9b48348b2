//! `flexura modes`: linear system, eigenvalues, frequency response.

mod campbell;
mod response;
mod rotor;

use crate::Outcome;
use crate::failure::Failure;
use crate::matrices::matrix_market;
use crate::open::open;
use crate::print::print;
use crate::shapes::write_shapes;
use crate::start::start;
use campbell::campbell;
use flexura::State;
use flexura::analysis::{
    Imbalance, LinearSystem, Mode, RotorMethod, WHIRL_OUTPUTS, azimuth_dependence, imbalance, linearize,
    modes as eigenmodes, suited_rotor_method,
};
use flexura::file::Loaded;
use flexura_exchange::modelica;
use response::response;
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
  flexura modes arm.toml --inputs elbow.effort --outputs fore.hand.position.y --response 0.1 100 200 --plot bode.svg
  flexura modes models/spin_up_beam.toml --over beam.young=1e10:9e10:9 --plot campbell.svg
  flexura modes rotor.toml --static --over hub.motion.polynomial.2=0:100:21 --orders 1 2 --plot campbell.svg
  flexura modes models/rotor_on_bearings.toml --over spin.motion.polynomial.2=0:600:13 --whirl --orders 1 --plot campbell.png
  flexura modes models/rotor_three_blades.toml --rotor coleman
  flexura modes models/rotor_three_blades.toml --rotor floquet --json
  flexura modes models/rotor_three_blades.toml --rotor coleman --over spin.motion.polynomial.2=0:60:61 --orders 1 --plot campbell.svg
  flexura modes arm.toml --over elbow.damping=0:20:41 --locus roots.svg
  flexura modes models/satellite.toml --shapes modes.fxr
  flexura modes arm.toml --inputs elbow.effort --outputs 'fore.hand.*' --matrices linear   (A.mtx, B.mtx, C.mtx, D.mtx)
  flexura modes arm.toml --inputs elbow.effort --outputs 'fore.hand.*' --modelica arm.mo   (a record of A, B, C, D)")]
pub struct Arguments {
    /// Model file (TOML)
    pub model: PathBuf,
    /// Use another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    pub set: Vec<String>,
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
    /// Campbell diagram: follow the modes while a number of the file goes FROM one value TO another, as CSV
    #[arg(long, value_name = "PATH=FROM:TO:COUNT", conflicts_with_all = ["response", "matrices", "shapes", "json"])]
    pub over: Option<String>,
    /// Campbell diagram: draw these multiples of the number, taken as a speed in rad/s
    #[arg(long, num_args = 1.., value_name = "ORDER", requires = "over")]
    pub orders: Vec<f64>,
    /// Campbell diagram: say which way modes go round what spins, and how fast as seen from outside
    #[arg(long, requires = "over")]
    pub whirl: bool,
    /// Modes of a rotor that turns: multi-blade coordinates of three or more equal blades, or the multipliers of a turn of any rotor
    #[arg(long, value_enum, value_name = "METHOD",
          conflicts_with_all = ["response", "matrices", "modelica", "shapes", "whirl", "inputs", "outputs"])]
    pub rotor: Option<rotor::Method>,
    /// Plot the frequency response or the Campbell diagram (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Plot the eigenvalues over the number of --over in their plane (.svg or .png)
    #[arg(long, value_name = "FILE", requires = "over")]
    pub locus: Option<PathBuf>,
    /// Write one period of every mode as a result file, to be animated
    #[arg(long, value_name = "FXR")]
    shapes: Option<PathBuf>,
    /// Write A, B, C, D as MatrixMarket files and the names as JSON into this folder
    #[arg(long, value_name = "FOLDER")]
    matrices: Option<PathBuf>,
    /// Write A, B, C, D and the names as a Modelica record into this file (.mo)
    #[arg(long, value_name = "FILE", conflicts_with = "over")]
    modelica: Option<PathBuf>,
    /// Show at most this many modes
    #[arg(long, default_value_t = 20)]
    pub count: usize,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn modes(arguments: &Arguments) -> Outcome {
    if let Some(range) = &arguments.over {
        return campbell(arguments, range);
    }
    let loaded = open(&arguments.model, &arguments.set)?;
    if let Some(method) = arguments.rotor {
        return rotor::rotor(arguments, &loaded, method);
    }
    let (state, system) = linear_system(arguments, &loaded)?;
    let imbalance = warn_of_imbalance(&loaded, &state)?;
    if let Some(folder) = &arguments.matrices {
        write_matrices(&system, folder)?;
    }
    if let Some(path) = &arguments.modelica {
        write_modelica(arguments, &loaded, &system, path)?;
    }
    if let [from, to, points] = arguments.response[..] {
        warn_of_azimuth(&loaded, &state, &system)?;
        return response(&loaded.built.model, &system, [from, to, points], arguments.plot.as_deref());
    }
    warn_of_azimuth(&loaded, &state, &system)?;
    let list = eigenmodes(&system).map_err(Failure::simulation)?;
    if let Some(path) = &arguments.shapes {
        let fastest = list.iter().fold(0.0_f64, |m, mode| m.max(mode.frequency()));
        // By the numbers of the printed table.
        let numbered = list.iter().enumerate().map(|(i, mode)| (i + 1, mode));
        let vibrating = numbered.filter(|(_, mode)| mode.imaginary > RIGID * fastest);
        let shown: Vec<(usize, &Mode)> = vibrating.take(arguments.count).collect();
        write_shapes(&loaded, &state, &system, &shown, &arguments.model, path)?;
    }
    if arguments.json {
        return print(&format!("{}\n", as_json(&system, &list, arguments.count, imbalance.as_ref())));
    }
    print(&as_text(&system, &list, arguments.count))
}

/// The state of interest and the linear system about it.
pub fn linear_system(arguments: &Arguments, loaded: &Loaded) -> Result<(State, LinearSystem), Failure> {
    let model = &loaded.built.model;
    let state = start(loaded, arguments.at_equilibrium)?;
    let mut outputs = arguments.outputs.clone();
    if arguments.whirl {
        outputs.push(WHIRL_OUTPUTS.into());
    }
    let system = linearize(model, &state, &arguments.inputs, &outputs)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    Ok((state, system))
}

/// Says where eigenvalues hold for an instant only.
pub fn warn_of_imbalance(loaded: &Loaded, state: &State) -> Result<Option<Imbalance>, Failure> {
    let found = imbalance(&loaded.built.model, state).map_err(Failure::simulation)?;
    if let Some(found) = &found {
        eprintln!("warning: {found} (--static looks for the equilibrium)");
    }
    Ok(found)
}

/// Says where eigenvalues depend on the azimuth of a rotor; whether they do.
pub fn warn_of_azimuth(loaded: &Loaded, state: &State, system: &LinearSystem) -> Result<bool, Failure> {
    let found = azimuth_dependence(&loaded.built.model, state, system).map_err(Failure::simulation)?;
    if let Some(found) = &found {
        let advice = match suited_rotor_method(&loaded.built.model, state) {
            Some(RotorMethod::MultiBlade) => "--rotor coleman has those that are seen from outside",
            Some(_) => "--rotor floquet has those of the turning rotor",
            None => "a run and `flexura plot --spectrum` show what the turning rotor does",
        };
        eprintln!("warning: {found} ({advice})");
    }
    Ok(found.is_some())
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
            leading(&system.states, mode).join(", ")
        );
    }
    if list.len() > still + count {
        let _ = writeln!(text, "… and {} more (--count)", list.len() - still - count);
    }
    text
}

/// The coordinates with the largest part in a mode.
fn leading(coordinates: &[String], mode: &Mode) -> Vec<String> {
    let size = |i: usize| mode.shape[i].0.hypot(mode.shape[i].1);
    let mut order: Vec<usize> = (0..mode.shape.len()).filter(|&i| size(i) > 0.3).collect();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
    order.into_iter().take(3).map(|i| coordinates[i].clone()).collect()
}

fn as_json(system: &LinearSystem, list: &[Mode], count: usize, imbalance: Option<&Imbalance>) -> Value {
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
    let imbalance = imbalance.map(|found| {
        json!({ "share": found.share, "coordinate": found.coordinate, "acceleration": found.acceleration })
    });
    json!({ "coordinates": system.states[..half], "modes": modes, "imbalance": imbalance })
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

/// The record has the name of its file, as Modelica wants it.
fn write_modelica(arguments: &Arguments, loaded: &Loaded, system: &LinearSystem, path: &Path) -> Outcome {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if modelica::identifier(&stem) != stem {
        return Err(Failure::Usage(format!(
            "--modelica {}: the record is called like its file, and `{stem}` is no name in Modelica; write {}.mo",
            path.display(),
            modelica::identifier(&stem)
        )));
    }
    let place = if arguments.at_equilibrium { "the static equilibrium" } else { "the initial state" };
    let about = format!("{place} of {}", loaded.built.description.name);
    save(path, &modelica::record(&stem, &about, system))
}

/// Writes a text file.
pub fn save(path: &Path, text: &str) -> Outcome {
    crate::whole_file::write(path, text)
}
