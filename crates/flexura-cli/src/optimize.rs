//! `flexura optimize`: numbers of the model file and inputs over time that make one number of a run smallest.

use crate::Outcome;
use crate::columns::Table;
use crate::failure::Failure;
use crate::fit::{bar, bounds};
use crate::gradient::{failed as no_gradient, method_of, objective};
use crate::interrupt::{Late, watch_for_interrupt};
use crate::open::{open, refuse_same_file, source};
use crate::print::print;
use flexura::analysis::{Optimum, OptimumError, OptimumOptions, OptimumProgress};
use flexura::file::RememberedBodies;
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Numbers of a model file and inputs over time that make one number of a run smallest, between bounds, by gradients.
#[derive(clap::Args)]
#[command(
    after_help = "An objective is [WEIGHT*]TERM:CHANNEL as of `flexura gradient`, several of them are added; a negative weight
(--objective=-1*end:CHANNEL) makes a term large. What has no gradient is refused by name. Bounds of an input hold for all its values.

Examples:
  flexura optimize models/tuned_absorber.toml --objective mean-square:rail.displacement --parameters slide.stiffness slide.damping -o tuned.toml
  flexura optimize models/controlled_arm.toml --objective mean-square:arm.eta.1 --parameters servo.derivative --bounds servo.derivative=2:20
  flexura optimize models/pendulum.toml --objective 'end:energy.total' 0.01*mean-square:hinge.rate --inputs hinge.effort --bounds hinge.effort=-2:2 --inputs-output effort.csv"
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
    /// Numbers of the file to find
    #[arg(short, long, value_name = "PATH", num_args = 1.., value_delimiter = ',', visible_alias = "parameter")]
    parameters: Vec<String>,
    /// Inputs to find, held from row to row (JOINT.effort, FORCE.scale, CONTROLLER.reference)
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    inputs: Vec<String>,
    /// Bounds of a parameter [default: its sign, and a factor of 1000] or of an input [default: none]
    #[arg(long, value_name = "PATH=LOW:HIGH")]
    bounds: Vec<String>,
    /// Iterations at most
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    iterations: usize,
    /// End where the gradient has fallen to this share of the first one
    #[arg(long, value_name = "SHARE", default_value_t = 1e-6)]
    tolerance: f64,
    /// Method in place of the file's, `rk4:STEP` or `dormand-prince`
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,
    /// Start from another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// Simulate until this time instead of the file's (s)
    #[arg(long, value_name = "SECONDS")]
    end: Option<f64>,
    /// Write the model file with the numbers found
    #[arg(short, long, value_name = "TOML")]
    output: Option<PathBuf>,
    /// CSV file for the values of the inputs, one row per interval
    #[arg(long, value_name = "CSV")]
    inputs_output: Option<PathBuf>,
    /// The result as JSON instead of words
    #[arg(long)]
    json: bool,
    /// No progress on the terminal
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the sub-command.
pub fn optimize(arguments: &Arguments) -> Outcome {
    let mut loaded = open(&arguments.model, &arguments.set)?;
    let (objective, times) = objective(&arguments.objective, arguments.record.as_deref())?;
    let options = options(arguments, times)?;
    if let Some(end) = arguments.end {
        crate::run::set_end(&mut loaded.built.description.simulation, end)?;
    }
    for path in [&arguments.output, &arguments.inputs_output].into_iter().flatten() {
        refuse_same_file(&arguments.model, path)?;
    }
    let parts = source();
    let bodies = RememberedBodies::new(&parts);
    let stop = watch_for_interrupt(Late::End("interrupted; nothing is written"));
    let bar = bar(arguments.quiet);
    let mut watch = |at: &OptimumProgress| {
        bar.set_message(format!("iteration {}  objective {:.6e}  {} runs", at.iteration, at.value, at.runs));
        !stop.load(Ordering::Relaxed)
    };
    let text = (loaded.spans.source(), loaded.spans.file_name());
    let found = flexura::analysis::optimum(text, &bodies, &objective, &options, &mut watch);
    bar.finish_and_clear();
    let found = found.map_err(failed)?;
    for element in &found.touched {
        eprintln!("note: `{element}` opens or closes in runs: gradients are those of the steps taken");
    }
    if let Some(path) = &arguments.output {
        crate::whole_file::write(path, found.text.clone())?;
    }
    if let Some(path) = &arguments.inputs_output {
        crate::whole_file::write(path, over_time(&found, &arguments.inputs))?;
    }
    print(&if arguments.json { as_json(&found, &arguments.inputs) } else { in_words(&found, arguments) })
}

