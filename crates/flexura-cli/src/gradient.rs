//! `flexura gradient`: the derivative of one number of a run over everything it depends on.

use crate::Outcome;
use crate::columns::{Table, read_csv};
use crate::failure::Failure;
use crate::open::{open, refuse_same_file, source};
use crate::print::print;
use flexura::analysis::{
    Cost, Gradient, GradientError, GradientSetup, KeptRun, Objective, Parameter, SensitivityError, Term,
    speed_labels,
};
use flexura::file::{Loaded, RememberedBodies, parameters};
use flexura::model::description::{MethodDescription, SimulationDescription};
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Gradient of one number of a run, backwards: the cost does not grow with the number of parameters.
#[derive(clap::Args)]
#[command(
    after_help = "An objective is [WEIGHT*]TERM:CHANNEL, several of them are added: end (value in the last row), integral (over time), mean-square, peak (smooth
maximum of the size; peak^50 is sharper than peak, which is peak^20). --record compares columns of a CSV file, named by channels, with the run at its
instants. Parameters are named as by `flexura sensitivity --list`; --all takes every number of the file that moves the run.

Examples:
  flexura gradient models/flexible_arm.toml --objective peak:fore.eta.1 --parameters fore.young upper.young
  flexura gradient models/pendulum.toml --objective end:hinge.angle --all --initial
  flexura gradient models/controlled_arm.toml --objective integral:energy.kinetic --inputs motor.effort -o inputs.csv
  flexura gradient models/fit/ringdown.toml --record models/fit/ringdown.csv --parameters boom.young --method dormand-prince"
)]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Number of the run, [WEIGHT*]TERM:CHANNEL (may be repeated)
    #[arg(long, value_name = "TERM:CHANNEL", num_args = 1..)]
    objective: Vec<String>,
    /// Mean square distance to the columns of a CSV file, each over its spread
    #[arg(long, value_name = "CSV")]
    record: Option<PathBuf>,
    /// Numbers of the file to differentiate by
    #[arg(short, long, value_name = "PATH", num_args = 1.., value_delimiter = ',', visible_alias = "parameter")]
    parameters: Vec<String>,
    /// All numbers of the file that move the run
    #[arg(long, conflicts_with = "parameters")]
    all: bool,
    /// Inputs held from row to row (JOINT.effort, FORCE.scale, CONTROLLER.reference), at the file's values
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    inputs: Vec<String>,
    /// Also the derivative over the initial state
    #[arg(long)]
    initial: bool,
    /// Method in place of the file's, `rk4:STEP` or `dormand-prince`
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,
    /// Use another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// Simulate until this time instead of the file's (s)
    #[arg(long, value_name = "SECONDS")]
    end: Option<f64>,
    /// States kept at most; fewer take less memory and one more run [default: as many as fit into 64 MB]
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    checkpoints: usize,
    /// CSV file for the derivatives over inputs, one row per interval
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
    /// The result as JSON instead of words
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn gradient(arguments: &Arguments) -> Outcome {
    let mut loaded = open(&arguments.model, &arguments.set)?;
    set_run(arguments, &mut loaded)?;
    let (objective, times) = objective(&arguments.objective, arguments.record.as_deref())?;
    let channels: Vec<String> = objective.terms.iter().map(|(_, channel, _)| channel.clone()).collect();
    let inputs = arguments.inputs.clone();
    let setup =
        GradientSetup { channels, times, inputs, checkpoints: arguments.checkpoints, ..Default::default() };
    let (text, name) = (loaded.spans.source().to_owned(), loaded.spans.file_name().to_owned());
    let parts = source();
    let bodies = RememberedBodies::new(&parts);
    let list = chosen(arguments, &loaded, (&text, &name), &bodies, &setup)?;
    if list.is_empty() && setup.inputs.is_empty() && !arguments.initial {
        let text = "give --parameters, --all, --inputs or --initial (all numbers of the file: `flexura sensitivity --list`)";
        return Err(Failure::Usage(text.into()));
    }
    let mut run = KeptRun::new(&loaded.built, &list, &setup).map_err(failed)?;
    let (value, found) = run.gradient(&objective).map_err(failed)?;
    for element in run.touched() {
        eprintln!(
            "note: `{element}` opens or closes in the run: the gradient is that of the steps taken; compare with smaller steps"
        );
    }
    if let Some(path) = &arguments.output {
        refuse_same_file(&arguments.model, path)?;
        crate::whole_file::write(path, over_time(&run, &found))?;
    }
    if arguments.json {
        return print(&as_json(&loaded, (value, &found), &list, &run));
    }
    eprintln!("{}", run.cost());
    print(&in_words(arguments, &loaded, (value, &found), &list, &run))
}

