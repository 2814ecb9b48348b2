//! The command line of Flexura: one file per sub-command.
//!
//! A library, so that the Python package offers the same command; the binary only calls [`command`].

/// Like those of the standard library, but a reader who closes standard error early is no reason to panic, and what names in
/// files hold does not steer the terminal.
macro_rules! eprintln {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        crate::busy::quiet();
        let _ = writeln!(std::io::stderr(), "{}", crate::print::harmless(&format!($($words)*)));
    }};
}
macro_rules! eprint {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        crate::busy::quiet();
        let _ = write!(std::io::stderr(), "{}", crate::print::harmless(&format!($($words)*)));
    }};
}

mod about;
mod accel;
mod book;
mod busy;
mod check;
mod check_loops;
mod checkpoint;
mod columns;
mod deck;
mod devices;
mod equations;
mod equilibrium;
mod export;
mod failure;
mod fatigue;
mod fit;
mod gradient;
mod graph;
mod import;
mod interrupt;
mod inverse;
mod loops;
mod matrices;
mod modes;
mod mpi;
mod new;
mod open;
mod optimize;
mod paper;
mod part_source;
mod plausible;
mod playground;
mod plot;
mod print;
mod progress;
mod reduce;
mod repair;
mod run;
mod schema;
mod sensitivity;
mod shapes;
mod start;
mod stress;
mod sweep;
mod validate;
mod validity;
mod view;
mod whole_file;

use failure::Failure;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::sync::OnceLock;

const AFTER_HELP: &str = "Exit codes:
  0    success
  1    `validate`, `paper`: a quantity is outside its tolerance; `run --strict`, `sweep --strict`: the energy does not balance
  2    wrong usage of the command line
  3    the model file is wrong (the message says where and how to mend it)
  4    the simulation failed; everything recorded before stays readable
  5    a file could not be read or written
  130  interrupted (Ctrl-C, SIGTERM, SIGHUP); everything recorded before stays readable

Examples:
  flexura new swing                            a commented starter model, swing.toml
  flexura import robot.urdf                    a robot (URDF, MJCF, SDF) as a model, robot.toml
  flexura check models/flexible_arm.toml       what the model consists of
  flexura graph models/flexible_arm.toml       its graph, as flexible_arm.svg and .dot
  flexura run models/flexible_arm.toml         simulate, write flexible_arm.fxr
  flexura static models/flexible_arm.toml      the equilibrium under gravity
  flexura modes models/flexible_arm.toml       eigenvalues, frequencies, damping
  flexura sensitivity models/pendulum.toml --parameters rod.mass --outputs hinge.angle
  flexura gradient models/flexible_arm.toml --objective peak:fore.eta.1 --parameters fore.young upper.young
  flexura fit models/fit/ringdown.toml models/fit/ringdown.csv --parameters boom.young --time-offset 0.1 --bias
  flexura optimize models/tuned_absorber.toml --objective mean-square:rail.displacement --parameters slide.stiffness slide.damping
  flexura inverse models/robot_arm.toml        forces that hold it, or that a motion needs
  flexura equations models/pendulum.toml --symbolic
                                               its equations of motion, read or as C and Rust
  flexura plot flexible_arm.fxr 'energy.*'     a figure, SVG or PNG
  flexura view flexible_arm.fxr                see it move
  flexura playground                           edit and run models inside the browser
  flexura stress flexible_arm.fxr              where and when stresses are largest
  flexura fatigue flexible_arm.fxr --curve steel.toml
                                               damage by the cycles of the run
  flexura deck part.inp                        what a finite element deck has, and what stands in its way
  flexura reduce models/parts/boom.toml        a finite element part to a flexible body
  flexura export flexible_arm.fxr --list       the names of its channels
  flexura export flexible_arm.fxr --channels 'energy.*' --output energy.csv
  flexura paper jpl-90-26 7.10                 an equation of a source paper, its code and a check
  flexura validate --report validation.html    papers and benchmarks, judged
  flexura book                                 all pages, in the browser, without a network";

