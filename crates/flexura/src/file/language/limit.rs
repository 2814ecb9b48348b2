//! Bounds on what a file may ask for: files that use each other, arrays of arrays, texts of texts.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::finding::Fault;
use crate::model::item::ItemPath;

/// Most entries that one `repeat` makes.
pub(super) const MOST_INSTANCES: u64 = 10_000_000;
/// Most uses of files in one model.
pub(super) const MOST_UNITS: usize = 200_000;
/// Most different files.
pub(super) const MOST_FILES: usize = 200;
/// Deepest use of a file by a file.
pub(super) const DEEPEST_USE: usize = 16;
/// Longest chain of definitions that are like each other.
pub(super) const DEEPEST_LIKE: usize = 16;
/// Most variables of a file.
pub(super) const MOST_VARIABLES: usize = 10_000;
/// Most values and steps of formulas in one model; a minute of work.
const MOST_VALUES: u64 = 500_000_000;
/// Most of them in one entry, which is held in memory as a whole.
const MOST_OF_ENTRY: u64 = 5_000_000;

/// Counts what has been made.
#[derive(Debug)]
pub(super) struct Budget {
    left: AtomicU64,
    /// What is left for the present entry.
    entry: AtomicU64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: AtomicU64::new(MOST_VALUES), entry: AtomicU64::new(MOST_OF_ENTRY) }
    }
}

impl Budget {
    /// Begins another entry.
    pub(super) fn begin(&self) {
        self.entry.store(MOST_OF_ENTRY, Ordering::Relaxed);
    }

    /// Takes some of what is left.
    pub(super) fn spend(&self, amount: usize, span: &Range<usize>, path: &ItemPath<'_>) -> Result<(), Fault> {
        let take = |counter: &AtomicU64| {
            let left = counter.load(Ordering::Relaxed).checked_sub(amount as u64);
            counter.store(left.unwrap_or(0), Ordering::Relaxed);
            left.is_some()
        };
        let (model, entry) = (take(&self.left), take(&self.entry));
        if model && entry {
            return Ok(());
        }
        let (what, most) = if entry { ("the model", MOST_VALUES) } else { ("the entry", MOST_OF_ENTRY) };
        let message = format!("{what} has more than {most} values by the time this one is made");
        let help = "repeat less often, use fewer files, or shorten lists";
        Err(Fault::new("model-size", span.clone(), path, message, help))
    }
}
