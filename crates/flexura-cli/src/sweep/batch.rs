//! Cases of a sweep side by side on a device, some thousands at a time.
//!
//! The processor reads the models and evaluates rows on all its cores; the device takes the steps. A case that fails is an entry
//! that says so; the others go on.

use super::case::{Reduction, settle, simulation};
use super::journal::{Entry, Journal};
use super::{Sweep, TICKS, locked};
use crate::Outcome;
use crate::failure::Failure;
use crate::open::open_quietly;
use flexura::file::Loaded;
use flexura::simulate::{Prepared, check_remote};
use flexura_gpu::{BatchRun, Choice, DeviceError};
use indicatif::ProgressBar;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Runs all cases that are not known yet.
pub(super) fn run_all(
    sweep: &Sweep<'_>,
    choice: Choice,
    journal: &Mutex<Journal>,
    interrupted: &AtomicBool,
    bar: &ProgressBar,
) -> Outcome {
    let left: Vec<usize> =
        (0..sweep.cases.count()).filter(|&k| !sweep.is_done(k, &locked(journal))).collect();
    for (number, cases) in left.chunks(sweep.arguments.batch as usize).enumerate() {
        bar.set_message(format!("{} cases on the device", cases.len()));
        bar.set_position((number * sweep.arguments.batch as usize) as u64 * TICKS);
        for (k, entry) in run_batch(sweep, choice, cases, interrupted, bar)? {
            locked(journal).add(sweep.key(k), entry)?;
        }
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(())
}

/// Entries of the cases that came to an end.
fn run_batch(
    sweep: &Sweep<'_>,
    choice: Choice,
    cases: &[usize],
    interrupted: &AtomicBool,
    bar: &ProgressBar,
) -> Result<Vec<(usize, Entry)>, Failure> {
    let mut entries = Vec::new();
    let mut loaded: Vec<(usize, Loaded)> = Vec::with_capacity(cases.len());
    for (&k, opened) in cases.iter().zip(open_all(sweep, cases, interrupted)) {
        match opened {
            Some(Ok(model)) => loaded.push((k, model)),
            Some(Err(Failure::Model(text))) => entries.push((k, Entry::failed(&text))),
            Some(Err(other)) => return Err(other),
            None => return Ok(entries), // interrupted
        }
    }
    let Some((_, first)) = loaded.first() else { return Ok(entries) };
    let settings = &first.built.description.simulation;
    check_remote(settings).map_err(|error| Failure::Simulation(format!("--device: {error}")))?;
    let method = settings.method.clone();
    if let Some((k, _)) = loaded.iter().find(|(_, own)| own.built.description.simulation.method != method) {
        let text =
            format!("--device: case {} has another method than the first; run it on the processor", k + 1);
        return Err(Failure::Usage(text));
    }
    let mut prepared: Vec<Prepared<'_>> = loaded
        .iter()
        .map(|(_, own)| simulation(sweep, own).prepare().map_err(Failure::simulation))
        .collect::<Result<_, _>>()?;
    let mut sinks: Vec<Reduction> = prepared.iter().map(|run| Reduction::new(run.channels().len())).collect();
    // A case that does not start is an entry; the others run.
    let (mut models, mut runs, mut running) = (Vec::new(), Vec::new(), Vec::new());
    for (place, (run, sink)) in prepared.iter_mut().zip(&mut sinks).enumerate() {
        let (k, own) = &loaded[place];
        match run.follow(sink) {
            Ok(run) => {
                models.push(&own.built.model);
                runs.push(run);
                running.push(place);
            }
            Err(error) => entries.push((*k, Entry::failed(&error.to_string()))),
        }
    }
    if models.is_empty() {
        return Ok(entries);
    }
    let mut batch = BatchRun::new(&models, &method, choice).map_err(refused)?;
    let (before, ticks) = (bar.position(), cases.len() as u64 * TICKS);
    let mut watch = |share: f64| {
        bar.set_position(before + (share * ticks as f64) as u64);
        !interrupted.load(Ordering::Relaxed)
    };
    let ends = batch.run(runs, sweep.jobs(), &mut watch).map_err(refused)?;
    for (place, end) in running.into_iter().zip(ends) {
        let end = end.map_err(|error| error.to_string());
        let (k, channels) = (loaded[place].0, prepared[place].channels());
        if let Some(entry) = settle(sweep, k, end, channels, &sinks[place])? {
            entries.push((k, entry));
        }
    }
    Ok(entries)
}

fn refused(error: DeviceError) -> Failure {
    match error {
        DeviceError::NoDevice(_) | DeviceError::NoEmulation => {
            Failure::Usage(format!("--device: {error}\n  = help: `flexura devices` lists what is there"))
        }
        other => Failure::Simulation(format!("--device: {other}")),
    }
}

/// Reads the models of all cases on all cores; nothing where the user interrupts.
fn open_all(
    sweep: &Sweep<'_>,
    cases: &[usize],
    interrupted: &AtomicBool,
) -> Vec<Option<Result<Loaded, Failure>>> {
    let slots: Vec<Mutex<Option<Result<Loaded, Failure>>>> = cases.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let (Some(&k), Some(slot)) = (cases.get(i), slots.get(i)) else { return };
            if interrupted.load(Ordering::Relaxed) {
                return;
            }
            let opened = open_quietly(&sweep.arguments.model, &sweep.cases.settings(k));
            *slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(opened);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..sweep.jobs() {
            scope.spawn(work);
        }
    });
    slots
        .into_iter()
        .map(|slot| slot.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
        .collect()
}
