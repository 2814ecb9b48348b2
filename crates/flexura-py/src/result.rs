//! Results as parts that `flexura.Result` is made of: one array, names, metadata.

use flexura::SimulationError;
use flexura::simulate::Outcome;
use flexura_output::{OutputError, Scene, verdicts_of};
use flexura_results::{Channel, Family, Layout, ResultFile, ResultsError, Writer, WriterOptions};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::{PyFileExistsError, PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Name, description, channels with units.
type FamilyParts = (String, String, Vec<(String, String)>);

/// What a run left behind.
pub struct Finished {
    pub layout: Layout,
    pub rows: Vec<f64>,
    pub outcome: Result<Outcome, SimulationError>,
}

fn families(layout: &Layout) -> Vec<FamilyParts> {
    let channels = |family: &Family| {
        family.channels.iter().map(|channel| (channel.name.clone(), channel.unit.clone())).collect()
    };
    layout.families.iter().map(|f| (f.name.clone(), f.description.clone(), channels(f))).collect()
}

fn parts<'py>(
    py: Python<'py>,
    layout: &Layout,
    data: Vec<f64>,
    complete: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let width = layout.row_width();
    let rows = data.len() / width;
    let out = PyDict::new(py);
    out.set_item("data", PyArray1::from_vec(py, data).reshape([rows, width])?)?;
    out.set_item("families", families(layout))?;
    out.set_item("metadata", layout.metadata.clone())?;
    out.set_item("complete", complete)?;
    Ok(out)
}

/// The parts of a run; `stopped` is the exception that ended it.
pub fn raw_result<'py>(
    py: Python<'py>,
    finished: Finished,
    stopped: Option<PyErr>,
) -> PyResult<Bound<'py, PyDict>> {
    let Finished { mut layout, rows, outcome } = finished;
    // As behind the rows of a file, so that a result that is saved or shown says them too.
    layout.metadata.extend(outcome.as_ref().ok().map(verdicts_of));
    let done = outcome.as_ref().is_ok_and(|outcome| !outcome.cancelled);
    let out = parts(py, &layout, rows, done)?;
    match outcome {
        Ok(outcome) => out.set_item("outcome", outcome_parts(py, &outcome)?)?,
        Err(error) => {
            let time = match &error {
                SimulationError::Dynamics { time, .. } => Some(*time),
                _ => None,
            };
            out.set_item("failure", (error.to_string(), time))?;
        }
    }
    if let Some(stopped) = stopped {
        out.set_item("stopped", stopped.into_value(py))?;
    }
    Ok(out)
}

fn outcome_parts<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("end_time", outcome.end_time)?;
    out.set_item("steps", outcome.statistics.accepted)?;
    out.set_item("held_steps", outcome.statistics.held)?;
    out.set_item("stiff_steps", outcome.statistics.stiff)?;
    out.set_item("rejected_steps", outcome.statistics.rejected)?;
    out.set_item("evaluations", outcome.statistics.evaluations)?;
    let events: Vec<(&str, f64)> =
        outcome.events.iter().map(|event| (event.name.as_str(), event.time)).collect();
    out.set_item("events", events)?;
    let deformed = outcome.deformations.iter().map(|d| (d.body.as_str(), d.slope, d.shift));
    out.set_item("deformations", deformed.collect::<Vec<_>>())?;
    out.set_item("stopped_by", outcome.stopped_by.clone())?;
    let energy = outcome.unbalanced.iter().map(ToString::to_string);
    let warnings = outcome.warnings.iter().map(ToString::to_string).chain(energy);
    out.set_item("warnings", warnings.collect::<Vec<_>>())?;
    out.set_item("energy_error_share", outcome.energy.share())?;
    let modes = outcome.modes.iter().map(|found| {
        (found.body.as_str(), found.family.words(), found.count, found.missing, found.to_string())
    });
    out.set_item("modes", modes.collect::<Vec<_>>())?;
    let lacking = outcome.modes.iter().filter(|found| found.is_alarm()).map(ToString::to_string);
    let unresolved = outcome.unresolved.iter().map(ToString::to_string);
    let pulling = outcome.contacts.iter().filter(|contact| contact.pulls()).map(ToString::to_string);
    let left = outcome.half_turns.iter().filter(|law| law.is_alarm()).map(ToString::to_string);
    out.set_item("verdicts", lacking.chain(unresolved).chain(pulling).chain(left).collect::<Vec<_>>())?;
    Ok(out)
}

fn file_error(error: &ResultsError) -> PyErr {
    let text = error.to_string();
    match error {
        ResultsError::AlreadyExists { .. } => PyFileExistsError::new_err(text),
        ResultsError::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(text)
        }
        ResultsError::Io { .. } => PyOSError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// The parts of a result file.
#[pyfunction]
pub fn open_result(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let read = || -> Result<(ResultFile, Vec<f64>), ResultsError> {
        let file = ResultFile::open(&path)?;
        let columns: Result<Vec<Vec<f64>>, ResultsError> =
            file.channel_names().map(|name| file.channel(name)).collect();
        let columns = columns?;
        let data = (0..file.rows()).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        Ok((file, data))
    };
    let (file, data) = py.detach(read).map_err(|error| file_error(&error))?;
    let out = parts(py, file.layout(), data, file.complete())?;
    out.set_item("torn", file.torn())?;
    Ok(out)
}

/// Writes a result file.
#[pyfunction]
pub fn write_result(
    py: Python<'_>,
    path: PathBuf,
    data: PyReadonlyArray2<'_, f64>,
    families: Vec<FamilyParts>,
    metadata: BTreeMap<String, String>,
    overwrite: bool,
    complete: bool,
) -> PyResult<()> {
    let family = |(name, words, channels): FamilyParts| {
        Family::new(name, words, channels.into_iter().map(|(name, unit)| Channel::new(name, unit)).collect())
    };
    let layout = Layout { families: families.into_iter().map(family).collect(), metadata };
    let data = data.as_array();
    if data.ncols() != layout.row_width() {
        let text = format!("the data have {} columns, the families {}", data.ncols(), layout.row_width());
        return Err(PyValueError::new_err(text));
    }
    let write = || -> Result<(), ResultsError> {
        let options = WriterOptions { overwrite, ..WriterOptions::default() };
        let mut writer = Writer::create(&path, &layout, &options)?;
        for row in data.rows() {
            writer.row().iter_mut().zip(row).for_each(|(slot, value)| *slot = *value);
            writer.commit()?;
        }
        // A run that was stopped leaves a file without an end marker.
        if complete { writer.finish().map(|_| ()) } else { writer.settle() }
    };
    py.detach(write).map_err(|error| file_error(&error))
}

/// The self-contained page that shows the result at `path`.
#[pyfunction]
pub fn saved_page(py: Python<'_>, path: PathBuf, budget: usize) -> PyResult<String> {
    let page = || flexura_output::saved_page(&mut Scene::new(ResultFile::open(&path)?)?, budget);
    py.detach(page).map_err(|error| match error {
        OutputError::OverBudget { .. } => PyValueError::new_err(error.to_string()),
        _ => PyOSError::new_err(error.to_string()),
    })
}
