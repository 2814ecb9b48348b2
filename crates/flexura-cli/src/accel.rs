//! `flexura accel`: the equations of motion at the initial state.

use crate::Outcome;
use crate::failure::Failure;
use crate::open::open;
use crate::print::print;
use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::algorithm::conjugate_gradient::{ConjugateGradient, conjugate_gradient};
use flexura::algorithm::{energy, momentum};
use flexura::model::description::AlgorithmDescription;
use flexura::model::words::{number, numbers};
use flexura::record::Recorder;
use flexura::state::prescribe::apply_prescribed;
use flexura::{DynamicsError, Model, State, Workspace};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Algorithms for the accelerations.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Algorithm {
    /// O(N) articulated bodies
    Articulated,
    /// Dense mass matrix by composite bodies and Cholesky
    Composite,
    /// Products by inverse dynamics in a preconditioned iteration
    ConjugateGradient,
    /// Handle equations assembled two by two
    DivideAndConquer,
}

impl Algorithm {
    fn word(self) -> &'static str {
        match self {
            Self::Articulated => "articulated",
            Self::Composite => "composite",
            Self::ConjugateGradient => "conjugate-gradient",
            Self::DivideAndConquer => "divide-and-conquer",
        }
    }
}

/// Accelerations, reactions and energies at the initial state.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura accel models/flexible_arm.toml
  flexura accel models/flexible_arm.toml --algorithm composite --json
  flexura accel models/robot_arm.toml --algorithm divide-and-conquer --leaf-bodies 2 --refinements 1")]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Algorithm
    #[arg(long, value_enum, default_value = "articulated")]
    algorithm: Algorithm,
    /// divide-and-conquer: bodies eliminated in sequence at the leaves; 0 takes those of a run, which solve small models as
    /// articulated bodies do [default: 1]
    #[arg(long, value_name = "BODIES")]
    leaf_bodies: Option<usize>,
    /// divide-and-conquer: steps of iterative refinement [default: 0]
    #[arg(long, value_name = "STEPS")]
    refinements: Option<usize>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn accel(arguments: &Arguments) -> Outcome {
    let loaded = open(&arguments.model, &[])?;
    let model = &loaded.built.model;
    let mut state = State::initial(model, loaded.built.description.simulation.start);
    let mut work = Workspace::new(model);
    apply_prescribed(model, &mut state, Some(&mut work.load));
    if let Some(divided) = divided(arguments)? {
        work.choose(model, divided).map_err(Failure::file)?;
    }
    flexura::evaluate(model, &state, &mut work).map_err(Failure::simulation)?;
    let iterations = solve_again(model, &mut work, arguments.algorithm).map_err(Failure::simulation)?;
    work.poses(model, &state);
    let mut report = report(model, &state, &mut work, arguments.algorithm)?;
    if let Some(iterations) = iterations {
        report["iterations"] = json!(iterations);
    }
    print(&if arguments.json { format!("{report}\n") } else { as_text(&report) })
}

/// Accelerations of the tree for the load left by the evaluation, which holds the forces that close loops, by an algorithm
/// of trees; iterations, where it makes some.
fn solve_again(
    model: &Model,
    work: &mut Workspace,
    algorithm: Algorithm,
) -> Result<Option<usize>, DynamicsError> {
    let (kin, inertias, load) = (&work.motion.kinematics, &work.inertias, &work.load);
    let found = &mut work.accelerations;
    match algorithm {
        Algorithm::Composite => {
            let mut composite = CompositeBody::new(model)?;
            composite_body(model, kin, inertias, load, &mut composite)?;
            found.chidot.copy_from_slice(&composite.chidot);
            found.driving.copy_from_slice(&composite.driving);
            Ok(None)
        }
        Algorithm::ConjugateGradient => {
            let mut gradients = ConjugateGradient::new(model);
            conjugate_gradient(model, kin, inertias, load, &mut gradients)?;
            found.chidot.copy_from_slice(&gradients.chidot);
            found.driving.copy_from_slice(&gradients.driving);
            Ok(Some(gradients.iterations))
        }
        Algorithm::Articulated | Algorithm::DivideAndConquer => Ok(None),
    }
}

/// Divide and conquer, if that is chosen: down to single bodies unless told otherwise, so that it is another opinion on
/// small models too.
fn divided(arguments: &Arguments) -> Result<Option<AlgorithmDescription>, Failure> {
    let Arguments { algorithm, leaf_bodies, refinements, .. } = arguments;
    if let Some(count) = refinements.filter(|&count| count > 100) {
        return Err(Failure::Usage(format!(
            "--refinements {count}: at most 100; two or three give all digits"
        )));
    }
    if let Algorithm::DivideAndConquer = algorithm {
        let (leaf, refinements) = (leaf_bodies.unwrap_or(1), refinements.unwrap_or(0));
        return Ok(Some(AlgorithmDescription::DivideAndConquer { threads: 1, leaf, refinements }));
    }
    let given = [("--leaf-bodies", leaf_bodies), ("--refinements", refinements)];
    match given.into_iter().find(|(_, value)| value.is_some()) {
        Some((flag, _)) => {
            Err(Failure::Usage(format!("{flag}: only --algorithm divide-and-conquer uses it")))
        }
        None => Ok(None),
    }
}