/// Flexible multibody dynamics: bodies that bend, joints that turn as far as they like. SI units throughout.
#[derive(Parser)]
#[command(name = "flexura", version, long_version = about::long_version(), after_help = AFTER_HELP, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Reduce the finite element parts of a model anew, without the cache
    #[arg(long, global = true)]
    no_cache: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Write a commented starter model
    New(new::Arguments),
    /// Turn a robot (URDF, MJCF or SDF) into a model file
    Import(import::Arguments),
    /// Check a model: bodies, joints, degrees of freedom, warnings
    Check(check::Arguments),
    /// Draw the linear graph: frames, components, tree and loops
    Graph(graph::Arguments),
    /// Simulate a model and write a result file
    Run(run::Arguments),
    /// List the devices that `run --device` can use
    Devices(devices::Arguments),
    /// Adapters to MPI libraries, for `mpirun -n 4 flexura run`
    Mpi(mpi::Arguments),
    /// Run a model with many sets of numbers, on all cores
    Sweep(sweep::Arguments),
    /// Find the static equilibrium
    Static(equilibrium::Arguments),
    /// Eigenvalues, frequency response and matrices of the linearised system
    Modes(modes::Arguments),
    /// Derivatives of simulated channels with respect to numbers of the model file
    Sensitivity(sensitivity::Arguments),
    /// Gradient of one number of a run over numbers of the file, inputs, initial state
    Gradient(gradient::Arguments),
    /// Fit numbers of the model file to a measured record
    Fit(fit::Arguments),
    /// Numbers of the model file and inputs over time that make one number of a run smallest
    Optimize(optimize::Arguments),
    /// Accelerations, reactions and energies at the initial state
    Accel(accel::Arguments),
    /// Forces that given accelerations or a motion need
    Inverse(inverse::Arguments),
    /// Mass matrix, its inverse and determinant, bias and applied forces at a state
    Matrices(matrices::Arguments),
    /// Equations of the linear graph: numbers, formulas, code
    Equations(equations::Arguments),
    /// Look into a finite element deck: what it has, and all that stands in its way
    Deck(deck::Arguments),
    /// Reduce a finite element part to a flexible body
    Reduce(reduce::Arguments),
    /// Write channels of a result file as CSV
    Export(export::Arguments),
    /// Cut a torn result file behind its last whole batch
    Repair(repair::Arguments),
    /// Draw channels of results as SVG or PNG
    Plot(plot::Arguments),
    /// Stresses of flexible bodies: worst nodes, histories, section forces
    Stress(stress::Arguments),
    /// Fatigue damage of flexible bodies by an S-N curve
    Fatigue(fatigue::Arguments),
    /// Look at a result or model in three dimensions
    View(view::Arguments),
    /// Edit models and run them inside a browser, on one page
    Playground(playground::Arguments),
    /// The source papers: equations, errata, code, and checks that run
    Paper(paper::Arguments),
    /// Compute papers and benchmarks again, with verdicts and a report
    Validate(validate::Arguments),
    /// Open the book in the browser, without a network
    Book(book::Arguments),
    /// Print the JSON schema of model or part files, for editors
    Schema(new::SchemaArguments),
    /// Print completions for a shell
    Completions(about::CompletionArguments),
    /// Write the manual pages
    Man(about::ManArguments),
}

impl Command {
    /// What takes long in commands that have no bar of their own.
    fn long_work(&self) -> Option<&'static str> {
        Some(match self {
            Self::Check(_) => "checking the model",
            Self::Graph(_) => "drawing the graph",
            Self::Import(_) => "reading the robot",
            Self::Static(_) => "looking for the equilibrium",
            Self::Modes(_) => "linearising and computing modes",
            Self::Sensitivity(_) => "following derivatives",
            Self::Gradient(_) => "computing the gradient",
            Self::Accel(_) | Self::Matrices(_) => "evaluating the model",
            Self::Inverse(_) => "computing forces",
            Self::Equations(_) => "writing equations",
            Self::Deck(_) => "reading the deck",
            Self::Export(_) => "writing",
            Self::Repair(_) => "reading the result",
            Self::Plot(_) => "drawing",
            Self::Paper(_) => "checking the equation",
            _ => return None,
        })
    }
}

/// Words that start this command where it is not the running program.
static CALLED_BY: OnceLock<Vec<OsString>> = OnceLock::new();

/// Says how this command is started from outside: program and first arguments, such as `python -m flexura`.
pub fn called_by(program: OsString, arguments: &[&str]) {
    let _ = CALLED_BY.set([program].into_iter().chain(arguments.iter().map(OsString::from)).collect());
}

/// Runs a command line, whose first argument is the name of the program; returns the exit code.
pub fn command(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(asked) => {
            let _ = asked.print();
            return u8::try_from(asked.exit_code()).unwrap_or(2);
        }
    };
    open::use_cache(!arguments.no_cache);
    if let Some(what) = arguments.command.long_work() {
        busy::start(what);
    }
    let outcome = match arguments.command {
        Command::New(arguments) => new::new(&arguments),
        Command::Import(arguments) => import::import(&arguments),
        Command::Sweep(arguments) => sweep::sweep(&arguments),
        Command::Book(arguments) => book::book(&arguments),
        Command::Schema(arguments) => new::schema(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Graph(arguments) => graph::graph(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Devices(arguments) => devices::run(&arguments),
        Command::Mpi(arguments) => mpi::run(&arguments),
        Command::Static(arguments) => equilibrium::find(&arguments),
        Command::Modes(arguments) => modes::modes(&arguments),
        Command::Sensitivity(arguments) => sensitivity::differentiate(&arguments),
        Command::Gradient(arguments) => gradient::gradient(&arguments),
        Command::Fit(arguments) => fit::fit(&arguments),
        Command::Optimize(arguments) => optimize::optimize(&arguments),
        Command::Accel(arguments) => accel::accel(&arguments),
        Command::Inverse(arguments) => inverse::inverse(&arguments),
        Command::Matrices(arguments) => matrices::matrices(&arguments),
        Command::Equations(arguments) => equations::equations(&arguments),
        Command::Deck(arguments) => deck::deck(&arguments),
        Command::Reduce(arguments) => reduce::reduce(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Repair(arguments) => repair::repair(&arguments),
        Command::Plot(arguments) => plot::plot(&arguments),
        Command::Stress(arguments) => stress::stress(&arguments),
        Command::Fatigue(arguments) => fatigue::fatigue(&arguments),
        Command::View(arguments) => view::view(&arguments),
        Command::Playground(arguments) => playground::playground(&arguments),
        Command::Paper(arguments) => paper::run(&arguments),
        Command::Validate(arguments) => validate::validate(&arguments),
        Command::Completions(arguments) => about::completions(&arguments),
        Command::Man(arguments) => about::man(&arguments),
    };
    busy::quiet();
    match outcome {
        Ok(()) => 0,
        Err(failure) => {
            failure.report();
            failure.code()
        }
    }
}

/// Result of a sub-command.
type Outcome = Result<(), Failure>;
