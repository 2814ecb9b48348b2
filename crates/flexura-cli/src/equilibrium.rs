//! `flexura static`: the equilibrium of a model.

use crate::Outcome;
use crate::failure::Failure;
use crate::open::open;
use crate::print::print;
use flexura::analysis::{Equilibrium, EquilibriumOptions, equilibrium};
use flexura::model::words::numbers;
use flexura::{Model, State};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::PathBuf;

/// Stops of a dynamic relaxation before it is given up.
const LARGEST_RELAXATIONS: usize = 500;

/// Static equilibrium: coordinates at which all forces balance.
#[derive(clap::Args)]
#[command(
    after_help = "Prescribed motions keep their position and speed at the start time, so a spinning system gives its
relative equilibrium.

Examples:
  flexura static models/flexible_arm.toml
  flexura static models/flexible_arm.toml --json
  flexura static models/pendulum.toml --relax --set hinge.position=3
  flexura run models/flexible_arm.toml --from-static     simulate from the equilibrium"
)]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Use another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// Residual force, relative to the largest force, at which to stop
    #[arg(long, default_value_t = EquilibriumOptions::default().tolerance)]
    tolerance: f64,
    /// Load steps tried when full load fails at once
    #[arg(long, default_value_t = EquilibriumOptions::default().load_steps)]
    load_steps: usize,
    /// Fall into a stable equilibrium first (dynamic relaxation), for starts from which Newton's method fails
    #[arg(long)]
    relax: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Stops of a relaxation, if it is asked for.
pub fn relaxations(asked: bool) -> usize {
    if asked { LARGEST_RELAXATIONS } else { 0 }
}

/// Runs the sub-command.
pub fn find(arguments: &Arguments) -> Outcome {
    let loaded = open(&arguments.model, &arguments.set)?;
    let model = &loaded.built.model;
    let start = State::initial(model, loaded.built.description.simulation.start);
    let options = EquilibriumOptions {
        tolerance: arguments.tolerance,
        load_steps: arguments.load_steps,
        relaxations: relaxations(arguments.relax),
        ..EquilibriumOptions::default()
    };
    let found = equilibrium(model, &start, &options).map_err(Failure::simulation)?;
    for warning in flexura::simulate::linear_range_warnings(model, &found.state) {
        eprintln!("warning: {warning}");
    }
    if !found.unstable.is_empty() {
        eprintln!("warning: {}", unstable_text(&found));
    }
    if arguments.json {
        return print(&format!("{}\n", as_json(model, &found)));
    }
    print(&as_text(model, &found))
}

/// What is said of an equilibrium that does not hold itself.
pub fn unstable_text(found: &Equilibrium) -> String {
    format!(
        "this equilibrium is unstable: the stiffness is negative along {}; --relax falls into a stable one",
        found.unstable.join(", ")
    )
}

fn as_text(model: &Model, found: &Equilibrium) -> String {
    let mut text = String::new();
    let _ =
        writeln!(text, "equilibrium found: residual {:.1e}, {} iterations", found.residual, found.iterations);
    if !found.unheld.is_empty() {
        let _ = writeln!(text, "not held by any stiffness: {}", found.unheld.join(", "));
    }
    let _ = writeln!(text, "joint coordinates (rad, m; quaternions w x y z):");
    for (k, joint) in model.joints.iter().enumerate() {
        let values = &found.state.q[model.layout.bodies[k].joint_q()];
        if !values.is_empty() {
            let _ = writeln!(text, "  {:24} {}", joint.name, numbers(values));
        }
    }
    let flexible = model.bodies.iter().enumerate().filter(|(_, body)| body.modes > 0);
    for (index, (k, body)) in flexible.enumerate() {
        if index == 0 {
            let _ = writeln!(text, "modal coordinates:");
        }
        let values = &found.state.q[model.layout.bodies[k].modal_q()];
        let _ = writeln!(text, "  {:24} {}", body.name, numbers(values));
    }
    text
}

fn as_json(model: &Model, found: &Equilibrium) -> Value {
    let mut joints = Map::new();
    let mut bodies = Map::new();
    for (k, joint) in model.joints.iter().enumerate() {
        let part = &model.layout.bodies[k];
        joints.insert(joint.name.clone(), json!(found.state.q[part.joint_q()]));
        if part.modes > 0 {
            bodies.insert(model.bodies[k].name.clone(), json!(found.state.q[part.modal_q()]));
        }
    }
    json!({
        "residual": found.residual,
        "iterations": found.iterations,
        "not_held": found.unheld,
        "unstable": found.unstable,
        "joints": joints,
        "modal": bodies,
    })
}
