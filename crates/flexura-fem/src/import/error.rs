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
    /// Other faults and what the file has, of the first fault of a file.
    pub rest: Option<Box<Rest>>,
}

/// What goes with the first fault of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// Everything else that stands in the way, in the order of the file.
    pub faults: Vec<ImportError>,
    /// What the file has, where that could be seen: kinds of elements, box, likely units.
    pub summary: String,
}

/// Most faults that a message lists.
const MOST_LISTED: usize = 60;
/// Most faults that are kept; the others are counted.
const MOST_KEPT: usize = 2_000;

impl ImportError {
    /// A fault of a file as a whole.
    pub fn of_file(file: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: 0,
            card: String::new(),
            message: message.into(),
            help: help.into(),
            rest: None,
        }
    }

    /// The same fault without words of the file: where and what is wrong, not what stands there.
    pub(crate) fn without_content(mut self) -> Self {
        (self.card, self.message) = (known_word(&self.card), unquoted(&self.message));
        if let Some(rest) = &mut self.rest {
            rest.faults = std::mem::take(&mut rest.faults).into_iter().map(Self::without_content).collect();
        }
        self
    }

    /// This fault and all others, one by one.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.also())
    }

    /// All faults but this.
    pub fn also(&self) -> &[Self] {
        self.rest.as_ref().map_or(&[], |rest| &rest.faults)
    }

    /// What the file has, where that could be seen.
    pub fn summary(&self) -> &str {
        self.rest.as_ref().map_or("", |rest| &rest.summary)
    }

    fn line_of(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
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

impl fmt::Display for ImportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line_of(out)?;
        for fault in self.also().iter().take(MOST_LISTED) {
            writeln!(out)?;
            fault.line_of(out)?;
        }
        if !self.also().is_empty() {
            let more = self.also().len().saturating_sub(MOST_LISTED);
            let rest = if more > 0 { format!(", the last {more} of them not shown") } else { String::new() };
            write!(out, "\n{} things stand in the way of this file{rest}", 1 + self.also().len())?;
        }
        match self.summary().is_empty() {
            true => Ok(()),
            false => write!(out, "\n{}", self.summary()),
        }
    }
}

/// A card or keyword, as long as it looks like one.
fn known_word(card: &str) -> String {
    let word = card.strip_prefix('*').unwrap_or(card);
    let looks = word.len() <= 32
        && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || " -*".contains(c));
    let deck = card.starts_with('*') || word.len() <= 8 && !word.contains(' ');
    if looks && (deck || word == "INCLUDE") { card.to_owned() } else { String::from("a line") }
}

/// A message without what it quotes between backticks.
fn unquoted(message: &str) -> String {
    let mut parts = message.split('`');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let (Some(_), Some(after)) = (parts.next(), parts.next()) {
        text += "what stands there";
        text += after;
    }
    text
}

/// Faults of a file, collected so that all are told at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blockers {
    faults: Vec<ImportError>,
    /// Faults beyond those kept.
    more: usize,
}

impl Blockers {
    /// Keeps the fault of a step and goes on; a fault told before is not told again.
    pub fn catch<T>(&mut self, result: Result<T, ImportError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(fault) => {
                // Beyond some hundreds nobody looks for repetitions.
                if self.faults.len() >= MOST_KEPT {
                    self.more += 1;
                } else if self.faults.len() > 500 || !self.faults.contains(&fault) {
                    self.faults.push(fault);
                }
                None
            }
        }
    }

    fn beyond(first: &ImportError, message: String) -> ImportError {
        ImportError::of_file(&first.file, message, "mend the first ones and read the file again")
    }

    /// Whether anything is in the way.
    pub fn any(&self) -> bool {
        !self.faults.is_empty()
    }

    /// One error of all faults; `None` where there is none.
    pub fn error(mut self, summary: impl FnOnce() -> String) -> Option<ImportError> {
        if self.faults.is_empty() {
            return None;
        }
        self.faults.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        let mut first = self.faults.remove(0);
        if self.more > 0 {
            let message = format!("{} more things that are not kept", self.more);
            self.faults.push(Self::beyond(&first, message));
        }
        first.rest = Some(Box::new(Rest { faults: self.faults, summary: summary() }));
        Some(first)
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
