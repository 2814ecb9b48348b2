//! `flexura.Model`: a built model, its names and sizes.

use crate::error::{ModelError, finding, model_error};
use crate::law::callback;
use crate::patience::patiently;
use crate::scratch::Pool;
use flexura::build::build;
use flexura::control::Block;
use flexura::diagnostic::Diagnostic;
use flexura::file::{
    FileErrors, Loaded, Parsed, check_with, content_hash, not_yet_found, parameters, with_known_channels,
};
use flexura::record::{Source, all_channels};
use flexura::{Model, State};
use flexura_fem::PartSource;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// A built model; never changes.
#[pyclass(name = "Model", module = "flexura", frozen, weakref)]
pub struct PyModel {
    pub loaded: Arc<Loaded>,
    /// Laws in Python: (controller, function, remembered values).
    laws: Vec<(String, Py<PyAny>, usize)>,
    pub scratch: Pool,
}

impl PyModel {
    /// The engine's model.
    pub fn model(&self) -> &Model {
        &self.loaded.built.model
    }

    /// Whether laws in Python drive it.
    pub fn has_laws(&self) -> bool {
        !self.laws.is_empty()
    }

    /// The laws for another model of the same text.
    pub fn laws(&self, py: Python<'_>) -> Vec<(String, Py<PyAny>, usize)> {
        self.laws.iter().map(|(name, law, memory)| (name.clone(), law.clone_ref(py), *memory)).collect()
    }
}

/// Builds the model of `text`, with Python laws in place of those of the named controllers.
pub fn build_model(
    text: &str,
    file_name: &str,
    laws: Vec<(String, Py<PyAny>, usize)>,
) -> Result<Loaded, FileErrors> {
    let source = PartSource::cached().with_laws(flexura_exchange::fmi::open_law);
    let Parsed { mut description, spans, mut warnings } = check_with(text, file_name, &source)?;
    let refuse = |diagnostics, spans| FileErrors { diagnostics, spans: Box::new(spans) };
    for (name, law, memory) in laws {
        match description.controllers.iter_mut().find(|controller| controller.name == name) {
            Some(found) => found.block = Block::Callback(callback(law), memory),
            None => {
                let message = "a law in Python is given for it, but the model has no such controller";
                let help = "add a [[controller]] of this name with sensors, actuators and sample_time";
                let item = format!("controller `{name}`");
                warnings.push(Diagnostic::error("unknown-controller", "", item, message, help));
                return Err(refuse(warnings, spans));
            }
        }
    }
    let built = match build(description) {
        Ok(built) => built,
        Err(error) => {
            let further = not_yet_found(&warnings, error.diagnostics);
            return Err(refuse(warnings.into_iter().chain(further).collect(), spans));
        }
    };
    let further = not_yet_found(&warnings, built.warnings.clone());
    warnings.extend(further);
    with_known_channels(Loaded { built, spans, warnings })
}

#[pymethods]
impl PyModel {
    #[new]
    #[pyo3(signature = (text, file_name, laws=Vec::new()))]
    fn new(
        py: Python<'_>,
        text: String,
        file_name: String,
        laws: Vec<(String, Py<PyAny>, usize)>,
    ) -> PyResult<Self> {
        let kept =
            laws.iter().map(|(name, law, memory)| (name.clone(), law.clone_ref(py), *memory)).collect();
        let loaded = patiently(py, move || build_model(&text, &file_name, laws))?;
        let loaded = loaded.map_err(|errors| model_error(py, &errors))?;
        Ok(Self { loaded: Arc::new(loaded), laws: kept, scratch: Pool::default() })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let rebuild = py.import("flexura")?.getattr("_rebuild")?;
        let arguments = (self.text(), self.file_name(), self.laws(py)).into_pyobject(py)?;
        Ok((rebuild, arguments))
    }

    fn __repr__(&self) -> String {
        let model = self.model();
        let (bodies, free) = (model.body_count(), model.free_speed_count());
        format!(
            "<flexura.Model '{}': {bodies} bodies, {free} free speeds, {} loops>",
            model.name,
            model.loops.len()
        )
    }

    /// Text of the model file, with the numbers that were set.
    #[getter]
    fn text(&self) -> &str {
        self.loaded.spans.source()
    }

    /// Whether laws in Python drive it, which its text does not hold.
    #[getter]
    fn _has_laws(&self) -> bool {
        self.has_laws()
    }

    /// Hash of everything the model was made of, part files included.
    #[getter]
    fn _content(&self) -> String {
        content_hash(&self.loaded, &[])
    }

    /// File the text came from.
    #[getter]
    fn file_name(&self) -> &str {
        self.loaded.spans.file_name()
    }

    /// Name of the model.
    #[getter]
    fn name(&self) -> &str {
        &self.model().name
    }

    /// Gravity (m/s²).
    #[getter]
    fn gravity(&self) -> [f64; 3] {
        self.model().gravity
    }

