//! `flexura.Simulator`: a run that is stepped from Python.
//!
//! Values, coordinates and speeds lie in arrays that are made once and overwritten by every step; users have views of them that
//! cannot be written to. The copy from the engine's row is the only one.

use crate::array::{Vector, fill_out};
use crate::error::{run_error, simulation_error};
use crate::law::take_fault;
use crate::model::PyModel;
use crate::patience::PATIENCE;
use crate::run::{given_state, start_state};
use crate::simulation_keys::{changed, section};
use flexura::checkpoint::Checkpoint;

use flexura::record::{Recorder, Source};
use flexura::simulate::{PieceEnd, Saved, Simulation, Simulator};
use flexura::{SimulationError, State};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::Instant;

/// A run that is stepped from Python.
#[pyclass(name = "Simulator", module = "flexura._flexura", subclass)]
pub struct PySimulator {
    pub(crate) engine: Simulator,
    model: Py<PyModel>,
    /// Keys of `[simulation]` in force.
    keys: toml::Table,
    /// Arrays of values, coordinates and speeds, and the views that users have of them.
    arrays: [(Py<PyArray1<f64>>, Py<PyAny>); 3],
    /// Further channels that were measured, with their rows.
    measured: Vec<(Vec<String>, Recorder, Vec<f64>)>,
    events: Vec<(String, f64)>,
    stopped_by: Option<String>,
}

/// `ValueError` for what was asked wrongly, `SimulationError` for runs that cannot go on.
pub(crate) fn refused(error: &SimulationError) -> PyErr {
    match error {
        SimulationError::Settings(text) => PyValueError::new_err(text.clone()),
        SimulationError::Checkpoint(_) => PyValueError::new_err(error.to_string()),
        _ => run_error(error),
    }
}

/// An array and a view of it that cannot be written to.
fn shown<'py>(py: Python<'py>, values: &[f64]) -> PyResult<(Py<PyArray1<f64>>, Py<PyAny>)> {
    let array = PyArray1::from_slice(py, values);
    let view = array.call_method0("view")?;
    let flags = PyDict::new(py);
    flags.set_item("write", false)?;
    view.call_method("setflags", (), Some(&flags))?;
    Ok((array.unbind(), view.unbind()))
}

/// Asks for signals and faults of laws now and then.
struct Watch {
    next: Instant,
    stopped: Option<PyErr>,
}

impl Watch {
    fn new() -> Self {
        take_fault();
        Self { next: Instant::now() + PATIENCE, stopped: None }
    }

    fn goes_on(&mut self) -> bool {
        self.stopped = take_fault();
        let now = Instant::now();
        if self.stopped.is_none() && now >= self.next {
            self.next = now + PATIENCE;
            self.stopped = Python::attach(|py| py.check_signals()).err();
        }
        self.stopped.is_none()
    }
}

impl PySimulator {
    /// Brings the arrays up to date.
    pub(crate) fn show(&mut self, py: Python<'_>) -> PyResult<()> {
        fill_out(self.arrays[0].0.bind(py), self.engine.values())?;
        let state = self.engine.state().map_err(|error| refused(&error))?;
        fill_out(self.arrays[1].0.bind(py), &state.q)?;
        fill_out(self.arrays[2].0.bind(py), &state.v)
    }

    /// Takes over what a piece came to.
    pub(crate) fn settle(&mut self, py: Python<'_>, done: Result<PieceEnd, SimulationError>) -> PyResult<()> {
        let done = done.map_err(|error| refused(&error))?;
        self.events = done.events.into_iter().map(|event| (event.name, event.time)).collect();
        self.stopped_by = done.stopped_by;
        self.show(py)
    }

    fn advance(&mut self, py: Python<'_>, end: Option<f64>) -> PyResult<()> {
        let mut watch = Watch::new();
        let engine = &mut self.engine;
        let done = py.detach(|| match end {
            Some(end) => engine.advance_watched(end, &mut || watch.goes_on()),
            None => engine.step_watched(&mut || watch.goes_on()),
        });
        // A law that failed may be why the run could not go on.
        let fault = watch.stopped.or_else(take_fault);
        let settled = self.settle(py, done);
        fault.map_or(settled, Err)
    }
}

