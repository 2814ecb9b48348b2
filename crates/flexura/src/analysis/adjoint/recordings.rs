//! Recordings of a run's evaluations, one for every way they branch.
//!
//! An evaluation that takes the branches of one recorded before is replayed by its program (`replay.rs`); another one is taped, written down
//! and compared with the tape. Evaluations that look at values in other ways than by guards are taped every time.

use super::drives::Asked;
use super::evaluation::{Evaluation, Place};
use super::influence::{Influence, Kind};
use super::program::Program;
use super::replay::Replay;
use crate::model::Model;
use crate::model::channel::Channel;
use crate::scalar::{Meaning, Notes, Tape, Traced};

/// Ways through evaluations beyond which they are taped.
const MOST: usize = 64;
/// Evaluations without guards that are tried before all are taped.
const TRIES: usize = 4;

/// What is asked of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Rates that see accelerations by themselves alone.
    Rates,
    /// Rates whose power sees them too.
    Deep,
    /// Channels.
    Channels,
    /// What projections onto closed loops leave.
    Loops,
}

impl Form {
    /// The kind of evaluation, whose constants are numbered together.
    pub fn kind(self) -> Kind {
        match self {
            Self::Channels => Kind::Channels,
            Self::Loops => Kind::Loops,
            Self::Rates | Self::Deep => Kind::Rates,
        }
    }

    /// Functions of time that it asks for.
    pub fn asked(self) -> Asked {
        if self == Self::Loops { Asked::Loops } else { Asked::Dynamics }
    }

    /// Evaluates in numbers that are followed.
    pub fn follow<S: super::evaluation::Followed>(
        self,
        evaluation: &mut Evaluation<S>,
        model: &Model,
        at: Place<'_>,
        found: &[f64],
        channels: &[Channel],
    ) {
        match self {
            Self::Channels => evaluation.channels(model, at, found, channels),
            Self::Loops => evaluation.loops(model, at, found),
            form => evaluation.rates(model, at, found, form == Self::Deep),
        }
    }
}

/// Recordings by form, the last one taken first.
#[derive(Default)]
pub(super) struct Recordings {
    lists: [(Vec<Replay>, usize); 4],
    opaque: [usize; 4],
    /// Whether the last evaluation was not recorded.
    taped: [bool; 4],
}

impl Recordings {
    /// The recording whose branches the evaluation at `at` takes, with its values.
    pub fn find(&mut self, form: Form, at: Place<'_>, found: &[f64], drives: &[f64]) -> Option<&mut Replay> {
        let (list, last) = &mut self.lists[form as usize];
        let first = *last;
        let order = std::iter::once(first).chain((0..list.len()).filter(move |&i| i != first));
        for index in order.take(list.len()) {
            if list[index].run(at, found, drives) {
                self.taped[form as usize] = false;
                *last = index;
                return list.get_mut(index);
            }
        }
        None
    }

    /// The recording that the last evaluation of this form took; none where it was taped.
    pub fn taken(&mut self, form: Form) -> Option<&mut Replay> {
        let (list, last) = &mut self.lists[form as usize];
        if self.taped[form as usize] { None } else { list.get_mut(*last) }
    }

    /// Writes down what `record` does, where that holds for other evaluations too.
    pub fn record(
        &mut self,
        (form, model, size): (Form, &Model, usize),
        (marks, path): ([Vec<bool>; 2], usize),
        record: impl Fn(&mut Evaluation<Traced>),
    ) -> Option<&mut Replay> {
        let (list, last) = &mut self.lists[form as usize];
        let opaque = &mut self.opaque[form as usize];
        self.taped[form as usize] = true;
        if list.len() >= MOST || *opaque >= TRIES {
            return None;
        }
        let (notes, (tape, (outputs, sizes))) = Notes::of(marks, || {
            Tape::of(|| {
                let mut evaluation = Evaluation::<Traced>::new(model, size);
                Notes::begin_evaluation();
                record(&mut evaluation);
                let all = evaluation.direct(model).chain(evaluation.residual.iter().copied());
                (all.collect::<Vec<_>>(), (evaluation.found.len(), evaluation.residual.len()))
            })
        });
        if notes.opaque {
            *opaque += 1;
            return None;
        }
        let is_sample = |&&(meaning, _): &&(Meaning, f64)| matches!(meaning, Meaning::Sample(_));
        let samples = notes.symbols.iter().filter(is_sample).count();
        list.push(Replay::new(Program::new(&tape, &notes, &outputs), path, sizes, samples));
        *last = list.len() - 1;
        self.taped[form as usize] = false;
        list.last_mut()
    }

    /// Memory (bytes).
    pub fn bytes(&self) -> usize {
        self.lists.iter().flat_map(|(list, _)| list).map(Replay::bytes).sum()
    }

    /// Begins a way back.
    pub fn begin(&mut self) {
        self.lists.iter_mut().flat_map(|(list, _)| list).for_each(Replay::begin);
    }

    /// Gives derivatives over constants to what parameters change.
    pub fn finish(&mut self, influence: &mut Influence<'_>) {
        for (form, (list, _)) in
            [Form::Rates, Form::Deep, Form::Channels, Form::Loops].iter().zip(&mut self.lists)
        {
            for replay in list {
                let path = replay.path;
                replay.finish().for_each(|(meaning, bar)| influence.add(form.kind(), path, meaning, bar));
            }
        }
    }
}