fn options(arguments: &Arguments, times: Option<Vec<f64>>) -> Result<OptimumOptions, Failure> {
    let method =
        match &arguments.method {
            None => None,
            Some(words) => Some(method_of(words).ok_or_else(|| {
                Failure::Usage(format!("--method {words}: write rk4:STEP or dormand-prince"))
            })?),
        };
    if arguments.iterations == 0 {
        return Err(Failure::Usage("--iterations: at least one".into()));
    }
    if !(arguments.tolerance > 0.0 && arguments.tolerance < 1.0) {
        return Err(Failure::Usage("--tolerance: give a number between 0 and 1".into()));
    }
    if arguments.inputs_output.is_some() && arguments.inputs.is_empty() {
        return Err(Failure::Usage("--inputs-output: no --inputs are to be found".into()));
    }
    Ok(OptimumOptions {
        parameters: arguments.parameters.clone(),
        inputs: arguments.inputs.clone(),
        bounds: bounds(&arguments.bounds)?,
        times,
        end: arguments.end,
        method,
        iterations: arguments.iterations,
        tolerance: arguments.tolerance,
    })
}

fn failed(error: OptimumError) -> Failure {
    match error {
        OptimumError::Gradient(error) => no_gradient(error),
        OptimumError::Model(text) => Failure::Model(text),
        OptimumError::Cancelled(_) => Failure::Interrupted(error.to_string()),
        other => Failure::Usage(other.to_string()),
    }
}

/// Values of the inputs, one row per interval.
fn over_time(found: &Optimum, names: &[String]) -> String {
    let mut table = Table::new(names.iter().map(|name| (name.as_str(), "")));
    for (time, values) in found.times.iter().zip(found.inputs.chunks(names.len().max(1))) {
        table.row(*time, values.iter().copied());
    }
    table.finish()
}

fn in_words(found: &Optimum, arguments: &Arguments) -> String {
    let mut text = format!("objective {:.9e}, before {:.9e}\n", found.value, found.before);
    if !found.parameters.is_empty() {
        let _ = writeln!(
            text,
            "\n{:<40} {:>16} {:>16} {:>16}",
            "parameter", "before", "found", "derivative left"
        );
    }
    for one in &found.parameters {
        let bound = if one.at_bound { "  at a bound" } else { "" };
        let _ = writeln!(
            text,
            "{:<40} {:>16.8e} {:>16.8e} {:>16.3e}{bound}",
            one.name, one.start, one.value, one.derivative
        );
    }
    if !arguments.inputs.is_empty() {
        let _ = writeln!(text, "\n{:<40} {:>16} {:>16}", "input", "smallest", "largest");
    }
    for (j, name) in arguments.inputs.iter().enumerate() {
        let values = || found.inputs.iter().skip(j).step_by(arguments.inputs.len()).copied();
        let (low, high) =
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        let _ = writeln!(text, "{name:<40} {low:>16.8e} {high:>16.8e}");
    }
    if !found.inputs.is_empty() {
        let _ = writeln!(text, "{} values, {} at a bound", found.inputs.len(), found.inputs_at_bounds);
    }
    let end = match (found.converged, found.iterations < arguments.iterations) {
        (true, _) => "",
        (false, false) => ": not at an end, more --iterations may find a smaller value",
        (false, true) => {
            ": not at an end, no step along the gradient makes it smaller (kinks, or runs that fail there)"
        }
    };
    let _ = writeln!(
        text,
        "\n{} iterations, {} runs, {} of them with a gradient{end}",
        found.iterations, found.runs, found.gradients
    );
    if let Some(path) = &arguments.output {
        let _ = writeln!(text, "wrote {}", path.display());
    }
    if let Some(path) = &arguments.inputs_output {
        let _ = writeln!(text, "wrote {}", path.display());
    }
    text
}

fn as_json(found: &Optimum, inputs: &[String]) -> String {
    let parameters: serde_json::Map<String, serde_json::Value> = found
        .parameters
        .iter()
        .map(|one| {
            let about = json!({
                "before": one.start, "value": one.value, "derivative": one.derivative, "at_bound": one.at_bound,
            });
            (one.name.clone(), about)
        })
        .collect();
    let all = json!({
        "objective": found.value, "before": found.before, "parameters": parameters, "inputs": inputs, "times": found.times,
        "input_values": found.inputs, "iterations": found.iterations, "runs": found.runs, "gradients": found.gradients,
        "converged": found.converged,
    });
    format!("{all:#}\n")
}
