//! One simulation: rows in one buffer, progress, Ctrl-C, checkpoints.

use crate::array::Vector;
use crate::error::run_error;
use crate::evaluate::fill_state;
use crate::law::take_fault;
use crate::model::PyModel;
use crate::patience::{PATIENCE, patiently};
use crate::ranks;
use crate::result::{Finished, raw_result};
use crate::settings::Settings;
use flexura::analysis::{EquilibriumOptions, equilibrium, keep_free_speeds};
use flexura::build::Built;
use flexura::checkpoint::Checkpoint;
use flexura::constraint::{project_position, project_velocity_rigidly};
use flexura::file::Loaded;
use flexura::model::description::SimulationDescription;
use flexura::picture::Picture;
use flexura::record::Sink;
use flexura::simulate::{Keeper, Progress, Simulation, Start};
use flexura::state::prescribe::apply_prescribed;
use flexura::{SimulationError, SinkError, State, Workspace};
use flexura_gpu::{Choice, DeviceRun};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Stops of a dynamic relaxation before it is given up, as on the command line.
const RELAXATIONS: usize = 500;

/// Looks on while a run goes: first whether a checkpoint is due, then whether to go on.
pub trait Watch {
    /// Whether a checkpoint is due after this step.
    fn due(&mut self, progress: &Progress) -> bool;
    /// Takes a checkpoint and all rows before it.
    fn keep(&mut self, checkpoint: &Checkpoint, rows: &[f64], width: usize);
    /// Whether to go on.
    fn goes_on(&mut self) -> bool;
}

/// All rows in one buffer.
struct Rows<'a> {
    row: Vec<f64>,
    data: &'a RefCell<Vec<f64>>,
}

impl Sink for Rows<'_> {
    fn row(&mut self) -> &mut [f64] {
        &mut self.row
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        self.data.borrow_mut().extend_from_slice(&self.row);
        Ok(())
    }
}

/// Hands checkpoints to the one who watches.
struct WatchKeeper<'a, W> {
    watch: &'a RefCell<&'a mut W>,
    data: &'a RefCell<Vec<f64>>,
    width: usize,
}

impl<W: Watch> Keeper for WatchKeeper<'_, W> {
    fn due(&mut self, progress: &Progress) -> bool {
        self.watch.borrow_mut().due(progress)
    }

    fn keep(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        self.watch.borrow_mut().keep(checkpoint, &self.data.borrow(), self.width);
        Ok(())
    }
}

/// A checkpoint with the rows before it.
pub struct Earlier {
    checkpoint: Checkpoint,
    rows: Vec<f64>,
    width: usize,
}

/// Where a run begins.
pub enum Origin {
    /// At a state.
    State(State),
    /// Where another run stopped.
    Checkpoint(Earlier),
}

/// Runs a model.
pub fn run(
    loaded: &Loaded,
    settings: &SimulationDescription,
    wanted: &Settings,
    origin: Origin,
    watch: &mut impl Watch,
) -> Result<Finished, SimulationError> {
    let built = &loaded.built;
    let picture = wanted.picture.unwrap_or_else(|| Picture::wanted(built));
    let mut simulation = Simulation::of(built).settings(settings.clone()).picture(picture);
    if let Some(patterns) = &wanted.channels {
        simulation = simulation.channels(patterns);
    }
    let mut prepared = simulation.prepare()?;
    let layout = flexura_output::layout(loaded, prepared.channels(), picture);
    let width = layout.row_width();
    let mut before = Vec::new();
    let checkpoint;
    match origin {
        Origin::State(state) => prepared.begin(Start::State(state)),
        Origin::Checkpoint(earlier) if earlier.width == width => {
            (checkpoint, before) = (earlier.checkpoint, earlier.rows);
            prepared.begin(Start::Checkpoint(&checkpoint));
        }
        Origin::Checkpoint(earlier) => {
            let text = format!("the checkpoint has {} columns, this run records {width}", earlier.width);
            return Err(SimulationError::Channel(text));
        }
    }
    let (data, watch) = (RefCell::new(before), RefCell::new(watch));
    let mut sink = Rows { row: vec![f64::NAN; width], data: &data };
    let mut keeper = WatchKeeper { watch: &watch, data: &data, width };
    let mut look = |_: &Progress| watch.borrow_mut().goes_on();
    let outcome = match &wanted.device {
        None => prepared.run(&mut sink, &mut look, &mut keeper),
        Some(word) => {
            let mut device = on_device(built, settings, word)?;
            prepared.run_remote(&mut device, &mut sink, &mut look, &mut keeper)
        }
    };
    Ok(Finished { layout, rows: data.into_inner(), outcome })
}

