//! The command line of Flexura: one file per sub-command.

mod accel;
mod channels;
mod check;
mod check_loops;
mod equilibrium;
mod export;
mod failure;
mod modes;
mod open;
mod print;
mod run;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

const AFTER_HELP: &str = "Exit codes:
  0    success
  2    wrong usage of the command line
  3    the model file is wrong (the message says where and how to mend it)
  4    the simulation failed; everything recorded before stays readable
  5    a file could not be read or written
  130  interrupted with Ctrl-C; everything recorded before stays readable

Examples:
  flexura check models/flexible_arm.toml       what the model consists of
  flexura run models/flexible_arm.toml         simulate, write flexible_arm.fxr
  flexura static models/flexible_arm.toml      the equilibrium under gravity
  flexura modes models/flexible_arm.toml       eigenvalues, frequencies, damping
  flexura export flexible_arm.fxr --list       the names of its channels
  flexura export flexible_arm.fxr --channels 'energy.*' --output energy.csv";

/// Flexible multibody dynamics: bodies that bend, joints that turn as far as they like. SI units throughout.
#[derive(Parser)]
#[command(name = "flexura", version, after_help = AFTER_HELP, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check a model: bodies, joints, degrees of freedom, warnings
    Check(check::Arguments),
    /// Simulate a model and write a result file
    Run(run::Arguments),
    /// Find the static equilibrium
    Static(equilibrium::Arguments),
    /// Eigenvalues, frequency response and matrices of the linearised system
    Modes(modes::Arguments),
    /// Accelerations, reactions and energies at the initial state
    Accel(accel::Arguments),
    /// Write channels of a result file as CSV
    Export(export::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Check(arguments) => check::check(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Static(arguments) => equilibrium::find(&arguments),
        Command::Modes(arguments) => modes::modes(&arguments),
        Command::Accel(arguments) => accel::accel(&arguments),
        Command::Export(arguments) => export::export(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.code())
        }
    }
}

/// Result of a sub-command.
type Outcome = Result<(), Failure>;
