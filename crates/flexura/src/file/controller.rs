//! `[[controller]]` entries.

use super::element::read_law;
use super::fields::Fields;
use super::time_function::read_time_function;
use super::value::Value;
use crate::control::{Block, ExternalLaw};
use crate::model::description::ControllerDescription;
use crate::time_function::TimeFunction;

#[derive(Clone, Copy)]
enum Tag {
    Pid,
    StateSpace,
    Function,
    Fmu,
}

/// An entry of `[[controller]]`.
pub(super) fn read_controller(fields: &mut Fields<'_>) -> ControllerDescription {
    let name = fields.need_text("name", "name = \"servo\"");
    let sensors = names(fields, "sensors", "sensors = [\"elbow.angle\"]");
    let actuators = names(fields, "actuators", "actuators = [\"elbow.effort\"]");
    let references = fields.get("reference").map_or_else(Vec::new, |value| references(&value));
    let types =
        [("pid", Tag::Pid), ("state-space", Tag::StateSpace), ("function", Tag::Function), ("fmu", Tag::Fmu)];
    let block = match fields.choice("type", &types) {
        Some(Tag::StateSpace) => read_state_space(fields),
        Some(Tag::Fmu) => Block::External(read_external(fields)),
        Some(Tag::Function) => Block::Function { law: read_law(fields, "inputs", "outputs") },
        _ => read_pid(fields),
    };
    ControllerDescription {
        name,
        block,
        sensors,
        references,
        actuators,
        limit: fields.f64("limit", f64::INFINITY),
        sample_time: fields.f64("sample_time", 0.0),
    }
}

fn names(fields: &mut Fields<'_>, key: &'static str, example: &str) -> Vec<String> {
    let list = fields.need(key, example);
    list.and_then(|value| value.each(|name| name.text().map(str::to_owned))).unwrap_or_default()
}

/// One function of time, or a list of them.
fn references(value: &Value<'_>) -> Vec<TimeFunction> {
    if value.is_list() {
        return value.each(read_time_function).unwrap_or_default();
    }
    read_time_function(value).into_iter().collect()
}

fn read_pid(fields: &mut Fields<'_>) -> Block {
    Block::Pid {
        proportional: fields.f64("proportional", 0.0),
        integral: fields.f64("integral", 0.0),
        derivative: fields.f64("derivative", 0.0),
        filter: fields.f64("filter", 0.0),
    }
}

fn read_state_space(fields: &mut Fields<'_>) -> Block {
    let mut matrix = |key: &'static str| {
        let rows = fields.need(key, "a = [[..], ..], rows of numbers");
        let rows: Option<Vec<Vec<f64>>> = rows.and_then(|value| value.each(|row| row.numbers()));
        rows.unwrap_or_default().concat()
    };
    Block::StateSpace { a: matrix("a"), b: matrix("b"), c: matrix("c"), d: matrix("d") }
}

fn read_external(fields: &mut Fields<'_>) -> ExternalLaw {
    let file = fields.need_text("file", "file = \"servo.fmu\"");
    let (inputs, outputs) = (optional_names(fields, "inputs"), optional_names(fields, "outputs"));
    let parameters = optional_names(fields, "parameters");
    let given = fields.get("values");
    let values = given.as_ref().and_then(|value| value.numbers()).unwrap_or_default();
    if parameters.len() != values.len() {
        let message = format!("{} parameters, but {} values", parameters.len(), values.len());
        fields.error("bad-length", "values", message, "give one value per parameter");
    }
    ExternalLaw { file, inputs, outputs, parameters: parameters.into_iter().zip(values).collect() }
}

fn optional_names(fields: &mut Fields<'_>, key: &'static str) -> Vec<String> {
    let list = fields.get(key);
    list.and_then(|value| value.each(|name| name.text().map(str::to_owned))).unwrap_or_default()
}
