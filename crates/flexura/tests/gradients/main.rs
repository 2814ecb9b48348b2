//! Gradients of whole runs: against dual numbers on the same steps, against differences of whole runs, over initial states,
//! inputs and many parameters; memory and refusals.

#[path = "../linear/models.rs"]
mod models;

mod closed;
mod closed_runs;
mod differences;
mod directions;
mod dual_numbers;
mod implicit;
mod memory;
mod optimum;
mod radau;
mod recordings;
mod refusals;

use flexura::build::Built;
use flexura::file::build_text;
use flexura::model::description::MethodDescription;

/// Text of a shipped model.
fn shipped(name: &str) -> String {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("model file")
}

/// The model of `text`, run for `end` with `rows` rows, by steps given or its own.
fn short(text: &str, end: f64, rows: f64, step: Option<f64>) -> Built {
    let mut built = build_text(text, "model.toml").expect("model").built;
    let settings = &mut built.description.simulation;
    (settings.end, settings.output_interval) = (settings.start + end, end / rows);
    if let Some(step) = step {
        settings.method = MethodDescription::Rk4 { step };
    }
    built
}

/// Numbers between −1 and 1, the same every time.
fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}
