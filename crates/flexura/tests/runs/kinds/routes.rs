//! Every method, algorithm and formulation, and what they record of a model.

use super::scene::{Row, Tree};
use flexura::simulate::{Outcome, run};
use flexura::{Recorder, Recording, file};
use std::collections::BTreeMap;

/// Words of `[simulation]`: what the schema lists must be among them. The first is the reference.
pub const ROUTES: [&str; 15] = [
    "method = \"dormand-prince\"\nalgorithm = \"articulated-body\"\nformulation = \"recursive\"\nrelative_tolerance = 1e-9",
    "method = \"dormand-prince\"\nalgorithm = \"divide-and-conquer\"\nleaf_bodies = 1",
    "method = \"dormand-prince\"\nalgorithm = \"composite-body\"",
    "method = \"dormand-prince\"\nalgorithm = \"conjugate-gradient\"",
    "method = \"dormand-prince\"\nalgorithm = \"auto\"",
    "method = \"radau\"",
    "method = \"auto\"",
    "method = \"rk4\"\nstep = 1e-3",
    "method = \"trapezoidal\"\nstep = 1e-3",
    "method = \"generalized-alpha\"\nstep = 1e-3\nspectral_radius = 0.9",
    "method = \"hht\"\nstep = 1e-3",
    "method = \"energy-preserving\"\nstep = 1e-3",
    "method = \"energy-decaying\"\nstep = 1e-3\nspectral_radius = 0.9",
    "formulation = \"global\"\nmethod = \"trapezoidal\"\nstep = 1e-3",
    "formulation = \"graph\"\nmethod = \"dormand-prince\"",
];

/// What every run is compared by, besides the channels of the kind.
const MOTION: [&str; 8] = [
    "bob.tip.position.?",
    "bob.tip.velocity.?",
    "bob.omega.?",
    "link.omega.y",
    "energy.total",
    "energy.springs",
    "energy.work",
    "power.*",
];

/// Runs a row; the error is what the user would read.
pub fn compute(row: &Row, tree: &Tree, route: &str, acts: bool) -> Result<(Recording, Outcome), String> {
    let text = row.text(tree, route, acts);
    let built = match file::build_text(&text, "model.toml") {
        Ok(loaded) => loaded.built,
        Err(errors) => {
            let wrong = errors.diagnostics.iter().filter(|finding| finding.is_error());
            return Err(wrong.map(|finding| format!("{}: {}", finding.item, finding.message)).collect());
        }
    };
    let own = row.channels.iter().filter(|_| acts);
    let channels: Vec<String> = MOTION.iter().chain(own).map(|name| name.to_string()).collect();
    let mut recorder = Recorder::new(&built.model, &channels).map_err(|error| error.to_string())?;
    let mut recording = Recording::new(recorder.channels());
    let settings = &built.description.simulation;
    let outcome = run(&built.model, settings, &mut recorder, &mut recording, &mut |_| true);
    Ok((recording, outcome.map_err(|error| error.to_string())?))
}

/// Largest difference of the channels both have, unit by unit.
pub fn differences(one: &Recording, other: &Recording) -> BTreeMap<&'static str, (f64, String)> {
    let mut worst: BTreeMap<&'static str, (f64, String)> = BTreeMap::new();
    for name in one.names().iter().filter(|name| *name != "time") {
        let (Ok(a), Ok(b)) = (one.channel(name), other.channel(name)) else { continue };
        let unit = one.unit(name).unwrap_or("");
        let entry = worst.entry(unit).or_insert((0.0, String::new()));
        if a.len() != b.len() {
            *entry = (f64::INFINITY, format!("{name}: {} and {} rows", a.len(), b.len()));
        }
        for (x, y) in a.iter().zip(&b) {
            let difference = (x - y).abs();
            // What is not a number is the worst.
            if difference > entry.0 || difference.is_nan() {
                *entry = (difference, name.clone());
            }
        }
    }
    worst
}

/// Largest magnitude unit by unit.
pub fn sizes(one: &Recording) -> BTreeMap<&'static str, f64> {
    let mut sizes = BTreeMap::new();
    for name in one.names().iter().filter(|name| *name != "time") {
        let size = sizes.entry(one.unit(name).unwrap_or("")).or_insert(0.0_f64);
        *size = one.channel(name).unwrap_or_default().iter().fold(*size, |most, x| most.max(x.abs()));
    }
    sizes
}
