//! Finite element parts to flexible bodies.

use crate::error::{ModelError, model_error};
use flexura::model::description::{DampingDescription, ModalDescription, ModalInvariants, NodeDescription};
use flexura_fem::part::{Part, PartError};
use flexura_fem::reduce::TruncationReport;
use flexura_fem::reduced::{self, ReducedBody};
use nalgebra::DMatrix;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

fn part_error(py: Python<'_>, error: &PartError) -> PyErr {
    match error {
        PartError::File(errors) => model_error(py, errors),
        other => ModelError::new_err(other.to_string()),
    }
}

/// Reduces the part of a part file's text; writes the body to `output` where one is given.
#[pyfunction]
#[pyo3(signature = (text, file_name, output=None))]
pub fn reduce_part(
    py: Python<'_>,
    text: String,
    file_name: PathBuf,
    output: Option<PathBuf>,
) -> PyResult<Bound<'_, PyDict>> {
    let reduce =
        || -> Result<ReducedBody, PartError> { Part::from_text(&text, &file_name)?.reduce(&mut |_| {}) };
    let body = py.detach(reduce).map_err(|error| part_error(py, &error))?;
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
    out.set_item("report", body.report.to_string())?;
    out.set_item("stiffness", PyArray1::from_slice(py, &body.modal.stiffness).reshape([modes, modes])?)?;
    let mass: Vec<f64> =
        (0..modes).flat_map(|i| body.mass.row(i).iter().copied().collect::<Vec<_>>()).collect();
    out.set_item("mass", PyArray1::from_vec(py, mass).reshape([modes, modes])?)?;
    out.set_item("notices", body.notices)?;
    Ok(out)
}

/// Name, position (m), translations and rotations per shape of a frame.
type FrameParts = (String, [f64; 3], Vec<[f64; 3]>, Vec<[f64; 3]>);

/// Numbers of a reduced body that was computed elsewhere.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct BodyParts {
    name: String,
    frames: Vec<FrameParts>,
    stiffness: Vec<f64>,
    ratios: Vec<f64>,
    frequencies: Vec<f64>,
    static_shapes: usize,
    unknowns: usize,
    mass: f64,
    moment0: [f64; 3],
    moment1: Vec<[f64; 3]>,
    inertia0: [f64; 6],
    inertia1: Vec<[f64; 6]>,
    inertia2: Vec<[f64; 6]>,
    angular0: Vec<[f64; 3]>,
    angular1: Vec<[f64; 3]>,
    modal: Vec<f64>,
}

/// Writes a reduced body given by its numbers.
#[pyfunction]
pub fn write_body(py: Python<'_>, path: PathBuf, parts: BodyParts) -> PyResult<()> {
    let modes = parts.moment1.len();
    let invariants = ModalInvariants {
        mass: parts.mass,
        moment0: parts.moment0,
        moment1: parts.moment1,
        moment2: Vec::new(),
        inertia0: parts.inertia0,
        inertia1: parts.inertia1,
        inertia2: parts.inertia2,
        angular0: parts.angular0,
        angular1: parts.angular1,
        modal: parts.modal,
    };
    let sizes = invariants.fits(modes) && parts.stiffness.len() == modes * modes;
    let frames = parts.frames.iter().all(|frame| frame.2.len() == modes && frame.3.len() == modes);
    if !(sizes && frames && parts.frequencies.len() == modes) {
        return Err(PyValueError::new_err("the numbers do not fit the number of shapes"));
    }
    let nodes = parts.frames.into_iter().map(|(name, position, translations, slopes)| NodeDescription {
        name,
        position,
        translations,
        slopes,
        ..NodeDescription::default()
    });
    let damping = match parts.ratios.is_empty() {
        true => DampingDescription::None,
        false => DampingDescription::Ratios(parts.ratios),
    };
    let body = ReducedBody {
        name: parts.name,
        mass: DMatrix::from_row_slice(modes, modes, &invariants.modal),
        report: TruncationReport {
            unknowns: parts.unknowns,
            static_shapes: parts.static_shapes,
            frequencies: parts.frequencies,
            effective: vec![[0.0; 6]; modes],
            ..TruncationReport::default()
        },
        modal: ModalDescription {
            modes,
            nodes: nodes.collect(),
            stiffness: parts.stiffness,
            damping,
            invariants: Some(invariants),
        },
        ..ReducedBody::default()
    };
    py.detach(|| reduced::write(&body, &path))
        .map_err(|fault| PyOSError::new_err(format!("cannot write {}: {fault}", path.display())))
}