#[pymethods]
impl PySimulator {
    #[new]
    #[pyo3(signature = (model, inputs, channels=None, step=None, keys=Vec::new(), state=None, t=None, from_static=false, relax=false))]
    fn new<'py>(
        py: Python<'py>,
        model: Py<PyModel>,
        inputs: Vec<String>,
        channels: Option<Vec<String>>,
        step: Option<f64>,
        keys: Vec<(String, Option<String>)>,
        state: Option<(Vector<'py>, Vector<'py>)>,
        t: Option<f64>,
        from_static: bool,
        relax: bool,
    ) -> PyResult<Self> {
        let own = model.get();
        let mut table = section(own.loaded.spans.source());
        let mut settings = own.loaded.built.description.simulation.clone();
        if !keys.is_empty() {
            (table, settings) = changed(own, &table, &settings, keys)?;
        }
        settings.start = t.unwrap_or(settings.start);
        let state = start_state(py, own, settings.start, state, from_static, relax)?;
        let interval = match step {
            Some(step) => step,
            None if settings.output_interval > 0.0 => settings.output_interval,
            None => {
                return Err(PyValueError::new_err("step: the model has no output_interval; give a step (s)"));
            }
        };
        let mut simulation = Simulation::of(&own.loaded.built).settings(settings).from_state(state);
        if let Some(patterns) = channels {
            simulation = simulation.channels(patterns);
        }
        let mut engine = simulation.simulator(&inputs, interval).map_err(|error| refused(&error))?;
        let state = engine.state().map_err(|error| refused(&error))?.clone();
        let arrays = [shown(py, engine.values())?, shown(py, &state.q)?, shown(py, &state.v)?];
        let (measured, events) = (Vec::new(), Vec::new());
        Ok(Self { engine, model, keys: table, arrays, measured, events, stopped_by: None })
    }

    /// The model.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<PyModel> {
        self.model.clone_ref(py)
    }

    /// Time reached (s).
    #[getter]
    fn time(&self) -> f64 {
        self.engine.time()
    }

    /// Length of a step (s).
    #[getter]
    fn interval(&self) -> f64 {
        self.engine.interval()
    }

    #[setter]
    fn set_interval(&mut self, interval: f64) -> PyResult<()> {
        self.engine.set_interval(interval).map_err(|error| refused(&error))
    }

    /// Names and units of the channels.
    #[getter]
    fn channels(&self) -> Vec<(String, &'static str)> {
        self.engine.channels().iter().map(|channel| (channel.name.clone(), channel.unit)).collect()
    }

    /// Names and units of the inputs.
    #[getter]
    fn input_units(&self) -> Vec<(String, &'static str)> {
        self.engine.inputs().iter().map(|input| (input.name.clone(), input.unit)).collect()
    }

    /// Values of the inputs.
    #[getter]
    fn input_values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.engine.input_values())
    }

    /// Values of the channels: a view that every step overwrites.
    #[getter]
    fn values(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays[0].1.clone_ref(py)
    }

    /// Coordinates: a view that every step overwrites.
    #[getter]
    fn q(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays[1].1.clone_ref(py)
    }

    /// Speeds: a view that every step overwrites.
    #[getter]
    fn v(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays[2].1.clone_ref(py)
    }

    /// Events of the last step: (name, time).
    #[getter]
    fn events(&self) -> Vec<(String, f64)> {
        self.events.clone()
    }

    /// The event that ended the last step early.
    #[getter]
    fn stopped_by(&self) -> Option<String> {
        self.stopped_by.clone()
    }

    /// Steps of the integrator since the last start: accepted, rejected, evaluations.
    #[getter]
    fn counts(&self) -> (u64, u64, u64) {
        let counts = self.engine.statistics();
        (counts.accepted, counts.rejected, counts.evaluations)
    }

    /// Words for the method in force.
    #[getter]
    fn method(&self) -> &'static str {
        self.engine.settings().method.words()
    }

    /// Sets one input from now on.
    fn set_input(&mut self, name: &str, value: f64) -> PyResult<()> {
        self.engine.set(name, value).map_err(|error| refused(&error))
    }

    /// Sets all inputs, in their order.
    fn set_inputs(&mut self, values: Vector<'_>) -> PyResult<()> {
        let mut list = vec![0.0; self.engine.inputs().len()];
        values.copy_to("inputs", &mut list)?;
        for (place, value) in list.into_iter().enumerate() {
            self.engine.set_at(place, value).map_err(|error| refused(&error))?;
        }
        Ok(())
    }

    /// One step.
    fn _step(&mut self, py: Python<'_>) -> PyResult<()> {
        self.advance(py, None)
    }

    /// To an instant (s).
    fn _advance_to(&mut self, py: Python<'_>, t: f64) -> PyResult<()> {
        self.advance(py, Some(t))
    }

    /// Begins anew.
    #[pyo3(signature = (state=None, t=None))]
    fn _reset(
        &mut self,
        py: Python<'_>,
        state: Option<(Vector<'_>, Vector<'_>)>,
        t: Option<f64>,
    ) -> PyResult<()> {
        let own = self.model.get();
        let start = t.unwrap_or(own.loaded.built.description.simulation.start);
        let mut begin = State::initial(own.model(), start);
        if let Some((q, v)) = state {
            begin = given_state(own.model(), begin, &q, &v)?;
        }
        self.engine.reset(Some(begin)).map_err(|error| refused(&error))?;
        (self.stopped_by, self.events) = (None, Vec::new());
        self.show(py)
    }

    /// All that changes: time, words, row, inputs, motions, start, steps, jumped.
    fn _save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let saved = self.engine.save();
        let out = PyDict::new(py);
        out.set_item("time", saved.checkpoint.time)?;
        out.set_item("rows", saved.checkpoint.rows)?;
        out.set_item("words", PyArray1::from_vec(py, saved.checkpoint.words))?;
        out.set_item("row", PyArray1::from_vec(py, saved.row))?;
        out.set_item("inputs", PyArray1::from_vec(py, saved.inputs))?;
        let motions: Vec<f64> = saved.motions.into_iter().flatten().collect();
        out.set_item("motions", PyArray1::from_vec(py, motions))?;
        out.set_item("start", saved.start)?;
        out.set_item("steps", saved.steps)?;
        out.set_item("jumped", saved.jumped)?;
        Ok(out)
    }

    /// Takes back what was saved.
    fn _restore(
        &mut self,
        py: Python<'_>,
        checkpoint: (f64, u64, PyReadonlyArray1<'_, u64>),
        row: PyReadonlyArray1<'_, f64>,
        inputs: PyReadonlyArray1<'_, f64>,
        motions: PyReadonlyArray1<'_, f64>,
        start: f64,
        steps: (f64, u64),
        jumped: bool,
    ) -> PyResult<()> {
        let (time, rows, words) = checkpoint;
        let motions = motions.as_array().to_vec();
        let saved = Saved {
            checkpoint: Checkpoint { time, rows, words: words.as_array().to_vec() },
            row: row.as_array().to_vec(),
            inputs: inputs.as_array().to_vec(),
            motions: motions.chunks_exact(4).map(|m| [m[0], m[1], m[2], m[3]]).collect(),
            start,
            steps,
            jumped,
        };
        self.engine.restore(&saved).map_err(|error| refused(&error))?;
        (self.stopped_by, self.events) = (None, Vec::new());
        self.show(py)
    }

    /// Goes on with other keys of `[simulation]`, as TOML writes them.
    fn _change(&mut self, keys: Vec<(String, Option<String>)>) -> PyResult<()> {
        let (table, settings) = changed(self.model.get(), &self.keys, self.engine.settings(), keys)?;
        self.engine.change(&settings).map_err(|error| refused(&error))?;
        self.keys = table;
        Ok(())
    }

    /// Names and values of further channels at the present state.
    fn _measure<'py>(
        &mut self,
        py: Python<'py>,
        patterns: Vec<String>,
    ) -> PyResult<(Vec<String>, Bound<'py, PyArray1<f64>>)> {
        let known = self.measured.iter().position(|(list, ..)| *list == patterns);
        let place = match known {
            Some(place) => place,
            None => {
                let recorder =
                    Recorder::new(self.engine.model(), &patterns).map_err(|error| refused(&error))?;
                let counted = recorder
                    .channels()
                    .iter()
                    .find(|channel| matches!(channel.source, Source::Energy(6 | 7)));
                if let Some(channel) = counted {
                    let text = format!(
                        "`{}` counts from the start of the run: name it in `channels` when the simulator is made",
                        channel.name
                    );
                    return Err(PyValueError::new_err(text));
                }
                let row = vec![0.0; recorder.channels().len() + 1];
                self.measured.push((patterns, recorder, row));
                self.measured.len() - 1
            }
        };
        let (_, recorder, row) = &mut self.measured[place];
        self.engine.measure(recorder, row).map_err(simulation_error)?;
        let names = recorder.channels().iter().map(|channel| channel.name.clone()).collect();
        Ok((names, PyArray1::from_slice(py, &row[1..])))
    }
}
