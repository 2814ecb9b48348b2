//! Equilibrium, linear systems, modes, sensitivities: numbers in, dictionaries of arrays out.

use crate::array::Vector;
use crate::error::{run_error, simulation_error};
use crate::model::PyModel;
use crate::patience::patiently;
use crate::run::given_state;
use crate::settings::Settings;
use flexura::State;
use flexura::analysis::{
    AnalysisError, EquilibriumOptions, Mode, Parameter, RotorMethod, SensitivityError, equilibrium,
    frequency_response, linearize as linear_system, modes as eigenmodes, rotor_modes as turning_modes,
    sensitivity as derivatives,
};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

fn analysis_error(error: AnalysisError) -> PyErr {
    match error {
        AnalysisError::Name(_) => PyValueError::new_err(error.to_string()),
        other => simulation_error(other),
    }
}

fn state_of(model: &PyModel, given: Option<(Vector<'_>, Vector<'_>)>, t: Option<f64>) -> PyResult<State> {
    let time = t.unwrap_or(model.loaded.built.description.simulation.start);
    if !time.is_finite() {
        return Err(PyValueError::new_err(format!("t is {time}: give a finite number")));
    }
    let state = State::initial(model.model(), time);
    match given {
        Some((q, v)) => given_state(model.model(), state, &q, &v),
        None => Ok(state),
    }
}

/// Equilibrium near a state.
#[pyfunction]
#[pyo3(signature = (model, *, state=None, t=None, tolerance=1e-12, load_steps=10, relax=false))]
pub fn static_equilibrium<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    state: Option<(Vector<'py>, Vector<'py>)>,
    t: Option<f64>,
    tolerance: f64,
    load_steps: usize,
    relax: bool,
) -> PyResult<Bound<'py, PyDict>> {
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(PyValueError::new_err(format!("tolerance = {tolerance}: give a number between 0 and 1")));
    }
    let start = state_of(&model, state, t)?;
    let relaxations = if relax { 500 } else { 0 };
    let options = EquilibriumOptions { tolerance, load_steps, relaxations, ..Default::default() };
    let loaded = Arc::clone(&model.loaded);
    let find = move || equilibrium(&loaded.built.model, &start, &options);
    let found = patiently(py, find)?.map_err(analysis_error)?;
    let out = PyDict::new(py);
    out.set_item("q", PyArray1::from_vec(py, found.state.q))?;
    out.set_item("v", PyArray1::from_vec(py, found.state.v))?;
    out.set_item("t", found.state.time)?;
    out.set_item("residual", found.residual)?;
    out.set_item("iterations", found.iterations)?;
    out.set_item("unheld", found.unheld)?;
    out.set_item("unstable", found.unstable)?;
    Ok(out)
}

fn matrix<'py>(
    py: Python<'py>,
    values: Vec<f64>,
    rows: usize,
    columns: usize,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyArray1::from_vec(py, values).reshape([rows, columns])?.into_any())
}

/// A, B, C, D and names.
#[pyfunction]
#[pyo3(signature = (model, *, inputs=Vec::new(), outputs=Vec::new(), state=None, t=None, modes=false, frequencies=None))]
pub fn linearize<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    state: Option<(Vector<'py>, Vector<'py>)>,
    t: Option<f64>,
    modes: bool,
    frequencies: Option<Vec<f64>>,
) -> PyResult<Bound<'py, PyDict>> {
    let state = state_of(&model, state, t)?;
    let loaded = Arc::clone(&model.loaded);
    let out = PyDict::new(py);
    let find = move || {
        let system = linear_system(&loaded.built.model, &state, &inputs, &outputs)?;
        let found = if modes { eigenmodes(&system)? } else { Vec::new() };
        Ok((system, found))
    };
    let (system, found) = patiently(py, find)?.map_err(analysis_error)?;
    if modes {
        add_modes(&out, found)?;
    }
    if let Some(frequencies) = frequencies {
        let response = py.detach(|| -> Vec<Option<Vec<(f64, f64)>>> {
            frequencies.iter().map(|f| frequency_response(&system, f * std::f64::consts::TAU)).collect()
        });
        out.set_item("response", response)?;
    }
    let (n, m, p) = (system.states.len(), system.inputs.len(), system.outputs.len());
    out.set_item("A", matrix(py, system.a, n, n)?)?;
    out.set_item("B", matrix(py, system.b, n, m)?)?;
    out.set_item("C", matrix(py, system.c, p, n)?)?;
    out.set_item("D", matrix(py, system.d, p, m)?)?;
    out.set_item("states", system.states)?;
    out.set_item("inputs", system.inputs)?;
    out.set_item("outputs", system.outputs)?;
    Ok(out)
}

