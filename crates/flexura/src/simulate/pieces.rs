//! A run in pieces: advanced from outside, interval by interval, as co-simulation and learning ask for it.
//!
//! Between two pieces the run rests (`simulate/rest.rs`) and is a checkpoint as well (`simulate/resume.rs`), so that it can be copied,
//! stored and taken back. A piece never looks beyond its end: inputs may change there. Where steps have one length and a piece ends
//! with one of them, to rounding, that step is taken whole, as the run in one would take it: both have the same bits, also in the row at the
//! end of the settings, where the run in one has its last step. Elsewhere the last step of a piece is cut off at its end.

use super::rest::Memory;
use super::{EventRecord, Run, break_points, suspect};
use crate::checkpoint::Checkpoint;
use crate::error::{SimulationError, SinkError};
use crate::integrate::StepStatistics;
use crate::model::Model;
use crate::model::description::SimulationDescription;
use crate::record::{Recorder, Sink};
use crate::state::State;
use crate::time_function::Side;

/// Share of a step by which instants that are counted otherwise may differ.
const ROUNDING: f64 = 1e-9;

/// Share of a step within which a break after its end takes the step over (`integrate/fixed_step.rs` has less).
const NEAR: f64 = 1e-3;

/// A run between two of its pieces.
#[derive(Debug, Default)]
pub struct Pieces {
    checkpoint: Checkpoint,
    row: Vec<f64>,
    resting: Option<Resting>,
}

/// A run that rests: its settings, every instant where its inputs break, its memory.
#[derive(Debug)]
struct Resting {
    settings: SimulationDescription,
    breaks: Vec<f64>,
    /// Where the run in one would end (s).
    last: f64,
    memory: Memory,
}

/// What a piece came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PieceEnd {
    /// Events of this piece.
    pub events: Vec<EventRecord>,
    /// The event that stopped it before its end.
    pub stopped_by: Option<String>,
    /// Whether the one who watches had enough before its end.
    pub cancelled: bool,
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

impl Clone for Pieces {
    /// A copy goes on from the checkpoint: it has the bits of the original.
    fn clone(&self) -> Self {
        Self::at(self.checkpoint.clone(), self.row.clone())
    }
}

impl Pieces {
    /// A run at its start, the time of `state`.
    pub fn begin(
        model: &Model,
        settings: &SimulationDescription,
        state: State,
        recorder: &mut Recorder,
    ) -> Result<Self, SimulationError> {
        let mut pieces = Self { row: vec![f64::NAN; recorder.channels().len() + 1], ..Self::default() };
        let own = rows_at_ends(settings, state.time);
        let memory = {
            let mut sink = LastRow(&mut pieces.row);
            let mut run = Run::new(model, &own, state, recorder, &mut sink)?;
            let recorded = run.record_start();
            recorded.map_err(|error| suspect::explained(error, model, &run.state, &mut run.sample_work))?;
            run.write_checkpoint(&mut pieces.checkpoint);
            run.rest()
        };
        let last = settings.end;
        pieces.resting = Some(Resting { breaks: all_breaks(model, &own), settings: own, last, memory });
        Ok(pieces)
    }

    /// A run where it was stored, with its last row.
    pub fn at(checkpoint: Checkpoint, row: Vec<f64>) -> Self {
        Self { checkpoint, row, resting: None }
    }

    /// The memory of the run.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The last row: time, then the channels of the recorder.
    pub fn row(&self) -> &[f64] {
        &self.row
    }

    /// Time reached (s).
    pub fn time(&self) -> f64 {
        self.checkpoint.time
    }

    /// Counters of the steps since the run was begun or taken back.
    pub fn statistics(&self) -> StepStatistics {
        self.resting.as_ref().map(|resting| resting.memory.integrator.statistics()).unwrap_or_default()
    }

    /// Wakes the run from its checkpoint where it does not rest in memory.
    fn resting(
        &mut self,
        model: &Model,
        settings: &SimulationDescription,
        recorder: &mut Recorder,
    ) -> Result<Resting, SimulationError> {
        if let Some(resting) = self.resting.take() {
            return Ok(resting);
        }
        let own = rows_at_ends(settings, self.checkpoint.time);
        let memory = {
            let mut sink = LastRow(&mut self.row);
            let state = State::unprescribed(model, self.checkpoint.time);
            let mut run = Run::new(model, &own, state, recorder, &mut sink)?;
            run.resume(&self.checkpoint)?;
            run.rest()
        };
        Ok(Resting { breaks: all_breaks(model, &own), settings: own, last: settings.end, memory })
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
        self.advance_watched(model, settings, (end, jumped), recorder, &mut || true)
    }

