//! What a recording of an evaluation notes beside its operations (`traced.rs`): what symbols stand for, and where it branched.
//!
//! Constants are met in the same order as on the tape of `taped.rs`; those that are marked become symbols. A branch that compares a
//! number with a constant is a guard: the recording holds as long as all guards fall out as they did. Where a value was looked at in
//! any other way, the recording holds for that evaluation alone, which `opaque` says.

use super::traced::{Operand, Traced};
use std::cell::RefCell;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A coordinate at the start of the step.
    Start(usize),
    /// An increment, a speed, a state of a controller or the work.
    Vector(usize),
    /// An acceleration.
    Acceleration(usize),
    /// The value of a function of time, by its place in the order of their use.
    Sample(usize),
    /// A constant of the scratch.
    Construction(usize),
    /// A constant of the evaluation.
    Constant(usize),
}

/// What a branch asks of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Comparison {
    /// x < limit.
    Below(f64),
    /// x ≤ limit.
    AtMost(f64),
    /// x > limit.
    Above(f64),
    /// x ≥ limit.
    AtLeast(f64),
}

impl Comparison {
    /// The answer for `value`.
    #[inline(always)]
    pub fn of(self, value: f64) -> bool {
        match self {
            Self::Below(limit) => value < limit,
            Self::AtMost(limit) => value <= limit,
            Self::Above(limit) => value > limit,
            Self::AtLeast(limit) => value >= limit,
        }
    }
}

/// A comparison that a branch was taken by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    /// What was compared.
    pub number: Operand,
    pub comparison: Comparison,
    pub outcome: bool,
}

/// Notes of one recording.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Constants that become symbols, of the scratch and of the evaluation.
    pub marked: [Vec<bool>; 2],
    /// Meaning of every symbol.
    pub symbols: Vec<(Meaning, f64)>,
    pub guards: Vec<Guard>,
    pub opaque: bool,
    /// Whether the scratch has been made.
    evaluating: bool,
    constants: usize,
    samples: usize,
}

thread_local! {
    static NOTES: RefCell<Option<Notes>> = const { RefCell::new(None) };
}

impl Notes {
    /// Runs `work` and takes notes of it.
    pub fn of<T>(marked: [Vec<bool>; 2], work: impl FnOnce() -> T) -> (Self, T) {
        NOTES.set(Some(Self { marked, ..Self::default() }));
        let given = work();
        (NOTES.take().unwrap_or_default(), given)
    }

    /// The scratch is there: constants are those of the evaluation from now on.
    pub fn begin_evaluation() {
        NOTES.with_borrow_mut(|notes| {
            if let Some(notes) = notes {
                (notes.evaluating, notes.constants) = (true, 0);
            }
        });
    }

    fn enter(&mut self, value: f64, meaning: Meaning) -> u32 {
        self.symbols.push((meaning, value));
        (self.symbols.len() - 1) as u32
    }
}

/// A new symbol.
pub(super) fn symbol(value: f64, meaning: Meaning) -> Traced {
    let number = NOTES.with_borrow_mut(|notes| notes.as_mut().map(|notes| notes.enter(value, meaning)));
    number.map_or(Traced::plain(value), |number| Traced::symbol(number, value))
}

/// A constant as a symbol, where it is marked.
pub(super) fn constant(value: f64) -> Option<Traced> {
    let meaning = NOTES.with_borrow_mut(|notes| {
        let notes = notes.as_mut()?;
        let number = notes.constants;
        notes.constants += 1;
        let which = usize::from(notes.evaluating);
        let meaning = [Meaning::Construction(number), Meaning::Constant(number)][which];
        notes.marked[which].get(number).copied().unwrap_or(false).then_some(meaning)
    })?;
    Some(symbol(value, meaning))
}

/// The value of a function of time as a symbol, where notes are taken.
pub(super) fn sample(value: f64) -> Option<Traced> {
    let number = NOTES.with_borrow_mut(|notes| {
        let notes = notes.as_mut()?;
        notes.samples += 1;
        Some(notes.samples - 1)
    })?;
    Some(symbol(value, Meaning::Sample(number)))
}

/// A value was looked at; `depends` unless it is that of a constant.
pub(super) fn look(depends: bool) {
    if depends {
        NOTES.with_borrow_mut(|notes| notes.iter_mut().for_each(|notes| notes.opaque = true));
    }
}

/// The answer to a comparison, which is held on to.
pub(super) fn guard(number: Operand, comparison: Comparison, value: f64) -> bool {
    let outcome = comparison.of(value);
    if let Operand::Place(_) = number {
        let guard = Guard { number, comparison, outcome };
        NOTES.with_borrow_mut(|notes| notes.iter_mut().for_each(|notes| notes.guards.push(guard)));
    }
    outcome
}
