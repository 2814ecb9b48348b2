//! What the schema of model files knows must have rows: kinds, their keys, and the words that keys take.

use super::routes::ROUTES;
use super::rows::{CONTROLLERS, DRIVERS, ELEMENTS, FORCES, JOINTS, LAWS, LOADS, ON_SPEEDS};
use super::scene::{Row, TREES};
use serde_json::Value;
use std::collections::BTreeSet;
use toml::Table;

fn definition(name: &str) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/model.schema.json");
    let text = std::fs::read_to_string(path).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    schema["$defs"][name].clone()
}

fn keys(object: &Value) -> Vec<String> {
    object["properties"].as_object().expect("properties").keys().cloned().collect()
}

fn words(list: &Value) -> Vec<String> {
    list.as_array().expect("words").iter().filter_map(|word| word.as_str().map(String::from)).collect()
}

/// Tables of one section over all rows.
fn tables(rows: &[Row], section: &str) -> Vec<Table> {
    let read = |row: &Row| row.extra.parse::<Table>().unwrap_or_else(|error| panic!("{}: {error}", row.name));
    let all = rows.iter().flat_map(|row| read(row).remove(section));
    let items = all.flat_map(|list| list.as_array().cloned().unwrap_or_default());
    items.filter_map(|item| item.as_table().cloned()).collect()
}

/// Keys of `kind` that no table has, and words that no key takes.
fn missing(kind: &Value, tables: &[Table], name: &str) -> Vec<String> {
    let mut missing = Vec::new();
    for key in keys(kind) {
        let taken: BTreeSet<String> =
            tables.iter().filter_map(|table| table.get(&key)).map(|value| value.to_string()).collect();
        let property = &kind["properties"][&key];
        if taken.is_empty() {
            missing.push(format!("{name}.{key}"));
        } else if let Some(list) = property.get("enum") {
            let default = property["default"].as_str().unwrap_or_default();
            let unused = words(list)
                .into_iter()
                .filter(|word| word != default && !taken.contains(&format!("\"{word}\"")));
            missing.extend(unused.map(|word| format!("{name}.{key} = {word}")));
        }
    }
    missing
}

/// Kinds that are told by `type`, with all their keys.
fn missing_kinds(section: &str, rows: &[Row]) -> Vec<String> {
    let all = tables(rows, section);
    let mut kinds = definition(section)["anyOf"].as_array().expect("kinds").clone();
    // A law in a file of another program runs where such files are opened: crates/flexura-fmu/tests/instance/controller.rs.
    kinds.retain(|kind| kind["properties"]["type"]["const"] != "fmu");
    assert!(kinds.len() > 2, "{section}");
    let of = |kind: &Value| {
        let word = kind["properties"]["type"]["const"].as_str().expect("a type").to_string();
        let own: Vec<Table> = all
            .iter()
            .filter(|table| table.get("type").and_then(|t| t.as_str()) == Some(&word))
            .cloned()
            .collect();
        missing(kind, &own, &format!("{section} {word}"))
    };
    kinds.iter().flat_map(of).collect()
}

#[test]
fn every_kind_of_the_schema_has_a_row() {
    let mut all = missing_kinds("element", ELEMENTS);
    all.extend(missing_kinds("load", LOADS));
    all.extend(missing_kinds("controller", CONTROLLERS));
    all.extend(missing(&definition("force"), &tables(FORCES, "force"), "force"));
    assert!(all.is_empty(), "without a row: {all:?}");
}

/// Laws and drivers on the joint of every type, and every key that is a law.
#[test]
fn every_joint_and_law_of_the_schema_has_a_row() {
    const PLACE: [&str; 11] = [
        "name",
        "type",
        "between",
        "axis",
        "axis2",
        "pitch",
        "radius",
        "normal",
        "position",
        "orientation",
        "speed",
    ];
    // Joints without coordinates have no laws.
    const LAWLESS: [&str; 3] = ["weld", "rolling", "blade"];
    let joint = definition("joint");
    let laws = |row: &Row| row.law.parse::<Table>().unwrap_or_else(|error| panic!("{}: {error}", row.name));
    let of_type = |word: &str| {
        let ours = |row: &&Row| format!("{}{}", row.elbow, row.extra).contains(&format!("type = \"{word}\""));
        let rows: Vec<&Row> =
            JOINTS.iter().chain(LAWS).chain(DRIVERS).chain(ON_SPEEDS).filter(ours).collect();
        (rows.len(), rows.into_iter().flat_map(laws).map(|(key, _)| key).collect::<BTreeSet<String>>())
    };
    for word in words(&joint["properties"]["type"]["enum"]) {
        let (rows, known) = of_type(&word);
        assert!(rows > 0, "{word}");
        for key in keys(&joint).iter().filter(|key| !PLACE.contains(&key.as_str())) {
            assert!(LAWLESS.contains(&word.as_str()) || known.contains(key), "{word}: {key}");
        }
    }
}

#[test]
fn every_function_of_time_has_a_row() {
    let functions = keys(&definition("time_function")["anyOf"][1]);
    assert!(functions.len() > 4);
    for (rows, key) in [(LAWS, "effort"), (DRIVERS, "motion")] {
        for word in &functions {
            let found = rows.iter().any(|row| row.law.starts_with(&format!("{key} = {{ {word} =")));
            assert!(found, "{key}: {word}");
        }
    }
}

#[test]
fn every_method_and_tree_has_a_route() {
    let simulation = definition("simulation");
    for key in ["method", "formulation", "algorithm"] {
        for word in words(&simulation["properties"][key]["enum"]) {
            // Implicit routes of the closed trees are that formulation, and of open ones would be refused.
            let line = if word == "topological" {
                "method = \"trapezoidal\"".to_string()
            } else {
                format!("{key} = \"{word}\"")
            };
            assert!(ROUTES.iter().any(|route| route.contains(&line)), "{line}");
        }
    }
    let trees = words(&definition("graph")["properties"]["tree"]["anyOf"][0]["enum"]);
    for word in trees.iter().filter(|word| *word != "joint") {
        assert!(TREES.iter().any(|tree| tree.graph.contains(&format!("tree = \"{word}\""))), "{word}");
    }
    for other in ["tree = [", "cut ="] {
        assert!(TREES.iter().any(|tree| tree.graph.contains(other)), "{other}");
    }
}

#[test]
fn every_kind_of_event_has_a_row() {
    let event = &definition("simulation")["properties"]["event"]["items"];
    let used: String = super::rows::EVENTS.iter().map(|(row, ..)| row.extra).collect();
    for key in keys(event) {
        assert!(used.contains(&format!("{key} = ")), "{key}");
    }
    for key in ["direction", "action"] {
        for word in words(&event["properties"][key]["enum"]) {
            assert!(used.contains(&format!("{key} = \"{word}\"")), "{key} = {word}");
        }
    }
}