    /// Like [`Pieces::advance`]; `watch` is asked after every step whether to go on.
    pub fn advance_watched(
        &mut self,
        model: &Model,
        settings: &SimulationDescription,
        (end, jumped): (f64, bool),
        recorder: &mut Recorder,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<PieceEnd, SimulationError> {
        let Resting { mut settings, breaks, last, memory } = self.resting(model, settings, recorder)?;
        let now = memory.state.time;
        // A break at the end of the run in one is none of that run: whoever goes on meets it here.
        let jumped = jumped || (now == last && breaks.contains(&last));
        let next_break =
            breaks.get(breaks.partition_point(|&at| at <= end)).copied().unwrap_or(f64::INFINITY);
        let whole = memory.integrator.step_end_near(now, end);
        let (end, limit) = match whole {
            // The run in one ends its last step here, and sees inputs from the left.
            Some((length, whole)) if (whole - last).abs() <= ROUNDING * length => (last, last),
            // The limit is beyond the step that ends the piece, so that it is not cut off; a controller's sample at the same
            // instant may end it by a rounding earlier.
            Some((length, whole)) if whole + NEAR * length < next_break => {
                (whole - 1e-8 * length, next_break.min(whole + 0.5 * length))
            }
            _ => (end, end),
        };
        settings.end = limit;
        settings.output_interval = 2.0 * (limit - settings.start).abs() + f64::MIN_POSITIVE;
        let mut sink = LastRow(&mut self.row);
        let mut run = Run::woken(model, &settings, recorder, &mut sink, memory);
        run.begin_piece(end, &breaks, jumped);
        let gone = run.go_piece(watch);
        gone.map_err(|error| suspect::explained(error, model, &run.state, &mut run.sample_work))?;
        let events = std::mem::take(&mut run.outcome.events);
        let stopped_by = run.outcome.stopped_by.take();
        let cancelled = stopped_by.is_none() && run.state.time < end;
        let done = PieceEnd { events, stopped_by, cancelled };
        run.write_checkpoint(&mut self.checkpoint);
        let memory = run.rest();
        self.resting = Some(Resting { settings, breaks, last, memory });
        Ok(done)
    }

    /// Goes on with another method, formulation or step; controllers, events and the energy balance do not notice.
    pub fn change(
        &mut self,
        model: &Model,
        (settings, new): (&SimulationDescription, &SimulationDescription),
        recorder: &mut Recorder,
    ) -> Result<(), SimulationError> {
        let before = self.resting(model, settings, recorder)?;
        let own = rows_at_ends(
            &SimulationDescription { events: settings.events.clone(), ..new.clone() },
            self.time(),
        );
        let memory = {
            let mut sink = LastRow(&mut self.row);
            let state = before.memory.state.clone();
            let mut memory = Run::new(model, &own, state, recorder, &mut sink)?.rest();
            memory.take_over(before.memory);
            let mut run = Run::woken(model, &own, recorder, &mut sink, memory);
            run.write_checkpoint(&mut self.checkpoint);
            run.rest()
        };
        self.resting = Some(Resting { settings: own, breaks: before.breaks, last: new.end, memory });
        Ok(())
    }

    /// The state that the run has reached.
    pub fn state(
        &mut self,
        model: &Model,
        settings: &SimulationDescription,
        recorder: &mut Recorder,
    ) -> Result<&State, SimulationError> {
        let resting = self.resting(model, settings, recorder)?;
        Ok(&self.resting.insert(resting).memory.state)
    }
}

/// The settings with rows at the ends of pieces only, which are asked for there.
fn rows_at_ends(settings: &SimulationDescription, now: f64) -> SimulationDescription {
    SimulationDescription { end: now.max(settings.start), output_interval: 0.0, ..settings.clone() }
}

/// Every instant after the start where inputs of the model are not smooth (s), in order.
fn all_breaks(model: &Model, settings: &SimulationDescription) -> Vec<f64> {
    let mut breaks = break_points(model, &SimulationDescription { end: f64::MAX, ..settings.clone() });
    breaks.pop();
    breaks
}

impl<K: Sink> Run<'_, K> {
    /// Gets ready for a piece up to `end` (s), with steps up to the end of the settings.
    fn begin_piece(&mut self, end: f64, breaks: &[f64], jumped: bool) {
        self.piece_end = end;
        let (now, limit) = (self.state.time, self.settings.end);
        self.state.side = Side::After;
        self.integrator.end = limit;
        self.breaks.clear();
        self.breaks.extend(breaks.iter().filter(|&&at| at > now && at < limit));
        self.breaks.push(limit);
        self.next_break = 0;
        if jumped {
            self.integrator.restart();
        }
        self.outcome.events.clear();
        self.outcome.cancelled = false;
    }

    /// Steps to the end of the piece, to the event that stops the run, or until `watch` has had enough.
    fn go_piece(&mut self, watch: &mut dyn FnMut() -> bool) -> Result<(), SimulationError> {
        let end = self.piece_end;
        self.go(&mut |progress| progress.time < end && watch(), &mut ())?;
        if self.outcome.stopped_by.is_none() {
            // The end has its row; one that was not reached has none.
            return if self.state.time < end { self.record(None) } else { Ok(()) };
        }
        // The step has gone beyond the event: the run rests where its last row is.
        let work_done = self.place(Some(self.outcome.end_time))?;
        self.integrator.work_done = work_done;
        self.integrator.take_back();
        self.state.time = self.outcome.end_time;
        self.state.q.copy_from_slice(&self.between.q);
        self.state.v.copy_from_slice(&self.between.v);
        self.state.z.copy_from_slice(&self.between.z);
        Ok(())
    }
}