/// End and method asked for.
fn set_run(arguments: &Arguments, loaded: &mut Loaded) -> Outcome {
    let settings = &mut loaded.built.description.simulation;
    if let Some(end) = arguments.end {
        crate::run::set_end(settings, end)?;
    }
    if let Some(words) = &arguments.method {
        settings.method = method_of(words)
            .ok_or_else(|| Failure::Usage(format!("--method {words}: write rk4:STEP or dormand-prince")))?;
    }
    Ok(())
}

/// A method that can be gone back over.
pub(crate) fn method_of(words: &str) -> Option<MethodDescription> {
    if words == "dormand-prince" {
        return Some(SimulationDescription::default().method);
    }
    let step = words.strip_prefix("rk4:")?.parse::<f64>().ok()?;
    (step.is_finite() && step > 0.0).then_some(MethodDescription::Rk4 { step })
}

/// The objective, and the instants of the record where there is one.
pub(crate) fn objective(
    words: &[String],
    record: Option<&Path>,
) -> Result<(Objective, Option<Vec<f64>>), Failure> {
    let terms = words.iter().map(|words| Objective::term_of(words));
    let mut terms = terms.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut times = None;
    if let Some(path) = record {
        let columns = read_csv(path)?;
        for (name, _, wanted) in columns.list {
            if let Some(row) = wanted.iter().position(|value| !value.is_finite()) {
                let text = format!("{}: value {} of column `{name}` is no number", path.display(), row + 1);
                return Err(Failure::File(text));
            }
            let mean = wanted.iter().sum::<f64>() / wanted.len() as f64;
            let spread =
                (wanted.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / wanted.len() as f64).sqrt();
            let scale = if spread > 0.0 { spread } else { 1.0 };
            terms.push((1.0, name, Term::Misfit { wanted, scale }));
        }
        times = Some(columns.times);
    }
    if terms.is_empty() {
        return Err(Failure::Usage("give --objective TERM:CHANNEL, or --record CSV".into()));
    }
    Ok((Objective { terms }, times))
}

/// The parameters asked for; of all numbers of the file those that move the run.
fn chosen<'a>(
    arguments: &Arguments,
    loaded: &Loaded,
    (text, name): (&'a str, &'a str),
    bodies: &'a RememberedBodies<'a>,
    setup: &GradientSetup,
) -> Result<Vec<Parameter<'a>>, Failure> {
    let named = |path: &str| Parameter::of_file_with(text, name, path, bodies);
    if !arguments.all {
        let list = arguments.parameters.iter().map(|path| named(path));
        return list.collect::<Result<Vec<_>, _>>().map_err(|error| Failure::Usage(error.to_string()));
    }
    let all = parameters(text).map_err(|error| Failure::Usage(error.to_string()))?;
    let (mut list, mut without) = (Vec::new(), Vec::new());
    // One interval is enough to see whether a number can be followed.
    let mut brief = loaded.built.clone();
    let settings = &mut brief.description.simulation;
    settings.end = settings.end.min(settings.start + settings.output_interval);
    let times = setup.times.as_ref().map(|times| times[..times.len().min(2)].to_vec());
    let channels = setup.channels.clone();
    let setup = GradientSetup { channels, times, ..Default::default() };
    for found in all {
        let Ok(parameter) = named(&found.path) else { continue };
        let back = KeptRun::new(&brief, std::slice::from_ref(&parameter), &setup).and_then(|mut run| {
            let weights = vec![1.0; run.rows().len()];
            run.pull_back(&weights)
        });
        match back {
            Ok(_) => list.push(parameter),
            Err(GradientError::NoInfluence(_)) => {}
            Err(_) => without.push(found.path),
        }
    }
    if !without.is_empty() {
        eprintln!("note: no derivative by {}: name one to see why", without.join(", "));
    }
    Ok(list)
}

