//! A run in pieces: advanced from outside, interval by interval, as co-simulation asks for it.
//!
//! Between two pieces the run is a checkpoint (`simulate/resume.rs`), so that it can be copied, stored and taken back, and so that pieces
//! that end where a step ends anyway are one run to rounding. A piece never looks beyond its end: inputs may change there.

use super::{EventRecord, Run, suspect};
use crate::checkpoint::{Checkpoint, Tape};
use crate::error::{SimulationError, SinkError};
use crate::model::Model;
use crate::model::description::SimulationDescription;
use crate::record::{Recorder, Sink};
use crate::state::State;
use crate::time_function::Side;

/// A run between two of its pieces.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// The memory of the run.
    pub checkpoint: Checkpoint,
    /// The last row: time, then the channels of the recorder.
    pub row: Vec<f64>,
}

/// What a piece came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PieceEnd {
    /// Events of this piece.
    pub events: Vec<EventRecord>,
    /// The event that stopped it before its end.
    pub stopped_by: Option<String>,
}

/// Keeps the last row only.
struct LastRow<'a>(&'a mut Vec<f64>);

impl Sink for LastRow<'_> {
    fn row(&mut self) -> &mut [f64] {
        self.0
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

impl Pieces {
    /// A run at its start, `settings.start`.
    pub fn begin(
        model: &Model,
        settings: &SimulationDescription,
        state: State,
        recorder: &mut Recorder,
    ) -> Result<Self, SimulationError> {
        let mut row = vec![f64::NAN; recorder.channels().len() + 1];
        let settings = every_step(settings, settings.start);
        let checkpoint = {
            let mut sink = LastRow(&mut row);
            let mut run = Run::new(model, &settings, state, recorder, &mut sink)?;
            let recorded = run.record_start();
            recorded.map_err(|error| suspect::explained(error, model, &run.state, &mut run.sample_work))?;
            run.checkpoint()
        };
        Ok(Self { checkpoint, row })
    }

    /// Advances the run to `end` (s); `jumped` says that inputs of the model are other ones since the last piece.
    pub fn advance(
        &mut self,
        model: &Model,
        settings: &SimulationDescription,
        end: f64,
        jumped: bool,
        recorder: &mut Recorder,
    ) -> Result<PieceEnd, SimulationError> {
        let settings = every_step(settings, end);
        let mut sink = LastRow(&mut self.row);
        let state = State::unprescribed(model, self.checkpoint.time);
        let mut run = Run::new(model, &settings, state, recorder, &mut sink)?;
        run.resume(&self.checkpoint)?;
        run.state.side = Side::After;
        // Breaks are counted anew: the end of the last piece was none of the inputs.
        let now = run.state.time;
        run.next_break = run.breaks.partition_point(|&at| at <= now).min(run.breaks.len() - 1);
        if jumped {
            run.integrator.restart();
        }
        run.outcome.events.clear();
        let gone = run.go(&mut |_| true, &mut ());
        gone.map_err(|error| suspect::explained(error, model, &run.state, &mut run.sample_work))?;
        let end = PieceEnd { events: run.outcome.events.clone(), stopped_by: run.outcome.stopped_by.clone() };
        self.checkpoint = run.checkpoint();
        Ok(end)
    }

    /// The state that the run has reached.
    pub fn state(
        &self,
        model: &Model,
        settings: &SimulationDescription,
        recorder: &mut Recorder,
    ) -> Result<State, SimulationError> {
        let settings = every_step(settings, self.checkpoint.time);
        let mut row = self.row.clone();
        let mut sink = LastRow(&mut row);
        let state = State::unprescribed(model, self.checkpoint.time);
        let mut run = Run::new(model, &settings, state, recorder, &mut sink)?;
        run.resume(&self.checkpoint)?;
        Ok(run.state)
    }
}

/// The settings up to `end`, with a row at the end of every step, the last of which is kept.
fn every_step(settings: &SimulationDescription, end: f64) -> SimulationDescription {
    SimulationDescription { end, output_interval: 0.0, ..settings.clone() }
}

impl<K: Sink> Run<'_, K> {
    /// The memory of the run after its last step.
    pub(super) fn checkpoint(&mut self) -> Checkpoint {
        let mut tape = Tape::blank();
        self.differing(&mut tape);
        self.remember(&mut tape);
        Checkpoint { time: self.state.time, rows: self.outcome.rows, words: tape.into_words() }
    }
}
