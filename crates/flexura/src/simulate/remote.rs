//! Runs whose steps are taken elsewhere, such as on a device: rows, warnings, progress and the energy audit as in any run.
//!
//! Whoever steps hits every instant at which a row is due; rows are evaluated here from the states that come back. Checkpoints hold
//! the memory of the run and behind it that of whoever steps, so that a run goes on with the same bits.

use super::{Keeper, Outcome, Progress, Run};
use crate::checkpoint::{Checkpoint, Tape};
use crate::error::SimulationError;
use crate::integrate::StepStatistics;
use crate::model::Model;
use crate::model::description::{AlgorithmDescription, FormulationChoice, SimulationDescription};
use crate::record::{Recorder, Sink};
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Where steps taken elsewhere have come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reached {
    /// Time (s): the one asked for, unless somebody wanted to stop.
    pub time: f64,
    /// Work done since the start (J).
    pub work_done: f64,
    /// Steps so far.
    pub statistics: StepStatistics,
}

/// Somebody who takes the steps of a run.
pub trait Remote {
    /// Begins at `state`.
    fn begin(&mut self, state: &State) -> Result<(), SimulationError>;

    /// Steps until time `until` (s) is hit exactly and writes coordinates and speeds there into `state`; asks `go_on` now
    /// and then with the time reached.
    fn advance(
        &mut self,
        until: f64,
        state: &mut State,
        go_on: &mut dyn FnMut(f64, StepStatistics) -> bool,
    ) -> Result<Reached, SimulationError>;

    /// What lasts from one step to the next besides coordinates and speeds, as words.
    fn memory(&mut self) -> Result<Vec<u64>, SimulationError>;

    /// Begins at `state` with such a memory; `false` where it is of another model or device program.
    fn recall(&mut self, state: &State, memory: &[u64]) -> Result<bool, SimulationError>;
}

/// A run whose steps are taken elsewhere, row by row: whoever steps brings the state of every instant at which a row is due.
pub struct Followed<'a, K: Sink> {
    run: Run<'a, K>,
}

impl<'a, K: Sink> Followed<'a, K> {
    pub(super) fn new(
        model: &'a Model,
        settings: &'a SimulationDescription,
        start: State,
        recorder: &'a mut Recorder,
        sink: &'a mut K,
    ) -> Result<Self, SimulationError> {
        let mut followed = Self::prepared(model, settings, start, recorder, sink)?;
        followed.run.record_start()?;
        Ok(followed)
    }

    /// Where an earlier run was, with the memory of whoever took its steps.
    pub(super) fn resumed(
        model: &'a Model,
        settings: &'a SimulationDescription,
        checkpoint: &Checkpoint,
        recorder: &'a mut Recorder,
        sink: &'a mut K,
    ) -> Result<(Self, Vec<u64>), SimulationError> {
        let state = State::unprescribed(model, checkpoint.time);
        let mut followed = Self::prepared(model, settings, state, recorder, sink)?;
        let memory = followed.run.resume_with(checkpoint, |tape| tape.appended().words().to_vec())?;
        Ok((followed, memory))
    }

    fn prepared(
        model: &'a Model,
        settings: &'a SimulationDescription,
        state: State,
        recorder: &'a mut Recorder,
        sink: &'a mut K,
    ) -> Result<Self, SimulationError> {
        check_remote(settings)?;
        // Rows alone are evaluated here: articulated bodies will do, and a thousand runs need no threads of their own.
        let articulated = |work: &mut Workspace| work.choose(model, AlgorithmDescription::ArticulatedBody);
        let mut run = Run::by(model, settings, articulated, state, recorder, sink)?;
        run.elsewhere = Some(StepStatistics::default());
        Ok(Self { run })
    }

    /// Makes a checkpoint that `memory` of whoever steps belongs to.
    fn keep(&mut self, memory: &[u64], keeper: &mut impl Keeper) -> Result<(), SimulationError> {
        let run = &mut self.run;
        run.sink.settle().map_err(SimulationError::Output)?;
        let mut tape = Tape::default();
        run.differing(&mut tape);
        run.remember(&mut tape);
        tape.append(memory);
        let (time, rows) = (run.state.time, run.outcome.rows);
        keeper.keep(&Checkpoint { time, rows, words: tape.into_words() }).map_err(SimulationError::Output)
    }

    /// The state it has come to.
    pub fn state(&self) -> &State {
        &self.run.state
    }

