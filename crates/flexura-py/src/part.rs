//! Finite element parts to flexible bodies.

use crate::error::{ModelError, model_error};
use crate::patience::patiently;
use flexura_fem::part::{Part, PartError};
use flexura_fem::reduce::Enough;
use flexura_fem::reduced::{self, ReducedBody};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

fn part_error(py: Python<'_>, error: &PartError) -> PyErr {
    match error {
        PartError::File(errors) => model_error(py, errors),
        other => ModelError::new_err(other.to_string()),
    }
}

/// Reduces the part of a part file's text; writes the body to `output` where one is given. `enough`: the error that chooses its
/// shapes, up to the frequency `band`.
#[pyfunction]
#[pyo3(signature = (text, file_name, output=None, enough=None, band=None))]
pub fn reduce_part(
    py: Python<'_>,
    text: String,
    file_name: PathBuf,
    output: Option<PathBuf>,
    enough: Option<f64>,
    band: Option<f64>,
) -> PyResult<Bound<'_, PyDict>> {
    let reduce = move || -> Result<ReducedBody, PartError> {
        let mut part = Part::from_text(&text, &file_name)?;
        if let Some(error) = enough {
            part.ask_for(Enough { error, band });
        }
        part.reduce(&mut |_| {})
    };
    let body = patiently(py, reduce)?.map_err(|error| part_error(py, &error))?;
    if let Some(output) = output {
        reduced::write(&body, &output)
            .map_err(|fault| PyOSError::new_err(format!("cannot write {}: {fault}", output.display())))?;
    }
    let modes = body.modal.modes;
    let out = PyDict::new(py);
    out.set_item("name", body.name)?;
    out.set_item("frequencies", PyArray1::from_slice(py, &body.report.frequencies))?;
    out.set_item("static_shapes", body.report.static_shapes)?;
    out.set_item("unknowns", body.report.unknowns)?;
    out.set_item("total_mass", body.report.total[0])?;
    out.set_item("carried", body.report.carried())?;
    out.set_item("static_residual", body.report.static_residual)?;
    let reached =
        body.report.reached.map(|found| (found.asked, found.band, found.statics, found.held, found.free));
    out.set_item("reached", reached)?;
    out.set_item("report", body.report.to_string())?;
    out.set_item("stiffness", PyArray1::from_slice(py, &body.modal.stiffness).reshape([modes, modes])?)?;
    let mass: Vec<f64> =
        (0..modes).flat_map(|i| body.mass.row(i).iter().copied().collect::<Vec<_>>()).collect();
    out.set_item("mass", PyArray1::from_vec(py, mass).reshape([modes, modes])?)?;
    out.set_item("notices", body.notices)?;
    Ok(out)
}