/// The device that takes the steps of a run.
fn on_device<'m>(
    built: &'m Built,
    settings: &SimulationDescription,
    word: &str,
) -> Result<DeviceRun<'m>, SimulationError> {
    let choice = Choice::parse(word).ok_or_else(|| {
        SimulationError::Settings(format!(
            "device = \"{word}\": choose cuda, cuda:1 (the second device) or emulated"
        ))
    })?;
    DeviceRun::new(&built.model, &settings.method, choice)
        .map_err(|error| SimulationError::Elsewhere(format!("device = \"{word}\": {error}")))
}

/// Looks at signals, errors of control laws, the progress bar and the clock of checkpoints.
struct Watcher {
    next: Instant,
    progress: Option<Py<PyAny>>,
    stopped: Option<PyErr>,
    /// Called with time, words, rows and width of every checkpoint.
    keep: Option<Py<PyAny>>,
    interval: Duration,
    kept: Instant,
    interrupted: bool,
    /// Made at Ctrl-C: the run can go on from there.
    last: Option<Checkpoint>,
}

impl Watcher {
    fn look(&mut self, py: Python<'_>, progress: &Progress) -> PyResult<()> {
        if let Err(signal) = py.check_signals() {
            self.interrupted = signal.is_instance_of::<PyKeyboardInterrupt>(py);
            return Err(signal);
        }
        match &self.progress {
            Some(show) => show.call1(py, (progress.fraction, progress.time)).map(|_| ()),
            None => Ok(()),
        }
    }
}

impl Watch for Watcher {
    fn due(&mut self, progress: &Progress) -> bool {
        // A checkpoint that could not be kept ends the run, too.
        self.stopped = self.stopped.take().or_else(take_fault);
        let now = Instant::now();
        if self.stopped.is_none() && now >= self.next {
            self.next = now + PATIENCE;
            self.stopped = Python::attach(|py| self.look(py, progress)).err();
        }
        let due = self.keep.is_some() && now >= self.kept + self.interval;
        self.interrupted || (due && self.stopped.is_none())
    }

    fn keep(&mut self, checkpoint: &Checkpoint, rows: &[f64], width: usize) {
        if let Some(keep) = &self.keep {
            let done = Python::attach(|py| -> PyResult<()> {
                let (words, rows) =
                    (PyArray1::from_slice(py, &checkpoint.words), PyArray1::from_slice(py, rows));
                keep.call1(py, (checkpoint.time, words, rows, width)).map(|_| ())
            });
            if let Err(fault) = done {
                self.stopped.get_or_insert(fault);
            }
            self.kept = Instant::now();
        }
        if self.interrupted {
            self.last = Some(checkpoint.clone());
        }
    }

    fn goes_on(&mut self) -> bool {
        self.stopped.is_none()
    }
}

/// The state to start from: given, the equilibrium, or the model's own.
pub fn start_state(
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
    let loaded = Arc::clone(&model.loaded);
    let find = move || {
        let found = equilibrium(&loaded.built.model, &state, &options);
        found.map(|mut found| {
            keep_free_speeds(&loaded.built.model, &state, &mut found.state);
            found.state
        })
    };
    patiently(py, find)?.map_err(crate::error::simulation_error)
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
        project_position(model, &mut state, &mut work).map_err(crate::error::simulation_error)?;
        project_velocity_rigidly(model, &mut state, &mut work).map_err(crate::error::simulation_error)?;
    }
    Ok(state)
}

/// Time (s), words and rows of a checkpoint.
type CheckpointParts<'py> = (f64, PyReadonlyArray1<'py, u64>, PyReadonlyArray2<'py, f64>);

