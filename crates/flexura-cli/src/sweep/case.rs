//! One case of a sweep: a run whose rows are reduced to last, smallest and largest values.

use super::journal::{Entry, Extent};
use super::{CASE_KEY, Sweep, TICKS};
use crate::failure::Failure;
use crate::open::open_quietly;
use flexura::SinkError;
use flexura::file::Loaded;
use flexura::picture::Picture;
use flexura::record::{Channel, Sink};
use flexura::simulate::{Outcome, Progress, Simulation};
use flexura_output::{layout, verdicts_of};
use flexura_results::{Writer, WriterOptions};
use indicatif::ProgressBar;
use std::sync::atomic::{AtomicBool, Ordering};

/// Keeps the extent of every channel; rows go to a file where one is wanted.
pub(super) struct Reduction {
    row: Vec<f64>,
    extents: Vec<Extent>,
    writer: Option<Writer>,
}

impl Reduction {
    /// For rows of so many channels.
    pub(super) fn new(channels: usize) -> Self {
        Self { row: vec![f64::NAN; channels + 1], extents: vec![Extent::default(); channels], writer: None }
    }
}

impl Sink for Reduction {
    fn row(&mut self) -> &mut [f64] {
        match &mut self.writer {
            Some(writer) => writer.row(),
            None => &mut self.row,
        }
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        let row = match &mut self.writer {
            Some(writer) => writer.row(),
            None => &mut self.row,
        };
        // The time comes first.
        for (extent, &value) in self.extents.iter_mut().zip(&row[1..]) {
            extent.see(value);
        }
        match &mut self.writer {
            Some(writer) => writer.commit().map_err(SinkError::new),
            None => Ok(()),
        }
    }
}

/// Computes case `k`; nothing if it was interrupted. A case that fails is an entry that says so.
pub fn run(
    sweep: &Sweep<'_>,
    k: usize,
    interrupted: &AtomicBool,
    bar: &ProgressBar,
) -> Result<Option<Entry>, Failure> {
    let mut shown = 0;
    let mut show = |fraction: f64| {
        let ticks = (fraction * TICKS as f64) as u64;
        bar.inc(ticks.saturating_sub(shown));
        shown = shown.max(ticks);
    };
    let loaded = match open_quietly(&sweep.arguments.model, &sweep.cases.settings(k)) {
        Ok(loaded) => loaded,
        Err(Failure::Model(text)) => return Ok(Some(Entry::failed(&text))),
        Err(other) => return Err(other),
    };
    let mut prepared = simulation(sweep, &loaded).prepare().map_err(Failure::simulation)?;
    let mut sink = Reduction::new(prepared.channels().len());
    if let Some(path) = sweep.result_path(k) {
        let layout = layout(&loaded, prepared.channels(), Picture::wanted(&loaded.built))
            .with_metadata(CASE_KEY, &sweep.key(k));
        let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
        sink.writer = Some(Writer::create(path, &layout, &options).map_err(Failure::file)?);
    }
    let mut watch = |progress: &Progress| {
        show(progress.fraction);
        !interrupted.load(Ordering::Relaxed)
    };
    let outcome = prepared.run(&mut sink, &mut watch, &mut ());
    if let Some(writer) = sink.writer.take() {
        writer.finish_with(outcome.as_ref().ok().map(verdicts_of)).map_err(Failure::file)?;
    }
    show(1.0);
    settle(sweep, k, outcome.map_err(|error| error.to_string()), prepared.channels(), &sink)
}

/// The run of a case, with the channels of the model file where the result is kept, else those of the summary.
pub(super) fn simulation<'a>(sweep: &Sweep<'_>, loaded: &'a Loaded) -> Simulation<'a> {
    let (run, own) = (Simulation::of(&loaded.built), &sweep.arguments.channels);
    if !sweep.arguments.results {
        return run.channels(own);
    }
    let patterns = [&loaded.built.description.output.channels[..], &own[..]].concat();
    run.channels(patterns).picture(Picture::wanted(&loaded.built))
}

pub(super) fn settle(
    sweep: &Sweep<'_>,
    k: usize,
    outcome: Result<Outcome, String>,
    channels: &[Channel],
    sink: &Reduction,
) -> Result<Option<Entry>, Failure> {
    match outcome {
        Ok(outcome) if outcome.cancelled => {
            // A part of a case must not pass for the whole.
            if let Some(path) = sweep.result_path(k) {
                std::fs::remove_file(path).map_err(Failure::file)?;
            }
            Ok(None)
        }
        Ok(outcome) => {
            let extent = |name: &str| channels.iter().position(|channel| channel.name == name);
            let extents = sweep.channels.iter().map(|(name, _)| extent(name).map(|i| sink.extents[i]));
            let unbalanced = outcome.unbalanced.map(|found| found.to_string());
            let (end_time, extents) = (outcome.end_time, extents.collect());
            Ok(Some(Entry { end_time, failure: None, unbalanced, extents }))
        }
        Err(reason) => Ok(Some(Entry::failed(&reason))),
    }
}
