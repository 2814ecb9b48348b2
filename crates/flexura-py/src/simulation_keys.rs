//! Other keys of `[simulation]` for a model that is built: only these keys are read, no model.

use crate::error::ModelError;
use crate::model::PyModel;
use flexura::build::with_simulation;
use flexura::file::parse;
use flexura::model::description::SimulationDescription;
use pyo3::prelude::*;
use toml::Table;

/// Keys that belong to a method: those of the file are not meant for another one.
const OF_METHODS: [&str; 9] = [
    "step",
    "relative_tolerance",
    "absolute_tolerance",
    "initial_step",
    "largest_step",
    "tolerance",
    "spectral_radius",
    "alpha",
    "formulation",
];

/// The keys of `[simulation]` of a text, without lists of initial values and events.
pub fn section(text: &str) -> Table {
    let whole: Table = text.parse().unwrap_or_default();
    let mut keys = whole.get("simulation").and_then(toml::Value::as_table).cloned().unwrap_or_default();
    keys.retain(|_, value| !matches!(value, toml::Value::Array(_) | toml::Value::Table(_)));
    keys
}

/// Keys and settings with some keys replaced (`None` takes one away); events and initial values stay.
pub fn changed(
    model: &PyModel,
    table: &Table,
    settings: &SimulationDescription,
    keys: Vec<(String, Option<String>)>,
) -> PyResult<(Table, SimulationDescription)> {
    let mut table = table.clone();
    let another = |key: &str, value: &Option<String>| {
        key == "method"
            && value.as_ref().map(|value| value.trim_matches('"'))
                != table.get("method").and_then(toml::Value::as_str)
    };
    if keys.iter().any(|(key, value)| another(key, value)) {
        table.retain(|key, _| !OF_METHODS.contains(&key));
    }
    for (key, value) in keys {
        match value {
            None => drop(table.remove(&key)),
            Some(value) => {
                let read: Result<Table, _> = format!("it = {value}").parse();
                let value = read.ok().and_then(|mut read| read.remove("it"));
                let value =
                    value.ok_or_else(|| ModelError::new_err(format!("simulation.{key}: not a value")))?;
                table.insert(key, value);
            }
        }
    }
    let text = format!("[simulation]\n{table}");
    let read = parse(&text, "simulation").map_err(|errors| ModelError::new_err(errors.to_string()))?;
    let read = read.description.simulation;
    let new = SimulationDescription {
        start: settings.start,
        events: settings.events.clone(),
        modal_position: settings.modal_position.clone(),
        modal_speed: settings.modal_speed.clone(),
        ..read
    };
    let fits = with_simulation(model.model(), new);
    let fits = fits.map_err(|found| ModelError::new_err(format!("{}: {}", found.message, found.help)))?;
    Ok((table, fits))
}
