//! Fits of numbers of a model file to a record.

use crate::error::{ModelError, run_error};
use crate::model::PyModel;
use crate::patience::PATIENCE;
use flexura::analysis::{FitError, FitOptions, FitProgress, Fitted, Measured};
use flexura::file::RememberedBodies;
use flexura_fem::PartSource;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::Instant;

/// Fits parameters to the rows of a record; `progress` is called with iteration, misfit and runs.
#[pyfunction]
#[pyo3(signature = (model, parameters, times, channels, values, *, bounds, time_offset, bias, noise, iterations, confidence,
    end=None, progress=None))]
pub fn fit<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    parameters: Vec<String>,
    times: PyReadonlyArray1<'py, f64>,
    channels: Vec<String>,
    values: PyReadonlyArray2<'py, f64>,
    bounds: Vec<(String, f64, f64)>,
    time_offset: f64,
    bias: bool,
    noise: Vec<(String, f64)>,
    iterations: usize,
    confidence: f64,
    end: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    if model.has_laws() {
        // Models of a fit are built of the file's text, which holds no law.
        let text = "fits do not know laws in Python: give the controller a type of the model file";
        return Err(PyValueError::new_err(text));
    }
    let measured = Measured {
        times: times.as_array().to_vec(),
        channels,
        values: values.as_array().iter().copied().collect(),
    };
    let options = FitOptions { bounds, time_offset, bias, noise, iterations, confidence, end };
    let (mut next, mut stopped) = (Instant::now(), None);
    let spans = &model.loaded.spans;
    let found = py.detach(|| {
        let parts = PartSource::cached().with_laws(flexura_exchange::fmi::open_law);
        let bodies = RememberedBodies::new(&parts);
        let mut watch = |at: &FitProgress| {
            let now = Instant::now();
            if now >= next {
                next = now + PATIENCE;
                stopped = Python::attach(|py| look(py, progress.as_ref(), at)).err();
            }
            stopped.is_none()
        };
        let text = (spans.source(), spans.file_name());
        flexura::analysis::fit(text, &bodies, &parameters, &measured, &options, &mut watch)
    });
    match (stopped, found) {
        (Some(fault), _) => Err(fault),
        (None, Err(error)) => Err(failed(error)),
        (None, Ok(found)) => parts(py, found),
    }
}

fn look(py: Python<'_>, progress: Option<&Py<PyAny>>, at: &FitProgress) -> PyResult<()> {
    py.check_signals()?;
    match progress {
        Some(show) => show.call1(py, (at.iteration, at.misfit, at.runs)).map(|_| ()),
        None => Ok(()),
    }
}

fn failed(error: FitError) -> PyErr {
    match error {
        FitError::Simulation(error) => run_error(&error),
        FitError::Model(text) => ModelError::new_err(text),
        other => PyValueError::new_err(other.to_string()),
    }
}

fn parts(py: Python<'_>, found: Fitted) -> PyResult<Bound<'_, PyDict>> {
    let out = PyDict::new(py);
    let n = found.estimates.len();
    let estimates = found
        .estimates
        .into_iter()
        .map(|one| (one.name, one.start, one.value, one.deviation, one.interval, one.at_bound));
    out.set_item("estimates", estimates.collect::<Vec<_>>())?;
    out.set_item("correlations", PyArray1::from_vec(py, found.correlations).reshape([n, n])?)?;
    out.set_item("singular_values", PyArray1::from_vec(py, found.singular_values))?;
    let unseen = found.unseen.into_iter().map(|one| (one.weights, one.deviation));
    out.set_item("unseen", unseen.collect::<Vec<_>>())?;
    let width = found.residuals.len();
    out.set_item("residuals", PyArray1::from_vec(py, found.residuals))?;
    out.set_item("residuals_before", PyArray1::from_vec(py, found.residuals_before))?;
    let rows = found.curves.len() / width;
    out.set_item("curves", PyArray1::from_vec(py, found.curves).reshape([rows, width])?)?;
    out.set_item("poor", found.poor)?;
    out.set_item("text", found.text)?;
    out.set_item("iterations", found.iterations)?;
    out.set_item("runs", found.runs)?;
    out.set_item("converged", found.converged)?;
    out.set_item("derivatives", found.route)?;
    Ok(out)
}