    /// Names of the bodies in tree order.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.model().bodies.iter().map(|body| body.name.as_str()).collect()
    }

    /// Names of the joints of the tree; joint `i` carries body `i`.
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.model().joints.iter().map(|joint| joint.name.as_str()).collect()
    }

    /// Names of the frames, `BODY.FRAME`.
    #[getter]
    fn frames(&self) -> Vec<&str> {
        self.model().frames.iter().map(|frame| frame.name.as_str()).collect()
    }

    /// Names of the controllers.
    #[getter]
    fn controllers(&self) -> Vec<&str> {
        self.model().controllers.iter().map(|controller| controller.name.as_str()).collect()
    }

    /// Names of the joints that close loops.
    #[getter]
    fn loops(&self) -> Vec<&str> {
        self.model().loops.iter().map(|joint| joint.name.as_str()).collect()
    }

    /// Number of modes of every body.
    #[getter]
    fn modes_of_bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for body in &self.model().bodies {
            out.set_item(&body.name, body.modes)?;
        }
        Ok(out)
    }

    /// Number of coordinates (length of q); quaternions count four.
    #[getter]
    fn coordinate_count(&self) -> usize {
        self.model().coordinate_count()
    }

    /// Number of speeds (length of v).
    #[getter]
    fn speed_count(&self) -> usize {
        self.model().speed_count()
    }

    /// Number of speeds that are not prescribed.
    #[getter]
    fn free_speed_count(&self) -> usize {
        self.model().free_speed_count()
    }

    /// Which speeds are prescribed.
    #[getter]
    fn prescribed(&self) -> Vec<bool> {
        self.model().prescribed.clone()
    }

    /// Names of the entries of q.
    #[getter]
    fn coordinate_names(&self) -> Vec<String> {
        named(self.model(), self.model().coordinate_count(), |source| match source {
            Source::Coordinate(i) => Some(i),
            _ => None,
        })
    }

    /// Names of the entries of v.
    #[getter]
    fn speed_names(&self) -> Vec<String> {
        named(self.model(), self.model().speed_count(), |source| match source {
            Source::Speed(i) => Some(i),
            _ => None,
        })
    }

    /// Every channel that can be recorded: (name, unit).
    #[getter]
    fn channels(&self) -> Vec<(String, &'static str)> {
        all_channels(self.model()).into_iter().map(|channel| (channel.name, channel.unit)).collect()
    }

    /// Every number of the model file that can be set: path to value.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for found in parameters(self.text()).map_err(|fault| ModelError::new_err(fault.to_string()))? {
            out.set_item(found.path, found.value)?;
        }
        Ok(out)
    }

    /// Start and end of the simulation (s).
    #[getter]
    fn time_span(&self) -> (f64, f64) {
        let simulation = &self.loaded.built.description.simulation;
        (simulation.start, simulation.end)
    }

    /// What is suspicious but allowed, as dictionaries.
    #[getter]
    fn _findings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let warnings = self.loaded.warnings.iter();
        warnings.map(|found| finding(py, found, &self.loaded.spans)).collect()
    }

    /// Coordinates and speeds at the start.
    fn initial_state<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>) {
        let state = State::initial(self.model(), self.loaded.built.description.simulation.start);
        (PyArray1::from_vec(py, state.q), PyArray1::from_vec(py, state.v))
    }

    /// A body: its frames, modes and channels.
    fn body<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("flexura._items")?.getattr("Body")?.call1((slf, name))
    }

    /// A joint: its coordinates, speeds and channels.
    fn joint<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("flexura._items")?.getattr("Joint")?.call1((slf, name))
    }

    /// A frame, `BODY.FRAME`.
    fn frame<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("flexura._items")?.getattr("Frame")?.call1((slf, name))
    }

    /// A run that is stepped.
    #[pyo3(signature = (inputs=None, channels=None, step=None, simulation=None, initial_state=None, t=None,
        from_static=false, relax=false))]
    fn simulator<'py>(
        slf: &Bound<'py, Self>,
        inputs: Option<Bound<'py, PyAny>>,
        channels: Option<Bound<'py, PyAny>>,
        step: Option<f64>,
        simulation: Option<Bound<'py, PyAny>>,
        initial_state: Option<Bound<'py, PyAny>>,
        t: Option<f64>,
        from_static: bool,
        relax: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let make = slf.py().import("flexura._simulator")?.getattr("simulator")?;
        make.call1((slf, inputs, channels, step, simulation, initial_state, t, from_static, relax))
    }

    /// A number of a run and its derivatives.
    #[pyo3(signature = (objective, parameters=None, **keys))]
    fn gradient<'py>(
        slf: &Bound<'py, Self>,
        objective: Bound<'py, PyAny>,
        parameters: Option<Bound<'py, PyAny>>,
        keys: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let find = slf.py().import("flexura._gradient")?.getattr("grad")?;
        let parameters = parameters.unwrap_or_else(|| PyTuple::empty(slf.py()).into_any());
        find.call((slf, objective, parameters), keys.as_ref())
    }

    /// Where coordinates and speeds of a joint of the tree begin and end; nowhere for joints that close loops.
    fn _joint_places(&self, name: &str) -> (usize, usize, usize, usize) {
        let found = self.model().joints.iter().position(|joint| joint.name == name);
        let part = found.map(|place| &self.model().layout.bodies[place]);
        let places = part.map(|part| (part.joint_q(), part.joint_v()));
        places.map_or((0, 0, 0, 0), |(q, v)| (q.start, q.end, v.start, v.end))
    }

    /// Degrees of freedom by rank: a dictionary.
    fn mobility<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = State::initial(self.model(), self.time_span().0);
        let found =
            flexura::analysis::mobility(self.model(), &state).map_err(crate::error::simulation_error)?;
        let out = PyDict::new(py);
        out.set_item("tree_freedoms", found.tree_freedoms)?;
        out.set_item("constraints", found.constraints)?;
        out.set_item("rank", found.rank)?;
        out.set_item("counted", found.counted)?;
        out.set_item("freedoms", found.freedoms)?;
        Ok(out)
    }
}

/// Channel names by index of a state vector; an index without a channel keeps its number.
fn named(model: &Model, count: usize, index: impl Fn(Source) -> Option<usize>) -> Vec<String> {
    let mut names: Vec<String> = (0..count).map(|i| format!("[{i}]")).collect();
    for channel in all_channels(model) {
        if let Some(i) = index(channel.source) {
            names[i] = channel.name;
        }
    }
    names
}
