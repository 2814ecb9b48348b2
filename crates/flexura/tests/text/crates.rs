//! Which crate may depend on which (ARCHITECTURE.md, "Between crates"), read from their manifests.

use crate::rooms::{crates, sources};
use std::collections::BTreeMap;
use std::path::Path;

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
        ("flexura-gpu", &["flexura"]),
        ("flexura-mpi", &["flexura"]),
        ("flexura-exchange", &["flexura"]),
        ("flexura-fmu", &["flexura", "flexura-exchange", "flexura-fem"]),
        ("flexura-samples", &["flexura"]),
        ("flexura-output", &["flexura", "flexura-results"]),
        ("flexura-validate", &["flexura", "flexura-fem", "flexura-samples"]),
        (
            "flexura-cli",
            &[
                "flexura",
                "flexura-exchange",
                "flexura-fem",
                "flexura-gpu",
                "flexura-mpi",
                "flexura-output",
                "flexura-results",
                "flexura-validate",
            ],
        ),
        // Conversions: the wheel alone joins them with the command line.
        (
            "flexura-py",
            &[
                "flexura",
                "flexura-exchange",
                "flexura-fem",
                "flexura-gpu",
                "flexura-mpi",
                "flexura-output",
                "flexura-results",
            ],
        ),
        ("flexura-web", &["flexura", "flexura-output"]),
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

/// The path that a line gives a module, as in `#[path = "..."]`.
fn given_path(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("#[path")?.split('"').nth(1)
}

/// A file that two crates include is compiled twice and belongs to neither: what they share is a crate.
#[test]
fn no_crate_includes_files_of_another() {
    let root = crates().canonicalize().expect("a folder of crates");
    let owner = |path: &Path| {
        let path = path.canonicalize().expect("a file that is there");
        path.strip_prefix(&root)
            .expect("inside a crate")
            .components()
            .next()
            .map(|c| c.as_os_str().to_owned())
    };
    let mut files = Vec::new();
    sources(&root, &mut files);
    let (mut seen, mut strangers) = (0, Vec::new());
    for file in &files {
        let text = std::fs::read_to_string(file).expect("readable");
        for path in text.lines().filter_map(given_path) {
            seen += 1;
            if owner(&file.with_file_name(path)) != owner(file) {
                strangers.push(format!("{} includes {path}", file.display()));
            }
        }
    }
    assert!(seen > 5, "only {seen} paths seen: the search is broken");
    assert!(strangers.is_empty(), "{}", strangers.join("\n"));
}

/// A text of the repository.
fn text(path: &str) -> String {
    std::fs::read_to_string(crates().join("..").join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// The licences of `deny.toml` are those that `scripts/third_party.py` lets pass.
#[test]
fn both_lists_of_licences_are_the_same() {
    let manifest: toml::Table = text("deny.toml").parse().expect("deny.toml is TOML");
    let list = manifest["licenses"]["allow"].as_array().expect("a list");
    let mut asked: Vec<String> = list.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect();
    let script = text("scripts/third_party.py");
    let block = script.split("ALLOWED = {").nth(1).and_then(|rest| rest.split('}').next()).expect("a list");
    let mut held: Vec<String> = block.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    asked.sort();
    held.sort();
    assert!(held.len() > 5, "{held:?}");
    assert_eq!(asked, held);
}

/// Whoever reads which Rust is needed reads the same everywhere, and it is what the workflow builds with.
#[test]
fn one_version_of_rust_is_needed_everywhere() {
    let manifest: toml::Table = text("Cargo.toml").parse().expect("a manifest");
    let needed = manifest["workspace"]["package"]["rust-version"].as_str().expect("a version").to_owned();
    for path in ["README.md", "book/src/tour.md", "scripts/test"] {
        assert!(
            text(path).contains(&format!("Rust {needed} or newer")),
            "{path} names another Rust than {needed}"
        );
    }
    let workflow = text(".github/workflows/ci.yml");
    assert!(workflow.contains(&format!("cargo +{needed} check --workspace --locked")), "{workflow}");
}
