//! What a run did, and the states that are kept of it.
//!
//! Source: Griewank & Walther, Evaluating Derivatives (SIAM 2008), section 12.2, two levels. Operations are listed with their
//! instants (24 bytes each); states are kept at every s-th of them, and whenever there are more than allowed, every second is let
//! go and s doubles. Going backwards, the operations between two kept states are repeated once, and the states between them held
//! while they are needed: N operations with K states kept take K + N/K states of memory and one more run, none where s = 1.

use crate::integrate::AlphaMemory;
use crate::state::State;

/// What an allocator keeps beside a list, and rounds it up by, at most (bytes).
const LIST: usize = 24;

/// What happens to the state in a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operation {
    /// A step to this time (s), and whether it begins without what the one before has handed on.
    Step(f64, bool),
    /// Controllers are sampled: which.
    Sample(Box<[bool]>),
    /// A row of channels, by number.
    Row(usize),
    /// Inputs of this interval are set.
    Inputs(usize),
}

/// A state with the work done until then (J).
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub state: State,
    pub work: f64,
    /// What an implicit step has handed on.
    pub memory: Option<AlphaMemory>,
}

impl Point {
    /// Memory it takes, with what every list costs beside its numbers (bytes).
    pub fn bytes(&self) -> usize {
        let State { q, v, z, turns, .. } = &self.state;
        let own = [q, v, z, &turns.angles, &turns.rates];
        let handed = self
            .memory
            .as_ref()
            .map(|memory| [&memory.algorithmic, &memory.acceleration, &memory.control_rates]);
        let lists = own.into_iter().chain(handed.into_iter().flatten());
        let filled = lists.filter(|list| !list.is_empty());
        size_of::<Self>() + filled.map(|list| 8 * list.len() + LIST).sum::<usize>()
    }
}

/// Operations and kept states.
#[derive(Debug)]
pub(super) struct Trace {
    pub operations: Vec<Operation>,
    /// States before every `stride`-th operation.
    pub kept: Vec<Point>,
    pub stride: usize,
    most: usize,
}

impl Trace {
    /// A trace that keeps at most `most` states, two at least.
    pub fn new(most: usize) -> Self {
        Self { operations: Vec::new(), kept: Vec::new(), stride: 1, most: most.max(2) }
    }

    /// Enters an operation that begins at `point`.
    pub fn enter(&mut self, operation: Operation, point: impl FnOnce() -> Point) {
        if self.operations.len().is_multiple_of(self.stride) {
            if self.kept.len() == self.most {
                let mut index = 0;
                self.kept.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.stride *= 2;
            }
            if self.operations.len().is_multiple_of(self.stride) {
                self.kept.push(point());
            }
        }
        self.operations.push(operation);
    }

    /// Operations from kept state `index` to the next.
    pub fn segment(&self, index: usize) -> std::ops::Range<usize> {
        let first = index * self.stride;
        first..(first + self.stride).min(self.operations.len())
    }

    /// Memory of the operations and of the states kept (bytes).
    pub fn bytes(&self) -> (usize, usize) {
        let operations = self.operations.capacity() * size_of::<Operation>();
        (operations, self.kept.len() * self.kept.first().map_or(0, Point::bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time_function::Side;

    #[test]
    fn states_kept_are_those_before_every_stride() {
        let mut trace = Trace::new(8);
        for i in 0..1000 {
            let turns = Default::default();
            let state =
                State { time: f64::from(i), side: Side::After, q: vec![], v: vec![], z: vec![], turns };
            trace.enter(Operation::Step(0.0, false), || Point { state, work: 0.0, memory: None });
            assert!(trace.kept.len() <= 8);
        }
        assert_eq!(trace.stride, 128);
        for (index, point) in trace.kept.iter().enumerate() {
            assert_eq!(point.state.time as usize, trace.segment(index).start);
        }
        assert_eq!(trace.segment(trace.kept.len() - 1).end, 1000);
    }
}
