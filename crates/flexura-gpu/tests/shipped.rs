//! Every model that is shipped: on the emulated device as articulated bodies have it, or refused by the names of its items.

mod common;

use common::compare;
use flexura::lower::refusals;
use flexura_samples::chains;
use std::path::{Path, PathBuf};

/// Model files below `folder`.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("listed").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|x| x == "toml") {
            out.push(path);
        }
    }
}

#[test]
fn shipped_models_run_or_are_refused_by_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["models", "book/examples"] {
        files(&root.join(folder), &mut paths);
    }
    let (mut ran, mut refused, mut worst) = (0, 0, 0.0_f64);
    for path in &paths {
        // Parts of meshes, materials and the like are no models by themselves.
        let Ok(loaded) = flexura::file::load_model(path) else { continue };
        let (model, shown) = (&loaded.built.model, path.display());
        let found = refusals(model);
        for refusal in &found {
            let (kind, name) = refusal.item.split_once(" `").expect("a kind and a name");
            assert!(
                ["body", "joint", "element", "coupler", "controller", "model"].contains(&kind),
                "{refusal}"
            );
            assert!(name.len() > 1 && refusal.reason.len() > 20, "{shown}: {refusal}");
        }
        if !found.is_empty() {
            refused += 1;
            continue;
        }
        let mut state = chains::random_state(model, 11);
        state.time = 0.37 * loaded.built.description.simulation.end;
        flexura::state::prescribe::apply_prescribed(model, &mut state, None);
        let apart = compare(model, &state, 2);
        assert!(apart < 1e-11, "{shown}: {apart:.1e}");
        worst = worst.max(apart);
        ran += 1;
    }
    println!("{ran} shipped models run ({worst:.1e}), {refused} are refused");
    assert!(ran > 50 && refused > 50, "{ran} {refused}");
}
