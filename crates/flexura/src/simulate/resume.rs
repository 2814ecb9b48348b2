//! Checkpoints of a run, and going on from one.

use super::{EventRecord, LinearRangeWarning, Outcome, Progress, Run, suspect};
use crate::checkpoint::{Checkpoint, Tape};
use crate::error::{SimulationError, SinkError};
use crate::model::Model;
use crate::model::description::SimulationDescription;
use crate::record::{Recorder, Sink};
use crate::state::State;

/// Methods by the words of [`crate::model::description::MethodDescription::words`], in the order of their numbers in checkpoints.
const METHODS: [&str; 12] = [
    "rk4",
    "dormand-prince",
    "radau",
    "trapezoidal",
    "generalized-alpha",
    "hht",
    "energy-preserving",
    "energy-decaying",
    "trapezoidal in the global formulation",
    "auto",
    "rk4 on a device",
    "dormand-prince on a device",
];

impl Checkpoint {
    /// Whether a device took the steps: its memory and that of a run on the processor have nothing in common.
    pub fn of_device(&self) -> bool {
        let mut method = METHODS.len();
        Tape::of(&self.words).index(&mut method);
        METHODS.get(method).is_some_and(|words| words.ends_with(" on a device"))
    }
}

/// Decides when checkpoints are made, and keeps them.
pub trait Keeper {
    /// Whether one is due after this step.
    fn due(&mut self, progress: &Progress) -> bool;
    /// Keeps it; all rows up to it have reached their destination.
    fn keep(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError>;
    /// Whether one is wanted where the run is stopped from outside.
    fn wants_last(&self) -> bool {
        false
    }
}

/// Keeps nothing.
impl Keeper for () {
    fn due(&mut self, _: &Progress) -> bool {
        false
    }

    fn keep(&mut self, _: &Checkpoint) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Where a run begins.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Start<'a> {
    /// At a state, which is recorded.
    State(State),
    /// Where an earlier run with the same settings was; its rows are not recorded again.
    Checkpoint(&'a Checkpoint),
}

/// Like [`super::run_from`], from a state or a checkpoint, with checkpoints on the way.
#[doc(hidden)]
pub fn run_kept(
    model: &Model,
    settings: &SimulationDescription,
    start: Start<'_>,
    recorder: &mut Recorder,
    sink: &mut impl Sink,
    watch: &mut impl FnMut(&Progress) -> bool,
    keeper: &mut impl Keeper,
) -> Result<Outcome, SimulationError> {
    let mut run = match start {
        Start::State(state) => {
            let mut run = Run::new(model, settings, state, recorder, sink)?;
            let recorded = run.record_start();
            recorded.map_err(|error| suspect::explained(error, model, &run.state, &mut run.sample_work))?;
            run
        }
        Start::Checkpoint(checkpoint) => {
            let state = State::unprescribed(model, checkpoint.time);
            let mut run = Run::new(model, settings, state, recorder, sink)?;
            run.resume(checkpoint)?;
            run
        }
    };
    let gone = run.go(watch, keeper);
    gone.map_err(|error| suspect::explained(error, model, &run.state, &mut run.sample_work))?;
    Ok(run.finish())
}

impl<K: Sink> Run<'_, K> {
    /// Makes a checkpoint once all rows so far are where they belong.
    pub(super) fn keep(&mut self, keeper: &mut impl Keeper) -> Result<(), SimulationError> {
        self.sink.settle().map_err(SimulationError::Output)?;
        let checkpoint = match self.part {
            Some(part) => self.part_checkpoint(part),
            None => self.checkpoint(),
        };
        keeper.keep(&checkpoint).map_err(SimulationError::Output)
    }

    pub(super) fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), SimulationError> {
        self.resume_with(checkpoint, |_| ())
    }

    /// The same from a checkpoint that holds more than this run: `rest` reads it.
    pub(super) fn resume_with<T>(
        &mut self,
        checkpoint: &Checkpoint,
        rest: impl FnOnce(&mut Tape) -> T,
    ) -> Result<T, SimulationError> {
        let mut tape = Tape::of(&checkpoint.words);
        let differing = self.differing(&mut tape);
        if differing.is_empty() {
            self.remember(&mut tape);
            let found = rest(&mut tape);
            if tape.used_up() {
                return Ok(found);
            }
        }
        let why = match differing[..] {
            [] => "its memory has another length: it is damaged, or of another version of the program"
                .to_string(),
            _ => format!("it has {}", differing.join("; ")),
        };
        Err(SimulationError::Checkpoint(why))
    }

