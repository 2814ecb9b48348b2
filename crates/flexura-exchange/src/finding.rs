//! What a reader says about a file: where, what, and what to do about it. A reader goes on after a problem, so that all of
//! them are listed at once.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// A line of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Name of the file as it was given.
    pub file: Rc<str>,
    /// Line, counted from one; zero where the whole file is meant.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// One problem of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Where it stands.
    pub place: Place,
    /// What is wrong or cannot be expressed.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// Whether it may be left out on request: it is sound there, but has no counterpart here.
    pub foreign: bool,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}: {}\n  = help: {}", self.place, self.message, self.help)
    }
}

/// Why a file was refused: every problem that was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", .findings.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Refused {
    /// All problems, in the order of the file.
    pub findings: Vec<Finding>,
    /// Whether the file could not even be read.
    pub unreadable: bool,
}

/// What a reader has found so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    notices: Vec<String>,
    /// What is passed over, by why and tag: first place and number.
    passed: BTreeMap<(&'static str, String), (Place, usize)>,
    unreadable: bool,
}

impl Findings {
    /// Something that is wrong in itself.
    pub fn fault(&mut self, place: &Place, message: impl Into<String>, help: impl Into<String>) {
        let (message, help) = (message.into(), help.into());
        self.list.push(Finding { place: place.clone(), message, help, foreign: false });
    }

    /// Something sound that has no counterpart here.
    pub fn foreign(&mut self, place: &Place, message: impl Into<String>, help: impl Into<String>) {
        let (message, help) = (message.into(), help.into());
        self.list.push(Finding { place: place.clone(), message, help, foreign: true });
    }

    /// A file that cannot be read.
    pub fn unreadable(&mut self, place: &Place, message: impl Into<String>) {
        self.fault(place, message, "check the name and that the file may be read");
        self.unreadable = true;
    }

    /// What the user should know.
    pub fn notice(&mut self, text: impl Into<String>) {
        self.notices.push(text.into());
    }

    /// Something that takes no part in the motion, or that is used otherwise; counted by tag.
    pub fn passed(&mut self, place: &Place, tag: &str, why: &'static str) {
        let entry = self.passed.entry((why, tag.to_owned())).or_insert_with(|| (place.clone(), 0));
        entry.1 += 1;
    }

    /// The notices, or the refusal; with `leave_out`, foreign things become notices.
    pub fn settle(mut self, leave_out: bool) -> Result<Vec<String>, Refused> {
        if leave_out {
            let (foreign, faults) = self.list.into_iter().partition(|finding| finding.foreign);
            self.list = faults;
            for finding in Vec::from_iter::<Vec<Finding>>(foreign) {
                self.notices.push(format!("{}: left out: {}", finding.place, finding.message));
            }
        }
        if !self.list.is_empty() {
            self.list.sort_by(|a, b| a.place.cmp(&b.place));
            return Err(Refused { findings: self.list, unreadable: self.unreadable });
        }
        for ((why, tag), (place, count)) in self.passed {
            let more = if count == 1 { String::new() } else { format!(" (the first of {count})") };
            self.notices.push(format!("{place}: {tag}: {why}{more}"));
        }
        Ok(self.notices)
    }
}
