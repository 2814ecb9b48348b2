//! As much of JSON Schema (draft 2020-12) as the schema of model files uses. A key word that is not
//! known here is an error, so that nothing in the schema goes unchecked.

use serde_json::{Map, Value};

/// Key words without influence on validity; those with `x-` are ours.
const REMARKS: [&str; 9] =
    ["$schema", "$defs", "title", "description", "default", "$ref", "x-unit", "x-only", "x-not"];

/// A schema with its definitions.
pub struct Schema {
    root: Value,
}

impl Schema {
    /// The schema of `text`.
    pub fn new(text: &str) -> Self {
        Self { root: serde_json::from_str(text).expect("the schema is JSON") }
    }

    /// Why `value` does not fit, or nothing.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.fits(&self.root, value, "")
    }

    /// Every table of `value` and the keys that the schema has there.
    pub fn tables(&self, value: &Value) -> Vec<(String, Vec<String>)> {
        let mut tables = Vec::new();
        self.collect(&self.root, value, "", &mut tables);
        tables
    }

    /// What a schema says: itself, or what it refers to.
    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Map<String, Value> {
        let schema = schema.as_object().expect("a schema is an object");
        let Some(Value::String(reference)) = schema.get("$ref") else { return schema };
        let name = reference.strip_prefix("#/$defs/").expect("references point into $defs");
        self.root["$defs"][name].as_object().unwrap_or_else(|| panic!("no definition {name}"))
    }

    fn fits(&self, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
        let schema = self.resolve(schema);
        for (word, rule) in schema {
            if !REMARKS.contains(&word.as_str()) {
                self.rule(schema, word, rule, value, path)?;
            }
        }
        Ok(())
    }

    fn rule(
        &self,
        schema: &Map<String, Value>,
        word: &str,
        rule: &Value,
        value: &Value,
        path: &str,
    ) -> Result<(), String> {
        let list = || rule.as_array().expect("a list of schemas");
        let good = match word {
            "type" => has_type(rule, value),
            "const" => rule == value,
            "enum" => list().contains(value),
            "pattern" => matches(rule, value),
            "minimum" => value.as_f64().is_none_or(|number| Some(number) >= rule.as_f64()),
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= number(rule)),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= number(rule)),
            "minProperties" => value.as_object().is_none_or(|table| table.len() as u64 >= number(rule)),
            "maxProperties" => value.as_object().is_none_or(|table| table.len() as u64 <= number(rule)),
            "required" => list().iter().all(|key| has_key(value, key)),
            "dependentRequired" => depends(rule, value),
            "dependentSchemas" => {
                let rules = rule.as_object().expect("dependencies").iter();
                let mut asked = rules.filter(|(key, _)| value.get(key.as_str()).is_some());
                asked.all(|(_, schema)| self.fits(schema, value, path).is_ok())
            }
            "anyOf" => self.fitting(list(), value, path) >= 1,
            "oneOf" => self.fitting(list(), value, path) == 1,
            "additionalProperties" => return no_others(schema, value, path),
            "properties" => return self.properties(rule, value, path),
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                let mut items = items.map(|(k, item)| self.fits(rule, item, &format!("{path}[{k}]")));
                return items.find(Result::is_err).unwrap_or(Ok(()));
            }
            other => panic!("the schema uses `{other}`, which these tests do not know"),
        };
        if good { Ok(()) } else { Err(format!("{path}: `{word}` {rule} refuses {value}")) }
    }

    fn fitting(&self, branches: &[Value], value: &Value, path: &str) -> usize {
        branches.iter().filter(|branch| self.fits(branch, value, path).is_ok()).count()
    }

    fn properties(&self, rule: &Value, value: &Value, path: &str) -> Result<(), String> {
        let Some(table) = value.as_object() else { return Ok(()) };
        for (key, value) in table {
            if let Some(schema) = rule.get(key) {
                self.fits(schema, value, &join(path, key))?;
            }
        }
        Ok(())
    }

    fn collect(&self, schema: &Value, value: &Value, path: &str, tables: &mut Vec<(String, Vec<String>)>) {
        let schema = self.resolve(schema);
        // Beside properties, branches only say which of them must be there.
        if let (Some(branches), None) =
            (schema.get("anyOf").and_then(Value::as_array), schema.get("properties"))
            && let Some(branch) = branches.iter().find(|branch| self.fits(branch, value, path).is_ok())
        {
            self.collect(branch, value, path, tables);
        }
        if let (Some(properties), Some(table)) = (schema.get("properties"), value.as_object()) {
            let keys = properties.as_object().expect("properties").keys().cloned().collect();
            tables.push((path.to_owned(), keys));
            for (key, value) in table {
                self.collect(&properties[key], value, &join(path, key), tables);
            }
        }
        if let (Some(items), Some(list)) = (schema.get("items"), value.as_array()) {
            for (k, item) in list.iter().enumerate() {
                self.collect(items, item, &format!("{path}[{k}]"), tables);
            }
        }
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn number(rule: &Value) -> u64 {
    rule.as_u64().expect("a count")
}

fn has_type(rule: &Value, value: &Value) -> bool {
    match rule.as_str().expect("one type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        other => panic!("the type {other} is not known here"),
    }
}

/// The two patterns of the schema: names without dots, white space, `*` and `?`; colours.
fn matches(rule: &Value, value: &Value) -> bool {
    let special = |letter: char| letter.is_whitespace() || ".*?".contains(letter);
    let name = |text: &str| !text.is_empty() && !text.contains(special);
    let digits = |text: &str| text.len() == 6 && text.chars().all(|letter| letter.is_ascii_hexdigit());
    let colour = |text: &str| text.strip_prefix('#').is_some_and(digits);
    match rule.as_str() {
        Some(r"^[^.\s*?]+$") => value.as_str().is_none_or(name),
        Some("^#[0-9a-fA-F]{6}$") => value.as_str().is_none_or(colour),
        other => panic!("these tests know two patterns, not {other:?}"),
    }
}

fn has_key(value: &Value, key: &Value) -> bool {
    value.as_object().is_none_or(|table| table.contains_key(key.as_str().expect("a key")))
}

fn depends(rule: &Value, value: &Value) -> bool {
    let rule = rule.as_object().expect("dependencies");
    rule.iter().filter(|(key, _)| value.get(key.as_str()).is_some()).all(|(_, needed)| {
        let needed = needed.as_array().expect("a list of keys");
        needed.iter().all(|key| has_key(value, key))
    })
}

fn no_others(schema: &Map<String, Value>, value: &Value, path: &str) -> Result<(), String> {
    assert_eq!(schema["additionalProperties"], false);
    let known = schema["properties"].as_object().expect("properties");
    match value.as_object().into_iter().flatten().find(|(key, _)| !known.contains_key(*key)) {
        Some((key, _)) => Err(format!("{path}: unknown key `{key}`")),
        None => Ok(()),
    }
}
