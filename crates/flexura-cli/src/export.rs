//! `flexura export`: channels of a result file as CSV.

use crate::Outcome;
use crate::failure::Failure;
use flexura_results::{ResultFile, export_csv};
use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

/// Write channels of a result file as CSV.
///
/// Examples: flexura export arm.fxr > arm.csv; flexura export arm.fxr --channels 'energy.*' 'tip.*' -o part.csv
#[derive(clap::Args)]
pub struct Arguments {
    /// Result file (.fxr)
    result: PathBuf,
    /// Channel names with `*` and `?`; default: all
    #[arg(short, long, num_args = 1.., default_value = "*")]
    channels: Vec<String>,
    /// CSV file; default: standard output
    #[arg(short, long)]
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
        for (name, unit) in result.layout().channel_names().zip(result.layout().units()) {
            println!("{name} [{unit}]");
        }
        return Ok(());
    }
    let patterns: Vec<&str> = arguments.channels.iter().map(String::as_str).collect();
    match &arguments.output {
        Some(path) => {
            let file =
                File::create(path).map_err(|error| Failure::File(format!("{}: {error}", path.display())))?;
            let mut writer = BufWriter::new(file);
            export_csv(&result, &patterns, &mut writer).map_err(Failure::file)?;
            writer.flush().map_err(Failure::file)
        }
        None => quiet_pipe(export_csv(&result, &patterns, BufWriter::new(stdout().lock()))),
    }
}

/// A reader that closes the pipe early (`head`) is not a failure.
fn quiet_pipe(outcome: Result<(), flexura_results::ResultsError>) -> Outcome {
    match outcome {
        Err(error) if error.to_string().contains("Broken pipe") => Ok(()),
        other => other.map_err(Failure::file),
    }
}