    /// Start, end and distance of its rows (s).
    pub fn span(&self) -> [f64; 3] {
        let settings = self.run.settings;
        [settings.start, settings.end, settings.output_interval]
    }

    /// When the next row is due (s); none after the end, or where the run was stopped.
    pub fn due(&self) -> Option<f64> {
        let (settings, run) = (self.run.settings, &self.run);
        if run.state.time >= settings.end || run.outcome.cancelled {
            return None;
        }
        let due = settings.start + settings.output_interval * run.next_output as f64;
        let slack = 1e-9 * settings.output_interval;
        Some(if due > settings.end - slack { settings.end } else { due })
    }

    /// The share of the run that is done at `time`.
    pub fn fraction_at(&self, time: f64) -> f64 {
        let settings = self.run.settings;
        (time - settings.start) / (settings.end - settings.start)
    }

    /// How far the run is while steps are taken elsewhere.
    fn progress_at(&mut self, time: f64, statistics: StepStatistics) -> Progress<'_> {
        self.run.elsewhere = Some(statistics);
        Progress { time, fraction: self.fraction_at(time), ..self.run.progress() }
    }

    /// How far the run is.
    pub fn progress(&self) -> Progress<'_> {
        self.run.progress()
    }

    /// Takes the state that the steps have come to, and records what is due there.
    pub fn arrive(&mut self, mut state: State, reached: &Reached) -> Result<(), SimulationError> {
        let run = &mut self.run;
        let side = if reached.time < run.settings.end { Side::After } else { Side::Before };
        state.set_instant(reached.time, side);
        run.state = state;
        run.integrator.work_done = reached.work_done;
        run.elsewhere = Some(reached.statistics);
        run.check_linear_range();
        run.outputs_until(run.state.time, true)
    }

    /// Stops the run where it is.
    pub fn cancel(&mut self) {
        self.run.outcome.cancelled = true;
    }

    /// What the run came to.
    pub fn finish(self) -> Outcome {
        self.run.finish()
    }
}

/// Runs to the end with steps by `remote`, which has begun; `keeper` keeps checkpoints.
pub(super) fn run_remote(
    mut followed: Followed<'_, impl Sink>,
    remote: &mut dyn Remote,
    watch: &mut impl FnMut(&Progress) -> bool,
    keeper: &mut impl Keeper,
) -> Result<Outcome, SimulationError> {
    while let Some(until) = followed.due() {
        let mut state = followed.state().clone();
        let (mut stopped, mut due) = (false, false);
        let mut go_on = |time: f64, statistics: StepStatistics| {
            let progress = followed.progress_at(time, statistics);
            due |= keeper.due(&progress);
            stopped |= !watch(&progress);
            !stopped && !due
        };
        let reached = remote.advance(until, &mut state, &mut go_on)?;
        followed.arrive(state, &reached)?;
        if !stopped {
            due |= keeper.due(&followed.progress());
            stopped = !watch(&followed.progress());
        }
        if due || (stopped && keeper.wants_last()) {
            followed.keep(&remote.memory()?, keeper)?;
        }
        if stopped && followed.due().is_some() {
            followed.cancel();
        }
    }
    Ok(followed.finish())
}

/// Refuses what only steps taken here can do, by name: to be asked before anything is written.
pub fn check_remote(settings: &SimulationDescription) -> Result<(), SimulationError> {
    if let Some(event) = settings.events.first() {
        let text = format!(
            "event `{}`: events are looked for on the processor only; leave it out, or run there",
            event.name
        );
        return Err(SimulationError::Settings(text));
    }
    if settings.formulation == Some(FormulationChoice::Graph) {
        let text = "formulation `graph` runs on the processor only; remove `formulation`, or run there";
        return Err(SimulationError::Settings(text.into()));
    }
    if let AlgorithmDescription::CompositeBody | AlgorithmDescription::ConjugateGradient = settings.algorithm
    {
        let word = settings.algorithm.word();
        let text = format!("algorithm `{word}` runs on the processor only; devices divide and conquer");
        return Err(SimulationError::Settings(text));
    }
    if let AlgorithmDescription::DivideAndConquer { refinements, .. } = settings.algorithm
        && refinements > 0
    {
        let text = "refinements are made on the processor only; leave `refinements` out, or run there";
        return Err(SimulationError::Settings(text.into()));
    }
    if settings.output_interval <= 0.0 {
        let text = "a row at every step is recorded on the processor only; give `output_interval`";
        return Err(SimulationError::Settings(text.into()));
    }
    Ok(())
}
