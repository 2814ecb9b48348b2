//! The summary of a sweep: a CSV file and a table for the terminal.

use super::Sweep;
use super::journal::{Entry, Extent, Journal};
use crate::Outcome;
use flexura_results::csv_cell;
use std::fmt::Write;
use std::path::Path;

/// Cases shown on the terminal.
const SHOWN: usize = 40;

/// Writes the cases known so far, in their order; the file is replaced as a whole.
pub fn write_csv(sweep: &Sweep<'_>, journal: &Journal, path: &Path) -> Outcome {
    let mut text = String::from("case");
    for name in &sweep.cases.paths {
        let _ = write!(text, ",{}", csv_cell(name));
    }
    text.push_str(",status,end time [s]");
    for (name, unit) in &sweep.channels {
        for word in ["final", "min", "max"] {
            let _ = write!(text, ",{}", csv_cell(&format!("{name} {word} [{unit}]")));
        }
    }
    text.push('\n');
    for k in 0..sweep.cases.count() {
        if let Some(entry) = journal.get(&sweep.key(k)) {
            add_line(&mut text, sweep, k, entry);
        }
    }
    crate::whole_file::write(path, text)
}

fn add_line(text: &mut String, sweep: &Sweep<'_>, k: usize, entry: &Entry) {
    let _ = write!(text, "{}", k + 1);
    for value in &sweep.cases.values[k] {
        let _ = write!(text, ",{value}");
    }
    match &entry.failure {
        Some(reason) => {
            let line = reason.split_whitespace().collect::<Vec<_>>().join(" ").replace('"', "'");
            let _ = write!(text, ",\"failed: {line}\",");
        }
        None => {
            let _ = write!(text, ",done,{:?}", entry.end_time);
        }
    }
    for i in 0..sweep.channels.len() {
        match entry.extents.get(i).copied().flatten() {
            Some(Extent { last, least, most }) => {
                let _ = write!(text, ",{last:?},{least:?},{most:?}");
            }
            None => text.push_str(",,,"),
        }
    }
    text.push('\n');
}

/// A table to look at; all digits are in the file.
pub fn text(sweep: &Sweep<'_>, journal: &Journal, path: &Path) -> String {
    let mut rows = vec![heading(sweep)];
    for k in 0..sweep.cases.count().min(SHOWN) {
        if let Some(entry) = journal.get(&sweep.key(k)) {
            rows.push(cells(sweep, k, entry));
        }
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}"));
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    if sweep.cases.count() > SHOWN {
        let _ = writeln!(text, ".. and {} more", sweep.cases.count() - SHOWN);
    }
    let _ = writeln!(text, "{} cases in {}", sweep.cases.count(), path.display());
    text
}

fn heading(sweep: &Sweep<'_>) -> Vec<String> {
    let mut row = vec!["case".to_owned()];
    row.extend(sweep.cases.paths.iter().cloned());
    for (name, _) in &sweep.channels {
        row.extend([format!("{name} final"), "min".into(), "max".into()]);
    }
    row
}

fn cells(sweep: &Sweep<'_>, k: usize, entry: &Entry) -> Vec<String> {
    let mut row = vec![(k + 1).to_string()];
    row.extend(sweep.cases.values[k].iter().cloned());
    for i in 0..sweep.channels.len() {
        let extent = entry.extents.get(i).copied().flatten();
        let none = if entry.failure.is_some() { "failed" } else { "-" };
        let number = |value: Option<f64>| value.map_or(none.to_owned(), |value| format!("{value:.5e}"));
        row.push(number(extent.map(|e| e.last)));
        row.push(number(extent.map(|e| e.least)));
        row.push(number(extent.map(|e| e.most)));
    }
    row
}
