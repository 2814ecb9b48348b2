//! `flexura inverse`: the forces that given accelerations or a given motion need.

use crate::Outcome;
use crate::columns::{Table, read_csv};
use crate::failure::Failure;
use crate::open::{open, refuse_same_file};
use crate::print::print;
use crate::start::{recorded_motion, start};
use crate::whole_file;
use flexura::analysis::{AnalysisError, InverseProblem, MotionSeries, find_speed};
use flexura::file::Loaded;
use flexura::model::words::number;
use flexura::record::{Channel, Source, all_channels};
use flexura::state::prescribe::apply_prescribed;
use flexura::{Load, Model, State, build};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Forces that accelerations or a motion need beyond the loads of the model.
#[derive(clap::Args)]
#[command(
    after_help = "Without --drives all accelerations are given, and forces come out along every joint and mode: zero forces mean that the
model moves like that by itself. With --drives only these joints are given (and motions prescribed in the model); modes and
other joints move as they must, and closed loops stay closed, which have no inverse otherwise.

A motion has a column `time` and columns named like channels (JOINT.angle, BODY.eta.1); speeds (JOINT.rate) and accelerations
(JOINT.rate_acceleration) that it lacks are found by splines. Coordinates without a column rest where the model starts. Result
files must hold all coordinates.

Examples:
  flexura inverse models/robot_arm.toml                                    forces that hold the arm without acceleration
  flexura inverse models/pendulum.toml --acceleration hinge.angle=2 --json
  flexura inverse models/flexible_arm.toml --drives elbow --acceleration elbow.angle=1
  flexura inverse arm.toml --motion path.csv --reactions --output efforts.csv
  flexura inverse arm.toml --motion arm.fxr --without-efforts              the efforts of a run from its motion"
)]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Use another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// At the static equilibrium instead of the initial state
    #[arg(long = "static", conflicts_with = "motion")]
    at_equilibrium: bool,
    /// Acceleration of a coordinate in place of zero (may be repeated)
    #[arg(long, value_name = "COORDINATE=NUMBER", conflicts_with = "motion")]
    acceleration: Vec<String>,
    /// Motion over time: a CSV file, or a result file (.fxr)
    #[arg(long, value_name = "FILE")]
    motion: Option<PathBuf>,
    /// Joints, or coordinates of joints, whose accelerations are given; all others follow
    #[arg(long, value_name = "NAME", num_args = 1..)]
    drives: Vec<String>,
    /// Leave efforts of joints and all controllers of the model out, so that they come out
    #[arg(long)]
    without_efforts: bool,
    /// Give reactions of all joints as well
    #[arg(long)]
    reactions: bool,
    /// CSV file for the forces of a motion; default: standard output
    #[arg(short, long, value_name = "FILE", requires = "motion")]
    output: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long, conflicts_with = "motion")]
    json: bool,
}

/// Runs the sub-command.
pub fn inverse(arguments: &Arguments) -> Outcome {
    let mut loaded = open(&arguments.model, &arguments.set)?;
    if arguments.without_efforts {
        leave_efforts_out(&mut loaded)?;
    }
    let model = &loaded.built.model;
    let mut problem = match arguments.drives.is_empty() {
        true => InverseProblem::new(model),
        false => InverseProblem::with_drives(model, &arguments.drives),
    }
    .map_err(usage)?;
    let shown = reactions(model, arguments.reactions);
    match &arguments.motion {
        Some(path) => over_time(arguments, &loaded, path, &mut problem, &shown),
        None => at_state(arguments, &loaded, &mut problem, &shown),
    }
}

/// The failure for an analysis that was asked for in a way that cannot be answered.
fn usage(error: AnalysisError) -> Failure {
    match error {
        AnalysisError::Name(text) if text.contains("name the drives") => {
            Failure::Usage(format!("{text} with --drives JOINT"))
        }
        AnalysisError::Name(text) => Failure::Usage(text),
        other => Failure::simulation(other),
    }
}

