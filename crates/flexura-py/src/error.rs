//! Errors of the engine as exceptions of `flexura._errors`.

use flexura::SimulationError as EngineError;
use flexura::diagnostic::Diagnostic;
use flexura::file::{FileErrors, SpanTable, condense};
use pyo3::prelude::*;
use pyo3::types::PyDict;

pyo3::import_exception!(flexura._errors, ModelError);
pyo3::import_exception!(flexura._errors, SimulationError);

/// One finding as the keyword arguments of `flexura.Diagnostic`.
pub fn finding<'py>(py: Python<'py>, found: &Diagnostic, spans: &SpanTable) -> PyResult<Bound<'py, PyDict>> {
    let span = spans.locate(&found.path);
    let place = span.as_ref().map(|span| spans.line_column(span.start));
    let file = span.map_or(spans.file_name(), |span| spans.file_at(span.start));
    let out = PyDict::new(py);
    out.set_item("severity", if found.is_error() { "error" } else { "warning" })?;
    out.set_item("code", found.code)?;
    out.set_item("item", &found.item)?;
    out.set_item("path", &found.path)?;
    out.set_item("message", &found.message)?;
    out.set_item("help", &found.help)?;
    out.set_item("file", file)?;
    out.set_item("line", place.map(|place| place.0))?;
    out.set_item("column", place.map(|place| place.1))?;
    Ok(out)
}

/// `ModelError` with all findings.
pub fn model_error(py: Python<'_>, errors: &FileErrors) -> PyErr {
    let findings = condense(errors.diagnostics.clone(), &errors.spans);
    let list: PyResult<Vec<_>> =
        findings.iter().map(|found| finding(py, found, &errors.spans).map(Bound::unbind)).collect();
    match list {
        Ok(list) => ModelError::new_err((errors.to_string(), list)),
        Err(fault) => fault,
    }
}

/// `SimulationError` of anything that stops a computation.
pub fn simulation_error(error: impl std::fmt::Display) -> PyErr {
    SimulationError::new_err(error.to_string())
}

/// `ValueError` for wrong names of channels, `SimulationError` otherwise.
pub fn run_error(error: &EngineError) -> PyErr {
    match error {
        EngineError::Channel(text) => pyo3::exceptions::PyValueError::new_err(text.clone()),
        other => simulation_error(other),
    }
}
