//! The bytes of a checkpoint file.
//!
//! A line of magic and version, a line of JSON (model hash, version of the program, result file, rows, time, number
//! of words), the words as little-endian `u64`, and the FNV-1a hash of all that.
//!
//! A run by several ranks has a file for each of them, and an index: a checkpoint without words that names those files.

use flexura::checkpoint::Checkpoint;
use flexura::file::fnv1a;
use serde_json::{Value, json};

/// Version of the file format, behind the words that every checkpoint begins with.
pub const VERSION: &str = "1";
const MAGIC: &[u8] = b"FLEXURA CHECKPOINT ";

/// A checkpoint and what it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckpointFile {
    /// Hash of the model that was run.
    pub model_hash: String,
    /// Version of the program that wrote it; nothing of versions before 0.2.0.
    pub program: Option<String>,
    /// File that holds the rows so far.
    pub result: String,
    /// Memory of the run.
    pub checkpoint: Checkpoint,
    /// Files of the ranks, in the same folder, where this is an index; empty otherwise.
    pub parts: Vec<String>,
}

/// Why bytes are no checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointFault {
    /// It has another format, by this name.
    Format(String),
    /// It is damaged, or something else.
    Damaged,
}

/// The bytes of a checkpoint file.
pub fn to_bytes(model_hash: &str, program: &str, result: &str, checkpoint: &Checkpoint) -> Vec<u8> {
    index_to_bytes(model_hash, program, result, checkpoint, &[])
}

/// The bytes of an index of `parts`, whose memory `checkpoint` has no words.
pub fn index_to_bytes(
    model_hash: &str,
    program: &str,
    result: &str,
    checkpoint: &Checkpoint,
    parts: &[String],
) -> Vec<u8> {
    let mut head = json!({
        "model_hash": model_hash,
        "program": program,
        "result": result,
        "rows": checkpoint.rows,
        "time": checkpoint.time.to_bits(),
        "words": checkpoint.words.len(),
    });
    if !parts.is_empty() {
        head["parts"] = json!(parts);
    }
    let mut bytes = [MAGIC, VERSION.as_bytes(), b"\n", head.to_string().as_bytes(), b"\n"].concat();
    bytes.extend(checkpoint.words.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(fnv1a(&bytes).to_le_bytes());
    bytes
}

/// Reads the bytes of a checkpoint file.
pub fn from_bytes(bytes: &[u8]) -> Result<CheckpointFile, CheckpointFault> {
    match version(bytes) {
        Some(version) if version != VERSION => Err(CheckpointFault::Format(version)),
        _ => parse(bytes).ok_or(CheckpointFault::Damaged),
    }
}

/// The format that a checkpoint names; `None` of another file.
fn version(bytes: &[u8]) -> Option<String> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let end = rest.iter().take(16).position(|&byte| byte == b'\n')?;
    let name = std::str::from_utf8(&rest[..end]).ok()?;
    let sound = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
    sound.then(|| name.to_owned())
}

/// The parts of a checkpoint file, if all of it is sound.
fn parse(bytes: &[u8]) -> Option<CheckpointFile> {
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
    let text = |key: &str| head[key].as_str().map(str::to_owned);
    let parts = match &head["parts"] {
        Value::Null => Vec::new(),
        list => {
            list.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<_>>()?
        }
    };
    Some(CheckpointFile {
        model_hash: text("model_hash").unwrap_or_default(),
        program: text("program"),
        result: text("result").unwrap_or_default(),
        checkpoint: Checkpoint { time, rows, words },
        parts,
    })
}
