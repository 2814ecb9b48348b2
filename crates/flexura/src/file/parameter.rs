//! Numbers of a model file by path, to read them and to put others in their place.
//!
//! A path names the item, then the keys as in the file: `hinge.stiffness`,
//! `arm.beam.young`, `arm.tip.position.1` (entries of lists count from one),
//! `model.gravity.3`, `simulation.end`. Names of tables may be left out where the
//! rest is unique: `arm.young`. The text of the file is edited, not the
//! description, so every number that can be written is a parameter and a new key
//! needs no code here; the description is built from the edited text as usual.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::model::words;

/// A number of a model file.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Full path.
    pub path: String,
    /// Value in the file.
    pub value: f64,
    /// Place in the text.
    pub span: Range<usize>,
}

/// Why a path names no number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParameterError(String);

/// One part of a path; tables may be left out, names, keys and numbers may not.
#[derive(Clone, Debug)]
struct Part {
    word: String,
    optional: bool,
}

/// A number with the parts of its path.
struct Entry {
    parts: Vec<Part>,
    value: f64,
    span: Range<usize>,
}

/// What a text holds that paths can name.
#[derive(Default)]
struct Entries {
    numbers: Vec<Entry>,
    /// Formulas in the place of numbers.
    formulas: Vec<(Vec<Part>, String)>,
}

/// Every number of a model file, in the order of their paths.
pub fn parameters(text: &str) -> Result<Vec<Parameter>, ParameterError> {
    Ok(entries(text)?.numbers.into_iter().map(Parameter::from).collect())
}

/// The number at `path`.
pub fn find_parameter(text: &str, path: &str) -> Result<Parameter, ParameterError> {
    let Entries { numbers: all, formulas } = entries(text)?;
    let wanted: Vec<&str> = path.split('.').collect();
    let mut found: Vec<&Entry> = all.iter().filter(|entry| matches(&entry.parts, &wanted)).collect();
    // A path written in full is meant, whatever else its words may stand for.
    if found.len() > 1
        && let Some(exact) = found.iter().copied().find(|entry| full_path(&entry.parts) == path)
    {
        found = vec![exact];
    }
    match found[..] {
        [one] => Ok(Parameter { path: full_path(&one.parts), value: one.value, span: one.span.clone() }),
        [] => Err(match formulas.iter().find(|(parts, _)| matches(parts, &wanted)) {
            Some((_, formula)) => computed(path, formula),
            None => unknown(path, &wanted, &all),
        }),
        _ => {
            let names: Vec<String> = found.iter().map(|entry| full_path(&entry.parts)).collect();
            let list = words::list(names.iter().map(String::as_str));
            Err(ParameterError(format!("`{path}` may mean any of: {list}")))
        }
    }
}

/// The text with the number at `path` replaced by `value`, which must be a number as TOML writes it.
pub fn set_parameter(text: &str, path: &str, value: &str) -> Result<String, ParameterError> {
    let value = value.trim();
    if !value.parse::<f64>().is_ok_and(f64::is_finite) {
        return Err(ParameterError(format!("`{path}`: `{value}` is not a finite number")));
    }
    let found = find_parameter(text, path)?;
    let (before, after) = (&text[..found.span.start], &text[found.span.end..]);
    Ok([before, value, after].concat())
}

impl From<Entry> for Parameter {
    fn from(entry: Entry) -> Self {
        Self { path: full_path(&entry.parts), value: entry.value, span: entry.span }
    }
}

fn full_path(parts: &[Part]) -> String {
    parts.iter().map(|part| part.word.as_str()).collect::<Vec<_>>().join(".")
}

/// Whether `wanted` is the path with some of its optional parts left out.
fn matches(parts: &[Part], wanted: &[&str]) -> bool {
    match (parts.split_first(), wanted.split_first()) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((part, rest)), first) => {
            first.is_some_and(|(word, others)| *word == part.word && matches(rest, others))
                || (part.optional && matches(rest, wanted))
        }
    }
}

/// A path that names a formula.
fn computed(path: &str, formula: &str) -> ParameterError {
    ParameterError(format!(
        "`{path}` is not a number but the formula `{formula}`: set one of its variables, or write a number in the file"
    ))
}

fn entries(text: &str) -> Result<Entries, ParameterError> {
    let table = DeTable::parse(text).map_err(|fault| ParameterError(fault.message().to_string()))?;
    let mut list = Entries::default();
    for (key, value) in table.get_ref().iter() {
        let mut parts = vec![Part { word: key.get_ref().to_string(), optional: true }];
        collect(value.get_ref(), value.span(), &mut parts, &mut list);
    }
    Ok(list)
}

