//! Diagnostics as plain text with the line they are about.

use std::fmt::Write;
use std::path::Path;

use super::language::condense;
use super::plain::lies_beside;
use super::span::SpanTable;
use crate::diagnostic::Diagnostic;

/// Columns a tab takes in the shown line.
const TAB: &str = "    ";
/// Longer lines are cut around the place they are shown for.
const WIDEST: usize = 110;

/// The finding with file, line, column, the line itself and the fix:
///
/// ```text
/// error[unknown-frame]: joint `elbow`: no frame `tipp` on body `arm`
///   --> model.toml:31:12
///    |
/// 31 | between = ["arm.tipp", "hand.base"]
///    |            ^^^^^^^^^^
///    = help: frames of `arm`: origin, root, tip
/// ```
pub fn render(diagnostic: &Diagnostic, spans: &SpanTable) -> String {
    let word = if diagnostic.is_error() { "error" } else { "warning" };
    let Diagnostic { code, item, message, help, .. } = diagnostic;
    let mut text = format!("{word}[{code}]: {item}: {message}\n");
    let margin = match spans.locate(&diagnostic.path) {
        Some(span) if foreign(diagnostic, spans, span.start) => {
            let source = spans.source_at(span.start);
            let (line, column) = source.line_column(span.start);
            push(&mut text, format_args!(" --> {}:{line}:{column}\n", source.name));
            1
        }
        Some(span) => excerpt(&mut text, spans, span.start, span.end),
        None => {
            push(&mut text, format_args!("  --> {}\n", spans.file_name()));
            1
        }
    };
    for note in spans.notes(&diagnostic.path) {
        push(&mut text, format_args!("{:margin$} = note: {note}\n", ""));
    }
    if !help.is_empty() {
        push(&mut text, format_args!("{:margin$} = help: {help}\n", ""));
    }
    // Names and texts of the file may hold characters that a terminal obeys.
    text.replace(|letter: char| letter.is_control() && letter != '\n', "\u{fffd}")
}

/// All findings in the order of the file, with a blank line after each.
pub fn render_all(diagnostics: &[Diagnostic], spans: &SpanTable) -> String {
    let diagnostics = condense(diagnostics.to_vec(), spans);
    let mut placed: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| (spans.locate(&diagnostic.path).map(|span| span.start), diagnostic))
        .collect();
    placed.sort_by_key(|&(start, _)| start);
    placed.iter().map(|(_, diagnostic)| render(diagnostic, spans) + "\n").collect()
}

/// Whether the place lies in a used file of another folder that may not be a model at all: the model may have named a file whose
/// content is none of its writer's business, so the line is not shown.
fn foreign(diagnostic: &Diagnostic, spans: &SpanTable, place: usize) -> bool {
    let source = spans.source_at(place);
    matches!(diagnostic.code, "syntax" | "unknown-key")
        && source.base > 0
        && !lies_beside(Path::new(spans.file_name()), Path::new(&source.name))
}

/// Writes place, line and underline; returns the width of the line number.
fn excerpt(text: &mut String, spans: &SpanTable, start: usize, end: usize) -> usize {
    let source = spans.source_at(start);
    let (line, column) = source.line_column(start);
    let (last_line, last_column) = source.line_column(end);
    let shown: Vec<char> = source.line(line).chars().collect();
    // A value over several lines is underlined to the end of its first line.
    let stop = if last_line == line { last_column - 1 } else { shown.len() };
    let (first, window) = window(&shown, column - 1);
    let before = widen(&window[..(column - 1 - first).min(window.len())]);
    let under = &shown
        [(column - 1).min(shown.len())..stop.min(first + window.len()).max(column - 1).min(shown.len())];
    let margin = line.to_string().len();
    let carets = "^".repeat(widen(under).chars().count().max(1));
    push(text, format_args!("{:margin$}--> {}:{line}:{column}\n", "", source.name));
    push(text, format_args!("{:margin$} |\n", ""));
    push(text, format_args!("{line} | {}\n", widen(window)));
    push(text, format_args!("{:margin$} | {}{carets}\n", "", " ".repeat(before.chars().count())));
    margin
}

/// The part of a long line that has character `at`, and where it starts.
fn window(line: &[char], at: usize) -> (usize, &[char]) {
    if line.len() <= WIDEST {
        return (0, line);
    }
    let first = at.saturating_sub(WIDEST / 2).min(line.len() - WIDEST);
    (first, &line[first..first + WIDEST])
}

/// Text with tabs as spaces and without control characters.
fn widen(characters: &[char]) -> String {
    let mut text = String::with_capacity(characters.len());
    for &character in characters {
        match character {
            '\t' => text.push_str(TAB),
            _ if character.is_control() => text.push(' '),
            _ => text.push(character),
        }
    }
    text
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str, path: &str) -> String {
        let finding = Diagnostic::error("code", path, "thing", "is wrong", "mend it");
        render(&finding, &SpanTable::new("m.toml", source))
    }

    #[test]
    fn tabs_and_letters_of_several_bytes_keep_the_underline_in_place() {
        let text = shown("[a]\nb = { \"µ\" = \"ö\",\tx = [1, 2] }\n", "a.b.x[1]");
        let expected = "\
error[code]: thing: is wrong
 --> m.toml:2:26
  |
2 | b = { \"µ\" = \"ö\",    x = [1, 2] }
  |                             ^
  = help: mend it
";
        assert_eq!(text, expected);
    }

    #[test]
    fn long_lines_are_cut_and_long_values_stay_on_one_line() {
        let long = format!("a = [{} 7]\n", "1, ".repeat(400));
        let text = shown(&long, "a[400]");
        assert!(text.lines().all(|line| line.len() < WIDEST + 10), "{text}");
        assert!(text.contains("1,  7]\n"), "{text}");
        let text = shown("a = [1,\n 2]\n", "a");
        assert!(text.contains("1 | a = [1,\n  |     ^^^\n"), "{text}");
    }

    #[test]
    fn a_finding_without_a_place_names_the_file() {
        assert!(shown("", "body").contains("\n  --> m.toml\n  = help"));
    }
}
