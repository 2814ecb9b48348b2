//! Cases that are left of a sweep: handed out one after the other, kept in the journal as they finish.

use super::journal::{Entry, Journal};
use super::{Sweep, case, locked};
use crate::Outcome;
use crate::failure::Failure;
use indicatif::ProgressBar;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What is left to do, and what was done.
pub struct Queue<'a> {
    sweep: &'a Sweep<'a>,
    next: AtomicUsize,
    /// Finished cases.
    pub journal: Mutex<Journal>,
    /// Raised where the user interrupts this process: what runs here ends too.
    interrupted: &'a AtomicBool,
    /// Raised where no more cases are to be begun; those under way are finished and kept.
    halted: AtomicBool,
    trouble: Mutex<Option<Failure>>,
}

impl<'a> Queue<'a> {
    /// All cases that `journal` does not know.
    pub fn new(sweep: &'a Sweep<'a>, journal: Journal, interrupted: &'a AtomicBool) -> Self {
        let (next, halted, trouble) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None));
        Self { sweep, next, journal: Mutex::new(journal), interrupted, halted, trouble }
    }

    /// A case to compute; none where all are done, one failed to be kept, or the user interrupts.
    pub fn take(&self) -> Option<usize> {
        loop {
            let k = self.next.fetch_add(1, Ordering::Relaxed);
            let ended = self.interrupted.load(Ordering::Relaxed) || self.halted.load(Ordering::Relaxed);
            if k >= self.sweep.cases.count() || ended {
                return None;
            }
            if !self.sweep.is_done(k, &locked(&self.journal)) {
                return Some(k);
            }
        }
    }

    /// Keeps a finished case by its key.
    pub fn keep(&self, key: String, entry: Entry) {
        if let Err(failure) = locked(&self.journal).add(key, entry) {
            self.fail(failure);
        }
    }

    /// Begins no more cases, for this reason.
    pub fn fail(&self, failure: Failure) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        self.halt();
    }

    /// Begins no more cases.
    pub fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Whether cases may be left because somebody asked to end.
    pub fn was_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    /// Computes cases on `jobs` threads until none is left; `serve` hands some out elsewhere meanwhile.
    pub fn work_off(&self, jobs: usize, bar: &ProgressBar, serve: impl FnOnce(&Self) -> Outcome) -> Outcome {
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| self.work(bar));
            }
            let served = serve(self);
            // Whoever cannot be served any more ends the others too.
            if served.is_err() {
                self.halt();
            }
            served
        })
    }

    fn work(&self, bar: &ProgressBar) {
        while let Some(k) = self.take() {
            bar.set_message(format!("case {} of {}", k + 1, self.sweep.cases.count()));
            match case::run(self.sweep, k, self.interrupted, bar) {
                Ok(Some(entry)) => self.keep(self.sweep.key(k), entry),
                Ok(None) => {} // interrupted
                Err(failure) => self.fail(failure),
            }
        }
    }

    /// What was done in the end, unless something went wrong.
    pub fn into_journal(self) -> Result<Journal, Failure> {
        match self.trouble.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(failure) => Err(failure),
            None => Ok(self.journal.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }
}
