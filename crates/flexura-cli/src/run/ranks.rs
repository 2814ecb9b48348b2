//! One model run by several ranks: processes that an MPI launcher has started, or threads of this one (`--ranks`).
//!
//! Every rank writes a result file of its own, `chain.rank0.fxr` beside the index `chain.fxr`, which the first rank writes
//! and which every reader takes for the whole result.

mod keep;
mod one;

use super::{Arguments, output_path, report, summary};
use crate::Outcome;
use crate::failure::Failure;
use crate::interrupt::{Late, watch_for_interrupt};
use crate::mpi::agree;
use crate::print::print;
use crate::validity;
use flexura::file::Loaded;
use flexura::ranks::{InProcess, Ranks};
use one::{Ended, one};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Who takes part in a run.
pub enum Group {
    /// Threads of this process.
    Threads(usize),
    /// This process and others.
    Processes(Arc<dyn Ranks>),
}

impl Group {
    /// Whether this process tells what all of them would.
    pub fn speaks(&self) -> bool {
        match self {
            Self::Threads(_) => true,
            Self::Processes(ranks) => ranks.rank() == 0,
        }
    }
}

/// The ranks that the launcher or the command line asks for; none for an ordinary run.
pub fn group(asked: Option<u16>) -> Result<Option<Group>, Failure> {
    let launched = flexura_mpi::launched();
    if launched && asked == Some(1) {
        return Ok(None);
    }
    if launched && asked.is_some() {
        let text = "--ranks: an MPI launcher has started the ranks already; leave the option out, or take --ranks 1 for a \
                    run by this process alone";
        return Err(Failure::Usage(text.into()));
    }
    if asked.is_none() {
        return Ok(crate::mpi::joined()?.map(|ranks| Group::Processes(ranks as Arc<dyn Ranks>)));
    }
    Ok(asked.map(|count| Group::Threads(count.into())))
}

/// Runs the model that was opened, with the hash of its run, on the ranks of `group`.
pub fn run(arguments: &Arguments, opened: Result<(Loaded, String), Failure>, group: Group) -> Outcome {
    let ready = opened.and_then(|opened| {
        refuse(arguments)?;
        Ok((opened, output_path(arguments)?))
    });
    // Processes end together where one of them has no model.
    let ((loaded, hash), path) = match &group {
        Group::Threads(_) => ready?,
        Group::Processes(ranks) => agree(ranks.as_ref(), ready)?,
    };
    let (bodies, loaded, hash) = (loaded.built.model.body_count(), Arc::new(loaded), hash.as_str());
    let started = Instant::now();
    let interrupted = watch_for_interrupt(Late::Tell(
        "interrupted: the step under way is finished, and what is written is kept",
    ));
    match group {
        Group::Threads(count) => {
            let (path, interrupted) = (path.as_path(), &*interrupted);
            let work =
                |rank: InProcess, loaded| one(arguments, (loaded, hash), path, Arc::new(rank), interrupted);
            let ended: Vec<Result<Ended, Failure>> = std::thread::scope(|scope| {
                let ranks = InProcess::group(count).into_iter().zip(vec![loaded; count]);
                let threads: Vec<_> =
                    ranks.map(|(rank, loaded)| scope.spawn(move || work(rank, loaded))).collect();
                let lost = || Err(Failure::Simulation("a rank has panicked".into()));
                threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
            });
            let mut all = first_cause(ended)?;
            // The first rank speaks for all: what bends stands in the model of one of them.
            let others: Vec<_> = all.iter_mut().skip(1).map(|end| std::mem::take(&mut end.outcome)).collect();
            let first = &mut all[0];
            for other in others {
                first.outcome.deformations.extend(other.deformations);
                first.outcome.modes.extend(other.modes);
                first.outcome.unresolved.extend(other.unresolved);
                first.outcome.contacts.extend(other.contacts);
                first.outcome.half_turns.extend(other.half_turns);
                first.outcome.warnings.extend(other.warnings);
            }
            first.own_bodies = bodies / count;
            tell(arguments, &all[0], count, path, started)
        }
        Group::Processes(ranks) => {
            let (rank, size) = (ranks.rank(), ranks.size());
            let ended = one(arguments, (loaded, hash), &path, Arc::clone(&ranks), &interrupted);
            let told = match &ended {
                Ok(ended) if rank == 0 => tell(arguments, ended, size, &path, started),
                Ok(ended) => {
                    ended.outcome.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
                    stopped(arguments, ended, &path)
                }
                Err(_) => Ok(()),
            };
            let failed = ended.err().or(told.err());
            leave(ranks.as_ref(), failed)
        }
    }
}

