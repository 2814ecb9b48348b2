//! Many runs of the engine side by side: one system of a batch each.
//!
//! All runs have one topology, one method and the same instants of rows; numbers, starts and step sizes are their own. A run that
//! fails says so and leaves the others alone.

use crate::device::{Choice, Description};
use crate::error::DeviceError;
use crate::run::{device_method, statistics};
use crate::steps::{Method, Progress};
use crate::system::System;
use flexura::model::description::MethodDescription;
use flexura::record::Sink;
use flexura::simulate::{Followed, Outcome, Reached};
use flexura::{Model, SimulationError, State};

/// A batch of systems that step on a device for as many runs.
pub struct BatchRun<'m> {
    system: System<'m>,
    method: Method,
}

/// What a run of a batch came to.
pub type Ended = Result<Outcome, SimulationError>;

impl<'m> BatchRun<'m> {
    /// For `models` by `method` on the chosen device.
    pub fn new(
        models: &[&'m Model],
        method: &MethodDescription,
        choice: Choice,
    ) -> Result<Self, DeviceError> {
        let method = device_method(method)?;
        Ok(Self { system: System::batch_of(models, choice)?, method })
    }

    /// The device.
    pub fn device(&self) -> Description {
        self.system.device()
    }

    /// Takes all runs to their ends, on `threads` threads of the processor what is recorded; `watch` is asked now and then with
    /// the share that is done whether to go on.
    pub fn run<K: Sink + Send>(
        &mut self,
        mut runs: Vec<Followed<'_, K>>,
        threads: usize,
        watch: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Vec<Ended>, DeviceError> {
        let span = |run: &Followed<'_, K>| (run.state().time, run.span());
        if runs.windows(2).any(|pair| span(&pair[0]) != span(&pair[1])) {
            return Err(DeviceError::Rows);
        }
        let states: Vec<State> = runs.iter().map(|run| run.state().clone()).collect();
        self.system.set_states(&states)?;
        let start = states.first().map_or(0.0, |state| state.time);
        self.system.start(self.method, start)?;
        let mut failed: Vec<Option<SimulationError>> = runs.iter().map(|_| None).collect();
        while let Some(until) = next_due(&runs, &failed) {
            let mut stopped = false;
            let mut go_on = |progress: &Progress| {
                stopped |= !watch(runs.first().map_or(0.0, |run| run.fraction_at(progress.time)));
                !stopped
            };
            self.system.advance_unjudged(until, &mut go_on)?;
            self.take_rows(&mut runs, &mut failed, threads)?;
            stopped |= !watch(runs.first().map_or(0.0, |run| run.fraction_at(until)));
            if stopped {
                runs.iter_mut().filter(|run| run.due().is_some()).for_each(Followed::cancel);
            }
        }
        let ends = runs.into_iter().zip(failed).map(|(run, failure)| match failure {
            Some(failure) => Err(failure),
            None => Ok(run.finish()),
        });
        Ok(ends.collect())
    }

    /// Brings every run its state.
    fn take_rows<K: Sink + Send>(
        &mut self,
        runs: &mut [Followed<'_, K>],
        failed: &mut [Option<SimulationError>],
        threads: usize,
    ) -> Result<(), DeviceError> {
        for (system, fault) in self.system.faults()? {
            // Whoever reads it knows the run; its place in the batch says nothing.
            let text = fault.to_string();
            let text = text.split_once(": ").map_or(text.as_str(), |(_, reason)| reason).to_owned();
            failed[system].get_or_insert(SimulationError::Elsewhere(text));
        }
        self.system.fetch()?;
        let (works, clocks) = (self.system.works()?, self.system.system_progress()?);
        let (fetched, method) = (self.system.fetched(), self.method);
        let share = runs.len().div_ceil(threads.max(1)).max(1);
        let arrive = |first: usize, runs: &mut [Followed<'_, K>], failed: &mut [Option<SimulationError>]| {
            for (i, (run, failure)) in runs.iter_mut().zip(failed).enumerate() {
                if failure.is_some() {
                    continue;
                }
                let (number, mut state) = (first + i, run.state().clone());
                fetched.read_state(number, &mut state);
                let reached = Reached {
                    time: clocks[number].time,
                    work_done: works[number],
                    statistics: statistics(&clocks[number], &method),
                };
                *failure = run.arrive(state, &reached).err();
            }
        };
        std::thread::scope(|scope| {
            for (k, (runs, failed)) in runs.chunks_mut(share).zip(failed.chunks_mut(share)).enumerate() {
                let arrive = &arrive;
                scope.spawn(move || arrive(k * share, runs, failed));
            }
        });
        Ok(())
    }
}

/// When the next rows of all runs are due.
fn next_due<K: Sink>(runs: &[Followed<'_, K>], failed: &[Option<SimulationError>]) -> Option<f64> {
    runs.iter().zip(failed).find(|(_, failure)| failure.is_none()).and_then(|(run, _)| run.due())
}