fn earlier((time, words, rows): CheckpointParts<'_>) -> PyResult<Earlier> {
    let (count, width) = rows.as_array().dim();
    let checkpoint = Checkpoint { time, rows: count as u64, words: words.as_array().to_vec() };
    Ok(Earlier { checkpoint, rows: rows.as_array().iter().copied().collect(), width })
}

/// Simulates; returns the parts of a `flexura.Result` and how the run ended.
#[pyfunction]
#[pyo3(signature = (model, *, end=None, output_interval=None, relative_tolerance=None, absolute_tolerance=None,
    channels=None, picture=None, threads=None, ranks=None, formulation=None, device=None, initial_state=None, from_static=false, relax=false,
    progress=None, keep=None, keep_interval=60.0, restart=None))]
pub fn simulate<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    end: Option<f64>,
    output_interval: Option<f64>,
    relative_tolerance: Option<f64>,
    absolute_tolerance: Option<f64>,
    channels: Option<Vec<String>>,
    picture: Option<bool>,
    threads: Option<usize>,
    ranks: Option<ranks::Choice>,
    formulation: Option<String>,
    device: Option<String>,
    initial_state: Option<(Vector<'py>, Vector<'py>)>,
    from_static: bool,
    relax: bool,
    progress: Option<Py<PyAny>>,
    keep: Option<Py<PyAny>>,
    keep_interval: f64,
    restart: Option<CheckpointParts<'py>>,
) -> PyResult<Bound<'py, PyDict>> {
    let wanted = Settings {
        end,
        output_interval,
        relative_tolerance,
        absolute_tolerance,
        channels,
        picture,
        threads,
        formulation,
        device,
    };
    let settings = wanted
        .apply(&model.loaded.built.model, &model.loaded.built.description.simulation)
        .map_err(PyValueError::new_err)?;
    let interval = Duration::try_from_secs_f64(keep_interval)
        .map_err(|_| PyValueError::new_err("checkpoint_interval: give seconds from 0 on"))?;
    let origin = match restart {
        Some(_) if initial_state.is_some() || from_static => {
            return Err(PyValueError::new_err(
                "restart: goes on where the checkpoint is, from no other state",
            ));
        }
        Some(parts) => Origin::Checkpoint(earlier(parts)?),
        None => Origin::State(start_state(py, &model, settings.start, initial_state, from_static, relax)?),
    };
    if wanted.device.is_some() && wanted.threads.is_some() {
        return Err(PyValueError::new_err("threads: those of the processor; leave it out with a device"));
    }
    let taken = [(wanted.device.is_some(), "device"), (keep.is_some(), "checkpoint")];
    let group = match (ranks, origin) {
        (None, origin) => Err(origin),
        (Some(_), Origin::Checkpoint(_)) => {
            return Err(PyValueError::new_err(
                "ranks: restart is for runs without; `flexura run --ranks` has both",
            ));
        }
        (Some(ranks), Origin::State(state)) => {
            if let Some((_, name)) = taken.into_iter().find(|(taken, _)| *taken) {
                let text = format!("ranks: not together with {name}; leave one of the two out");
                return Err(PyValueError::new_err(text));
            }
            Ok((state, ranks.group()?))
        }
    };
    let now = Instant::now();
    let mut watcher = Watcher {
        next: now + PATIENCE,
        progress,
        stopped: None,
        keep,
        interval,
        kept: now,
        interrupted: false,
        last: None,
    };
    take_fault();
    let loaded = &*model.loaded;
    let finished = py.detach(|| match group {
        Err(origin) => run(loaded, &settings, &wanted, origin, &mut watcher),
        Ok(group) => {
            let mut look = |progress: &Progress| {
                watcher.due(progress);
                watcher.goes_on()
            };
            ranks::run(loaded, &settings, &wanted, group, &mut look)
        }
    });
    let stopped = watcher.stopped.or_else(take_fault);
    let finished = match finished {
        Ok(finished) => finished,
        Err(error) => return Err(stopped.unwrap_or_else(|| run_error(&error))),
    };
    let out = raw_result(py, finished, stopped)?;
    if let Some(last) = watcher.last {
        out.set_item("checkpoint", (last.time, PyArray1::from_vec(py, last.words), last.rows))?;
    }
    Ok(out)
}
