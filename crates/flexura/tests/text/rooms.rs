//! The order of rooms: lower ones never import upper ones (ARCHITECTURE.md, "Rooms").
//!
//! Reads every `crate::room` outside comments and test modules. The engine has one order, written here; the other
//! crates may have any, as long as there is one: no cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Rooms of the engine, lowest first.
const ROOMS: [&str; 33] = [
    "checkpoint",
    "ranks",
    "scalar",
    "spatial",
    "linear",
    "error",
    "diagnostic",
    "time_function",
    "beam",
    "model",
    "graph",
    "state",
    "motion",
    "force",
    "algorithm",
    "workspace",
    "lower",
    "division",
    "measure",
    "constraint",
    "control",
    "dynamics",
    "formulation",
    "integrate",
    "record",
    "linear_range",
    "build",
    "file",
    "truncation",
    "simulate",
    "analysis",
    "picture",
    "lib",
];

/// (room, room it imports) → first place.
type Edges = BTreeMap<(String, String), String>;

/// The folder of all crates.
pub fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every Rust file under `folder`.
pub fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|end| end == "rs") {
            out.push(path);
        }
    }
}

/// What each room of the crate at `root` imports.
fn edges(root: &Path) -> Edges {
    let mut files = Vec::new();
    sources(root, &mut files);
    let room = |path: &Path| {
        let inside = path.strip_prefix(root).expect("inside");
        let first = inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        first.strip_suffix(".rs").unwrap_or(&first).to_string()
    };
    let rooms: BTreeSet<String> = files.iter().map(|file| room(file)).collect();
    let mut edges = Edges::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("readable");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in
            code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
        {
            for piece in line.split("crate::").skip(1) {
                let name: String = piece.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let own = room(file);
                if name != own && rooms.contains(&name) {
                    let place = format!("{}:{}", file.display(), number + 1);
                    edges.entry((own, name)).or_insert(place);
                }
            }
        }
    }
    edges
}

#[test]
fn lower_rooms_of_the_engine_never_import_upper_ones() {
    let edges = edges(&crates().join("flexura/src"));
    assert!(edges.len() > 100, "only {} edges seen: the search is broken", edges.len());
    let height = |room: &str| {
        ROOMS
            .iter()
            .position(|known| *known == room)
            .unwrap_or_else(|| panic!("room `{room}` has no place in the order"))
    };
    let upwards: Vec<String> = edges
        .iter()
        .filter(|((from, to), _)| height(from) < height(to))
        .map(|((from, to), place)| format!("{from} imports {to}, which lies above it: {place}"))
        .collect();
    assert!(upwards.is_empty(), "{}", upwards.join("\n"));
}

#[test]
fn no_crate_has_a_cycle_of_rooms() {
    for name in [
        "flexura",
        "flexura-cli",
        "flexura-fem",
        "flexura-output",
        "flexura-py",
        "flexura-results",
        "flexura-validate",
    ] {
        let mut left = edges(&crates().join(name).join("src"));
        assert!(!left.is_empty(), "{name}: no edges seen");
        // The root re-exports from every room: nothing imports it.
        left.retain(|(from, to), _| from != "lib" && from != "main" && to != "lib");
        // Rooms that import nothing any more are taken away until none is left, or a cycle.
        loop {
            let importing: BTreeSet<String> = left.keys().map(|(from, _)| from.clone()).collect();
            let before = left.len();
            left.retain(|(_, to), _| importing.contains(to));
            if left.len() == before {
                break;
            }
        }
        let cycle: Vec<String> =
            left.iter().map(|((from, to), place)| format!("{from} → {to} {place}")).collect();
        assert!(cycle.is_empty(), "{name}: rooms import each other in a circle\n{}", cycle.join("\n"));
    }
}
