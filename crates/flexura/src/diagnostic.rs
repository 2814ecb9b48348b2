//! What validation says: errors and warnings that name the item and the fix.
//!
//! A diagnostic carries an item *path* such as `joint[2].between[0]`. For a
//! model read from a file, [`crate::file`] turns the path into a line and
//! column; for a model built in code, the item's name is shown instead.

use std::fmt;

/// Whether a diagnostic forbids building the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The model can be used; something was corrected or is suspicious.
    Warning,
    /// The model cannot be built.
    Error,
}

/// One finding about one item of a description.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Short stable code, e.g. `duplicate-name`.
    pub code: &'static str,
    /// Path of the item in the description, e.g. `body[0].mass`.
    pub path: String,
    /// The item in words, e.g. "body `arm`".
    pub item: String,
    /// The cause.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Diagnostic {
    /// An error about `item` at `path`.
    pub fn error(
        code: &'static str,
        path: impl Into<String>,
        item: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
            code,
            path: path.into(),
            item: item.into(),
            message: message.into(),
            help: help.into(),
        }
    }

    /// A warning about `item` at `path`.
    pub fn warning(
        code: &'static str,
        path: impl Into<String>,
        item: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, path, item, message, help) }
    }

    /// Whether this forbids building the model.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl std::error::Error for Diagnostic {}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_error() { "error" } else { "warning" };
        write!(f, "{word}[{}]: {}: {} (help: {})", self.code, self.item, self.message, self.help)
    }
}
