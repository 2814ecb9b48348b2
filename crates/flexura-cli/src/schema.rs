//! The schema of model files with the model language, for editors.
//!
//! `model.schema.json` says what plain entries have; the tables of the book and the tests read it. Here every number, truth and list
//! may also be a formula, every table may be like a definition and have variables, entries of lists may be repeated, and keys that
//! a definition can give are not required of what is like one.

use serde_json::{Map, Value, json};

/// Words that say which keys must be there.
const DEMANDS: [&str; 5] = ["required", "anyOf", "oneOf", "dependentRequired", "dependentSchemas"];
/// Names without dots, white space, `*` and `?`, but with formulas in braces.
const NAME: &str = r"^([^.\s*?{}]|\{[^}]*\})+$";

/// The schema that `flexura schema` prints.
pub fn with_language() -> String {
    let Ok(mut schema) = serde_json::from_str::<Value>(flexura::file::SCHEMA) else {
        return flexura::file::SCHEMA.to_owned();
    };
    if let Some(root) = schema.as_object_mut() {
        for part in ["properties", "$defs"] {
            if let Some(Value::Object(members)) = root.get_mut(part) {
                members.values_mut().for_each(widen);
            }
        }
        if let Some(Value::Object(definitions)) = root.get_mut("$defs") {
            definitions.insert("like".into(), json!({
                "type": "string", "description": "name of the definition that gives what is not given here"
            }));
            definitions.insert("variables".into(), json!({
                "type": "object", "description": "variables of this table and of the definition it is like"
            }));
            definitions.insert("repeat".into(), json!({
                "description": "how often: a count (index i from 1), or names of indices with counts or [first, last]",
                "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^="}, {"type": "object"}]
            }));
        }
    }
    // Writing a value that was read cannot fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// Lets a schema and all inside it take formulas.
fn widen(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(widen);
            let kind = members.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
            match kind.as_str() {
                "number" | "integer" | "boolean" | "array" => {
                    members.insert("type".into(), json!([kind, "string"]));
                    members.insert("pattern".into(), json!("^="));
                }
                "string" if members.contains_key("pattern") => {
                    members.insert("pattern".into(), json!(NAME));
                }
                "object" if members.contains_key("properties") && !members.contains_key("maxProperties") => {
                    extend(members);
                }
                _ => {}
            }
        }
        Value::Array(list) => list.iter_mut().for_each(widen),
        _ => {}
    }
}

/// Adds the keys of the language to a table.
fn extend(members: &mut Map<String, Value>) {
    if let Some(Value::Object(keys)) = members.get_mut("properties") {
        for (key, name) in [("like", "like"), ("let", "variables"), ("repeat", "repeat")] {
            if !keys.contains_key(key) {
                keys.insert(key.into(), json!({ "$ref": format!("#/$defs/{name}") }));
            }
        }
    }
    let mut demands = Map::new();
    for word in DEMANDS {
        demands.extend(members.remove(word).map(|rule| (word.to_owned(), rule)));
    }
    if !demands.is_empty() {
        members.insert("anyOf".into(), json!([demands, { "required": ["like"] }]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_take_formulas_and_keys_of_the_language() {
        let schema: Value = serde_json::from_str(&with_language()).expect("JSON");
        let body = &schema["$defs"]["body"];
        assert_eq!(body["properties"]["mass"]["type"], json!(["number", "string"]));
        assert_eq!(body["properties"]["repeat"]["$ref"], "#/$defs/repeat");
        assert_eq!(body["anyOf"][1]["required"], json!(["like"]));
        assert_eq!(body["anyOf"][0]["required"], json!(["name"]));
        assert_eq!(schema["$defs"]["vector3"]["pattern"], "^=");
        assert!(schema["properties"]["use"].is_object() && schema["properties"]["repeat"].is_null());
        // The files of uses have parameters of their own.
        assert_eq!(schema["$defs"]["use"]["properties"]["let"]["type"], "object");
    }
}
