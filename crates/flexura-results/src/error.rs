//! The one error type of this crate.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Everything that can go wrong when writing, reading, repairing or exporting results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The layout handed to the writer cannot be written.
    #[error("invalid result layout: {0}")]
    Layout(String),

    /// Two channels share one full name.
    #[error("channel name `{name}` is used twice: in family `{first}` and in family `{second}`")]
    DuplicateChannel {
        /// The full channel name that occurs twice.
        name: String,
        /// The family that uses the name first.
        first: String,
        /// The family that uses the name again.
        second: String,
    },

    /// The result file exists and may not be overwritten.
    #[error("result file `{path}` already exists (set `overwrite` to replace it)")]
    AlreadyExists {
        /// The existing file.
        path: PathBuf,
    },

    /// Another writer has the result file open.
    #[error("result file `{path}` is being written by a running simulation")]
    InUse {
        /// The file that is open elsewhere.
        path: PathBuf,
    },

    /// An operation of the file system failed.
    #[error("cannot {action} `{path}`: {source}")]
    Io {
        /// What was attempted, as a verb phrase.
        action: &'static str,
        /// The file it was attempted on.
        path: PathBuf,
        /// The cause reported by the operating system.
        source: io::Error,
    },

    /// The writer thread could not write; every later call reports the same cause.
    #[error("writing results to `{path}` failed: {source}")]
    Write {
        /// The result file.
        path: PathBuf,
        /// The first failure met by the writer thread.
        source: Arc<io::Error>,
    },

    /// A pushed row has the wrong number of values.
    #[error("a result row has {expected} values (time first), but {found} were given")]
    RowWidth {
        /// Row width of the layout.
        expected: usize,
        /// Number of values given.
        found: usize,
    },

    /// A row was committed whose time was never set or is infinite.
    #[error("the time of result row {row} is {time}, which is not a finite number")]
    Time {
        /// Index of the refused row, counted from zero.
        row: u64,
        /// The refused time in s.
        time: f64,
    },

    /// The file is no result file of this engine, or its header is damaged.
    #[error("`{path}` is not a Flexura result file: {reason}")]
    NotAResult {
        /// The file that was opened.
        path: PathBuf,
        /// What is missing or wrong.
        reason: String,
    },

    /// The file was written in a format version that this crate cannot read.
    #[error("`{path}` has result format version `{found}`, but only version `{supported}` is known")]
    Version {
        /// The file that was opened.
        path: PathBuf,
        /// The version named in the file.
        found: String,
        /// The version this crate reads and writes.
        supported: &'static str,
    },

    /// No channel has the given name.
    #[error("no channel is named `{name}`{}", did_you_mean(.near))]
    UnknownChannel {
        /// The name that was asked for.
        name: String,
        /// Up to three similar names, the nearest first.
        near: Vec<String>,
    },

    /// A selection pattern matches no channel.
    #[error("no channel matches `{pattern}`{}", did_you_mean(.near))]
    NoMatch {
        /// The pattern that matched nothing.
        pattern: String,
        /// Up to three similar names, the nearest first.
        near: Vec<String>,
    },

    /// The exported text could not be written to its destination.
    #[error("cannot write the exported text: {0}")]
    Export(#[source] io::Error),
}

/// The tail of an unknown-name message, empty where nothing is similar.
fn did_you_mean(near: &[String]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    format!("; did you mean {}?", quoted.join(", "))
}
