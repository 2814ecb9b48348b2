//! Checkpoint files: written to a new file, synced, then renamed, so that a good
//! one is there at every moment.
//!
//! A line of magic, a line of JSON (model hash, version of the program, result file, rows, time, number
//! of words), the words as little-endian `u64`, and the FNV-1a hash of all that.

use crate::failure::Failure;
use crate::whole_file;
use flexura::SinkError;
use flexura::checkpoint::Checkpoint;
use flexura::file::fnv1a;
use flexura::record::Sink;
use flexura::simulate::{Keeper, Progress};
use flexura_results::{Layout, ResultFile};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Version of the file format, behind the words that every checkpoint begins with.
pub const VERSION: &str = "1";
const PROGRAM: &str = env!("CARGO_PKG_VERSION");
const MAGIC: &[u8] = b"FLEXURA CHECKPOINT ";

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
        let interval = Duration::try_from_secs_f64(interval).map_err(|_| {
            Failure::Usage(format!("--checkpoint-interval {interval}: give seconds from 0 on"))
        })?;
        // Whoever restarts may stand in another folder.
        let result = std::path::absolute(result).map_err(Failure::file)?;
        let (path, model_hash) = (path.map(Path::to_path_buf), model_hash.into());
        Ok(Self { path, interval, last: Instant::now(), model_hash, result })
    }
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
        let head = json!({
            "model_hash": self.model_hash,
            "program": PROGRAM,
            "result": self.result.to_string_lossy(),
            "rows": checkpoint.rows,
            "time": checkpoint.time.to_bits(),
            "words": checkpoint.words.len(),
        });
        let mut bytes = [MAGIC, VERSION.as_bytes(), b"\n", head.to_string().as_bytes(), b"\n"].concat();
        bytes.extend(checkpoint.words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        let written = replace(path, &bytes);
        self.last = Instant::now();
        let shown = path.display();
        written.map_err(|error| {
            let earlier = match path.is_file() {
                true => format!("; the one before it is still whole: go on from it with --restart {shown}"),
                false => String::new(),
            };
            SinkError::new(format!("cannot write the checkpoint {shown}: {error}{earlier}"))
        })
    }
}

/// Puts `bytes` in place of the file at `path` in one step, which outlasts a crash of the machine.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
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
    /// Memory of the run.
    pub checkpoint: Checkpoint,
    result: ResultFile,
}

impl Restart {
    /// Opens the checkpoint at `path` for a model and a new result file.
    pub fn open(path: &Path, model_hash: &str, output: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let bytes = flexura::file::read_plain(path)
            .map_err(|error| Failure::File(format!("cannot read {shown}: {error}")))?;
        let wrong = |words: &str| Failure::File(format!("{shown} is no checkpoint of this program: {words}"));
        if let Some(version) = version(&bytes).filter(|version| version != VERSION) {
            let text = format!(
                "it has format {version}, this program reads {VERSION}: go on with the program that wrote it"
            );
            return Err(wrong(&text));
        }
        let (head, checkpoint) = parse(&bytes).ok_or_else(|| wrong("it is damaged"))?;
        // Another version may take other steps, or keep other things in mind.
        let program = head["program"].as_str().unwrap_or("0.1.0 or before");
        if program != PROGRAM {
            let text = format!("version {program} wrote it, this is {PROGRAM}");
            let help = "go on with that version, or run the model from the start";
            return Err(Failure::Usage(format!("{shown} cannot be used: {text}; {help}")));
        }
        if head["model_hash"].as_str() != Some(model_hash) {
            let text = "the model has changed since; run it from the start, or bring the model file back";
            return Err(Failure::Usage(format!("{shown} cannot be used: {text}")));
        }
        let old = PathBuf::from(head["result"].as_str().unwrap_or_default());
        if old.canonicalize().ok().is_some_and(|old| output.canonicalize().is_ok_and(|new| new == old)) {
            let text =
                format!("the rows so far are read from {}: name another file with --output", old.display());
            return Err(Failure::Usage(text));
        }
        let result = ResultFile::open(&old).map_err(Failure::file)?;
        if (result.rows() as u64) < checkpoint.rows {
            let (has, needs) = (result.rows(), checkpoint.rows);
            let text = format!("{} has {has} rows, but the checkpoint was made after {needs}", old.display());
            return Err(Failure::File(text));
        }
        Ok(Self { checkpoint, result })
    }

    /// Copies the rows before the checkpoint.
    pub fn copy_rows(&self, layout: &Layout, sink: &mut impl Sink) -> Result<(), Failure> {
        if !self.result.layout().channel_names().eq(layout.channel_names()) {
            let text = "the earlier result holds other channels than this run records".to_string();
            return Err(Failure::Usage(text));
        }
        let columns: Result<Vec<Vec<f64>>, _> =
            layout.channel_names().map(|name| self.result.channel(name)).collect();
        let columns = columns.map_err(Failure::file)?;
        for row in 0..self.checkpoint.rows as usize {
            let values = columns.iter().map(|column| column[row]);
            sink.row().iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
            sink.commit().map_err(Failure::file)?;
        }
        Ok(())
    }
}

/// The format that a checkpoint names; `None` of another file.
fn version(bytes: &[u8]) -> Option<String> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let end = rest.iter().take(16).position(|&byte| byte == b'\n')?;
    let name = std::str::from_utf8(&rest[..end]).ok()?;
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.').then(|| name.to_owned())
}

/// The parts of a checkpoint file, if all of it is sound.
fn parse(bytes: &[u8]) -> Option<(Value, Checkpoint)> {
    let (content, hash) = bytes.split_last_chunk::<8>()?;
    let rest = content.strip_prefix(MAGIC)?.strip_prefix(VERSION.as_bytes())?.strip_prefix(b"\n")?;
    if fnv1a(content) != u64::from_le_bytes(*hash) {
        return None;
    }
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let head: Value = serde_json::from_slice(&rest[..end]).ok()?;
    let (chunks, left) = rest[end + 1..].as_chunks::<8>();
    let words: Vec<u64> = chunks.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect();
    if !left.is_empty() || head["words"].as_u64()? != words.len() as u64 {
        return None;
    }
    let (time, rows) = (f64::from_bits(head["time"].as_u64()?), head["rows"].as_u64()?);
    Some((head, Checkpoint { time, rows, words }))
}
