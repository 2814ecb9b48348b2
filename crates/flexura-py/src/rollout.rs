//! Many runs on all cores, each on one thread and equal to the same run alone.

use crate::array::Vector;
use crate::error::{ModelError, model_error, run_error};
use crate::law::take_fault;
use crate::model::PyModel;
use crate::patience::PATIENCE;
use crate::result::raw_result;
use crate::rollout_case::{Case, Done, Fault, Numbers, case_model, look};
use crate::rollout_device::all_on_device;
use crate::run::{Origin, Watch, given_state, run};
use crate::settings::Settings;
use flexura::State;
use flexura::checkpoint::Checkpoint;
use flexura::file::Loaded;
use flexura::simulate::Progress;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Stops a run at an exception of a control law, or when all runs are to stop.
struct CaseWatch<'a> {
    stopped: Option<PyErr>,
    cancel: &'a AtomicBool,
}

impl Watch for CaseWatch<'_> {
    fn due(&mut self, _: &Progress) -> bool {
        false
    }

    fn keep(&mut self, _: &Checkpoint, _: &[f64], _: usize) {}

    fn goes_on(&mut self) -> bool {
        self.stopped = take_fault();
        self.stopped.is_none() && !self.cancel.load(Ordering::Relaxed)
    }
}

fn run_case(base: &Arc<Loaded>, case: Case, wanted: &Settings, cancel: &AtomicBool) -> Result<Done, Fault> {
    let (loaded, settings, start) = case_model(base, case, wanted)?;
    take_fault();
    let mut watch = CaseWatch { stopped: None, cancel };
    let finished = run(&loaded, &settings, wanted, Origin::State(start), &mut watch);
    let stopped = watch.stopped.or_else(take_fault);
    match finished {
        Ok(finished) => Ok(Done { finished, stopped }),
        Err(error) => Err(stopped.map_or(Fault::Run(error), Fault::Python)),
    }
}

/// Simulates all cases on `threads` threads; each entry of the list is the parts of a result or an exception.
#[pyfunction]
#[pyo3(signature = (model, numbers, states, threads, *, end=None, output_interval=None, relative_tolerance=None,
    absolute_tolerance=None, channels=None, picture=None, device=None, progress=None))]
pub fn rollout<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    numbers: Vec<Numbers>,
    states: Vec<Option<(Vector<'py>, Vector<'py>)>>,
    threads: usize,
    end: Option<f64>,
    output_interval: Option<f64>,
    relative_tolerance: Option<f64>,
    absolute_tolerance: Option<f64>,
    channels: Option<Vec<String>>,
    picture: Option<bool>,
    device: Option<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Py<PyAny>>> {
    if numbers.len() != states.len() {
        return Err(PyValueError::new_err("as many parameter sets as initial states are needed"));
    }
    let wanted = Settings {
        end,
        output_interval,
        relative_tolerance,
        absolute_tolerance,
        channels,
        picture,
        threads: None,
        formulation: None,
        device: None,
    };
    let engine = model.model();
    let start = model.loaded.built.description.simulation.start;
    let mut cases = Vec::with_capacity(numbers.len());
    for (numbers, state) in numbers.into_iter().zip(states) {
        let state = match state {
            Some((q, v)) => Some(given_state(engine, State::initial(engine, start), &q, &v)?),
            None => None,
        };
        cases.push(Case { numbers, state, laws: model.laws(py) });
    }
    let (base, count) = (Arc::clone(&model.loaded), cases.len());
    let threads = threads.clamp(1, count.max(1));
    let found = py.detach(|| match &device {
        Some(word) => all_on_device(&base, cases, &wanted, word, threads, progress.as_ref()),
        None => all(&base, cases, &wanted, threads, progress.as_ref()),
    })?;
    found.into_iter().map(|outcome| converted(py, outcome)).collect()
}

/// Where a case waits to be run, and then its outcome.
enum Slot {
    Waiting(Case),
    Running,
    Done(Result<Done, Fault>),
}

/// Runs every case; looks at signals meanwhile.
fn all(
    base: &Arc<Loaded>,
    cases: Vec<Case>,
    wanted: &Settings,
    threads: usize,
    progress: Option<&Py<PyAny>>,
) -> PyResult<Vec<Result<Done, Fault>>> {
    let slots: Vec<Mutex<Slot>> = cases.into_iter().map(|case| Mutex::new(Slot::Waiting(case))).collect();
    let (next, done, cancel) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    // Nothing is ever sent: the channel closes when the last worker ends.
    let (alive, ended) = channel::<()>();
    let mut stopped = None;
    thread::scope(|scope| {
        for _ in 0..threads {
            let (alive, slots, next, done, cancel) = (alive.clone(), &slots, &next, &done, &cancel);
            scope.spawn(move || {
                let _alive = alive;
                while !cancel.load(Ordering::Relaxed) {
                    let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    if let Slot::Waiting(case) = exchange(slot, Slot::Running) {
                        exchange(slot, Slot::Done(run_case(base, case, wanted, cancel)));
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        drop(alive);
        while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(PATIENCE) {
            let fraction = done.load(Ordering::Relaxed) as f64 / slots.len() as f64;
            if let Err(error) = Python::attach(|py| look(py, progress, fraction)) {
                stopped.get_or_insert(error);
                cancel.store(true, Ordering::Relaxed);
            }
        }
    });
    match stopped {
        Some(error) => Err(error),
        None => Ok(slots.iter().filter_map(|slot| outcome(exchange(slot, Slot::Running))).collect()),
    }
}

fn exchange(slot: &Mutex<Slot>, new: Slot) -> Slot {
    std::mem::replace(&mut slot.lock().unwrap_or_else(PoisonError::into_inner), new)
}

fn outcome(slot: Slot) -> Option<Result<Done, Fault>> {
    match slot {
        Slot::Done(outcome) => Some(outcome),
        _ => None,
    }
}

fn converted(py: Python<'_>, outcome: Result<Done, Fault>) -> PyResult<Py<PyAny>> {
    let error = match outcome {
        Ok(done) => return Ok(raw_result(py, done.finished, done.stopped)?.into_any().unbind()),
        Err(Fault::Setting(text)) => ModelError::new_err(text),
        Err(Fault::Model(errors)) => model_error(py, &errors),
        Err(Fault::Run(error)) => run_error(&error),
        Err(Fault::Python(error)) => error,
    };
    Ok(error.into_value(py).into_any())
}