fn report(
    model: &Model,
    state: &State,
    work: &mut Workspace,
    algorithm: Algorithm,
) -> Result<Value, Failure> {
    let mut bodies = Map::new();
    for (k, body) in model.bodies.iter().enumerate() {
        if body.modes > 0 {
            let part = &model.layout.bodies[k];
            bodies.insert(body.name.clone(), json!(work.accelerations.chidot[part.modal_v()]));
        }
    }
    let mut joints = Map::new();
    for (k, joint) in model.joints.iter().enumerate() {
        let range = model.layout.bodies[k].joint_v();
        joints.insert(
            joint.name.clone(),
            json!({
                "acceleration": work.accelerations.chidot[range.clone()],
                "driving": work.accelerations.driving[range.clone()],
                "prescribed": model.prescribed[range],
            }),
        );
    }
    let energies = energy(model, state, &work.motion, &work.inertias);
    let momenta = momentum(model, state, &work.motion, &work.inertias, &[0.0; 3]);
    Ok(json!({
        "algorithm": algorithm.word(),
        "time": state.time,
        "joints": joints,
        "modal_accelerations": bodies,
        "reactions": reactions(model, state, work)?,
        "energy": {
            "kinetic": energies.kinetic,
            "gravity": energies.gravity,
            "elastic": energies.elastic,
            "springs": energies.springs,
            "elements": energies.elements,
            "total": energies.total(),
        },
        "momentum": { "linear": momenta.linear, "angular": momenta.angular },
    }))
}

/// Joint reactions through the same channels a run records.
fn reactions(model: &Model, state: &State, work: &mut Workspace) -> Result<Value, Failure> {
    let patterns = ["*.moment.?".to_string(), "*.force.?".to_string()];
    let mut recorder = Recorder::new(model, &patterns).map_err(Failure::simulation)?;
    let mut row = vec![0.0; recorder.channels().len() + 1];
    recorder.sample(model, state, 0.0, work, &mut row).map_err(Failure::simulation)?;
    let mut out = Map::new();
    for (chunk, values) in recorder.channels().chunks(6).zip(row[1..].chunks(6)) {
        let joint = chunk[0].name.split('.').next().unwrap_or_default();
        out.insert(joint.to_string(), json!({ "moment": values[..3], "force": values[3..] }));
    }
    Ok(Value::Object(out))
}

fn as_text(report: &Value) -> String {
    let algorithm = report["algorithm"].as_str().unwrap_or_default();
    let iterations = report["iterations"].as_u64().map(|count| format!(", {count} iterations"));
    let iterations = iterations.unwrap_or_default();
    let mut lines = vec![format!("t = {} s, algorithm {algorithm}{iterations}", report["time"])];
    lines.push("joint accelerations (rad/s², m/s²):".into());
    for (name, joint) in entries(&report["joints"]) {
        lines.push(format!("  {name:24} {}", short(&joint["acceleration"])));
        if joint["prescribed"].as_array().is_some_and(|list| list.contains(&Value::Bool(true))) {
            lines.push(format!("  {:24} driven by {} (N m, N)", "", short(&joint["driving"])));
        }
    }
    if entries(&report["modal_accelerations"]).next().is_some() {
        lines.push("modal accelerations (1/s²):".into());
    }
    for (name, values) in entries(&report["modal_accelerations"]) {
        lines.push(format!("  {name:24} {}", short(values)));
    }
    lines.push("reactions on the second body, in its joint frame (N m, N):".into());
    for (name, wrench) in entries(&report["reactions"]) {
        lines.push(format!(
            "  {name:24} moment {} force {}",
            short(&wrench["moment"]),
            short(&wrench["force"])
        ));
    }
    lines.push("energy (J):".into());
    lines.extend(entries(&report["energy"]).map(|(name, value)| format!("  {name:24} {}", short(value))));
    lines.push("momentum about the inertial origin (kg m/s, kg m²/s):".into());
    lines.extend(entries(&report["momentum"]).map(|(name, value)| format!("  {name:24} {}", short(value))));
    lines.join("\n") + "\n"
}

fn entries(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flatten()
}

/// A number or list with six significant digits; all digits are in the JSON form.
fn short(value: &Value) -> String {
    match value.as_array() {
        Some(list) => numbers(&list.iter().filter_map(Value::as_f64).collect::<Vec<_>>()),
        None => value.as_f64().map_or(String::new(), number),
    }
}