/// Builds the model again without efforts and controllers.
fn leave_efforts_out(loaded: &mut Loaded) -> Outcome {
    let mut description = loaded.built.description.clone();
    let coordinates = description.joints.iter_mut().flat_map(|joint| &mut joint.coordinates);
    let efforts = coordinates.filter_map(|coordinate| coordinate.effort.take()).count();
    if efforts == 0 && description.controllers.is_empty() {
        let text = "--without-efforts: the model has no efforts and no controllers";
        return Err(Failure::Usage(text.into()));
    }
    description.controllers.clear();
    // Events and outputs may ask for channels of controllers; nothing here uses them.
    description.simulation.events.clear();
    description.output = Default::default();
    loaded.built = build(description).map_err(|error| Failure::Model(error.to_string()))?;
    Ok(())
}

/// Channels of all reactions, if they are asked for.
fn reactions(model: &Model, asked: bool) -> Vec<Channel> {
    let is_reaction =
        |channel: &Channel| matches!(channel.source, Source::Reaction(..) | Source::LoopReaction(..));
    if asked { all_channels(model).into_iter().filter(is_reaction).collect() } else { Vec::new() }
}

/// Accelerations of the command line; prescribed motions keep theirs.
fn accelerations(
    arguments: &Arguments,
    model: &Model,
    state: &mut State,
    problem: &InverseProblem,
) -> Result<Vec<f64>, Failure> {
    let mut load = Load::new(model);
    apply_prescribed(model, state, Some(&mut load));
    let mut given = load.acceleration;
    for setting in &arguments.acceleration {
        let wrong = || {
            Failure::Usage(format!(
                "--acceleration {setting}: write COORDINATE=NUMBER, such as elbow.angle=2.5"
            ))
        };
        let (name, value) = setting.split_once('=').ok_or_else(wrong)?;
        let value: f64 =
            value.trim().parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(wrong)?;
        let speed = find_speed(problem.labels(), name.trim())
            .map_err(|error| Failure::Usage(format!("--acceleration {setting}: {error}")))?;
        if !problem.sought()[speed] {
            let text = format!("--acceleration {setting}: not among --drives, so it follows from the others");
            return Err(Failure::Usage(text));
        }
        given[speed] = value;
    }
    Ok(given)
}

/// Forces at one state.
fn at_state(
    arguments: &Arguments,
    loaded: &Loaded,
    problem: &mut InverseProblem,
    shown: &[Channel],
) -> Outcome {
    let model = &loaded.built.model;
    let mut state = start(loaded, arguments.at_equilibrium)?;
    let given = accelerations(arguments, model, &mut state, problem)?;
    let forces = problem.solve(&state, &given).map_err(usage)?.to_vec();
    let mut row = vec![0.0; shown.len()];
    if !shown.is_empty() {
        problem.sample(&state, shown, &mut row);
    }
    if arguments.json {
        return print(&format!("{}\n", as_json(problem, &state, &forces, shown, &row)));
    }
    print(&as_text(problem, &state, &forces, shown, &row))
}

fn as_json(problem: &InverseProblem, state: &State, forces: &[f64], shown: &[Channel], row: &[f64]) -> Value {
    let (mut efforts, mut accelerations) = (Map::new(), Map::new());
    for (i, (label, sought)) in problem.labels().iter().zip(problem.sought()).enumerate() {
        accelerations.insert(label.acceleration.clone(), json!(problem.accelerations()[i]));
        if sought {
            efforts.insert(label.effort.clone(), json!(forces[i]));
        }
    }
    let reactions: Map<String, Value> =
        shown.iter().zip(row).map(|(channel, value)| (channel.name.clone(), json!(value))).collect();
    json!({ "time": state.time, "forces": efforts, "accelerations": accelerations, "reactions": reactions })
}

