//! The bounded hand-over of filled batches to the writer thread, and of emptied ones back.
//!
//! This is a mutex with two condition variables rather than a pair of standard channels because a
//! channel allocates when a thread first blocks on it, and the stepping thread must never allocate.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, PoisonError, atomic::Ordering};
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex, MutexGuard, atomic::AtomicBool};
use std::time::Duration;

#[cfg(loom)]
use loom::sync::{Condvar, Mutex, MutexGuard, atomic::AtomicBool};

use crate::closing::Closing;

/// Rows on their way to the file, row-major in a buffer of fixed size.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Storage of all rows; values not yet set are NaN.
    pub values: Vec<f64>,
    /// Number of committed rows at the start of `values`.
    pub rows: usize,
}

impl Batch {
    /// An empty batch for `values` numbers.
    pub fn new(values: usize) -> Self {
        Self { values: vec![f64::NAN; values], rows: 0 }
    }

    /// Empties the batch, so that a value the caller forgets to set reads as NaN.
    pub fn clear(&mut self) {
        self.values.fill(f64::NAN);
        self.rows = 0;
    }
}

/// What the writer thread has to do next.
pub(crate) enum Order {
    /// Write this batch and recycle it.
    Write(Batch),
    /// Everything handed over so far must reach the disk now.
    Sync,
    /// Nothing came within the time the thread was willing to wait.
    Idle,
    /// Everything was handed over; end the file.
    End(Ending),
}

/// How a file ends.
#[derive(Debug, Clone)]
pub(crate) enum Ending {
    /// Without the end marker: the results are not complete.
    Aborted,
    /// With the end marker, and these texts before it.
    Whole(Closing),
}

#[derive(Debug)]
struct State {
    filled: VecDeque<Batch>,
    free: Vec<Batch>,
    ending: Option<Ending>,
    /// Whether somebody waits until all rows are on the disk.
    sync_asked: bool,
    failure: Option<Arc<io::Error>>,
}

/// The meeting point of the stepping thread and the writer thread.
#[derive(Debug)]
pub(crate) struct Exchange {
    state: Mutex<State>,
    filled: Condvar,
    freed: Condvar,
    // Mirrors `failure`, so that a commit need not take the lock to learn that all is well.
    failed: AtomicBool,
    spares: usize,
}

impl Exchange {
    /// An exchange with `spares` empty batches of `values` numbers each.
    pub fn new(spares: usize, values: usize) -> Self {
        Self {
            state: Mutex::new(State {
                // One more than circulate here: the stepping thread's own batch comes last.
                filled: VecDeque::with_capacity(spares + 1),
                free: (0..spares).map(|_| Batch::new(values)).collect(),
                ending: None,
                sync_asked: false,
                failure: None,
            }),
            filled: Condvar::new(),
            freed: Condvar::new(),
            failed: AtomicBool::new(false),
            spares,
        }
    }

    /// Swaps a filled `batch` for an empty one, waiting until one is free.
    ///
    /// After a failure the rows are dropped: nothing can be written behind a damaged batch.
    pub fn hand_over(&self, batch: &mut Batch) -> Result<(), Arc<io::Error>> {
        let mut state = self.lock();
        loop {
            if let Some(failure) = &state.failure {
                batch.rows = 0;
                return Err(Arc::clone(failure));
            }
            if let Some(empty) = state.free.pop() {
                let full = std::mem::replace(batch, empty);
                state.filled.push_back(full);
                self.filled.notify_one();
                return Ok(());
            }
            state = wait(&self.freed, state);
        }
    }

    /// Waits until every batch handed over is on the disk.
    pub fn settle(&self) -> Result<(), Arc<io::Error>> {
        let mut state = self.lock();
        state.sync_asked = true;
        self.filled.notify_one();
        loop {
            if let Some(failure) = &state.failure {
                return Err(Arc::clone(failure));
            }
            // Every spare batch is back: none is waiting and none is being written.
            if state.free.len() == self.spares && !state.sync_asked {
                return Ok(());
            }
            state = wait(&self.freed, state);
        }
    }

    /// Hands over the last batch and asks the writer thread to end the file.
    pub fn close(&self, last: Batch, ending: Ending) {
        let mut state = self.lock();
        state.filled.push_back(last);
        state.ending = Some(ending);
        self.filled.notify_one();
    }

    /// The failure of the writer thread, if there was one.
    pub fn failure(&self) -> Option<Arc<io::Error>> {
        if !self.failed.load(Ordering::Acquire) {
            return None;
        }
        self.lock().failure.clone()
    }

    /// Waits for the next order, for at most `patience` if given.
    pub fn next(&self, patience: Option<Duration>) -> Order {
        let mut state = self.lock();
        loop {
            if let Some(batch) = state.filled.pop_front() {
                return Order::Write(batch);
            }
            if state.sync_asked {
                return Order::Sync;
            }
            if let Some(ending) = state.ending.take() {
                return Order::End(ending);
            }
            let Some(patience) = patience else {
                state = wait(&self.filled, state);
                continue;
            };
            let (woken, timeout) =
                self.filled.wait_timeout(state, patience).unwrap_or_else(PoisonError::into_inner);
            state = woken;
            if timeout.timed_out() && state.filled.is_empty() && state.ending.is_none() {
                return Order::Idle;
            }
        }
    }

    /// Returns a written batch to the stepping thread.
    pub fn recycle(&self, mut batch: Batch) {
        batch.clear();
        self.lock().free.push(batch);
        self.freed.notify_one();
    }

    /// Tells whoever waits that everything is on the disk.
    pub fn synced(&self) {
        self.lock().sync_asked = false;
        self.freed.notify_one();
    }

    /// Records why the writer thread stops; the first failure is kept.
    pub fn fail(&self, error: io::Error) {
        let mut state = self.lock();
        state.failure.get_or_insert_with(|| Arc::new(error));
        self.failed.store(true, Ordering::Release);
        self.freed.notify_one();
    }

    // The state is valid after every statement, so a poisoned lock is still usable.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait<'a>(signal: &Condvar, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    signal.wait(state).unwrap_or_else(PoisonError::into_inner)
}