fn collect(value: &DeValue<'_>, span: Range<usize>, parts: &mut Vec<Part>, list: &mut Entries) {
    let mut inside = |word: String, optional: bool, value: &DeValue<'_>, span: Range<usize>| {
        parts.push(Part { word, optional });
        collect(value, span, parts, list);
        parts.pop();
    };
    match value {
        DeValue::Table(table) => {
            for (key, value) in table.iter() {
                let holds = matches!(value.get_ref(), DeValue::Table(_)) || is_named_list(value.get_ref());
                inside(key.get_ref().to_string(), holds, value.get_ref(), value.span());
            }
        }
        DeValue::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                let word = item_name(item.get_ref()).map_or_else(|| (i + 1).to_string(), str::to_owned);
                inside(word, false, item.get_ref(), item.span());
            }
        }
        DeValue::Float(_) | DeValue::Integer(_) => {
            let number = match value {
                DeValue::Float(float) => float.as_str().parse().ok(),
                DeValue::Integer(integer) => integer.as_str().parse().ok(),
                _ => None,
            };
            if let Some(value) = number {
                list.numbers.push(Entry { parts: parts.clone(), value, span });
            }
        }
        DeValue::String(text) if text.starts_with('=') => {
            list.formulas.push((parts.clone(), text.to_string()));
        }
        _ => {}
    }
}

fn is_named_list(value: &DeValue<'_>) -> bool {
    let first = value.as_array().and_then(|items| items.first());
    first.is_some_and(|item| item_name(item.get_ref()).is_some())
}

/// What an entry of a list of tables is called.
fn item_name<'a>(value: &'a DeValue<'_>) -> Option<&'a str> {
    let name = value.get("name").or_else(|| value.get("body"))?;
    name.get_ref().as_str()
}

/// Says what the path could have been: numbers of the same item, else names of items.
fn unknown(path: &str, wanted: &[&str], all: &[Entry]) -> ParameterError {
    let first = wanted.first().copied().unwrap_or_default();
    let holds = |entry: &&Entry| entry.parts.iter().take(2).any(|part| part.word == first);
    let same: Vec<String> = all.iter().filter(holds).map(|entry| short_path(entry, first)).collect();
    if !same.is_empty() {
        let near = words::nearest(path, same.iter().map(String::as_str));
        let hint = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let known = words::list(same.iter().map(String::as_str));
        return ParameterError(format!(
            "no number `{path}` in the file; {hint}numbers of `{first}`: {known}"
        ));
    }
    let mut names: Vec<&str> = Vec::new();
    for entry in all {
        let word = item_word(entry);
        if !names.contains(&word) {
            names.push(word);
        }
    }
    let hint = words::nearest(first, names.iter().copied());
    let hint = hint.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let known = words::list(names);
    ParameterError(format!("`{path}`: no item `{first}` with numbers; {hint}items: {known}"))
}

/// The name of the item of an entry, or its section.
fn item_word(entry: &Entry) -> &str {
    let named = entry.parts.get(1).filter(|part| !part.optional && entry.parts.len() > 2);
    let section = matches!(entry.parts[0].word.as_str(), "model" | "simulation" | "output");
    match named {
        Some(part) if !section => &part.word,
        _ => &entry.parts[0].word,
    }
}

/// The path from `first` on.
fn short_path(entry: &Entry, first: &str) -> String {
    let from = entry.parts.iter().position(|part| part.word == first).unwrap_or(0);
    full_path(&entry.parts[from..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[model]\ngravity = [0, 0, -9.81]\n\n[[body]]\nname = \"arm\"\n[body.beam]\nyoung = 7e10 # Pa\nbending_y = 3\n[[body.frame]]\nname = \"tip\"\nposition = [0.5, 0, 0]\n\n[[joint]]\nname = \"arm\"\nstiffness = 2\n\n[[simulation.initial]]\nbody = \"arm\"\nmodal_position = [0.1, 0.2]\n";

    #[test]
    fn paths_are_found_in_full_and_short() {
        let value = |path: &str| find_parameter(TEXT, path).map(|found| found.value);
        assert_eq!(value("arm.young"), Ok(7e10));
        assert_eq!(value("body.arm.beam.young"), Ok(7e10));
        assert_eq!(value("arm.tip.position.1"), Ok(0.5));
        assert_eq!(value("gravity.3"), Ok(-9.81));
        assert_eq!(value("joint.arm.stiffness"), Ok(2.0));
        assert_eq!(value("simulation.arm.modal_position.2"), Ok(0.2));
        assert_eq!(parameters(TEXT).map(|all| all.len()), Ok(11));
    }

    #[test]
    fn only_the_number_is_replaced() {
        let text = set_parameter(TEXT, "arm.young", "6.5e10").unwrap_or_default();
        assert_eq!(text, TEXT.replace("7e10", "6.5e10"));
        assert!(set_parameter(TEXT, "arm.young", "stiff").is_err());
    }

    #[test]
    fn wrong_paths_list_what_is_there() {
        let error = |path: &str| find_parameter(TEXT, path).map_err(|error| error.to_string()).unwrap_err();
        assert!(error("arm.yuong").contains("arm.beam.young"), "{}", error("arm.yuong"));
        assert!(error("amr.young").contains("did you mean `arm`"), "{}", error("amr.young"));
        let twice = "[[body]]\nname = \"a\"\nmass = 1\n[[element]]\nname = \"a\"\nmass = 2\n";
        let both = find_parameter(twice, "a.mass").map_err(|error| error.to_string()).unwrap_err();
        assert!(both.contains("body.a.mass") && both.contains("element.a.mass"), "{both}");
    }
}