/// Eigenvalues and shapes as (real, imaginary) pairs.
fn add_modes(out: &Bound<'_, PyDict>, found: Vec<Mode>) -> PyResult<()> {
    let values: Vec<(f64, f64)> = found.iter().map(|mode| (mode.real, mode.imaginary)).collect();
    let shapes: Vec<Vec<(f64, f64)>> = found.into_iter().map(|mode| mode.shape).collect();
    out.set_item("eigenvalues", values)?;
    out.set_item("shapes", shapes)
}

/// Modes of a rotor that turns.
#[pyfunction]
#[pyo3(signature = (model, method, *, state=None, t=None, count=20))]
pub fn rotor_modes<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    method: &str,
    state: Option<(Vector<'py>, Vector<'py>)>,
    t: Option<f64>,
    count: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let method = match method {
        "coleman" => RotorMethod::MultiBlade,
        "floquet" => RotorMethod::Floquet,
        other => {
            let text = format!(
                "method {other:?}: \"coleman\" (three or more equal blades) or \"floquet\" (any rotor)"
            );
            return Err(PyValueError::new_err(text));
        }
    };
    let state = state_of(&model, state, t)?;
    let loaded = Arc::clone(&model.loaded);
    let find = move || turning_modes(&loaded.built.model, &state, method, count);
    let found = patiently(py, find)?.map_err(analysis_error)?;
    let out = PyDict::new(py);
    out.set_item("patterns", found.list.iter().map(|rotor| rotor.pattern.word()).collect::<Vec<_>>())?;
    out.set_item("harmonics", found.list.iter().map(|rotor| rotor.harmonics.clone()).collect::<Vec<_>>())?;
    add_modes(&out, found.list.into_iter().map(|rotor| rotor.mode).collect())?;
    out.set_item("coordinates", found.coordinates)?;
    out.set_item("speed", found.speed)?;
    out.set_item("blades", found.blades)?;
    out.set_item("change", found.change)?;
    out.set_item("unresolved", found.unresolved)?;
    Ok(out)
}

/// Derivatives of channels over time with respect to numbers of the model file.
#[pyfunction]
#[pyo3(signature = (model, parameters, outputs, *, end=None, output_interval=None))]
pub fn sensitivity<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    parameters: Vec<String>,
    outputs: Vec<String>,
    end: Option<f64>,
    output_interval: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    if model.has_laws() {
        // Derivatives come from models built of the file's text, which holds no law.
        let text = "sensitivities do not know laws in Python: give the controller a type of the model file";
        return Err(PyValueError::new_err(text));
    }
    let loaded = Arc::clone(&model.loaded);
    let mut built = loaded.built.clone();
    let wanted = Settings { end, output_interval, ..Settings::default() };
    built.description.simulation =
        wanted.apply(&built.model, &built.description.simulation).map_err(PyValueError::new_err)?;
    let find = move || {
        let (text, name) = (loaded.spans.source(), loaded.spans.file_name());
        let list = parameters.iter().map(|path| Parameter::of_file(text, name, path));
        derivatives(&built, &list.collect::<Result<Vec<_>, _>>()?, &outputs)
    };
    let found = patiently(py, find)?.map_err(failed)?;
    let (rows, channels) = (found.times.len(), found.channels.len());
    let out = PyDict::new(py);
    out.set_item("time", PyArray1::from_vec(py, found.times))?;
    out.set_item("values", matrix(py, found.values, rows, channels)?)?;
    let derivatives = PyArray1::from_vec(py, found.derivatives);
    out.set_item("derivatives", derivatives.reshape([rows, channels, found.parameters.len()])?)?;
    out.set_item("errors", PyArray1::from_vec(py, found.errors))?;
    out.set_item("method", found.method)?;
    out.set_item("parameters", found.parameters)?;
    let channels: Vec<(String, &str)> = found.channels.into_iter().map(|c| (c.name, c.unit)).collect();
    out.set_item("channels", channels)?;
    Ok(out)
}

fn failed(error: SensitivityError) -> PyErr {
    match error {
        SensitivityError::Simulation(error) => run_error(&error),
        other => PyValueError::new_err(other.to_string()),
    }
}
