//! Many runs side by side on a device, one system of a batch each.

use crate::patience::PATIENCE;
use crate::result::Finished;
use crate::rollout_case::{Case, Done, Fault, case_model, look};
use crate::settings::Settings;
use flexura::file::Loaded;
use flexura::model::description::SimulationDescription;
use flexura::record::Sink;
use flexura::simulate::{Outcome, Simulation, Start, check_remote};
use flexura::{SimulationError, SinkError, State};
use flexura_gpu::{BatchRun, Choice, DeviceError};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Runs at a time on the device.
const BATCH: usize = 8192;

/// All rows of one run in one buffer.
struct Rows {
    row: Vec<f64>,
    data: Vec<f64>,
}

impl Sink for Rows {
    fn row(&mut self) -> &mut [f64] {
        &mut self.row
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        self.data.extend_from_slice(&self.row);
        Ok(())
    }
}

/// A model with the settings and the start of its run.
struct Ready {
    loaded: Arc<Loaded>,
    settings: SimulationDescription,
    start: State,
}

/// Runs all cases on the device called `word`; cases that are no models stand in the list as such.
pub(crate) fn all_on_device(
    base: &Arc<Loaded>,
    cases: Vec<Case>,
    wanted: &Settings,
    word: &str,
    threads: usize,
    progress: Option<&Py<PyAny>>,
) -> PyResult<Vec<Result<Done, Fault>>> {
    let mut outcomes: Vec<Option<Result<Done, Fault>>> = Vec::new();
    let mut ready = Vec::new();
    for (index, case) in read_all(base, cases, wanted, threads).into_iter().enumerate() {
        outcomes.push(None);
        match case {
            Ok(one) => ready.push((index, one)),
            Err(fault) => outcomes[index] = Some(Err(fault)),
        }
    }
    let mut stopped = None;
    let count = ready.len().max(1);
    for (number, part) in ready.chunks(BATCH).enumerate() {
        let before = (number * BATCH) as f64 / count as f64;
        let share = part.len() as f64 / count as f64;
        let mut show = |done: f64| {
            if stopped.is_none() {
                stopped = Python::attach(|py| look(py, progress, before + share * done)).err();
            }
            stopped.is_none()
        };
        if !show(0.0) {
            break;
        }
        match run_ready(part, wanted, word, threads, &mut show) {
            Ok(found) => {
                for ((index, _), outcome) in part.iter().zip(found) {
                    outcomes[*index] = Some(outcome);
                }
            }
            // What the device refuses, it refuses for all.
            Err(error) => {
                for (index, _) in part {
                    let text = format!("device = \"{word}\": {error}");
                    outcomes[*index] = Some(Err(Fault::Run(SimulationError::Elsewhere(text))));
                }
            }
        }
    }
    match stopped {
        Some(error) => Err(error),
        None => Ok(outcomes.into_iter().flatten().collect()),
    }
}

/// A case that waits to be read, then what it was.
type Reading = (Option<Case>, Option<Result<Ready, Fault>>);

/// Models of all cases, read on `threads` threads.
fn read_all(
    base: &Arc<Loaded>,
    cases: Vec<Case>,
    wanted: &Settings,
    threads: usize,
) -> Vec<Result<Ready, Fault>> {
    let slots: Vec<Mutex<Reading>> = cases.into_iter().map(|case| Mutex::new((Some(case), None))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(case) = slot.0.take() {
                slot.1 = Some(case_model(base, case, wanted).map(|(loaded, settings, start)| Ready {
                    loaded,
                    settings,
                    start,
                }));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner).1).collect()
}

fn run_ready(
    ready: &[(usize, Ready)],
    wanted: &Settings,
    word: &str,
    threads: usize,
    show: &mut dyn FnMut(f64) -> bool,
) -> Result<Vec<Result<Done, Fault>>, DeviceError> {
    let Some((_, first)) = ready.first() else { return Ok(Vec::new()) };
    let failed = |error: SimulationError| DeviceError::Driver(error.to_string());
    let choice = Choice::parse(word)
        .ok_or_else(|| DeviceError::Driver("choose cuda, cuda:1 (the second device) or emulated".into()))?;
    check_remote(&first.settings).map_err(failed)?;
    if ready.iter().any(|(_, own)| own.settings.method != first.settings.method) {
        return Err(DeviceError::Driver("the runs of a batch must have one method".into()));
    }
    let mut prepared = Vec::with_capacity(ready.len());
    for (_, own) in ready {
        let mut simulation = Simulation::of(&own.loaded.built).settings(own.settings.clone()).picture(false);
        if let Some(patterns) = &wanted.channels {
            simulation = simulation.channels(patterns);
        }
        let mut one = simulation.prepare().map_err(failed)?;
        one.begin(Start::State(own.start.clone()));
        prepared.push(one);
    }
    let layouts: Vec<_> = ready
        .iter()
        .zip(&prepared)
        .map(|((_, own), run)| flexura_output::layout(&own.loaded, run.channels(), false))
        .collect();
    let mut sinks: Vec<Rows> = layouts
        .iter()
        .map(|layout| Rows { row: vec![f64::NAN; layout.row_width()], data: Vec::new() })
        .collect();
    // A case that does not start says so; the others run.
    let (mut models, mut runs, mut running) = (Vec::new(), Vec::new(), Vec::new());
    let mut outcomes: Vec<Option<Result<Outcome, SimulationError>>> = ready.iter().map(|_| None).collect();
    for (place, (run, sink)) in prepared.iter_mut().zip(&mut sinks).enumerate() {
        match run.follow(sink) {
            Ok(run) => {
                models.push(&ready[place].1.loaded.built.model);
                runs.push(run);
                running.push(place);
            }
            Err(error) => outcomes[place] = Some(Err(error)),
        }
    }
    if !models.is_empty() {
        let mut batch = BatchRun::new(&models, &first.settings.method, choice)?;
        let mut asked = Instant::now();
        let mut watch = |share: f64| {
            if asked.elapsed() < PATIENCE {
                return true;
            }
            asked = Instant::now();
            show(share)
        };
        for (place, end) in running.into_iter().zip(batch.run(runs, threads, &mut watch)?) {
            outcomes[place] = Some(end);
        }
    }
    drop(prepared);
    let done = outcomes.into_iter().flatten().zip(layouts).zip(sinks).map(|((outcome, layout), sink)| {
        Ok(Done { finished: Finished { layout, rows: sink.data, outcome }, stopped: None })
    });
    Ok(done.collect())
}
