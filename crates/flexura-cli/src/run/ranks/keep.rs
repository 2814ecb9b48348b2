//! Checkpoints of a run by several ranks: a file for each rank, and an index that names those that belong together.
//!
//! Two sets of files take turns: while one is written, the index names the other. Only when all ranks have written theirs is the
//! index replaced, in one step, and the earlier set removed: whenever a rank dies, the index names whole files of one instant.

use crate::checkpoint::{PROGRAM, interval_of, replace, unwritten};
use crate::failure::Failure;
use crate::mpi::flags;
use flexura::SinkError;
use flexura::checkpoint::Checkpoint;
use flexura::ranks::Ranks;
use flexura::simulate::{Keeper, Progress};
use flexura_output::checkpoint_file;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Words in the names of the two sets of files.
const TURNS: [&str; 2] = ["a", "b"];

/// Keeps the part of one rank in the latest checkpoint of a run.
pub struct RankKeeper {
    ranks: Arc<dyn Ranks>,
    /// The index; nothing is kept without it.
    path: Option<PathBuf>,
    interval: Duration,
    last: Instant,
    model_hash: String,
    result: PathBuf,
    /// Which set of files is written next.
    turn: usize,
}

impl RankKeeper {
    /// A keeper that replaces the checkpoint at `path`, if given, every `interval` seconds of computing; all ranks make one.
    pub fn new(
        path: Option<&Path>,
        interval: f64,
        model_hash: &str,
        result: &Path,
        ranks: Arc<dyn Ranks>,
    ) -> Result<Self, Failure> {
        let interval = interval_of(interval)?;
        let result = std::path::absolute(result).map_err(Failure::file)?;
        let mut turn = false;
        if let Some(path) = path {
            // An earlier checkpoint at this place, of whatever model, stays whole until the first new one is.
            let used = in_first_turn(path, &earlier(path));
            let told = flags(ranks.as_ref(), used).map_err(|lost| Failure::Echo(lost.to_string()))?;
            turn = told[0];
        }
        let (path, model_hash) = (path.map(Path::to_path_buf), model_hash.into());
        Ok(Self { ranks, path, interval, last: Instant::now(), model_hash, result, turn: usize::from(turn) })
    }

    fn part_name(&self, path: &Path, rank: usize) -> String {
        part_name(path, rank, TURNS[self.turn])
    }

    /// Writes the part of this rank.
    fn write_part(&self, path: &Path, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        let own = path.with_file_name(self.part_name(path, self.ranks.rank()));
        let result = self.result.to_string_lossy();
        let bytes = checkpoint_file::to_bytes(&self.model_hash, PROGRAM, &result, checkpoint);
        replace(&own, &bytes).map_err(|error| unwritten(&own, path, &error))
    }

    /// Has the index name the new set of files; those of the earlier one are removed.
    fn write_index(&self, path: &Path, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        let before = earlier(path);
        let parts: Vec<String> = (0..self.ranks.size()).map(|rank| self.part_name(path, rank)).collect();
        let head = Checkpoint { words: Vec::new(), ..*checkpoint };
        let result = self.result.to_string_lossy();
        let bytes = checkpoint_file::index_to_bytes(&self.model_hash, PROGRAM, &result, &head, &parts);
        replace(path, &bytes).map_err(|error| unwritten(path, path, &error))?;
        for old in before.iter().filter(|name| !parts.contains(name)) {
            // Left behind it costs room only.
            let _ = std::fs::remove_file(path.with_file_name(old));
        }
        Ok(())
    }

    /// Fails where any rank has failed.
    fn agree(&self, own: Result<(), SinkError>) -> Result<(), SinkError> {
        let failed = flags(self.ranks.as_ref(), own.is_err()).map_err(SinkError::new)?;
        own?;
        match failed.iter().position(|&failed| failed) {
            Some(rank) => Err(SinkError::new(format!("rank {rank} cannot write its part of the checkpoint"))),
            None => Ok(()),
        }
    }
}

/// Name of the file of one rank in a set of files.
fn part_name(path: &Path, rank: usize, turn: &str) -> String {
    super::one::part_name_with(path, &format!("rank{rank}.{turn}"))
}

/// Whether an index at `path` names files of the first set.
fn in_first_turn(path: &Path, named: &[String]) -> bool {
    named.iter().enumerate().any(|(rank, name)| *name == part_name(path, rank, TURNS[0]))
}

/// Files that the index at `path` names, whatever model it is of; none where it is something else.
fn earlier(path: &Path) -> Vec<String> {
    if !path.is_file() {
        return Vec::new();
    }
    let bytes = std::fs::read(path).unwrap_or_default();
    checkpoint_file::from_bytes(&bytes).map(|file| file.parts).unwrap_or_default()
}

impl Keeper for RankKeeper {
    fn due(&mut self, _: &Progress) -> bool {
        // The clock of the first rank counts; a lost rank shows in the next evaluation.
        let due = self.path.is_some() && self.last.elapsed() >= self.interval;
        self.path.is_some() && flags(self.ranks.as_ref(), due).is_ok_and(|told| told[0])
    }

    fn wants_last(&self) -> bool {
        self.path.is_some()
    }

    fn keep(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        let Some(path) = self.path.clone() else { return Ok(()) };
        self.agree(self.write_part(&path, checkpoint))?;
        let indexed = if self.ranks.rank() == 0 { self.write_index(&path, checkpoint) } else { Ok(()) };
        self.agree(indexed)?;
        self.turn = 1 - self.turn;
        self.last = Instant::now();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_files_are_told_apart_whatever_they_are_called() {
        for name in ["c.fxc", "plain", "run.a.fxc", "run.b", "a"] {
            let path = Path::new("folder").join(name);
            let set =
                |turn: &str| -> Vec<String> { (0..3).map(|rank| part_name(&path, rank, turn)).collect() };
            assert!(in_first_turn(&path, &set(TURNS[0])), "{name}");
            assert!(!in_first_turn(&path, &set(TURNS[1])) && !in_first_turn(&path, &[]), "{name}");
        }
    }
}
