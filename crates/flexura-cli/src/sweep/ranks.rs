//! A sweep by the processes of an MPI launcher: the first one hands out cases and keeps the journal, all of them compute.
//!
//! Whoever is free asks, with what its last case came to, and is told the next one: cases may take as long as they like. A
//! thread that waits looks for its answer a thousand times a second; nobody waits in a gather.

use super::queue::Queue;
use super::{Arguments, Sweep, case, prepare, sweep_here};
use crate::Outcome;
use crate::failure::Failure;
use crate::interrupt::{Late, watch_for_interrupt};
use crate::mpi::agree;
use flexura::ranks::{RankLost, Ranks};
use flexura_mpi::Mpi;
use indicatif::ProgressBar;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Tag of questions; answers to thread t of a process have `ANSWER + t`.
const QUESTION: u16 = 1;
const ANSWER: u16 = 2;

/// In place of a case: there is none left.
const NONE_LEFT: u64 = u64::MAX;

/// Between two looks for a message.
const PAUSE: Duration = Duration::from_millis(1);

/// Runs the sub-command on all processes.
pub fn sweep(arguments: &Arguments, mpi: &Mpi) -> Outcome {
    let refused = arguments.device.is_some().then(|| {
        let text = "--device: not on several ranks; leave it out, or start one process";
        Failure::Usage(text.into())
    });
    let ready = refused.map_or(Ok(()), Err).and_then(|()| prepare(arguments, mpi.rank() == 0));
    let sweep = agree(mpi, ready)?;
    let jobs = arguments.jobs.map_or(1, usize::from);
    let outcome = match mpi.rank() {
        0 => sweep_here(&sweep, jobs, |queue| serve(queue, mpi, jobs)),
        _ => follow(&sweep, mpi, jobs),
    };
    match &outcome {
        // Whoever is interrupted has told the first process, which has answered all.
        Ok(()) | Err(Failure::Interrupted(_)) => {}
        Err(failure) => {
            // The others may wait for an answer, or for a question.
            eprintln!("on rank {}:", mpi.rank());
            failure.report();
            flexura_mpi::abort(failure.code().into());
        }
    }
    outcome
}

fn lost(error: RankLost) -> Failure {
    Failure::Simulation(error.to_string())
}

/// What a thread of another process says when it asks for a case: its number, then words.
enum Said {
    Nothing,
    /// A line of the journal.
    Done(String),
    /// Why it does not go on.
    Failed(String),
    Interrupted,
}

impl Said {
    fn to_bytes(&self, thread: u16) -> Vec<u8> {
        let (kind, text) = match self {
            Self::Nothing => (b'n', ""),
            Self::Done(line) => (b'd', line.as_str()),
            Self::Failed(text) => (b'f', text.as_str()),
            Self::Interrupted => (b'i', ""),
        };
        [&thread.to_le_bytes()[..], &[kind], text.as_bytes()].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<(u16, Self)> {
        let (thread, rest) = bytes.split_first_chunk::<2>()?;
        let (kind, text) = rest.split_first()?;
        let text = String::from_utf8_lossy(text).into_owned();
        let said = match kind {
            b'd' => Self::Done(text),
            b'f' => Self::Failed(text),
            b'i' => Self::Interrupted,
            _ => Self::Nothing,
        };
        Some((u16::from_le_bytes(*thread), said))
    }
}

/// Answers the threads of all other processes until each knows that nothing is left.
fn serve(queue: &Queue<'_>, mpi: &Mpi, jobs: usize) -> Outcome {
    let mut asking = (mpi.size() - 1) * jobs;
    while asking > 0 {
        let Some((from, bytes)) = mpi.receive(QUESTION).map_err(lost)? else {
            std::thread::sleep(PAUSE);
            continue;
        };
        let Some((thread, said)) = Said::from_bytes(&bytes) else { continue };
        match said {
            Said::Nothing => {}
            Said::Done(line) => {
                let (_, entries) = flexura_output::journal::read(line.as_bytes());
                entries.into_iter().for_each(|(key, entry)| queue.keep(key, entry));
            }
            Said::Failed(text) => queue.fail(Failure::File(format!("rank {from}: {text}"))),
            Said::Interrupted => queue.halt(),
        }
        let case = queue.take();
        asking -= usize::from(case.is_none());
        let answer = case.map_or(NONE_LEFT, |k| k as u64);
        mpi.send(&answer.to_le_bytes(), from, ANSWER + thread).map_err(lost)?;
    }
    Ok(())
}

/// Computes the cases that the first process hands out.
fn follow(sweep: &Sweep<'_>, mpi: &Mpi, jobs: usize) -> Outcome {
    let interrupted = watch_for_interrupt(Late::Tell("interrupted; finished cases are kept"));
    let interrupted: &AtomicBool = &interrupted;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs)
            .map(|thread| scope.spawn(move || work(sweep, mpi, thread as u16, interrupted)))
            .collect();
        let panicked = || Err(Failure::Simulation("a thread has panicked".into()));
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| panicked()))
    })
}

fn work(sweep: &Sweep<'_>, mpi: &Mpi, thread: u16, interrupted: &AtomicBool) -> Outcome {
    let bar = ProgressBar::hidden();
    let mut said = Said::Nothing;
    loop {
        mpi.send(&said.to_bytes(thread), 0, QUESTION).map_err(lost)?;
        let Some(k) = answer(mpi, thread)?.filter(|&k| k < sweep.cases.count()) else { return Ok(()) };
        said = match case::run(sweep, k, interrupted, &bar) {
            Ok(Some(entry)) => Said::Done(entry.to_line(&sweep.key(k))),
            Ok(None) => Said::Interrupted,
            Err(Failure::File(text) | Failure::Usage(text) | Failure::Simulation(text)) => Said::Failed(text),
            Err(other) => return Err(other),
        };
    }
}

/// The case that this thread is to compute; none where nothing is left.
fn answer(mpi: &Mpi, thread: u16) -> Result<Option<usize>, Failure> {
    loop {
        if let Some((_, bytes)) = mpi.receive(ANSWER + thread).map_err(lost)? {
            let number = bytes.first_chunk::<8>().map_or(NONE_LEFT, |bytes| u64::from_le_bytes(*bytes));
            return Ok(usize::try_from(number).ok());
        }
        std::thread::sleep(PAUSE);
    }
}
