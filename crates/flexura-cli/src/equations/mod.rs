//! `flexura equations`: the equations that the linear graph generates, as rows, numbers, formulas and code.

mod numbers;
mod rows;

use crate::Outcome;
use crate::failure::Failure;
use crate::matrices::recorded_state;
use crate::open::{open, refuse_same_file};
use crate::print::print;
use crate::start::start;
use crate::whole_file;
use clap::ValueEnum;
use flexura::file::Loaded;
use flexura::formulation::graph::symbolic::{Language, Symbolic};
use flexura::scalar::{Counting, OperationCount};
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, evaluate};
use numbers::Numbers;
use std::path::PathBuf;

/// Equations of motion generated from the linear graph: M a = Q + Φqᵀ λ, Φq a = Λ.
#[derive(clap::Args)]
#[command(
    after_help = "Rows and columns are the speeds of the tree; [graph] of the model chooses it: joint, absolute or mixed coordinates. The same
equations run over time with formulation = \"graph\". Formulas and code hold for every state; accelerations of prescribed
coordinates are inputs. What is no formula of coordinates and speeds (time functions, controllers, contacts) is refused.

Examples:
  flexura equations models/pendulum.toml                                cutsets, circuits, M, Q, Φq, λ at the start
  flexura equations models/four_bar.toml --json
  flexura equations models/pendulum.toml --symbolic                     formulas
  flexura equations models/pendulum.toml --symbolic --format latex --output pendulum.tex
  flexura equations models/four_bar.toml --symbolic --format c --output four_bar.c
  flexura equations arm.toml --result arm.fxr --time 0.5"
)]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Use another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// At the static equilibrium instead of the initial state
    #[arg(long = "static")]
    at_equilibrium: bool,
    /// At an instant of a result file
    #[arg(long, value_name = "FXR", conflicts_with = "at_equilibrium")]
    result: Option<PathBuf>,
    /// The instant (s): the nearest row; default: the last
    #[arg(long, value_name = "SECONDS", requires = "result", allow_hyphen_values = true)]
    time: Option<f64>,
    /// Formulas of coordinates q and speeds u instead of numbers
    #[arg(long, conflicts_with_all = ["at_equilibrium", "result", "json"])]
    symbolic: bool,
    /// How formulas are written
    #[arg(long, value_enum, default_value = "text", requires = "symbolic")]
    format: Format,
    /// File for the formulas, instead of the terminal
    #[arg(short, long, value_name = "FILE", requires = "symbolic")]
    output: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// How formulas are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// One line per entry that is not zero
    Text,
    /// An align* environment
    Latex,
    /// C99: equations() and accelerations()
    C,
    /// Rust: equations() and accelerations()
    Rust,
}

/// Runs the sub-command.
pub fn equations(arguments: &Arguments) -> Outcome {
    let loaded = open(&arguments.model, &arguments.set)?;
    if arguments.symbolic {
        return symbolic(arguments, &loaded);
    }
    let model = &loaded.built.model;
    let state = match &arguments.result {
        Some(path) => recorded_state(model, path, arguments.time)?,
        None => start(&loaded, arguments.at_equilibrium)?,
    };
    let numbers = Numbers::new(model, &state).map_err(Failure::simulation)?;
    let graph = rows::GraphRows::new(&loaded.built.description);
    print(&match arguments.json {
        true => format!("{}\n", numbers.json(&graph)),
        false => graph.text() + &numbers.text(),
    })
}

fn symbolic(arguments: &Arguments, loaded: &Loaded) -> Outcome {
    let model = &loaded.built.model;
    let formulas = Symbolic::generate(model).map_err(Failure::Usage)?;
    let text = match arguments.format {
        Format::Text => formulas.text(),
        Format::Latex => formulas.latex(),
        Format::C => formulas.code(Language::C),
        Format::Rust => formulas.code(Language::Rust),
    };
    let counts = counts(model, &formulas);
    match &arguments.output {
        None => {
            eprintln!("{counts}");
            print(&text)
        }
        Some(path) => {
            refuse_same_file(&arguments.model, path)?;
            whole_file::write(path, text)?;
            print(&format!("{counts}\nwritten: {}\n", path.display()))
        }
    }
}

/// Operations of the formulas, without and with the solution for accelerations, beside those of the recursion for the same model.
fn counts(model: &Model, formulas: &Symbolic) -> String {
    let (own, solved) = (formulas.program.counts(), formulas.solution_counts());
    let engine = OperationCount::of(|| {
        let mut state = State::<Counting>::lift(&State::initial(model, 0.0));
        let mut work = Workspace::<Counting>::new(model);
        apply_prescribed(model, &mut state, Some(&mut work.load));
        // A state without accelerations counts up to where it fails.
        let _ = evaluate(model, &state, &mut work);
    });
    let whole = [own.products + solved.products, own.additions + solved.additions];
    format!(
        "formulas: {} products, {} additions, {} functions; with the solution of the system: {} products, {} additions; accelerations by articulated bodies: {} products, {} additions",
        own.products, own.additions, own.functions, whole[0], whole[1], engine.products, engine.additions
    )
}
