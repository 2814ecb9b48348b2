//! Functions of time.

use super::fields::Fields;
use super::value::Value;
use crate::time_function::{Interpolation, SplineEnds, SplineTable, TimeFunction};

/// The keys of a time function table.
const FORMS: [&str; 6] = ["constant", "polynomial", "harmonic", "cycloidal", "table", "piecewise"];

/// A time function: a number or a table with one of the [`FORMS`].
pub(super) fn read_time_function(value: &Value<'_>) -> Option<TimeFunction> {
    let node = value.node;
    if node.is_number() {
        return value.f64().map(TimeFunction::Constant);
    }
    if !node.is_table() {
        return value.wrong_type("a number or a table such as { polynomial = [0, 1] }");
    }
    value.table(|fields| {
        let Some(form) = fields.one_of(&FORMS) else {
            let help = "write one of { constant = .. }, { polynomial = [..] }, { harmonic = \
                        {..} }, { cycloidal = {..} }, { table = {..} }, { piecewise = {..} }";
            fields.missing("missing-key", &FORMS, "the function of time is empty", help);
            return None;
        };
        let value = fields.get(form)?;
        match form {
            "constant" => value.f64().map(TimeFunction::Constant),
            "polynomial" => value.numbers().map(|coefficients| TimeFunction::Polynomial { coefficients }),
            "harmonic" => value.table(harmonic)?,
            "cycloidal" => value.table(cycloidal),
            "table" => value.table(table)?,
            _ => value.table(piecewise)?,
        }
    })?
}

fn harmonic(fields: &mut Fields<'_>) -> Option<TimeFunction> {
    let amplitude = fields.need_f64("amplitude", "amplitude = 0.1");
    let offset = fields.f64("offset", 0.0);
    let phase = fields.f64("phase", 0.0);
    let angular_frequency = match fields.one_of(&["angular_frequency", "frequency"]) {
        Some("angular_frequency") => fields.f64("angular_frequency", 0.0),
        Some(_) => std::f64::consts::TAU * fields.f64("frequency", 0.0),
        None => {
            let help = "write angular_frequency = 6.28 (rad/s) or frequency = 1 (Hz)";
            let message = "`angular_frequency` is missing";
            fields.missing("missing-key", &["angular_frequency", "frequency"], message, help);
            return None;
        }
    };
    Some(TimeFunction::Harmonic { offset, amplitude, angular_frequency, phase })
}

fn cycloidal(fields: &mut Fields<'_>) -> TimeFunction {
    TimeFunction::Cycloidal {
        from: fields.f64("from", 0.0),
        to: fields.need_f64("to", "to = 1.57"),
        start: fields.f64("start", 0.0),
        duration: fields.need_f64("duration", "duration = 2 (seconds)"),
    }
}

/// What goes through the points of a table; a spline unless said otherwise.
pub(super) fn read_interpolation(fields: &mut Fields<'_>) -> Interpolation {
    let words = [
        ("spline", Interpolation::Spline),
        ("monotone", Interpolation::Monotone),
        ("linear", Interpolation::Linear),
    ];
    fields.choice("interpolation", &words).unwrap_or_default()
}

fn table(fields: &mut Fields<'_>) -> Option<TimeFunction> {
    let times = fields.need("times", "times = [0, 1, 2]").and_then(|value| value.numbers());
    let values = fields.need("values", "values = [0, 0.5, 0]").and_then(|value| value.numbers());
    let interpolation = read_interpolation(fields);
    if interpolation == Interpolation::Linear {
        fields.unused(&["start_rate", "end_rate"], "straight lines have the rates that the points give");
    }
    let start_rate = fields.get("start_rate").map(|value| value.f64());
    let end_rate = fields.get("end_rate").map(|value| value.f64());
    let ends = match (start_rate, end_rate) {
        (None, None) => SplineEnds::Natural,
        // One end given: the other is at rest, as at the end of a manoeuvre.
        (start, end) => SplineEnds::Clamped {
            start_rate: start.unwrap_or(Some(0.0))?,
            end_rate: end.unwrap_or(Some(0.0))?,
        },
    };
    let spline = SplineTable::interpolated(times?, values?, interpolation, ends);
    match spline {
        Ok(spline) => Some(TimeFunction::Table(spline)),
        Err(fault) => {
            let help = "give as many values as times, the times in increasing order";
            fields.error("time-function", "times", fault.to_string(), help);
            None
        }
    }
}

fn piecewise(fields: &mut Fields<'_>) -> Option<TimeFunction> {
    let breaks = fields.need("breaks", "breaks = [1.0]").and_then(|value| value.numbers());
    let pieces = fields.need("pieces", "pieces = [0, { polynomial = [0, 1] }]");
    let pieces = pieces.and_then(|value| value.each(read_time_function));
    Some(TimeFunction::Piecewise { breaks: breaks?, pieces: pieces? })
}
