//! Finished cases of a sweep, one line each, appended as they finish.
//!
//! A line that was cut off by a crash is dropped when the journal is opened, and its case computed again.

use crate::failure::Failure;
pub use flexura_output::journal::{Entry, Extent};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

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
        let (whole, entries) = flexura_output::journal::read(&bytes);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(fault)?;
        }
        Ok(Self { path: path.to_owned(), entries: entries.into_iter().collect(), file })
    }

    /// What the case with `key` came to, if it is finished.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// Keeps a finished case.
    pub fn add(&mut self, key: String, entry: Entry) -> Result<(), Failure> {
        let line = entry.to_line(&key);
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| Failure::File(format!("cannot write {}: {error}", self.path.display())))?;
        self.entries.insert(key, entry);
        Ok(())
    }
}
