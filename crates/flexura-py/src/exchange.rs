//! Bodies of models for other programs.

use crate::model::PyModel;
use flexura::analysis::LinearSystem;
use flexura_fem::sid;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Writes a flexible body of a model as a SID file; what the format cannot hold.
#[pyfunction]
pub fn export_body(model: &PyModel, body: &str, path: PathBuf) -> PyResult<Vec<String>> {
    let built = model.model();
    let index = built.bodies.iter().position(|known| known.name == body);
    let index = index.ok_or_else(|| PyValueError::new_err(format!("the model has no body `{body}`")))?;
    let rigid = || PyValueError::new_err(format!("body `{body}` is rigid; SID files hold flexible bodies"));
    let (file, left_out) = sid::sid_of_body(built, index).ok_or_else(rigid)?;
    std::fs::write(&path, sid::write(&file))
        .map_err(|fault| PyOSError::new_err(format!("cannot write {}: {fault}", path.display())))?;
    Ok(left_out)
}

/// A linear system as a Modelica record; matrices row by row.
#[pyfunction]
pub fn modelica_record(
    name: &str,
    about: &str,
    names: (Vec<String>, Vec<String>, Vec<String>),
    matrices: (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>),
) -> PyResult<String> {
    let (states, inputs, outputs) = names;
    let (a, b, c, d) = matrices;
    let (n, m, p) = (states.len(), inputs.len(), outputs.len());
    if [a.len(), b.len(), c.len(), d.len()] != [n * n, n * m, p * n, p * m] {
        return Err(PyValueError::new_err("the matrices do not fit the names of states, inputs and outputs"));
    }
    let system = LinearSystem { states, inputs, outputs, a, b, c, d, speeds: Vec::new() };
    Ok(flexura_exchange::modelica::record(name, about, &system))
}
