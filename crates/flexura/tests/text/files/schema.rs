//! The JSON schema of model files against the reader, every model of the repository and broken files.

use super::json_schema::Schema;
use flexura::file::{SCHEMA, known_keys};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Faults of a file that its schema can see; names, numbers and physics are for the program.
const VISIBLE: [&str; 6] =
    ["unknown-key", "missing-key", "missing-mass", "missing-inertia", "unknown-value", "wrong-type"];

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

/// Whether a model is more than plain entries: `flexura schema` prints a schema for these.
fn has_language(text: &str) -> bool {
    ["repeat = ", "like = ", "\"= ", "[[use]]"].iter().any(|word| text.contains(word))
}

/// Every model of the repository, with its text; a part file has an interface or reduction and no joints.
fn models() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["models", "crates/flexura-cli/templates", "book"] {
        let folder = root.join(folder);
        if folder.exists() {
            files(&folder, &mut found);
        }
    }
    found.sort();
    let mut models: Vec<(String, String)> = found
        .iter()
        .filter(|path| path.parent().is_none_or(|folder| !folder.ends_with("parts")))
        .map(|path| (path.display().to_string(), std::fs::read_to_string(path).expect("text")))
        .filter(|(_, text)| text.contains("[[body]]") && !has_language(text))
        .collect();
    let page = super::examples().into_iter().enumerate();
    models.extend(page.map(|(k, text)| (format!("MODEL_FILE.md, example {}", k + 1), text.to_owned())));
    models
}

fn json(text: &str) -> Option<Value> {
    let table: toml::Table = toml::from_str(text).ok()?;
    serde_json::to_value(table).ok()
}

#[test]
fn the_schema_takes_every_model_of_the_repository() {
    let schema = Schema::new(SCHEMA);
    let models = models();
    assert!(models.len() >= 20, "only {} models found", models.len());
    for (name, text) in models {
        let value = json(&text).unwrap_or_else(|| panic!("{name} is no TOML"));
        schema.check(&value).unwrap_or_else(|reason| panic!("{name}: {reason}"));
    }
}

#[test]
fn the_schema_has_the_keys_of_the_reader() {
    let schema = Schema::new(SCHEMA);
    let mut seen = 0;
    for (name, text) in models() {
        let value = json(&text).expect("TOML");
        let mut known = known_keys(&text, &name).unwrap_or_else(|errors| panic!("{errors}"));
        let mut tables = schema.tables(&value);
        known.sort_by(|a, b| a.path.cmp(&b.path));
        tables.sort();
        seen += known.len();
        let read: Vec<&String> = known.iter().map(|table| &table.path).collect();
        let described: Vec<&String> = tables.iter().map(|(path, _)| path).collect();
        assert_eq!(read, described, "{name}: tables of the reader and of model.schema.json");
        for (reader, (path, keys)) in known.iter().zip(&mut tables) {
            let mut expected: Vec<&str> = reader.keys.clone();
            expected.sort_unstable();
            keys.sort();
            assert_eq!(expected, *keys, "{name}: keys of `{path}`, reader and model.schema.json");
        }
    }
    assert!(seen > 400, "only {seen} tables compared");
}

#[test]
fn the_schema_refuses_what_it_can_see() {
    let schema = Schema::new(SCHEMA);
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken"), &mut found);
    let mut refused = 0;
    for path in found {
        let text = std::fs::read_to_string(&path).expect("text");
        let expected = std::fs::read_to_string(path.with_extension("expected")).unwrap_or_default();
        let visible = VISIBLE.iter().any(|code| expected.contains(&format!("error[{code}]")));
        let Some(value) = json(&text) else { continue };
        if visible {
            assert!(schema.check(&value).is_err(), "{} passes the schema", path.display());
            refused += 1;
        }
    }
    assert!(refused >= 20, "only {refused} files were refused");
}
