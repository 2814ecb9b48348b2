//! `flexura check`: what a model consists of.

use crate::Outcome;
use crate::open::open;
use flexura::Model;
use flexura::model::description::InertiaLevel;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Longest tree printed in full.
const LONGEST_TREE: usize = 60;

/// Check a model file: bodies, joints, degrees of freedom, warnings.
///
/// Example: flexura check models/flexible_arm.toml
#[derive(clap::Args)]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn check(arguments: &Arguments) -> Outcome {
    let loaded = open(&arguments.model)?;
    let model = &loaded.built.model;
    if arguments.json {
        println!("{}", as_json(model, loaded.warnings.len()));
    } else {
        print_text(model);
    }
    Ok(())
}

fn level_word(model: &Model, k: usize) -> &'static str {
    if model.bodies[k].modes == 0 {
        return "rigid";
    }
    match model.bodies[k].level() {
        InertiaLevel::Ruthless => "ruthless",
        InertiaLevel::Paper => "paper",
        InertiaLevel::Consistent => "consistent",
        InertiaLevel::Full => "full",
    }
}

fn print_text(model: &Model) {
    let flexible = model.bodies.iter().filter(|body| body.modes > 0).count();
    let (speeds, free) = (model.speed_count(), model.free_speed_count());
    println!("model `{}`", model.name);
    println!("  bodies              {} ({flexible} flexible)", model.body_count());
    println!("  joints              {}", model.joints.len());
    println!("  degrees of freedom  {speeds} ({} joint, {} modal)", model.layout.joint, model.layout.modal);
    println!("  free / prescribed   {free} / {}", speeds - free);
    println!("  applied forces      {}", model.forces.len());
    let g = model.gravity;
    println!("  gravity             [{}, {}, {}] m/s²", g[0], g[1], g[2]);
    println!("tree (joint → body):");
    let mut depth = vec![0usize; model.body_count()];
    for (k, joint) in model.joints.iter().enumerate() {
        depth[k] = joint.parent.map_or(0, |p| depth[p] + 1);
        if k >= LONGEST_TREE {
            continue;
        }
        let body = &model.bodies[k];
        let modes = if body.modes == 0 { String::new() } else { format!(", {} modes", body.modes) };
        println!(
            "{:indent$}{} ({}) → {} [{}{modes}]",
            "",
            joint.name,
            joint.joint.kind.word(),
            body.name,
            level_word(model, k),
            indent = 2 + 2 * depth[k].min(20),
        );
    }
    if model.body_count() > LONGEST_TREE {
        println!("  … and {} more bodies", model.body_count() - LONGEST_TREE);
    }
    println!("no errors");
}

fn as_json(model: &Model, warnings: usize) -> Value {
    let bodies: Vec<Value> = model
        .bodies
        .iter()
        .enumerate()
        .map(|(k, body)| {
            let joint = &model.joints[k];
            json!({
                "name": body.name,
                "modes": body.modes,
                "level": level_word(model, k),
                "joint": joint.name,
                "joint_type": joint.joint.kind.word(),
                "parent": joint.parent.map(|p| model.bodies[p].name.clone()),
            })
        })
        .collect();
    json!({
        "name": model.name,
        "degrees_of_freedom": model.speed_count(),
        "free": model.free_speed_count(),
        "modal": model.layout.modal,
        "gravity": model.gravity,
        "warnings": warnings,
        "bodies": bodies,
    })
}
