//! One simulation: rows in one buffer, progress, Ctrl-C.

use crate::error::run_error;
use crate::evaluate::{Vector, fill_state};
use crate::law::take_fault;
use crate::model::PyModel;
use crate::result::raw_result;
use flexura::analysis::{EquilibriumOptions, equilibrium};
use flexura::file::Loaded;
use flexura::model::description::{MethodDescription, SimulationDescription};
use flexura::picture::Picture;
use flexura::prescribe::apply_prescribed;
use flexura::record::{Recorder, Sink};
use flexura::simulate::{Outcome, Progress, run_from};
use flexura::{SimulationError, State, Workspace};
use flexura_results::Layout;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::{Duration, Instant};

/// Time between two looks at signals and calls of the progress bar.
pub const PATIENCE: Duration = Duration::from_millis(100);
/// Stops of a dynamic relaxation before it is given up, as on the command line.
const RELAXATIONS: usize = 500;

/// All rows in one buffer.
#[derive(Default)]
pub struct Rows {
    row: Vec<f64>,
    pub data: Vec<f64>,
}

impl Sink for Rows {
    fn row(&mut self) -> &mut [f64] {
        &mut self.row
    }

    fn commit(&mut self) -> Result<(), String> {
        self.data.extend_from_slice(&self.row);
        Ok(())
    }
}

/// Settings of a run that replace those of the model.
#[derive(Clone, Default)]
pub struct Settings {
    pub end: Option<f64>,
    pub output_interval: Option<f64>,
    pub relative_tolerance: Option<f64>,
    pub absolute_tolerance: Option<f64>,
    pub channels: Option<Vec<String>>,
    pub picture: Option<bool>,
}

impl Settings {
    /// The settings of the model with these put in.
    pub fn apply(&self, own: &SimulationDescription) -> Result<SimulationDescription, String> {
        let mut settings = own.clone();
        if let Some(end) = self.end {
            if !(end > settings.start && end.is_finite()) {
                return Err(format!("end = {end}: must be later than the start time {} s", settings.start));
            }
            settings.end = end;
        }
        if let Some(interval) = self.output_interval {
            if !(interval >= 0.0 && interval.is_finite()) {
                return Err(format!("output_interval = {interval}: give seconds, or 0 for every step"));
            }
            settings.output_interval = interval;
        }
        let tolerances = [
            ("relative_tolerance", self.relative_tolerance),
            ("absolute_tolerance", self.absolute_tolerance),
        ];
        for (name, given) in tolerances {
            let Some(given) = given else { continue };
            if !(given > 0.0 && given < 1.0) {
                return Err(format!("{name} = {given}: give a number between 0 and 1"));
            }
            let MethodDescription::DormandPrince { relative_tolerance, absolute_tolerance, .. } =
                &mut settings.method
            else {
                return Err(format!("{name}: the method of the model has none; set simulation.tolerance"));
            };
            *(if name == "relative_tolerance" { relative_tolerance } else { absolute_tolerance }) = given;
        }
        Ok(settings)
    }
}

/// What a run left behind.
pub struct Finished {
    pub layout: Layout,
    pub rows: Rows,
    pub outcome: Result<Outcome, SimulationError>,
}

/// Runs a model; `watch` is called after every step.
pub fn run(
    loaded: &Loaded,
    settings: &SimulationDescription,
    wanted: &Settings,
    start: State,
    watch: &mut impl FnMut(&Progress) -> bool,
) -> Result<Finished, SimulationError> {
    let built = &loaded.built;
    let picture = wanted.picture.unwrap_or_else(|| Picture::wanted(built));
    let select = if picture { Recorder::with_picture } else { Recorder::new };
    let patterns = wanted.channels.as_ref().unwrap_or(&built.description.output.channels);
    let mut recorder = select(&built.model, patterns)?;
    let layout = flexura_cli::layout(loaded, recorder.channels(), picture);
    let mut rows = Rows { row: vec![f64::NAN; layout.row_width()], data: Vec::new() };
    let outcome = run_from(&built.model, settings, start, &mut recorder, &mut rows, watch);
    Ok(Finished { layout, rows, outcome })
}

