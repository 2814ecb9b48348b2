//! Bodies of models for other programs.

use crate::model::PyModel;
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
