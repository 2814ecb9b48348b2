//! Edits of a model's text: other numbers, other settings of the simulation.

use crate::error::ModelError;
use flexura::file::set_parameter;
use pyo3::prelude::*;
use toml::de::{DeTable, DeValue};

/// The text with other numbers: pairs of path and value.
pub fn with_numbers(text: &str, settings: &[(String, f64)]) -> Result<String, String> {
    let mut text = text.to_owned();
    for (path, value) in settings {
        text = set_parameter(&text, path, &format!("{value:?}")).map_err(|fault| fault.to_string())?;
    }
    Ok(text)
}

/// The text of a model file with other numbers.
#[pyfunction]
pub fn set_numbers(text: &str, settings: Vec<(String, f64)>) -> PyResult<String> {
    with_numbers(text, &settings).map_err(ModelError::new_err)
}

/// The text of a model file with other keys of `[simulation]`, as TOML writes them; `None` takes one away.
#[pyfunction]
pub fn set_simulation(text: &str, settings: Vec<(String, Option<String>)>) -> PyResult<String> {
    let mut text = text.to_owned();
    for (key, value) in settings {
        text = with_key(&text, &key, value.as_deref())
            .map_err(|fault| ModelError::new_err(format!("simulation.{key}: {fault}")))?;
    }
    Ok(text)
}

fn with_key(text: &str, key: &str, value: Option<&str>) -> Result<String, String> {
    let table = DeTable::parse(text).map_err(|fault| fault.message().to_owned())?;
    let section = table.get_ref().get("simulation").and_then(|section| match section.get_ref() {
        DeValue::Table(section) => Some(section),
        _ => None,
    });
    let there = section.and_then(|section| section.iter().find(|(own, _)| own.get_ref() == key));
    let (place, words) = match (there, value) {
        (Some((_, old)), Some(value)) => (old.span(), value.to_owned()),
        (Some((own, old)), None) => (own.span().start..old.span().end, String::new()),
        (None, Some(value)) => match after_header(text) {
            Some(place) => (place..place, format!("{key} = {value}\n")),
            None => (text.len()..text.len(), format!("\n[simulation]\n{key} = {value}\n")),
        },
        (None, None) => return Ok(text.to_owned()),
    };
    Ok([&text[..place.start], &words, &text[place.end..]].concat())
}

/// Where the line after `[simulation]` begins.
fn after_header(text: &str) -> Option<usize> {
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        place += line.len();
        if line.trim_start().starts_with("[simulation]") && line.ends_with('\n') {
            return Some(place);
        }
    }
    None
}
