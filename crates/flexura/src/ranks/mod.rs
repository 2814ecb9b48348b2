//! Processes that work on one model together: who they are, and the little they say to each other.
//!
//! Everything the engine needs of a message-passing library is in one small trait: every rank hands out some numbers and
//! gets those of all. Numbers travel as they are, and whoever adds some adds them itself, in an order that depends on the
//! model only: no reduction of a library, whose order depends on the number of ranks, ever touches a result.
//!
//! [`InProcess`] has threads for ranks; the command line brings MPI along.

mod in_process;

pub use in_process::InProcess;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Another rank is gone, or cannot be reached any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another rank of the run is gone: {0}")]
pub struct RankLost(pub String);

/// One of several processes, or threads, that run one model together.
pub trait Ranks: fmt::Debug + Send + Sync {
    /// Number of this one, from zero on.
    fn rank(&self) -> usize;

    /// How many there are.
    fn size(&self) -> usize;

    /// Gives `own` to everybody; `all` holds what every rank gave, in the order of ranks, `counts` numbers each.
    ///
    /// All ranks call it in the same order with the same `counts`; `own` has `counts[rank]` numbers. No allocation after
    /// the first call of a size.
    fn all_gather(&self, own: &[f64], counts: &[usize], all: &mut [f64]) -> Result<(), RankLost>;

    /// Waits until everybody is here.
    fn barrier(&self) -> Result<(), RankLost> {
        Ok(())
    }
}

/// What was said so far, and how long it took.
#[derive(Debug, Default)]
pub struct Talk {
    calls: AtomicU64,
    numbers: AtomicU64,
    nanoseconds: AtomicU64,
}

/// A copy of the counters of a [`Talk`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TalkSummary {
    /// Gathers.
    pub calls: u64,
    /// Bytes that came in, those of the rank itself included.
    pub bytes: u64,
    /// Time spent in them, waiting for others included (s).
    pub seconds: f64,
}

impl Talk {
    /// Counts a gather of `numbers` numbers that began at `start`.
    pub fn count(&self, numbers: usize, start: Instant) {
        let spent = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.numbers.fetch_add(numbers as u64, Ordering::Relaxed);
        self.nanoseconds.fetch_add(spent, Ordering::Relaxed);
    }

    /// The counters so far.
    pub fn summary(&self) -> TalkSummary {
        TalkSummary {
            calls: self.calls.load(Ordering::Relaxed),
            bytes: 8 * self.numbers.load(Ordering::Relaxed),
            seconds: 1e-9 * self.nanoseconds.load(Ordering::Relaxed) as f64,
        }
    }
}
