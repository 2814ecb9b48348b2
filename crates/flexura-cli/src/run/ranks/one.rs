//! The part of one rank in a run: its files, its steps, what it comes to.

use super::super::{Arguments, start_state};
use super::keep::RankKeeper;
use crate::checkpoint::Restart;
use crate::failure::Failure;
use crate::mpi::agree;
use crate::progress::{Display, Pace};
use crate::validity::Audit;
use flexura::file::Loaded;
use flexura::picture::Picture;
use flexura::ranks::{Ranks, TalkSummary};
use flexura::record::Sink;
use flexura::simulate::{Outcome as RunOutcome, Progress, Together};
use flexura::{DynamicsError, SimulationError, SinkError};
use flexura_output::{layout, verdicts_of};
use flexura_results::{Layout, Writer, WriterOptions, write_index};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What one rank came to.
pub struct Ended {
    pub outcome: RunOutcome,
    pub talk: TalkSummary,
    pub own_bodies: usize,
    pub audit: Audit,
    /// Time of steps and rows.
    pub seconds: f64,
    pub pace: Pace,
}

/// The part of one rank.
pub fn one(
    arguments: &Arguments,
    (loaded, hash): (Arc<Loaded>, &str),
    path: &Path,
    ranks: Arc<dyn Ranks>,
    interrupted: &AtomicBool,
) -> Result<Ended, Failure> {
    let picture = Picture::wanted(&loaded.built);
    let (rank, size) = (ranks.rank(), ranks.size());
    let prepared = prepare(arguments, (&loaded, hash), path, Arc::clone(&ranks), picture);
    // Nobody writes before all know that they can.
    let Ready { mut together, whole, restart } = agree(ranks.as_ref(), prepared)?;
    let interval = arguments.checkpoint_interval;
    let mut keeper =
        RankKeeper::new(arguments.checkpoint.as_deref(), interval, hash, path, Arc::clone(&ranks))?;
    let own = layout(&loaded, together.channels(), false);
    let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let created = Writer::create(part_path(path, rank), &own, &options).map_err(Failure::file);
    // Who reads the index finds every part that it names, whenever a rank dies; and nobody waits for one that cannot write.
    let writer = agree(ranks.as_ref(), created)?;
    let mut sink = PartSink { writer, audit: Audit::new(&own) };
    let indexed = whole.as_ref().map_or(Ok(()), |whole| {
        let names: Vec<String> = (0..size).map(|rank| part_name(path, rank)).collect();
        write_index(path, whole, &names, !arguments.keep).map_err(Failure::file)
    });
    agree(ranks.as_ref(), indexed)?;
    if let Some(restart) = &restart {
        restart.copy_rows(&own, &mut sink)?;
    }
    let earlier = restart.as_ref().map(|restart| restart.memory.as_slice());
    // From here on the part of this rank is enough.
    drop((loaded, whole, own));
    let mut display = Display::new(rank > 0 || arguments.quiet || arguments.json);
    let mut pace = Pace::default();
    let mut watch = |progress: &Progress| {
        pace.count();
        display.update(progress, None);
        !interrupted.load(Ordering::Relaxed)
    };
    let began = Instant::now();
    let outcome = together.run_kept(earlier, &mut sink, &mut watch, &mut keeper);
    let seconds = began.elapsed().as_secs_f64();
    let warned = display.finish();
    let PartSink { writer, audit } = sink;
    let verdicts = outcome.as_ref().ok().map(verdicts_of);
    let closed = writer.finish_with(verdicts).map_err(Failure::file);
    let mut outcome = outcome.map_err(|error| failure(&error, rank, path, audit.last))?;
    closed?;
    outcome.warnings.drain(..warned.min(outcome.warnings.len()));
    let (talk, own_bodies) = (together.part().talk(), together.part().own_count());
    Ok(Ended { outcome, talk, own_bodies, audit, seconds, pace })
}

/// What a rank needs to begin.
struct Ready {
    together: Together,
    /// On the first rank: all channels of the run.
    whole: Option<Layout>,
    restart: Option<Restart>,
}

fn prepare(
    arguments: &Arguments,
    (loaded, hash): (&Loaded, &str),
    path: &Path,
    ranks: Arc<dyn Ranks>,
    picture: bool,
) -> Result<Ready, Failure> {
    let (rank, first) = (ranks.rank(), ranks.rank() == 0);
    let mut together = Together::new(&loaded.built, ranks, picture).map_err(Failure::simulation)?;
    if arguments.keep {
        let own = part_path(path, rank);
        let there =
            [first.then_some(path), Some(own.as_path())].into_iter().flatten().find(|file| file.exists());
        if let Some(file) = there {
            return Err(Failure::File(format!(
                "result file {} exists: leave out --keep to replace it, or name another with --output",
                file.display()
            )));
        }
    }
    let whole = match first {
        false => None,
        true => {
            let channels = Together::whole_channels(&loaded.built, picture).map_err(Failure::simulation)?;
            Some(layout(loaded, &channels, picture))
        }
    };
    let restart = arguments.restart.as_deref().map(|file| Restart::of_ranks(file, hash, path)).transpose()?;
    if arguments.from_static {
        together.begin_at(&loaded.built.model, &start_state(arguments, loaded)?);
    }
    if let (Some(restart), Some(whole)) = (&restart, &whole) {
        restart.check_channels(whole)?;
    }
    Ok(Ready { together, whole, restart })
}

/// Rows of one rank.
struct PartSink {
    writer: Writer,
    audit: Audit,
}

impl Sink for PartSink {
    fn row(&mut self) -> &mut [f64] {
        self.writer.row()
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        self.audit.see(self.writer.row());
        self.writer.commit().map_err(SinkError::new)
    }

    fn settle(&mut self) -> Result<(), SinkError> {
        self.writer.settle().map_err(SinkError::new)
    }
}

/// Name of the file of one rank: that of the index with the rank before its extension.
fn part_name(path: &Path, rank: usize) -> String {
    part_name_with(path, &format!("rank{rank}"))
}

/// The name of `path` with `word` before its extension.
pub fn part_name_with(path: &Path, word: &str) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let end = path.extension().map_or(String::new(), |end| format!(".{}", end.to_string_lossy()));
    format!("{stem}.{word}{end}")
}

fn part_path(path: &Path, rank: usize) -> PathBuf {
    path.with_file_name(part_name(path, rank))
}

fn failure(error: &SimulationError, rank: usize, path: &Path, last: Option<(f64, u64)>) -> Failure {
    let kept = last.map_or(String::new(), |(time, rows)| {
        format!("\n{rows} rows are kept in {}, the last good one at t = {time} s", path.display())
    });
    let text = format!("{error}{kept}");
    match error {
        SimulationError::Dynamics {
            cause: DynamicsError::Elsewhere { .. } | DynamicsError::RankLost { .. },
            ..
        } => Failure::Echo(text),
        // Told to all with the next gather.
        SimulationError::Dynamics { .. } => Failure::Simulation(format!("rank {rank}: {text}")),
        // Of anything else the other ranks know nothing.
        _ => Failure::File(text),
    }
}
