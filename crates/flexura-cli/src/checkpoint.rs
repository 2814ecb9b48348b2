//! Checkpoint files: written to a new file, synced, then renamed, so that a good
//! one is there at every moment. Their bytes: `flexura_output::checkpoint_file`.

use crate::failure::Failure;
use crate::whole_file;
use flexura::SinkError;
use flexura::checkpoint::Checkpoint;
use flexura::record::Sink;
use flexura::simulate::{Keeper, Progress};
use flexura_output::checkpoint_file::{self, CheckpointFault, CheckpointFile, VERSION};
use flexura_results::{Layout, ResultFile};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Version of this program.
pub const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Keeps the latest checkpoint of a run in a file.
pub struct FileKeeper {
    path: Option<PathBuf>,
    interval: Duration,
    last: Instant,
    model_hash: String,
    result: PathBuf,
}

impl FileKeeper {
    /// A keeper that replaces the file at `path`, if given, every `interval` seconds of computing.
    pub fn new(path: Option<&Path>, interval: f64, model_hash: &str, result: &Path) -> Result<Self, Failure> {
        let interval = interval_of(interval)?;
        // Whoever restarts may stand in another folder.
        let result = std::path::absolute(result).map_err(Failure::file)?;
        let (path, model_hash) = (path.map(Path::to_path_buf), model_hash.into());
        Ok(Self { path, interval, last: Instant::now(), model_hash, result })
    }
}

/// Time between checkpoints.
pub fn interval_of(seconds: f64) -> Result<Duration, Failure> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| Failure::Usage(format!("--checkpoint-interval {seconds}: give seconds from 0 on")))
}

impl Keeper for FileKeeper {
    fn due(&mut self, _: &Progress) -> bool {
        self.path.is_some() && self.last.elapsed() >= self.interval
    }

    fn wants_last(&self) -> bool {
        self.path.is_some()
    }

    fn keep(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        let Some(path) = &self.path else { return Ok(()) };
        let result = self.result.to_string_lossy();
        let bytes = checkpoint_file::to_bytes(&self.model_hash, PROGRAM, &result, checkpoint);
        let written = replace(path, &bytes);
        self.last = Instant::now();
        written.map_err(|error| unwritten(path, path, &error))
    }
}

/// The failure to write `file`; the checkpoint before it at `whole` is left as it was.
pub fn unwritten(file: &Path, whole: &Path, error: &io::Error) -> SinkError {
    let (shown, whole_shown) = (file.display(), whole.display());
    let earlier = match whole.is_file() {
        true => format!("; the one before it is still whole: go on from it with --restart {whole_shown}"),
        false => String::new(),
    };
    SinkError::new(format!("cannot write the checkpoint {shown}: {error}{earlier}"))
}

/// Puts `bytes` in place of the file at `path` in one step, which outlasts a crash of the machine.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    whole_file::replace(path, |file| file.write_all(bytes))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Best effort: not every system lets a folder be synced.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A checkpoint and the rows before it.
pub struct Restart {
    /// Memory of the run: of each of its ranks, or one.
    pub memory: Vec<Checkpoint>,
    result: ResultFile,
}

impl Restart {
    /// Opens the checkpoint at `path` for a model and a new result file.
    pub fn open(path: &Path, model_hash: &str, output: &Path) -> Result<Self, Failure> {
        let file = read(path, model_hash)?;
        if !file.parts.is_empty() {
            return Err(Failure::Usage(format!(
                "{} is of a run by {} ranks: go on with --ranks, 1 or any other number, or by mpirun",
                path.display(),
                file.parts.len()
            )));
        }
        let result = earlier_rows(&file, output)?;
        Ok(Self { memory: vec![file.checkpoint], result })
    }