    /// What a checkpoint must have as this run has it.
    fn counts(&self) -> [(&'static str, usize); 7] {
        let state = &self.state;
        [
            ("coordinates", state.q.len()),
            ("speeds", state.v.len()),
            ("flexible bodies", self.outcome.deformations.len()),
            ("joints that close loops", self.model.loops.len()),
            ("controllers", self.next_sample.len()),
            ("controller states", state.z.len()),
            ("events", self.watches.len()),
        ]
    }

    /// Writes what the run is made of at the head of the tape, or reads it: what differs there, in words.
    pub(super) fn differing(&self, tape: &mut Tape) -> Vec<String> {
        let mut list = Vec::new();
        list.extend(self.differing_method(tape));
        for (what, own) in self.counts() {
            let mut count = own;
            tape.index(&mut count);
            if count != own {
                list.push(format!("{count} {what}, the run {own}"));
            }
        }
        list
    }

    /// The method, written or read; what differs, in words.
    pub(super) fn differing_method(&self, tape: &mut Tape) -> Option<String> {
        let own = self.method_words();
        let mut method = METHODS.iter().position(|word| *word == own).unwrap_or(METHODS.len());
        tape.index(&mut method);
        let written = METHODS.get(method).copied().unwrap_or("no method of this version of the program");
        (written != own).then(|| format!("the method {written}, the run {own}"))
    }

    /// The method and who takes its steps: their memories have nothing in common.
    fn method_words(&self) -> &'static str {
        match (self.settings.method.words(), self.elsewhere.is_some()) {
            ("rk4", true) => "rk4 on a device",
            ("dormand-prince", true) => "dormand-prince on a device",
            (words, _) => words,
        }
    }

    /// Everything that lasts from one step to the next, written or read.
    pub(super) fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.state.time);
        let state = &mut self.state;
        for part in [&mut state.q, &mut state.v, &mut state.z] {
            tape.numbers(part);
        }
        self.remember_course(tape);
        self.flagged.iter_mut().for_each(|flag| tape.flag(flag));
        self.remember_rows(tape);
        for place in 0..self.outcome.deformations.len() {
            self.remember_deformation(place, tape);
        }
        self.outcome.contacts.iter_mut().for_each(|contact| contact.remember(tape));
        self.outcome.half_turns.iter_mut().for_each(|law| law.remember(tape));
        self.judge.remember(tape);
        self.remember_events(tape);
        self.remember_warnings(tape);
    }

    /// Turns, method, sums of the recorder, what is due next.
    pub(super) fn remember_course(&mut self, tape: &mut Tape) {
        self.state.turns.remember(tape);
        self.integrator.remember(tape);
        self.edges.remember(tape);
        self.recorder.remember(tape);
        tape.index(&mut self.next_break);
        tape.count(&mut self.next_output);
        self.next_sample.iter_mut().for_each(|sample| tape.count(sample));
        self.watches.iter_mut().for_each(|watch| tape.number(&mut watch.before));
    }

    /// Number and time of the last row.
    pub(super) fn remember_rows(&mut self, tape: &mut Tape) {
        let (mut recorded, mut last) = (self.last_row.is_some(), self.last_row.unwrap_or(0.0));
        tape.flag(&mut recorded);
        tape.number(&mut last);
        self.last_row = recorded.then_some(last);
        tape.count(&mut self.outcome.rows);
    }

    /// How far a flexible body was deformed.
    pub(super) fn remember_deformation(&mut self, place: usize, tape: &mut Tape) {
        let largest = &mut self.outcome.deformations[place];
        tape.number(&mut largest.slope);
        tape.number(&mut largest.shift);
        tape.numbers(&mut largest.amplitudes);
        tape.numbers(&mut largest.most_bent);
    }

    fn remember_events(&mut self, tape: &mut Tape) {
        let length = tape.length(self.outcome.events.len());
        for i in 0..length {
            let found = self.outcome.events.get(i);
            let name = found.map_or("", |event| event.name.as_str());
            let mut index = self.watches.iter().position(|watch| watch.event.name == name).unwrap_or(0);
            let mut time = found.map_or(0.0, |event| event.time);
            tape.index(&mut index);
            tape.number(&mut time);
            if let Some(watch) = self.watches.get(index).filter(|_| tape.reading()) {
                self.outcome.events.push(EventRecord { name: watch.event.name.clone(), time });
            }
        }
    }

    fn remember_warnings(&mut self, tape: &mut Tape) {
        let length = tape.length(self.outcome.warnings.len());
        for i in 0..length {
            let found = self.outcome.warnings.get(i);
            let name = found.map_or("", |warning| warning.body.as_str());
            let mut body = self.model.bodies.iter().position(|body| body.name == name).unwrap_or(0);
            let mut mode = found.map_or(0, |warning| warning.mode);
            let (mut time, mut value) = found.map_or((0.0, 0.0), |warning| (warning.time, warning.value));
            tape.index(&mut body);
            tape.index(&mut mode);
            tape.number(&mut time);
            tape.number(&mut value);
            if let Some(body) = self.model.bodies.get(body).filter(|_| tape.reading()) {
                let body = body.name.clone();
                self.outcome.warnings.push(LinearRangeWarning { body, mode, time, value });
            }
        }
    }
}
