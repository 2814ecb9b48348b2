//! Finished cases of a sweep, one line of JSON each, appended as they finish.
//!
//! A line that was cut off by a crash is dropped when the journal is opened, and its case computed again. Numbers are
//! kept as text in Rust's shortest form, which reads back as the same bits.

use crate::failure::Failure;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Last, smallest and largest value of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    pub last: f64,
    pub least: f64,
    pub most: f64,
}

impl Default for Extent {
    fn default() -> Self {
        Self { last: f64::NAN, least: f64::INFINITY, most: f64::NEG_INFINITY }
    }
}

impl Extent {
    /// Takes in the next value.
    pub fn see(&mut self, value: f64) {
        self.last = value;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }
}

/// What a case came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When its run ended (s).
    pub end_time: f64,
    /// Why there are no numbers.
    pub failure: Option<String>,
    /// Why its energy cannot be trusted.
    pub unbalanced: Option<String>,
    /// One per channel of the summary; nothing for a channel that this case does not have.
    pub extents: Vec<Option<Extent>>,
}

impl Entry {
    /// A case that gave no numbers.
    pub fn failed(reason: &str) -> Self {
        let failure = Some(reason.trim().to_owned());
        Self { end_time: f64::NAN, failure, unbalanced: None, extents: Vec::new() }
    }

    fn to_json(&self, key: &str) -> Value {
        let text = |value: f64| format!("{value:?}");
        let extents = self
            .extents
            .iter()
            .map(|extent| extent.map_or(Value::Null, |e| json!([text(e.last), text(e.least), text(e.most)])));
        json!({
            "key": key,
            "end_time": text(self.end_time),
            "failure": self.failure,
            "unbalanced": self.unbalanced,
            "extents": extents.collect::<Vec<_>>(),
        })
    }

    fn from_json(value: &Value) -> Option<(String, Self)> {
        let number = |value: &Value| value.as_str()?.parse::<f64>().ok();
        let extents = value["extents"].as_array()?.iter().map(|extent| match extent.as_array() {
            Some(e) if e.len() == 3 => {
                Some(Some(Extent { last: number(&e[0])?, least: number(&e[1])?, most: number(&e[2])? }))
            }
            _ => extent.is_null().then_some(None),
        });
        let entry = Self {
            end_time: number(&value["end_time"])?,
            failure: value["failure"].as_str().map(str::to_owned),
            unbalanced: value["unbalanced"].as_str().map(str::to_owned),
            extents: extents.collect::<Option<Vec<_>>>()?,
        };
        Some((value["key"].as_str()?.to_owned(), entry))
    }
}

/// The journal file and what it holds.
pub struct Journal {
    path: PathBuf,
    file: File,
    entries: HashMap<String, Entry>,
}

impl Journal {
    /// Opens or creates the journal at `path`; a torn last line is cut off.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let fault =
            |error: std::io::Error| Failure::File(format!("cannot write {}: {error}", path.display()));
        // Opening a pipe waits for a reader.
        if path.exists() {
            flexura::file::read_plain(path).map_err(fault)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(fault)?;
        let bytes = flexura::file::read_plain(path).map_err(fault)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(fault)?;
        }
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let lines = text.lines().filter_map(|line| Entry::from_json(&serde_json::from_str(line).ok()?));
        Ok(Self { path: path.to_owned(), entries: lines.collect(), file })
    }

    /// What the case with `key` came to, if it is finished.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// Keeps a finished case.
    pub fn add(&mut self, key: String, entry: Entry) -> Result<(), Failure> {
        let line = format!("{}\n", entry.to_json(&key));
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| Failure::File(format!("cannot write {}: {error}", self.path.display())))?;
        self.entries.insert(key, entry);
        Ok(())
    }
}
