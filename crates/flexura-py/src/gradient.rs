//! Gradients of runs: one case, or many on all cores, each on one thread with the bits it has alone.

use crate::array::Vector;
use crate::error::{ModelError, model_error, run_error};
use crate::model::{PyModel, build_model};
use crate::patience::patiently;
use crate::run::given_state;
use crate::settings::Settings;
use crate::text::with_numbers;
use flexura::State;
use flexura::analysis::{
    Cost, Gradient, GradientError, GradientSetup, KeptRun, Objective, Parameter, SensitivityError, Term,
    speed_labels,
};
use flexura::build::Built;
use flexura::file::{FileErrors, Loaded, RememberedBodies, find_parameter};
use flexura::record::Recorder;
use flexura_fem::PartSource;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What all cases have in common.
#[derive(Clone)]
struct Wanted {
    /// Paths of the parameters.
    parameters: Vec<String>,
    /// Channels, in the order of the answer.
    channels: Vec<String>,
    setup: GradientSetup,
    end: Option<f64>,
    objective: Objective,
}

/// One run: parameters, start, inputs, and weights of rows where derivatives are asked for.
struct Case {
    values: Vec<f64>,
    state: Option<State>,
    held: Vec<f64>,
    weights: Option<Vec<f64>>,
}

/// What a case has come to.
struct Done {
    rows: Vec<f64>,
    value: f64,
    gradient: Option<Gradient>,
    touched: Vec<String>,
    by_models: Vec<String>,
    cost: Cost,
}

/// Why a case has no answer.
enum Fault {
    Setting(String),
    Model(FileErrors),
    Gradient(GradientError),
}

impl From<GradientError> for Fault {
    fn from(error: GradientError) -> Self {
        Self::Gradient(error)
    }
}

impl Fault {
    fn into_error(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Setting(text) => ModelError::new_err(text),
            Self::Model(errors) => model_error(py, &errors),
            Self::Gradient(
                GradientError::Simulation(error)
                | GradientError::Sensitivity(SensitivityError::Simulation(error)),
            ) => run_error(&error),
            Self::Gradient(other) => PyValueError::new_err(other.to_string()),
        }
    }
}

fn refuse_laws(model: &PyModel) -> PyResult<()> {
    if model.has_laws() {
        // Derivatives come from models built of the file's text, which holds no law.
        let text = "gradients do not know laws in Python: give the controller a type of the model file";
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

/// What a run with gradients depends on and gives: names, values, instants.
#[pyfunction]
#[pyo3(signature = (model, parameters, channels, inputs, *, times=None, end=None))]
pub fn gradient_plan<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    parameters: Vec<String>,
    channels: Vec<String>,
    inputs: Vec<String>,
    times: Option<PyReadonlyArray1<'py, f64>>,
    end: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    refuse_laws(&model)?;
    let engine = model.model();
    let mut names: Vec<(String, &'static str)> = Vec::new();
    for pattern in &channels {
        let found =
            Recorder::new(engine, std::slice::from_ref(pattern)).map_err(|fault| run_error(&fault))?;
        for channel in found.channels() {
            if !names.iter().any(|(name, _)| *name == channel.name) {
                names.push((channel.name.clone(), channel.unit));
            }
        }
    }
    let setup = GradientSetup {
        times: times.map(|times| times.as_array().to_vec()),
        inputs,
        ..GradientSetup::default()
    };
    let settings = Settings { end, ..Settings::default() }
        .apply(engine, &model.loaded.built.description.simulation)
        .map_err(PyValueError::new_err)?;
    let plan = |error| Fault::from(error).into_error(py);
    let times = setup.row_times(&settings).map_err(plan)?;
    let known = setup.own_inputs(engine).map_err(plan)?;
    let text = model.loaded.spans.source();
    let mut values = Vec::new();
    for path in &parameters {
        let found = find_parameter(text, path);
        values.push(found.map_err(|fault| PyValueError::new_err(format!("parameter {fault}")))?.value);
    }
    let intervals = times.iter().filter(|&&time| time > settings.start).count();
    let labels: Vec<String> = speed_labels(engine).into_iter().map(|label| label.coordinate).collect();
    let out = PyDict::new(py);
    out.set_item("channels", names)?;
    out.set_item("time", PyArray1::from_vec(py, times))?;
    out.set_item("intervals", intervals)?;
    out.set_item("parameter_values", PyArray1::from_vec(py, values))?;
    let own = known.iter().map(|input| input.start).collect();
    out.set_item("input_values", PyArray1::from_vec(py, own))?;
    out.set_item("speeds", labels)?;
    Ok(out)
}

/// Values of parameters, start, inputs interval after interval (none: the model's own), weights of the rows (none: rows alone).
type GivenCase<'py> = (
    PyReadonlyArray1<'py, f64>,
    Option<(Vector<'py>, Vector<'py>)>,
    PyReadonlyArray1<'py, f64>,
    Option<PyReadonlyArray1<'py, f64>>,
);

/// Runs every case on `threads` threads; each entry of the list is a dictionary or an exception.
#[pyfunction]
#[pyo3(signature = (model, parameters, channels, inputs, cases, threads, *, times=None, end=None, terms=Vec::new(),
    record=Vec::new(), checkpoints=0))]
