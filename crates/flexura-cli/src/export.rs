//! `flexura export`: channels of a result file as CSV.

use crate::Outcome;
use crate::failure::Failure;
use crate::open::refuse_same_file;
use crate::print::print;
use flexura_results::{Family, ResultFile, ResultsError, TIME, TIME_UNIT, export_csv};
use std::fs::File;
use std::io::{ErrorKind, stdout};
use std::path::{Path, PathBuf};

/// Family of the channels that only the viewer needs.
const PICTURE_FAMILY: &str = "picture";

/// Write channels of a result file as CSV.
#[derive(clap::Args)]
#[command(
    override_usage = "flexura export <RESULT> [--channels <NAME>...] [--output <CSV>] [--list]",
    after_help = "Examples:
  flexura export arm.fxr --list
  flexura export arm.fxr > arm.csv
  flexura export arm.fxr --channels 'energy.*' '*.tip.position.?' --output part.csv"
)]
pub struct Arguments {
    /// Result file (.fxr)
    result: PathBuf,
    /// Channel names; `*` stands for any text, `?` for one character
    #[arg(short, long, value_name = "NAME", num_args = 1.., default_value = "*")]
    channels: Vec<String>,
    /// CSV file; default: standard output
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
    /// List channels with their units instead of exporting
    #[arg(long)]
    list: bool,
}

/// Runs the sub-command.
pub fn export(arguments: &Arguments) -> Outcome {
    let result = ResultFile::open(&arguments.result).map_err(Failure::file)?;
    if let Some(reason) = result.torn() {
        eprintln!(
            "warning: {} is torn ({reason}); {} whole rows are used",
            arguments.result.display(),
            result.rows()
        );
    }
    if arguments.list {
        return list(&result);
    }
    let mut patterns: Vec<&str> = arguments.channels.iter().map(String::as_str).collect();
    let drawn = |family: &Family| family.name == PICTURE_FAMILY;
    if patterns == ["*"] && result.layout().families.iter().any(drawn) {
        // What is there for the viewer only was not asked for.
        let asked = result.layout().families.iter().filter(|family| !drawn(family));
        patterns = asked.flat_map(|family| &family.channels).map(|channel| channel.name.as_str()).collect();
    }
    let outcome = match &arguments.output {
        Some(path) => {
            refuse_same_file(&arguments.result, path)?;
            // Names first: a wrong one must not cost an earlier export.
            result.select(&patterns).map_err(|error| unknown(error, &arguments.result))?;
            let file =
                File::create(path).map_err(|error| Failure::File(format!("{}: {error}", path.display())))?;
            export_csv(&result, &patterns, file)
        }
        None => export_csv(&result, &patterns, stdout().lock()),
    };
    match outcome {
        // A reader that closes the pipe early (`head`) is no failure.
        Err(ResultsError::Export(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|error| unknown(error, &arguments.result)),
    }
}

/// One line per channel: name and unit.
fn list(result: &ResultFile) -> Outcome {
    let layout = result.layout();
    let shown = layout.families.iter().filter(|family| family.name != PICTURE_FAMILY);
    let channels = shown.flat_map(|family| &family.channels);
    let lines = channels.map(|channel| format!("{} [{}]\n", channel.name, channel.unit));
    print(&(format!("{TIME} [{TIME_UNIT}]\n") + &lines.collect::<String>()))
}

/// A wrong channel name is wrong usage; near names come with it.
fn unknown(error: ResultsError, path: &Path) -> Failure {
    match error {
        ResultsError::NoMatch { .. } | ResultsError::UnknownChannel { .. } => {
            Failure::Usage(format!("{error}\nall names: flexura export {} --list", path.display()))
        }
        other => Failure::file(other),
    }
}