/// Looks at signals, errors of control laws and the progress bar while a run goes on.
struct Watcher {
    next: Instant,
    progress: Option<Py<PyAny>>,
    stopped: Option<PyErr>,
}

impl Watcher {
    fn goes_on(&mut self, progress: &Progress) -> bool {
        self.stopped = take_fault();
        let now = Instant::now();
        if self.stopped.is_none() && now >= self.next {
            self.next = now + PATIENCE;
            self.stopped = Python::attach(|py| self.look(py, progress)).err();
        }
        self.stopped.is_none()
    }

    fn look(&self, py: Python<'_>, progress: &Progress) -> PyResult<()> {
        py.check_signals()?;
        match &self.progress {
            Some(show) => show.call1(py, (progress.fraction, progress.time)).map(|_| ()),
            None => Ok(()),
        }
    }
}

/// The state to start from: given, the equilibrium, or the model's own.
fn start_state(
    py: Python<'_>,
    model: &PyModel,
    time: f64,
    given: Option<(Vector<'_>, Vector<'_>)>,
    from_static: bool,
    relax: bool,
) -> PyResult<State> {
    let engine = model.model();
    let mut state = State::initial(engine, time);
    if let Some((q, v)) = given {
        state = given_state(model.model(), state, &q, &v)?;
    }
    if !from_static {
        return Ok(state);
    }
    let options =
        EquilibriumOptions { relaxations: if relax { RELAXATIONS } else { 0 }, ..Default::default() };
    let found =
        py.detach(|| equilibrium(engine, &state, &options)).map_err(crate::error::simulation_error)?;
    Ok(found.state)
}

/// `state` with the user's coordinates and speeds, prescribed ones as the model says, loops closed.
pub fn given_state(
    model: &flexura::Model,
    mut state: State,
    q: &Vector<'_>,
    v: &Vector<'_>,
) -> PyResult<State> {
    let time = state.time;
    fill_state(model, &mut state, q, v, time)?;
    apply_prescribed(model, &mut state, None);
    if !model.loops.is_empty() {
        let mut work = Workspace::new(model);
        flexura::algorithm::closure::project(model, &mut state, &mut work)
            .map_err(crate::error::simulation_error)?;
    }
    Ok(state)
}

/// Simulates; returns the parts of a `flexura.Result` and how the run ended.
#[pyfunction]
#[pyo3(signature = (model, *, end=None, output_interval=None, relative_tolerance=None, absolute_tolerance=None,
    channels=None, picture=None, initial_state=None, from_static=false, relax=false, progress=None))]
pub fn simulate<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    end: Option<f64>,
    output_interval: Option<f64>,
    relative_tolerance: Option<f64>,
    absolute_tolerance: Option<f64>,
    channels: Option<Vec<String>>,
    picture: Option<bool>,
    initial_state: Option<(Vector<'py>, Vector<'py>)>,
    from_static: bool,
    relax: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let wanted = Settings { end, output_interval, relative_tolerance, absolute_tolerance, channels, picture };
    let settings = wanted.apply(&model.loaded.built.description.simulation).map_err(PyValueError::new_err)?;
    let start = start_state(py, &model, settings.start, initial_state, from_static, relax)?;
    let mut watcher = Watcher { next: Instant::now() + PATIENCE, progress, stopped: None };
    take_fault();
    let loaded = &*model.loaded;
    let finished = {
        let watcher = &mut watcher;
        py.detach(move || run(loaded, &settings, &wanted, start, &mut |progress| watcher.goes_on(progress)))
    };
    let stopped = watcher.stopped.or_else(take_fault);
    let finished = match finished {
        Ok(finished) => finished,
        Err(error) => return Err(stopped.unwrap_or_else(|| run_error(&error))),
    };
    raw_result(py, finished, stopped)
}
