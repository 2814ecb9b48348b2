//! What a run is made of besides what it borrows: kept between two pieces, so that a piece begins without building anything.

use super::{Edges, Outcome, Run, Touches, Watch};
use crate::checkpoint::{Checkpoint, Tape};
use crate::integrate::Integrator;
use crate::integrate::StepStatistics;
use crate::model::Model;
use crate::model::description::SimulationDescription;
use crate::record::{Recorder, Sink};
use crate::state::State;
use crate::truncation::Judge;
use crate::workspace::Workspace;

/// The memory of a run that nobody drives at the moment; fields as in [`Run`].
#[derive(Debug)]
pub(super) struct Memory {
    pub state: State,
    pub integrator: Integrator,
    between: State,
    work: Workspace,
    sample_work: Workspace,
    elsewhere: Option<StepStatistics>,
    edges: Edges,
    touches: Touches,
    breaks: Vec<f64>,
    next_break: usize,
    next_output: u64,
    watches: Vec<Watch>,
    crossings: Vec<(f64, usize)>,
    flagged: Vec<bool>,
    last_row: Option<f64>,
    next_sample: Vec<u64>,
    energy_floor: f64,
    judge: Judge,
    outcome: Outcome,
}

impl Memory {
    /// Takes over what does not depend on the method: controllers' samples, watched values, work done, what was seen.
    pub fn take_over(&mut self, before: Self) {
        self.integrator.work_done = before.integrator.work_done;
        self.next_sample = before.next_sample;
        self.watches = before.watches;
        self.flagged = before.flagged;
        self.judge = before.judge;
        self.outcome = before.outcome;
    }
}

impl<'a, K: Sink> Run<'a, K> {
    /// Lets the run rest.
    pub(super) fn rest(self) -> Memory {
        Memory {
            state: self.state,
            integrator: self.integrator,
            between: self.between,
            work: self.work,
            sample_work: self.sample_work,
            elsewhere: self.elsewhere,
            edges: self.edges,
            touches: self.touches,
            breaks: self.breaks,
            next_break: self.next_break,
            next_output: self.next_output,
            watches: self.watches,
            crossings: self.crossings,
            flagged: self.flagged,
            last_row: self.last_row,
            next_sample: self.next_sample,
            energy_floor: self.energy_floor,
            judge: self.judge,
            outcome: self.outcome,
        }
    }

    /// Goes on with a run that rested.
    pub(super) fn woken(
        model: &'a Model,
        settings: &'a SimulationDescription,
        recorder: &'a mut Recorder,
        sink: &'a mut K,
        memory: Memory,
    ) -> Self {
        Self {
            model,
            settings,
            recorder,
            sink,
            state: memory.state,
            between: memory.between,
            work: memory.work,
            sample_work: memory.sample_work,
            integrator: memory.integrator,
            elsewhere: memory.elsewhere,
            edges: memory.edges,
            touches: memory.touches,
            breaks: memory.breaks,
            next_break: memory.next_break,
            piece_end: f64::INFINITY,
            next_output: memory.next_output,
            watches: memory.watches,
            crossings: memory.crossings,
            flagged: memory.flagged,
            last_row: memory.last_row,
            next_sample: memory.next_sample,
            energy_floor: memory.energy_floor,
            judge: memory.judge,
            outcome: memory.outcome,
            part: None,
        }
    }

    /// The memory of the run after its last step, in words that can be stored.
    pub(super) fn checkpoint(&mut self) -> Checkpoint {
        let mut checkpoint = Checkpoint::default();
        self.write_checkpoint(&mut checkpoint);
        checkpoint
    }

    /// Like [`Run::checkpoint`], over an older one.
    pub(super) fn write_checkpoint(&mut self, over: &mut Checkpoint) {
        let mut tape = Tape::over(std::mem::take(&mut over.words));
        self.differing(&mut tape);
        self.remember(&mut tape);
        *over = Checkpoint { time: self.state.time, rows: self.outcome.rows, words: tape.into_words() };
    }
}
