//! Tables of parameters from the schema of model files.

use serde_json::{Map, Value};
use std::fmt::Write;

type Keys = Map<String, Value>;

/// Keys of a body that belong to one kind of it.
const BODY_KINDS: [(&str, &[&str]); 5] = [
    ("rigid", &["mass", "inertia", "center_of_mass"]),
    ("point_mass", &["point_mass"]),
    ("modal", &["level", "attachments", "carriers", "modal"]),
    ("beam", &["level", "attachments", "carriers", "beam"]),
    ("fe", &["level", "attachments", "carriers", "fe"]),
];

fn schema() -> Value {
    serde_json::from_str(flexura::file::SCHEMA).expect("the schema")
}

fn definition<'a>(schema: &'a Value, name: &str) -> &'a Value {
    &schema["$defs"][name]
}

fn keys(value: &Value) -> &Keys {
    value["properties"].as_object().expect("properties")
}

/// Branches of a definition by the word of their `type`.
fn branches<'a>(schema: &'a Value, name: &str) -> Vec<(&'a str, &'a Value)> {
    let list = definition(schema, name)["anyOf"].as_array().expect("branches");
    list.iter()
        .map(|branch| (branch["properties"]["type"]["const"].as_str().expect("a type"), branch))
        .collect()
}

/// Pointers of all kinds of bodies, joints, forces and drivers.
pub fn kinds() -> Vec<String> {
    let schema = schema();
    let mut all: Vec<String> = BODY_KINDS.iter().map(|(kind, _)| format!("body:{kind}")).collect();
    let joints = definition(&schema, "joint")["properties"]["type"]["enum"].as_array().expect("joint types");
    all.extend(joints.iter().map(|kind| format!("joint:{}", kind.as_str().unwrap_or_default())));
    for name in ["load", "element", "controller"] {
        all.extend(branches(&schema, name).iter().map(|(kind, _)| format!("{name}:{kind}")));
    }
    all.extend(["force", "time_function", "joint:motion", "joint:effort"].map(str::to_owned));
    all
}

/// The table of what `pointer` names, such as `joint:revolute`.
pub fn table(pointer: &str) -> String {
    let schema = schema();
    let (name, kind) = pointer.split_once(':').unwrap_or((pointer, ""));
    match name {
        "body" => body(&schema, kind),
        "joint" => joint(&schema, kind),
        "force" => rows(definition(&schema, "force"), |_| true),
        "time_function" => time_function(&schema),
        _ => {
            let all = branches(&schema, name);
            let found = all.iter().find(|(word, _)| *word == kind).unwrap_or_else(|| panic!("no {pointer}"));
            rows(found.1, |_| true)
        }
    }
}

fn body(schema: &Value, kind: &str) -> String {
    let (_, own) = BODY_KINDS.iter().find(|(word, _)| *word == kind).expect("a kind of body");
    let common = ["name", "frame"];
    let mut text = rows(definition(schema, "body"), |key| common.contains(&key) || own.contains(&key));
    for (part, title) in [
        ("modal", "`[body.modal]`"),
        ("modal_node", "`[[body.modal.node]]`"),
        ("beam", "`[body.beam]`"),
        ("beam_properties", "`properties`"),
    ] {
        if part.starts_with(kind) {
            let _ = write!(text, "\n{title}:\n\n{}", rows(definition(schema, part), |_| true));
        }
    }
    text
}

fn joint(schema: &Value, kind: &str) -> String {
    let mut joint = definition(schema, "joint").clone();
    if ["motion", "effort"].contains(&kind) {
        return rows(&joint, |key| key == kind);
    }
    // The page of one kind names no other.
    joint["properties"]["type"]["enum"] = serde_json::json!([kind]);
    let lists = |key: &str, word: &str| {
        let list = keys(&joint)[key][word].as_array();
        list.map(|kinds| kinds.iter().any(|other| other == kind))
    };
    rows(&joint, |key| lists(key, "x-only").unwrap_or(true) && !lists(key, "x-not").unwrap_or(false))
}

fn time_function(schema: &Value) -> String {
    let forms = &definition(schema, "time_function")["anyOf"][1];
    let mut text = rows(forms, |_| true);
    for (form, inside) in keys(forms) {
        if inside.get("properties").is_some() {
            let _ = write!(text, "\n`{form}`:\n\n{}", rows(inside, |_| true));
        }
    }
    text
}

fn rows(table: &Value, wanted: impl Fn(&str) -> bool) -> String {
    let required: Vec<&str> =
        table["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut text = String::from("| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
    for (key, value) in keys(table).iter().filter(|(key, _)| wanted(key)) {
        let default = match value.get("default") {
            Some(default) => format!("`{default}`"),
            None if required.contains(&key.as_str()) => "required".to_owned(),
            None => String::new(),
        };
        let unit = value["x-unit"].as_str().unwrap_or_default();
        let meaning = value["description"].as_str().unwrap_or_default().replace('|', "\\|");
        let _ = writeln!(text, "| `{key}` | {} | {unit} | {default} | {meaning} |", words(value));
    }
    text
}

/// What may stand there, in a few words.
fn words(value: &Value) -> String {
    if let Some(reference) = value["$ref"].as_str() {
        let name = reference.trim_start_matches("#/$defs/");
        let known = match name {
            "vector3" => "`[x, y, z]`",
            "numbers" => "list of numbers",
            "rows" => "rows of numbers",
            "inertia" => "3 numbers or 3 rows",
            "diagonal_or_rows" => "list or rows of numbers",
            "six_numbers_or_rows" => "6 numbers or 6 rows",
            "number_or_list" => "number or list",
            "time_function" => "[function of time](../drivers/time-functions.md)",
            "effort" => "[function of time](../drivers/time-functions.md) or list",
            "rotation" => "rotation",
            "mode_damping" => "damping",
            "matrix3" => "3 rows",
            _ => "table",
        };
        return known.to_owned();
    }
    if let Some(list) = value["enum"].as_array() {
        return list.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    }
    if let Some(word) = value.get("const") {
        return format!("`{word}`");
    }
    match value["type"].as_str() {
        Some("array") => "list".to_owned(),
        Some("object") => "table".to_owned(),
        Some("string") => "text".to_owned(),
        Some("integer") => "whole number".to_owned(),
        Some("boolean") => "`true`, `false`".to_owned(),
        Some(other) => other.to_owned(),
        None => {
            let forms = value["anyOf"].as_array().into_iter().flatten().map(words);
            forms.collect::<Vec<_>>().join(" or ")
        }
    }
}
