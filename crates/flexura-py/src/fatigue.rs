//! Cycles and damage of histories in arrays.

use flexura_output::fatigue::{self, Equivalent, damage, read_curve};
use numpy::{PyReadonlyArray1, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Range, mean and count of the cycles of a history.
#[pyfunction]
pub fn rainflow(series: PyReadonlyArray1<'_, f64>) -> PyResult<Vec<(f64, f64, f64)>> {
    let found = fatigue::rainflow(series.as_slice()?);
    Ok(found.into_iter().map(|cycle| (cycle.range, cycle.mean, cycle.count)).collect())
}

/// Damage, largest range (Pa) and cycles of each of some histories of stresses: (places, times, 6).
#[pyfunction]
pub fn fatigue_damage(
    py: Python<'_>,
    history: PyReadonlyArray3<'_, f64>,
    curve: PathBuf,
    factor: f64,
    equivalent: Option<&str>,
) -> PyResult<(Vec<f64>, Vec<f64>, Vec<f64>)> {
    let mut case = read_curve(&curve).map_err(|error| match curve.exists() {
        true => PyValueError::new_err(error.to_string()),
        false => PyOSError::new_err(error.to_string()),
    })?;
    if !factor.is_finite() || factor <= 0.0 {
        return Err(PyValueError::new_err("factor must be a number above zero"));
    }
    case.factor = factor;
    case.equivalent = match equivalent {
        None => case.equivalent,
        Some("signed-von-mises") => Equivalent::SignedVonMises,
        Some("principal") => Equivalent::Principal,
        Some("critical-plane") => Equivalent::CriticalPlane,
        Some(other) => {
            let text = format!("no equivalent stress '{other}': signed-von-mises, principal, critical-plane");
            return Err(PyValueError::new_err(text));
        }
    };
    let shape = history.shape().to_vec();
    if shape[2] != 6 {
        return Err(PyValueError::new_err("histories have six components: (places, times, 6)"));
    }
    let values = history.as_slice()?.to_vec();
    let rows: Vec<[f64; 6]> = values.chunks_exact(6).map(|c| std::array::from_fn(|i| c[i])).collect();
    let found = py.detach(|| -> Vec<_> {
        (0..shape[0]).map(|place| damage(&rows[place * shape[1]..(place + 1) * shape[1]], &case)).collect()
    });
    let pick = |of: fn(&fatigue::Damage) -> f64| found.iter().map(of).collect();
    Ok((pick(|d| d.sum), pick(|d| d.largest_range), pick(|d| d.cycles)))
}
