//! Ranks that are threads of one process: for tests, and for trying a division out without a message-passing library.
//!
//! A gather is two meetings: after the first all numbers are there, after the second all have read them. Whoever is
//! dropped before the others leaves them an error instead of a wait without end.

#[cfg(all(test, loom))]
mod every_order;

use super::{RankLost, Ranks};
#[cfg(loom)]
use loom::{
    hint,
    sync::{Arc, Condvar, Mutex, MutexGuard, atomic::AtomicU64},
};
use std::sync::{PoisonError, atomic::Ordering};
#[cfg(not(loom))]
use std::{
    hint,
    sync::{Arc, Condvar, Mutex, MutexGuard, atomic::AtomicU64},
};

/// Looks at the clock of the meeting before a thread goes to sleep.
const PATIENCE: u32 = if cfg!(loom) { 1 } else { 2_000 };

/// One of several threads that run a model together.
#[derive(Debug)]
pub struct InProcess {
    rank: usize,
    hub: Arc<Hub>,
}

/// What the threads share.
#[derive(Debug)]
struct Hub {
    given: Vec<Mutex<Vec<f64>>>,
    meeting: Mutex<Meeting>,
    changed: Condvar,
    /// Meetings that are over.
    held: AtomicU64,
}

#[derive(Debug, Default)]
struct Meeting {
    here: usize,
    gone: Option<usize>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Numbers of a thread that panicked are never read: its rank is gone.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InProcess {
    /// `size` ranks, one for each thread that is to take part.
    pub fn group(size: usize) -> Vec<Self> {
        let given = (0..size).map(|_| Mutex::new(Vec::new())).collect();
        let hub = Arc::new(Hub {
            given,
            meeting: Mutex::new(Meeting::default()),
            changed: Condvar::new(),
            held: AtomicU64::new(0),
        });
        (0..size).map(|rank| Self { rank, hub: Arc::clone(&hub) }).collect()
    }

    /// Waits for all others.
    fn meet(&self) -> Result<(), RankLost> {
        let hub = &*self.hub;
        let mut meeting = locked(&hub.meeting);
        let number = hub.held.load(Ordering::Acquire);
        if let Some(rank) = meeting.gone {
            return Err(lost(rank));
        }
        meeting.here += 1;
        if meeting.here == hub.given.len() {
            meeting.here = 0;
            hub.held.store(number + 1, Ordering::Release);
            hub.changed.notify_all();
            return Ok(());
        }
        drop(meeting);
        for _ in 0..PATIENCE {
            if hub.held.load(Ordering::Acquire) != number {
                return Ok(());
            }
            hint::spin_loop();
        }
        let mut meeting = locked(&hub.meeting);
        while hub.held.load(Ordering::Acquire) == number {
            if let Some(rank) = meeting.gone {
                return Err(lost(rank));
            }
            meeting = hub.changed.wait(meeting).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }
}

fn lost(rank: usize) -> RankLost {
    RankLost(format!("rank {rank} has ended"))
}

impl Ranks for InProcess {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.hub.given.len()
    }

    fn all_gather(&self, own: &[f64], counts: &[usize], all: &mut [f64]) -> Result<(), RankLost> {
        {
            let mut slot = locked(&self.hub.given[self.rank]);
            slot.clear();
            slot.extend_from_slice(own);
        }
        self.meet()?;
        let mut start = 0;
        for (slot, &count) in self.hub.given.iter().zip(counts) {
            all[start..start + count].copy_from_slice(&locked(slot));
            start += count;
        }
        self.meet()
    }

    fn barrier(&self) -> Result<(), RankLost> {
        self.meet()
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        locked(&self.hub.meeting).gone = Some(self.rank);
        self.hub.changed.notify_all();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_arrive_in_order() {
        let counts = [2, 0, 3];
        let work = |ranks: InProcess| {
            let own: Vec<f64> = (0..counts[ranks.rank()]).map(|i| (10 * ranks.rank() + i) as f64).collect();
            let mut all = vec![0.0; 5];
            for _ in 0..100 {
                ranks.all_gather(&own, &counts, &mut all).expect("all are here");
                ranks.barrier().expect("all are here");
            }
            all
        };
        let work = &work;
        let gathered: Vec<Vec<f64>> = std::thread::scope(|scope| {
            let group = InProcess::group(3).into_iter();
            let threads: Vec<_> = group.map(|ranks| scope.spawn(move || work(ranks))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(gathered.iter().all(|all| all == &[0.0, 1.0, 20.0, 21.0, 22.0]));
    }

    #[test]
    fn nobody_waits_for_the_dead() {
        let mut group = InProcess::group(2);
        let (other, first) = (group.pop(), group.pop().expect("two"));
        let waiting = std::thread::spawn(move || first.barrier());
        drop(other);
        let error = waiting.join().expect("no panic").expect_err("one is gone");
        assert!(error.to_string().contains("rank 1"), "{error}");
    }
}