/// Ends together with the others; a failure that they do not know of ends them too.
fn leave(ranks: &dyn Ranks, failed: Option<Failure>) -> Outcome {
    match failed {
        Some(Failure::File(text)) => {
            eprintln!("error on rank {}: {text}", ranks.rank());
            flexura_mpi::abort(5);
            Err(Failure::File(text))
        }
        failed => {
            // All have closed their files once they are here.
            let _ = ranks.barrier();
            failed.map_or(Ok(()), Err)
        }
    }
}

/// What a run on several ranks does not have, by name.
fn refuse(arguments: &Arguments) -> Outcome {
    let asked = [("--device", arguments.device.is_some()), ("--view", arguments.view)];
    match asked.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Failure::Usage(format!(
            "{option}: not on several ranks yet; leave it out, or run on one rank"
        ))),
        None => Ok(()),
    }
}

/// The first failure that says something itself.
fn first_cause(ended: Vec<Result<Ended, Failure>>) -> Result<Vec<Ended>, Failure> {
    let mut echo = None;
    let mut all = Vec::new();
    for end in ended {
        match end {
            Ok(end) => all.push(end),
            Err(Failure::Echo(text)) => echo = echo.or(Some(Failure::Simulation(text))),
            Err(failure) => return Err(failure),
        }
    }
    echo.map_or(Ok(all), Err)
}

/// The end of the run, in words or as JSON.
fn tell(arguments: &Arguments, ended: &Ended, size: usize, path: &Path, started: Instant) -> Outcome {
    let Ended { outcome, talk, own_bodies, audit, seconds, pace } = ended;
    for warning in &outcome.warnings {
        eprintln!("warning: {warning}");
    }
    if let Some(warning) = &outcome.unbalanced {
        eprintln!("warning: {warning}");
    }
    let share = talk.seconds / seconds.max(1e-9);
    if arguments.json {
        let mut value = summary(outcome, audit, path, started, pace);
        value["ranks"] = json!(size);
        value["stepping_seconds"] = json!(seconds);
        value["peak_memory"] = json!(peak_memory());
        value["gathers"] =
            json!({ "calls": talk.calls, "bytes": talk.bytes, "seconds": talk.seconds, "share": share });
        print(&format!("{value}\n"))?;
    } else if !arguments.quiet {
        let mut checked = validity::lines(outcome, audit, 0);
        checked.push(format!(
            "ranks: {size}, about {own_bodies} bodies each; {} gathers of {} bytes, {:.1} % of the time",
            talk.calls,
            talk.bytes / talk.calls.max(1),
            100.0 * share
        ));
        report(outcome, checked, path, started)?;
    }
    stopped(arguments, ended, path)?;
    match &outcome.unbalanced {
        Some(warning) if arguments.strict => Err(Failure::Verdict(format!("--strict: {warning}"))),
        _ => Ok(()),
    }
}

/// The most memory that this process has had (bytes), where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

/// A run that somebody has stopped.
fn stopped(arguments: &Arguments, ended: &Ended, path: &Path) -> Outcome {
    if !ended.outcome.cancelled {
        return Ok(());
    }
    let on = arguments.checkpoint.as_ref().map_or(String::new(), |file| {
        format!("; go on with --restart {} and another --output, on any number of ranks", file.display())
    });
    let (time, path) = (ended.outcome.end_time, path.display());
    Err(Failure::Interrupted(format!("interrupted at t = {time} s; rows so far are kept in {path}{on}")))
}
