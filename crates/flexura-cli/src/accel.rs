//! `flexura accel`: the equations of motion at the initial state.

use crate::Outcome;
use crate::failure::Failure;
use crate::open::open;
use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::algorithm::{energy, momentum};
use flexura::prescribe::apply_prescribed;
use flexura::record::Recorder;
use flexura::{Model, State, Workspace};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Algorithms for the accelerations.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Algorithm {
    /// O(N) articulated bodies
    Articulated,
    /// Dense mass matrix by composite bodies and Cholesky
    Composite,
}

/// Accelerations, reactions and energies at the initial state.
///
/// Example: flexura accel models/flexible_arm.toml --algorithm composite --json
#[derive(clap::Args)]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Algorithm
    #[arg(long, value_enum, default_value = "articulated")]
    algorithm: Algorithm,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn accel(arguments: &Arguments) -> Outcome {
    let loaded = open(&arguments.model)?;
    let model = &loaded.built.model;
    let mut state = State::initial(model, loaded.built.description.simulation.start);
    let mut work = Workspace::new(model);
    apply_prescribed(model, &mut state, Some(&mut work.load));
    flexura::evaluate(model, &state, &mut work).map_err(Failure::simulation)?;
    if let Algorithm::Composite = arguments.algorithm {
        let mut composite = CompositeBody::new(model).map_err(Failure::simulation)?;
        composite_body(model, &work.kinematics, &work.inertias, &work.load, &mut composite)
            .map_err(Failure::simulation)?;
        work.articulated.chidot.copy_from_slice(&composite.chidot);
        work.articulated.driving.copy_from_slice(&composite.driving);
    }
    work.poses(model, &state);
    let report = report(model, &state, &mut work, arguments.algorithm)?;
    if arguments.json {
        println!("{report}");
    } else {
        print_text(&report);
    }
    Ok(())
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
            bodies.insert(body.name.clone(), json!(work.articulated.chidot[part.modal_v()]));
        }
    }
    let mut joints = Map::new();
    for (k, joint) in model.joints.iter().enumerate() {
        let range = model.layout.bodies[k].joint_v();
        joints.insert(
            joint.name.clone(),
            json!({
                "acceleration": work.articulated.chidot[range.clone()],
                "driving": work.articulated.driving[range.clone()],
                "prescribed": model.prescribed[range],
            }),
        );
    }
    let energies = energy(model, state, &work.kinematics, &work.inertias, &work.poses);
    let momenta = momentum(model, state, &work.kinematics, &work.inertias, &work.poses, &[0.0; 3]);
    Ok(json!({
        "algorithm": format!("{algorithm:?}").to_lowercase(),
        "time": state.time,
        "joints": joints,
        "modal_accelerations": bodies,
        "reactions": reactions(model, state, work)?,
        "energy": {
            "kinetic": energies.kinetic,
            "gravity": energies.gravity,
            "elastic": energies.elastic,
            "springs": energies.springs,
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

fn print_text(report: &Value) {
    println!("t = {} s, algorithm {}", report["time"], report["algorithm"].as_str().unwrap_or_default());
    println!("joint accelerations [rad/s², m/s²]:");
    for (name, joint) in report["joints"].as_object().into_iter().flatten() {
        println!("  {name:24} {}", joint["acceleration"]);
        let prescribed = joint["prescribed"].as_array().is_some_and(|list| list.contains(&Value::Bool(true)));
        if prescribed {
            println!("  {:24} {} driving [N m, N]", "", joint["driving"]);
        }
    }
    println!("modal accelerations:");
    for (name, values) in report["modal_accelerations"].as_object().into_iter().flatten() {
        println!("  {name:24} {values}");
    }
    println!("reactions on the second body, in its frame [N m, N]:");
    for (name, wrench) in report["reactions"].as_object().into_iter().flatten() {
        println!("  {name:24} moment {} force {}", wrench["moment"], wrench["force"]);
    }
    println!("energy [J]: {}", report["energy"]);
    println!("momentum [kg m/s, kg m²/s]: {}", report["momentum"]);
}