pub(crate) fn failed(error: GradientError) -> Failure {
    match error {
        GradientError::Simulation(flexura::SimulationError::Channel(text)) => Failure::Usage(text),
        GradientError::Simulation(error)
        | GradientError::Sensitivity(SensitivityError::Simulation(error)) => Failure::simulation(error),
        other => Failure::Usage(other.to_string()),
    }
}

/// Derivatives over inputs, one row per interval.
fn over_time(run: &KeptRun<'_>, found: &Gradient) -> String {
    let mut table = Table::new(run.inputs().iter().map(|input| (input.name.as_str(), "")));
    let count = run.inputs().len().max(1);
    let skipped = run.times().len() - found.inputs.len() / count;
    let starts = run.times().iter().skip(skipped.saturating_sub(1));
    for (time, values) in starts.zip(found.inputs.chunks(count)) {
        table.row(*time, values.iter().copied());
    }
    table.finish()
}

fn in_words(
    arguments: &Arguments,
    loaded: &Loaded,
    (value, found): (f64, &Gradient),
    list: &[Parameter<'_>],
    run: &KeptRun<'_>,
) -> String {
    let mut text = format!("objective {value:.9e}\n");
    if !list.is_empty() {
        let _ = writeln!(
            text,
            "\n{:<40} {:>16} {:>16} {:>12}",
            "parameter", "value", "derivative", "p dJ/dp / J"
        );
    }
    for (parameter, slope) in list.iter().zip(&found.parameters) {
        let share = parameter.value * slope / value;
        let _ =
            writeln!(text, "{:<40} {:>16.8e} {slope:>16.8e} {share:>12.3e}", parameter.name, parameter.value);
    }
    if !run.inputs().is_empty() {
        let _ = writeln!(text, "\n{:<40} {:>16}", "input", "held all along");
        for (j, input) in run.inputs().iter().enumerate() {
            let sum: f64 = found.inputs.iter().skip(j).step_by(run.inputs().len()).sum();
            let _ = writeln!(text, "{:<40} {sum:>16.8e}", input.name);
        }
    }
    if arguments.initial {
        let _ = writeln!(text, "\n{:<40} {:>16} {:>16}", "initial state", "position", "speed");
        let states = speed_labels(&loaded.built.model).into_iter().zip(&found.position).zip(&found.speed);
        for ((label, position), speed) in states {
            let _ = writeln!(text, "{:<40} {position:>16.8e} {speed:>16.8e}", label.coordinate);
        }
    }
    text
}

fn cost_of(cost: &Cost) -> serde_json::Value {
    json!({
        "runs": cost.runs(), "steps": cost.steps, "forward_seconds": cost.forward_seconds,
        "backward_seconds": cost.backward_seconds, "repeated_steps": cost.repeated_steps, "tapes": cost.tapes,
        "models": cost.models, "model_seconds": cost.model_seconds, "paths": cost.paths, "states": cost.states,
        "bytes": cost.bytes(),
    })
}

fn as_json(
    loaded: &Loaded,
    (value, found): (f64, &Gradient),
    list: &[Parameter<'_>],
    run: &KeptRun<'_>,
) -> String {
    let parameters: serde_json::Map<String, serde_json::Value> =
        list.iter().zip(&found.parameters).map(|(one, slope)| (one.name.clone(), json!(slope))).collect();
    let labels: Vec<String> =
        speed_labels(&loaded.built.model).into_iter().map(|label| label.coordinate).collect();
    let inputs: Vec<&str> = run.inputs().iter().map(|input| input.name.as_str()).collect();
    let all = json!({
        "objective": value, "parameters": parameters, "speeds": labels, "position": found.position, "speed": found.speed,
        "inputs": inputs, "input_derivatives": found.inputs, "cost": cost_of(&run.cost()),
    });
    format!("{all:#}\n")
}
