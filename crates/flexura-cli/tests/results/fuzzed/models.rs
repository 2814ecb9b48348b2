//! Model files: read, validated, built, evaluated, run for a few steps, analysed.

use super::{shown, text, told};
use flexura::analysis::{EquilibriumOptions, equilibrium, linearize, modes};
use flexura::file::{self, Loaded};
use flexura::record::Recording;
use flexura::simulate::Simulation;
use flexura::{State, Workspace, evaluate};
use std::path::Path;

/// Steps that are taken of a model.
const STEPS: u64 = 12;
/// Larger models are built, but not run: their size is tested elsewhere.
const LARGEST: usize = 60;
/// Models up to this size are analysed.
const SMALL: usize = 16;

/// A model file.
pub fn model(bytes: &[u8], folder: &Path) {
    let name = folder.join("fuzzed.toml").display().to_string();
    match file::build_text_with(&text(bytes), &name, &flexura_fem::PartSource::default()) {
        Ok(loaded) => exercise(&loaded),
        Err(errors) => {
            let words = errors.to_string();
            shown(&words);
            assert!(words.contains("error["), "{words}");
        }
    }
}

/// Whatever was built can be looked at and stepped, or says why not.
pub fn exercise(loaded: &Loaded) {
    if !loaded.warnings.is_empty() {
        shown(&file::render_all(&loaded.warnings, &loaded.spans));
    }
    let model = &loaded.built.model;
    let mut work = Workspace::new(model);
    if let Err(error) = evaluate(model, &State::initial(model, 0.0), &mut work) {
        told(&error.to_string());
    }
    let size = loaded.built.description.bodies.len() + State::initial(model, 0.0).v.len();
    if size <= LARGEST {
        run(loaded);
    }
    if size <= SMALL {
        analyse(model);
    }
}

/// The equilibrium near the start and the modes about it, or why there are none.
fn analyse(model: &flexura::Model) {
    let initial = State::initial(model, 0.0);
    if let Err(error) = equilibrium(model, &initial, &EquilibriumOptions::default()) {
        told(&error.to_string());
    }
    let none: [String; 0] = [];
    match linearize(model, &initial, &none, &none) {
        Err(error) => told(&error.to_string()),
        Ok(system) => {
            if let Err(error) = modes(&system) {
                told(&error.to_string());
            }
        }
    }
}

/// A few steps; rows in memory.
fn run(loaded: &Loaded) {
    let mut prepared = match Simulation::of(&loaded.built).prepare() {
        Ok(prepared) => prepared,
        Err(error) => return told(&error.to_string()),
    };
    let mut recording = Recording::new(prepared.channels());
    let mut watch = |progress: &flexura::simulate::Progress| {
        progress.statistics.accepted + progress.statistics.rejected < STEPS
    };
    if let Err(error) = prepared.run(&mut recording, &mut watch, &mut ()) {
        told(&error.to_string());
    }
}
