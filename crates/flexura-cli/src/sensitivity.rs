//! `flexura sensitivity`: derivatives of simulated channels with respect to numbers of the model file.

use crate::Outcome;
use crate::failure::Failure;
use crate::open::{open, refuse_same_file, source};
use crate::print::print;
use flexura::analysis::{Parameter, Sensitivity, SensitivityError, sensitivity};
use flexura::file::{RememberedBodies, parameters};
use std::fmt::Write;
use std::path::PathBuf;

/// Derivatives of channels over time with respect to numbers of the model file.
#[derive(clap::Args)]
#[command(
    after_help = "A parameter is named as in the file: the item, then its keys (arm.beam.young, hinge.stiffness,
arm.tip.position.1, model.gravity.3); names of tables may be left out where the rest is unique (arm.young).

Examples:
  flexura sensitivity models/pendulum.toml --list
  flexura sensitivity models/pendulum.toml --parameters rod.mass hinge.position --outputs hinge.angle
  flexura sensitivity models/flexible_arm.toml --parameters fore.young --outputs 'fore.hand.position.?' -o arm.csv"
)]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Numbers of the file to differentiate by
    #[arg(short, long, value_name = "PATH", num_args = 1.., visible_alias = "parameter")]
    parameters: Vec<String>,
    /// Channels to differentiate; `*` stands for any text, `?` for one character
    #[arg(long, value_name = "NAME", num_args = 1.., visible_alias = "channels")]
    outputs: Vec<String>,
    /// Use another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// Simulate until this time instead of the file's (s)
    #[arg(long, value_name = "SECONDS")]
    end: Option<f64>,
    /// CSV file; default: standard output
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
    /// List all numbers of the file with their paths instead
    #[arg(long)]
    list: bool,
}

/// Runs the sub-command.
pub fn differentiate(arguments: &Arguments) -> Outcome {
    let mut loaded = open(&arguments.model, &arguments.set)?;
    let text = loaded.spans.source().to_owned();
    if arguments.list {
        let all = parameters(&text).map_err(|error| Failure::Usage(error.to_string()))?;
        let lines: Vec<String> =
            all.iter().map(|found| format!("{} = {}\n", found.path, found.value)).collect();
        return print(&lines.concat());
    }
    if arguments.parameters.is_empty() || arguments.outputs.is_empty() {
        let text = "give --parameters and --outputs (all numbers of the file: --list)";
        return Err(Failure::Usage(text.into()));
    }
    if let Some(end) = arguments.end {
        crate::run::set_end(&mut loaded.built.description.simulation, end)?;
    }
    let name = loaded.spans.file_name().to_owned();
    let parts = source();
    let bodies = RememberedBodies::new(&parts);
    let list = arguments
        .parameters
        .iter()
        .map(|path| Parameter::of_file_with(&text, &name, path, &bodies))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let found = sensitivity(&loaded.built, &list, &arguments.outputs).map_err(failed)?;
    for (name, error) in found.parameters.iter().zip(&found.errors) {
        if *error > 1e-6 {
            eprintln!("warning: `{name}`: the derivative of the model itself is known to {error:.0e} only");
        }
    }
    if found.method.contains("in place of") {
        eprintln!("note: derivatives are followed by {}", found.method);
    }
    let csv = as_csv(&found);
    match &arguments.output {
        None => print(&csv),
        Some(path) => {
            refuse_same_file(&arguments.model, path)?;
            crate::whole_file::write(path, csv)
        }
    }
}

fn failed(error: SensitivityError) -> Failure {
    match error {
        SensitivityError::Simulation(flexura::SimulationError::Channel(text)) => Failure::Usage(text),
        SensitivityError::Simulation(error) => Failure::simulation(error),
        other => Failure::Usage(other.to_string()),
    }
}

/// Time, then each channel followed by its derivatives.
fn as_csv(found: &Sensitivity) -> String {
    let mut text = String::from("time [s]");
    for channel in &found.channels {
        let _ = write!(text, ",{} [{}]", channel.name, channel.unit);
        for parameter in &found.parameters {
            let _ = write!(text, ",d {} / d {parameter}", channel.name);
        }
    }
    text.push('\n');
    for (row, time) in found.times.iter().enumerate() {
        let _ = write!(text, "{time}");
        for channel in 0..found.channels.len() {
            let _ = write!(text, ",{}", found.values[row * found.channels.len() + channel]);
            for parameter in 0..found.parameters.len() {
                let _ = write!(text, ",{}", found.derivative(row, channel, parameter));
            }
        }
        text.push('\n');
    }
    text
}
