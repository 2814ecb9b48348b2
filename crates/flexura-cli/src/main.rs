//! The binary `flexura`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(flexura_cli::command(std::env::args_os()))
}