pub fn kept_runs<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    parameters: Vec<String>,
    channels: Vec<String>,
    inputs: Vec<String>,
    cases: Vec<GivenCase<'py>>,
    threads: usize,
    times: Option<PyReadonlyArray1<'py, f64>>,
    end: Option<f64>,
    terms: Vec<String>,
    record: Vec<(String, PyReadonlyArray1<'py, f64>, f64)>,
    checkpoints: usize,
) -> PyResult<Vec<Py<PyAny>>> {
    refuse_laws(&model)?;
    let times = times.map(|times| times.as_array().to_vec());
    let read = terms.iter().map(|words| Objective::term_of(words)).collect::<Result<Vec<_>, _>>();
    let mut terms = read.map_err(|error| Fault::from(error).into_error(py))?;
    for (channel, wanted, scale) in record {
        terms.push((1.0, channel, Term::Misfit { wanted: wanted.as_array().to_vec(), scale }));
    }
    let mut channels = channels;
    for (_, channel, _) in &terms {
        if !channels.contains(channel) {
            channels.push(channel.clone());
        }
    }
    let setup =
        GradientSetup { channels: channels.clone(), times, inputs, checkpoints, ..Default::default() };
    let wanted = Wanted { parameters, channels, setup, end, objective: Objective { terms } };
    let engine = model.model();
    let start = model.loaded.built.description.simulation.start;
    let mut list = Vec::with_capacity(cases.len());
    for (values, state, held, weights) in cases {
        let state = match state {
            Some((q, v)) => Some(given_state(engine, State::initial(engine, start), &q, &v)?),
            None => None,
        };
        list.push(Case {
            values: values.as_array().to_vec(),
            state,
            held: held.as_array().to_vec(),
            weights: weights.map(|weights| weights.as_array().to_vec()),
        });
    }
    let base = Arc::clone(&model.loaded);
    let found = patiently(py, move || all(&base, &list, &wanted, threads))?;
    found.into_iter().map(|outcome| converted(py, outcome)).collect()
}

/// Every case, on as many threads as there are cases at most.
fn all(base: &Loaded, cases: &[Case], wanted: &Wanted, threads: usize) -> Vec<Result<Done, Fault>> {
    let (next, slots) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        let parts = PartSource::cached().with_laws(flexura_exchange::fmi::open_law);
        let bodies = RememberedBodies::new(&parts);
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(place) else { break };
            let found = one(base, case, wanted, &bodies);
            slots.lock().unwrap_or_else(PoisonError::into_inner).push((place, found));
        }
    };
    let threads = threads.clamp(1, cases.len().max(1));
    if threads == 1 {
        work();
    } else {
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    }
    let mut found = slots.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, outcome)| outcome).collect()
}

