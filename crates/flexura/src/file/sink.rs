//! What the reader finds on its way through a file.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use super::language::Program;
use crate::diagnostic::Diagnostic;
use crate::model::item::{Item, ItemPath};

/// Collects findings; shared by all tables of one file.
#[derive(Default)]
#[doc(hidden)]
pub struct Sink {
    diagnostics: RefCell<Vec<Diagnostic>>,
    marks: RefCell<Vec<(String, Range<usize>)>>,
    unreliable: RefCell<Vec<String>>,
    /// Tables and the keys they may have, where they are asked for.
    tables: Option<RefCell<Vec<KnownKeys>>>,
    /// Entries of lists that are made one by one.
    program: Option<Rc<Program>>,
}

/// A table of a file and the keys that the reader knows there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct KnownKeys {
    /// Path of the table, such as `body[0].beam`; empty for the whole file.
    pub path: String,
    /// Its keys, given or not.
    pub keys: Vec<&'static str>,
}

/// The content of a [`Sink`].
#[derive(Default)]
#[doc(hidden)]
pub struct Findings {
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Paths with a place of their own.
    pub marks: Vec<(String, Range<usize>)>,
    /// Paths whose content is a stand-in: what validation says about them is noise.
    pub unreliable: Vec<String>,
    /// Tables and their keys, if the sink was made by [`Sink::listing`].
    pub tables: Vec<KnownKeys>,
}

impl Sink {
    /// A sink that also keeps which keys every table may have.
    pub fn listing() -> Self {
        Self { tables: Some(RefCell::default()), ..Self::default() }
    }

    /// The sink with a program that has the entries of lists.
    pub(super) fn with_program(self, program: Rc<Program>) -> Self {
        Self { program: Some(program), ..self }
    }

    /// What has the entries of lists.
    pub(super) fn program(&self) -> Option<&Rc<Program>> {
        self.program.as_ref()
    }

    /// Notes the keys that the table at `path` may have.
    pub fn table(&self, path: &ItemPath<'_>, keys: &[&'static str]) {
        if let Some(tables) = &self.tables {
            tables.borrow_mut().push(KnownKeys { path: path.to_string(), keys: keys.to_vec() });
        }
    }

    /// Reports an error at `path`.
    pub fn error(
        &self,
        code: &'static str,
        path: &ItemPath<'_>,
        item: &Item<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let path = path.to_string();
        self.push(Diagnostic::error(code, path, item.to_string(), message, help));
    }

    /// Reports a warning at `path`.
    pub fn warning(
        &self,
        code: &'static str,
        path: &ItemPath<'_>,
        item: &Item<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let path = path.to_string();
        self.push(Diagnostic::warning(code, path, item.to_string(), message, help));
    }

    /// Takes in a finding made elsewhere.
    pub fn push(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    /// Gives `path` a place in the text.
    pub fn mark(&self, path: &ItemPath<'_>, span: Range<usize>) {
        self.marks.borrow_mut().push((path.to_string(), span));
    }

    /// The same for a path that has been written out.
    pub(super) fn mark_text(&self, path: String, span: Range<usize>) {
        self.marks.borrow_mut().push((path, span));
    }

    /// Gives places to the findings after the first `before`, where they have none yet and `place` knows one.
    pub(super) fn mark_since(&self, before: usize, place: impl Fn(&str) -> Option<Range<usize>>) {
        let mut marks = self.marks.borrow_mut();
        for found in self.diagnostics.borrow().iter().skip(before) {
            if !marks.iter().any(|(path, _)| *path == found.path)
                && let Some(span) = place(&found.path)
            {
                marks.push((found.path.clone(), span));
            }
        }
    }

    /// Declares what was read at `path` a stand-in.
    pub fn unreliable(&self, path: &ItemPath<'_>) {
        self.unreliable.borrow_mut().push(path.to_string());
    }

    /// Number of findings so far.
    pub fn count(&self) -> usize {
        self.diagnostics.borrow().len()
    }

    /// Everything found.
    pub fn finish(self) -> Findings {
        Findings {
            diagnostics: self.diagnostics.into_inner(),
            marks: self.marks.into_inner(),
            unreliable: self.unreliable.into_inner(),
            tables: self.tables.map(RefCell::into_inner).unwrap_or_default(),
        }
    }
}
