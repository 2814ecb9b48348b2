//! The report as a chapter of the book: Markdown, with figures as files beside it.

use super::{figures, html, words};
use crate::Outcome;
use crate::failure::Failure;
use flexura_validate::{CaseOutcome, Quantity, Trust, find};
use std::fmt::Write;
use std::path::Path;

/// Writes the chapter to `path` and its figures to the folder of the same name.
pub fn write(path: &Path, outcomes: &[CaseOutcome]) -> Outcome {
    let folder = path.with_extension("");
    let refuse = |error: std::io::Error| Failure::File(format!("{}: {error}", path.display()));
    std::fs::create_dir_all(&folder).map_err(refuse)?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut text = head(outcomes);
    for outcome in outcomes {
        section(&mut text, outcome, &name);
        for (number, figure) in outcome.figures.iter().enumerate() {
            super::write(&folder.join(file_name(outcome, number)), &figures::svg(figure))?;
        }
    }
    super::write(path, &text)
}

fn file_name(outcome: &CaseOutcome, number: usize) -> String {
    format!("{}-{}.svg", outcome.id, number + 1)
}

/// Characters that would be read as Markdown.
fn plain(words: &str) -> String {
    words.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*")
}

fn head(outcomes: &[CaseOutcome]) -> String {
    let mut text = String::from(
        "# Cases, one by one\n\n<!-- Written by `flexura validate --chapter`; do not edit. -->\n\n\
         `flexura validate` computes published examples and benchmarks again, by every algorithm and formulation that can take \
         them, and judges every quantity: against its source, with a tolerance that has a reason. `flexura validate --report \
         validation.html` writes these pages for your machine.\n\nTrust in a reference:\n\n",
    );
    for trust in Trust::ALL {
        let _ = writeln!(text, "- **{}**: {}", trust.label(), trust.meaning());
    }
    text.push_str("\n| case | | trust | verdicts |\n|---|---|---|---|\n");
    for outcome in outcomes {
        let Some(case) = find(outcome.id) else { continue };
        let counts = words::counts(outcome).replace('_', " ");
        let _ = writeln!(
            text,
            "| [{id}](#{id}) | {} | {} | {counts} |",
            plain(case.title),
            case.trust.label(),
            id = case.id
        );
    }
    text
}

fn section(text: &mut String, outcome: &CaseOutcome, folder: &str) {
    let Some(case) = find(outcome.id) else { return };
    let _ = writeln!(
        text,
        "\n<a id=\"{}\"></a>\n\n## {}\n\n`{}` · {} · trust {}",
        case.id,
        plain(case.title),
        case.id,
        plain(case.source),
        case.trust.label()
    );
    if !case.about.is_empty() {
        let _ = writeln!(text, "\n{}", plain(case.about));
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "\n{}", plain(note));
    }
    text.push_str(
        "\n| quantity | value | reference | error | tolerance | verdict |\n|---|--:|--:|--:|--:|---|\n",
    );
    for quantity in &outcome.quantities {
        row(text, quantity);
    }
    for (number, figure) in outcome.figures.iter().enumerate() {
        let file = file_name(outcome, number);
        let _ = writeln!(text, "\n![{0}]({folder}/{file})\n\n*{0}*", plain(&figure.caption));
    }
}

fn row(text: &mut String, quantity: &Quantity) {
    let [reference, error, tolerance] = html::cells(quantity);
    let _ = writeln!(
        text,
        "| {} | {} | {reference} | {error} | {tolerance} | {} |",
        plain(&quantity.name),
        words::with_unit(quantity, quantity.value),
        quantity.verdict.word().replace('_', " ")
    );
}
