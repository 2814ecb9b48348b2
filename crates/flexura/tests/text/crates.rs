//! Which crate may depend on which (ARCHITECTURE.md, "Between crates"), read from their manifests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Crates of this project that the crate at `folder` is built from; tests may use more.
fn dependencies(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = text.parse().expect("a manifest is TOML");
    let names =
        manifest.get("dependencies").and_then(toml::Value::as_table).into_iter().flat_map(|t| t.keys());
    names.filter(|name| name.starts_with("flexura")).cloned().collect()
}

#[test]
fn crates_depend_on_those_below_them_only() {
    let expected = [
        ("flexura", &[][..]),
        ("flexura-results", &[]),
        ("flexura-fem", &["flexura"]),
        ("flexura-output", &["flexura", "flexura-results"]),
        ("flexura-validate", &["flexura", "flexura-fem"]),
        ("flexura-cli", &["flexura", "flexura-fem", "flexura-output", "flexura-results", "flexura-validate"]),
        // Conversions: the wheel alone joins them with the command line.
        ("flexura-py", &["flexura", "flexura-fem", "flexura-output", "flexura-results"]),
        ("flexura-wheel", &["flexura-cli", "flexura-fem", "flexura-py"]),
    ];
    let found: BTreeMap<String, Vec<String>> = std::fs::read_dir(crates())
        .expect("a folder of crates")
        .flatten()
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), dependencies(&entry.path())))
        .collect();
    let expected: BTreeMap<String, Vec<String>> = expected
        .into_iter()
        .map(|(name, uses)| (name.to_owned(), uses.iter().map(|&name| name.to_owned()).collect()))
        .collect();
    assert_eq!(found, expected);
}
