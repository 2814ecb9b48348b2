//! What is wrong with a text, for a page that marks lines.

use crate::source::{NoFiles, WITH_FILES};
use flexura::diagnostic::Diagnostic;
use flexura::file::{FileErrors, Loaded, SpanTable, build_text_with, render, with_known_channels};
use serde_json::{Value, json};

/// Reads and builds the text as `flexura run` does.
pub(crate) fn load(text: &str, name: &str) -> Result<Loaded, FileErrors> {
    build_text_with(text, name, &NoFiles).and_then(with_known_channels)
}

/// Reads and builds the text; findings as [`findings`] gives them.
pub fn check(text: &str, name: &str) -> Value {
    match load(text, name) {
        Ok(loaded) => findings(&loaded.warnings, &loaded.spans),
        Err(errors) => findings(&errors.diagnostics, &errors.spans),
    }
}

/// Every finding with its place (line and columns, from one; null where it has none) and the text that the command line shows,
/// in the order of the file.
pub fn findings(diagnostics: &[Diagnostic], spans: &SpanTable) -> Value {
    let mut list: Vec<(Option<usize>, Value)> = flexura::file::condense(diagnostics.to_vec(), spans)
        .iter()
        .map(|found| {
            let found = &in_a_page(found);
            let span = spans.locate(&found.path);
            let place = span.as_ref().map(|span| {
                let (line, column) = spans.line_column(span.start);
                let (last_line, last_column) = spans.line_column(span.end);
                json!({ "line": line, "column": column, "lastLine": last_line, "lastColumn": last_column })
            });
            let value = json!({
                "error": found.is_error(),
                "code": found.code,
                "message": format!("{}: {}", found.item, found.message),
                "help": found.help,
                "place": place,
                "text": render(found, spans),
            });
            (span.map(|span| span.start), value)
        })
        .collect();
    list.sort_by_key(|&(start, _)| start);
    list.into_iter().map(|(_, value)| value).collect()
}

/// What the standard library says of files where there are none.
const NO_FILES: &str = "operation not supported on this platform";

/// The finding in words that fit where there are no files.
fn in_a_page(found: &Diagnostic) -> Diagnostic {
    let mut found = found.clone();
    if found.message.contains(NO_FILES) {
        found.message = found.message.replace(NO_FILES, "the playground reads no other files");
        found.help = WITH_FILES.into();
    }
    found
}