    /// Opens the checkpoint at `path` of a run by ranks, on any number of them.
    pub fn of_ranks(path: &Path, model_hash: &str, output: &Path) -> Result<Self, Failure> {
        let index = read(path, model_hash)?;
        if index.parts.is_empty() {
            return Err(Failure::Usage(format!(
                "{} is of a run without ranks: go on without --ranks, on one process",
                path.display()
            )));
        }
        let result = earlier_rows(&index, output)?;
        let part = |name: &String| read(&path.with_file_name(name), model_hash).map(|file| file.checkpoint);
        let memory: Vec<Checkpoint> = index.parts.iter().map(part).collect::<Result<_, _>>()?;
        let same =
            |part: &Checkpoint| (part.time, part.rows) == (index.checkpoint.time, index.checkpoint.rows);
        match memory.iter().position(|part| !same(part)) {
            Some(rank) => Err(Failure::File(format!(
                "{} belongs to another checkpoint than {}",
                index.parts[rank],
                path.display()
            ))),
            None => Ok(Self { memory, result }),
        }
    }

    /// Refuses an earlier result with other channels than `all` of this run.
    pub fn check_channels(&self, all: &Layout) -> Result<(), Failure> {
        match self.result.layout().channel_names().eq(all.channel_names()) {
            true => Ok(()),
            false => {
                Err(Failure::Usage("the earlier result holds other channels than this run records".into()))
            }
        }
    }

    /// Copies the rows before the checkpoint, the channels of `layout`.
    pub fn copy_rows(&self, layout: &Layout, sink: &mut impl Sink) -> Result<(), Failure> {
        let columns: Result<Vec<Vec<f64>>, _> =
            layout.channel_names().map(|name| self.result.channel(name)).collect();
        let columns = columns.map_err(Failure::file)?;
        for row in 0..self.memory[0].rows as usize {
            let values = columns.iter().map(|column| column[row]);
            sink.row().iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
            sink.commit().map_err(Failure::file)?;
        }
        Ok(())
    }
}

/// The checkpoint file at `path`, which must be of this program and of the model.
pub fn read(path: &Path, model_hash: &str) -> Result<CheckpointFile, Failure> {
    let shown = path.display();
    let bytes = flexura::file::read_plain(path)
        .map_err(|error| Failure::File(format!("cannot read {shown}: {error}")))?;
    let wrong = |words: &str| Failure::File(format!("{shown} is no checkpoint of this program: {words}"));
    let file = checkpoint_file::from_bytes(&bytes).map_err(|fault| match fault {
        CheckpointFault::Damaged => wrong("it is damaged"),
        CheckpointFault::Format(version) => wrong(&format!(
            "it has format {version}, this program reads {VERSION}: go on with the program that wrote it"
        )),
    })?;
    // Another version may take other steps, or keep other things in mind.
    let program = file.program.as_deref().unwrap_or("0.1.0 or before");
    if program != PROGRAM {
        let text = format!("version {program} wrote it, this is {PROGRAM}");
        let help = "go on with that version, or run the model from the start";
        return Err(Failure::Usage(format!("{shown} cannot be used: {text}; {help}")));
    }
    if file.model_hash != model_hash {
        let text = "the model has changed since; run it from the start, or bring the model file back";
        return Err(Failure::Usage(format!("{shown} cannot be used: {text}")));
    }
    Ok(file)
}

/// The result with the rows before a checkpoint.
fn earlier_rows(file: &CheckpointFile, output: &Path) -> Result<ResultFile, Failure> {
    let old = Path::new(&file.result);
    if old.canonicalize().ok().is_some_and(|old| output.canonicalize().is_ok_and(|new| new == old)) {
        let text =
            format!("the rows so far are read from {}: name another file with --output", old.display());
        return Err(Failure::Usage(text));
    }
    let result = ResultFile::open(old).map_err(Failure::file)?;
    if (result.rows() as u64) < file.checkpoint.rows {
        let (has, needs) = (result.rows(), file.checkpoint.rows);
        let text = format!("{} has {has} rows, but the checkpoint was made after {needs}", old.display());
        return Err(Failure::File(text));
    }
    Ok(result)
}
