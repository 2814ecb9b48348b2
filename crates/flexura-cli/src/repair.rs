//! `flexura repair`: make a torn result file whole.

use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use std::path::PathBuf;

/// Cut a torn result file behind its last whole batch.
#[derive(clap::Args)]
#[command(
    after_help = "A run that was killed leaves a file whose last batch may be torn. Flexura reads such files as they are;
other programs may not. A file that a running simulation is writing is refused.

Examples:
  flexura repair arm.fxr"
)]
pub struct Arguments {
    /// Result file (.fxr)
    result: PathBuf,
}

/// Runs the sub-command.
pub fn repair(arguments: &Arguments) -> Outcome {
    let report = flexura_results::repair(&arguments.result).map_err(Failure::file)?;
    let shown = arguments.result.display();
    let text = if report.changed {
        format!("{shown}: {} whole rows kept, {} bytes dropped\n", report.rows, report.bytes_dropped)
    } else {
        format!("{shown}: whole, {} rows; nothing to do\n", report.rows)
    };
    print(&text)
}