fn as_text(
    problem: &InverseProblem,
    state: &State,
    forces: &[f64],
    shown: &[Channel],
    row: &[f64],
) -> String {
    let mut text = format!("t = {} s\nforces beyond the loads of the model:\n", state.time);
    let found = problem.labels().iter().zip(problem.sought()).enumerate();
    for (i, (label, sought)) in found {
        let acceleration = number(problem.accelerations()[i]);
        let _ = match sought {
            true => writeln!(
                text,
                "  {:24} {:>12} {:4} at {} = {acceleration}",
                label.effort,
                number(forces[i]),
                label.effort_unit,
                label.acceleration
            ),
            false => {
                writeln!(text, "  {:24} {:>12} {:4} so  {} = {acceleration}", "", "", "", label.acceleration)
            }
        };
    }
    if !shown.is_empty() {
        text.push_str("reactions on the second body, in its joint frame:\n");
    }
    for (channel, value) in shown.iter().zip(row) {
        let _ = writeln!(text, "  {:24} {:>12} {}", channel.name, number(*value), channel.unit);
    }
    text
}

/// Forces at every instant of a motion.
fn over_time(
    arguments: &Arguments,
    loaded: &Loaded,
    path: &Path,
    problem: &mut InverseProblem,
    shown: &[Channel],
) -> Outcome {
    let model = &loaded.built.model;
    if let Some(output) = &arguments.output {
        refuse_same_file(path, output)?;
        refuse_same_file(&arguments.model, output)?;
    }
    if let Some(controller) = model.controllers.iter().find(|controller| controller.state_count() > 0) {
        let text = format!(
            "controller `{}` remembers what a file of motions does not hold: add --without-efforts, which leaves controllers and joint efforts out",
            controller.name
        );
        return Err(Failure::Usage(text));
    }
    let series = motion(model, path)?;
    let sought: Vec<usize> = (0..model.speed_count()).filter(|&i| problem.sought()[i]).collect();
    let labels = problem.labels().to_vec();
    let efforts = sought.iter().map(|&i| (labels[i].effort.as_str(), labels[i].effort_unit));
    let mut table =
        Table::new(efforts.chain(shown.iter().map(|channel| (channel.name.as_str(), channel.unit))));
    let mut state = start(loaded, false)?;
    let (mut given, mut row) = (vec![0.0; model.speed_count()], vec![0.0; shown.len()]);
    for instant in 0..series.rows() {
        series.fill(model, instant, &mut state, &mut given);
        let forces = problem.solve(&state, &given).map_err(usage)?;
        let forces: Vec<f64> = sought.iter().map(|&i| forces[i]).collect();
        if !shown.is_empty() {
            problem.sample(&state, shown, &mut row);
        }
        table.row(state.time, forces.into_iter().chain(row.iter().copied()));
    }
    let text = table.finish();
    match &arguments.output {
        Some(output) => {
            whole_file::write(output, &text)?;
            print(&format!("{} instants → {}\n", series.rows(), output.display()))
        }
        None => print(&text),
    }
}

/// The motion in a file.
fn motion(model: &Model, path: &Path) -> Result<MotionSeries, Failure> {
    if path.extension().is_some_and(|ending| ending == "fxr") {
        return recorded_motion(model, path);
    }
    let columns = read_csv(path)?;
    let units = all_channels(model);
    let mut list = Vec::with_capacity(columns.list.len());
    for (name, unit, values) in columns.list {
        let known = units.iter().find(|channel| channel.name == name).map(|channel| channel.unit);
        if let (Some(unit), Some(known)) = (unit, known)
            && unit != known
        {
            let text = format!("{}: `{name} [{unit}]`: it is read in {known}", path.display());
            return Err(Failure::Usage(text));
        }
        list.push((name, values));
    }
    let series = MotionSeries::new(model, columns.times, list)
        .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    if !series.held().is_empty() {
        eprintln!("note: no column for {}: at rest where the model starts", series.held().join(", "));
    }
    Ok(series)
}
