//! The JSON schema of part files against the reader, every part of the repository and broken files.

use flexura_fem::part::{SCHEMA, known_keys};
use flexura_samples::json_schema::Schema;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Every table that a part file may hold, as the reader sees it; no file is opened.
const EVERYTHING: &str = r#"
name = "all"
mesh = "deck.msh"
format = "gmsh"
units = "mm-t-s"
join = 0
[[material]]
name = "steel"
young = 2e11
poisson = 0.3
density = 7800
retardation = 1e-4
[[material]]
name = "rubber"
young = 5e6
poisson = 0.45
density = 1100
viscous = { young = 5e3, poisson = 0.2 }
[[material]]
name = "ply"
density = 1600
orthotropic = { young_1 = 140e9, young_2 = 10e9, poisson_12 = 0.3, shear_12 = 5e9 }
[[node]]
name = "a"
position = [0, 0, 0]
[[node]]
name = "b"
position = [1, 0, 0]
[[beam]]
name = "line"
between = ["a", "b"]
elements = 2
material = "steel"
section = { area = 1e-4, inertia_y = 1e-9, inertia_z = 1e-9, torsion = 2e-9, shear_area_y = 0, shear_area_z = 0 }
orientation = [0, 0, 1]
shear = false
[[plate]]
name = "sheet"
origin = [0, 0, 1]
edge_x = [1, 0, 0]
edge_y = [0, 1, 0]
cells = [2, 2]
thickness = 0.001
material = "ply"
material_axis = [1, 0, 0]
[[mass]]
node = 17
mass = 1.0
inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
offset = [0, 0, 0.1]
[[group]]
name = "wires"
material = "steel"
section = { i = [0.1, 0.2, 0.01, 0.005] }
orientation = [0, 0, 1]
shear = true
[[group]]
name = "skins"
material = "ply"
thickness = 0.002
material_axis = [1, 0, 0]
[[group]]
name = "composites"
layup = [{ material = "ply", thickness = 0.001, angle_deg = 45 }]
material_axis = [1, 0, 0]
[[interface]]
name = "root"
node = "a"
freedoms = ["x", "rz"]
[[interface]]
name = "edge"
set = "sheet.x0"
connection = "average"
position = [0, 0.5, 1]
[reduction]
reference = "root"
method = "free-attachment"
effective_mass = 0.9
mass = "lumped"
orthonormal = true
plane = "xy"
residual = "accelerations"
enough = 1e-3
band = 100
mass_nodes = false
nodal = true
stiffening = false
damping = { rayleigh = { mass = 0, stiffness = 1e-5 } }
[matrices]
stiffness = "k.mtx"
mass = "m.mtx"
damping = "b.mtx"
recovery = "g.mtx"
stiffness_name = "K"
mass_name = "M"
damping_name = "B"
recovery_name = "G"
units = "SI"
rows = "rows.csv"
coordinates = [101]
[[matrices.node]]
number = 1
position = [0, 0, 0]
freedoms = ["x"]
set = "edge"
[[matrices.recovery_node]]
number = 9
position = [1, 0, 0]
"#;

/// TOML files below `folder`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
}

/// Every part of the repository and of the reference page, with its text; parts have interfaces.
fn parts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["models", "book", "python"] {
        files(&root.join(folder), &mut found);
    }
    found.sort();
    let texts =
        found.iter().map(|path| (path.display().to_string(), std::fs::read_to_string(path).expect("text")));
    let mut parts: Vec<(String, String)> = texts.filter(|(_, text)| text.contains("[[interface]]")).collect();
    let page = include_str!("../../PART_FILE.md");
    let examples = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    parts.extend(examples.map(|text| ("PART_FILE.md".to_owned(), text.to_owned())));
    parts
}

fn json(text: &str) -> Value {
    let table: toml::Table = toml::from_str(text).expect("TOML");
    serde_json::to_value(table).expect("a value")
}

#[test]
fn the_schema_takes_every_part_of_the_repository() {
    let schema = Schema::new(SCHEMA);
    let parts = parts();
    assert!(parts.len() >= 7, "only {} parts found", parts.len());
    for (name, text) in parts {
        schema.check(&json(&text)).unwrap_or_else(|reason| panic!("{name}: {reason}"));
    }
}

#[test]
fn the_schema_has_the_keys_of_the_reader() {
    let schema = Schema::new(SCHEMA);
    let mut parts = parts();
    parts.push(("EVERYTHING".to_owned(), EVERYTHING.to_owned()));
    let mut seen = 0;
    for (name, text) in parts {
        let mut known = known_keys(&text, &name).unwrap_or_else(|errors| panic!("{errors}"));
        let mut tables = schema.tables(&json(&text));
        known.sort_by(|a, b| a.path.cmp(&b.path));
        tables.sort();
        seen += known.len();
        let read: Vec<&String> = known.iter().map(|table| &table.path).collect();
        let described: Vec<&String> = tables.iter().map(|(path, _)| path).collect();
        assert_eq!(read, described, "{name}: tables of the reader and of part.schema.json");
        for (reader, (path, keys)) in known.iter().zip(&mut tables) {
            let mut expected: Vec<&str> = reader.keys.clone();
            expected.sort_unstable();
            keys.sort();
            assert_eq!(expected, *keys, "{name}: keys of `{path}`, reader and part.schema.json");
        }
    }
    assert!(seen > 60, "only {seen} tables compared");
}

#[test]
fn the_schema_refuses_what_it_can_see() {
    let schema = Schema::new(SCHEMA);
    schema.check(&json(EVERYTHING)).expect("the file that has everything");
    for (from, to) in [
        ("density = 7800", "densty = 7800"),
        ("\"lumped\"", "\"heavy\""),
        ("elements = 2", "elements = 2.5"),
        ("enough = 1e-3", "enough = 0"),
        ("elements = 2\n", ""),
        ("poisson = 0.3\n", ""),
        ("format = \"gmsh\"", "format = \"gmesh\""),
        ("node = \"a\"\n", ""),
        ("freedoms = [\"x\", \"rz\"]", "freedoms = [\"x\", \"rw\"]"),
        ("cells = [2, 2]", "cells = [2]"),
        ("edge_x = [1, 0, 0]", "edge_x = 1"),
        ("mass = \"m.mtx\"\n", ""),
        ("young_2 = 10e9, ", ""),
        ("young = 5e3, ", ""),
        ("{ young = 5e3", "{ yuong = 5e3"),
    ] {
        assert!(EVERYTHING.contains(from), "{from}");
        assert!(
            schema.check(&json(&EVERYTHING.replacen(from, to, 1))).is_err(),
            "`{to}` for `{from}` passes"
        );
    }
    for name in ["empty", "no_elements"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/broken/{name}.toml"));
        let text = std::fs::read_to_string(path).expect("text");
        assert!(schema.check(&json(&text)).is_err(), "{name} passes the schema");
    }
}
