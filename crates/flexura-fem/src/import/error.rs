//! What is wrong with an imported file, and where.

use std::fmt;

/// Why a mesh or matrix file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// File as it was named.
    pub file: String,
    /// Line, counted from one; zero for the file as a whole.
    pub line: usize,
    /// Card, keyword or section, such as `*ELEMENT` or `CQUAD4`.
    pub card: String,
    /// The cause.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl ImportError {
    /// A fault of a file as a whole.
    pub fn of_file(file: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { file: file.into(), line: 0, card: String::new(), message: message.into(), help: help.into() }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.file)?;
        if self.line > 0 {
            write!(out, ":{}", self.line)?;
        }
        if !self.card.is_empty() {
            write!(out, ": {}", self.card)?;
        }
        write!(out, ": {}", self.message)?;
        match self.help.is_empty() {
            true => Ok(()),
            false => write!(out, " (help: {})", self.help),
        }
    }
}

impl std::error::Error for ImportError {}

/// Where something was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// File, by its place in the list of files.
    pub file: usize,
    /// Line, counted from one.
    pub line: usize,
    /// Card or keyword.
    pub card: String,
}