/// One case: the run, and the way back where it is asked for.
fn one(base: &Loaded, case: &Case, wanted: &Wanted, bodies: &RememberedBodies<'_>) -> Result<Done, Fault> {
    let pairs: Vec<(String, f64)> =
        wanted.parameters.iter().cloned().zip(case.values.iter().copied()).collect();
    let (source, name) = (base.spans.source(), base.spans.file_name());
    let text = with_numbers(source, &pairs).map_err(Fault::Setting)?;
    let mut built = if text == source {
        base.built.clone()
    } else {
        build_model(&text, name, Vec::new()).map_err(Fault::Model)?.built
    };
    set_end(&mut built, wanted.end)?;
    let mut setup = wanted.setup.clone();
    setup.start.clone_from(&case.state);
    setup.held.clone_from(&case.held);
    let back = case.weights.is_some() || !wanted.objective.terms.is_empty();
    let named = |path: &String| Parameter::of_file_with(&text, name, path, bodies);
    let followed = if back { wanted.parameters.as_slice() } else { &[] };
    let list = followed.iter().map(named).collect::<Result<Vec<_>, _>>().map_err(GradientError::from)?;
    let mut run = KeptRun::new(&built, &list, &setup)?;
    let columns = columns(&run, &wanted.channels)?;
    let width = run.channels().len();
    let (mut value, mut gradient) = (0.0, None);
    if let Some(weights) = &case.weights {
        // Columns in the order asked for become those of the run.
        let mut own = vec![0.0; run.rows().len()];
        for (row, given) in own.chunks_mut(width.max(1)).zip(weights.chunks(columns.len().max(1))) {
            columns.iter().zip(given).for_each(|(&column, weight)| row[column] = *weight);
        }
        gradient = Some(run.pull_back(&own)?);
    } else if back {
        let (found, derivatives) = run.gradient(&wanted.objective)?;
        (value, gradient) = (found, Some(derivatives));
    }
    let rows = run.rows().chunks(width.max(1)).flat_map(|row| columns.iter().map(|&column| row[column]));
    Ok(Done {
        rows: rows.collect(),
        value,
        gradient,
        touched: run.touched().to_vec(),
        by_models: run.followed_by_models().map(str::to_owned).collect(),
        cost: run.cost(),
    })
}

fn set_end(built: &mut Built, end: Option<f64>) -> Result<(), Fault> {
    let wanted = Settings { end, ..Settings::default() };
    let settings = wanted.apply(&built.model, &built.description.simulation).map_err(Fault::Setting)?;
    built.description.simulation = settings;
    Ok(())
}

/// Columns of the run's rows that hold the channels asked for.
fn columns(run: &KeptRun<'_>, names: &[String]) -> Result<Vec<usize>, GradientError> {
    let place = |name: &String| {
        let found = run.channels().iter().position(|channel| channel.name == *name);
        found.ok_or_else(|| GradientError::Setup(format!("the parameters take away channel `{name}`")))
    };
    names.iter().map(place).collect()
}

fn converted(py: Python<'_>, outcome: Result<Done, Fault>) -> PyResult<Py<PyAny>> {
    let done = match outcome {
        Ok(done) => done,
        Err(fault) => return Ok(fault.into_error(py).into_value(py).into_any()),
    };
    let out = PyDict::new(py);
    out.set_item("rows", PyArray1::from_vec(py, done.rows))?;
    out.set_item("touched", done.touched)?;
    if let Some(found) = done.gradient {
        out.set_item("value", done.value)?;
        out.set_item("followed_by_models", done.by_models)?;
        out.set_item("parameters", PyArray1::from_vec(py, found.parameters))?;
        out.set_item("inputs", PyArray1::from_vec(py, found.inputs))?;
        out.set_item("position", PyArray1::from_vec(py, found.position))?;
        out.set_item("coordinates", PyArray1::from_vec(py, found.coordinates))?;
        out.set_item("speed", PyArray1::from_vec(py, found.speed))?;
        let cost = PyDict::new(py);
        cost.set_item("runs", done.cost.runs())?;
        cost.set_item("steps", done.cost.steps)?;
        cost.set_item("forward_seconds", done.cost.forward_seconds)?;
        cost.set_item("backward_seconds", done.cost.backward_seconds)?;
        cost.set_item("models", done.cost.models)?;
        cost.set_item("model_seconds", done.cost.model_seconds)?;
        cost.set_item("bytes", done.cost.bytes())?;
        out.set_item("cost", cost)?;
    }
    Ok(out.into_any().unbind())
}
