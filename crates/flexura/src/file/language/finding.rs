//! What is wrong with an instance, and findings that many instances share.

use std::collections::HashMap;
use std::ops::Range;

use super::super::formula::FormulaFault;
use super::super::node::Written;
use super::super::sink::Sink;
use super::super::span::SpanTable;
use crate::diagnostic::Diagnostic;
use crate::model::item::{Item, ItemPath};

/// Why an instance cannot be made, and where that was written.
#[derive(Clone, Debug)]
pub(in crate::file) struct Fault {
    pub code: &'static str,
    pub span: Range<usize>,
    /// Path of the value in the expanded model.
    pub path: String,
    pub message: String,
    pub help: String,
}

impl Fault {
    pub(super) fn new(
        code: &'static str,
        span: Range<usize>,
        path: &ItemPath<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { code, span, path: path.to_string(), message: message.into(), help: help.into() }
    }

    /// A fault of a formula that stands in a text at `whole`.
    pub(super) fn of_formula<T>(
        fault: &FormulaFault,
        written: &Written<T>,
        whole: &Range<usize>,
        path: &ItemPath<'_>,
    ) -> Self {
        let span = written.place(&fault.range, whole);
        Self::new(fault.code, span, path, fault.message.clone(), fault.help.clone())
    }

    /// Reports the fault as one of `item`.
    pub(in crate::file) fn report(self, item: &Item<'_>, sink: &Sink) {
        sink.mark_text(self.path.clone(), self.span);
        sink.push(Diagnostic::error(self.code, self.path, item.to_string(), self.message, self.help));
    }
}

/// One finding where many instances of the same lines have the same one.
pub fn condense(diagnostics: Vec<Diagnostic>, spans: &SpanTable) -> Vec<Diagnostic> {
    if diagnostics.len() < 2 || !spans.has_instances() {
        return diagnostics;
    }
    let mut first: HashMap<(&'static str, Range<usize>, bool), usize> = HashMap::new();
    let mut kept: Vec<(Diagnostic, usize)> = Vec::new();
    for found in diagnostics {
        let span = spans.locate(&found.path);
        let place = span.map(|span| (found.code, span, found.is_error()));
        match place.as_ref().and_then(|place| first.get(place)) {
            Some(&at) => kept[at].1 += 1,
            None => {
                if let Some(place) = place {
                    first.insert(place, kept.len());
                }
                kept.push((found, 0));
            }
        }
    }
    let said = |(mut found, more): (Diagnostic, usize)| {
        if more > 0 {
            found.message = format!("{} (and {more} more from the same line)", found.message);
        }
        found
    };
    kept.into_iter().map(said).collect()
}
