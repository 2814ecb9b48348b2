//! Tables of times: on the terminal, as lines of JSON, on the page.

use super::words::escape;
use flexura_validate::{CaseOutcome, Table, Verdict};
use serde_json::json;
use std::fmt::Write;

/// The tables of all cases, columns side by side, and why a case has none.
pub fn text(outcomes: &[CaseOutcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        for table in &outcome.tables {
            plain(&mut text, table);
        }
        for quantity in outcome.quantities.iter().filter(|quantity| quantity.verdict == Verdict::Fail) {
            let _ = writeln!(text, "{}: {}: {}", outcome.id, quantity.name, quantity.reason);
        }
    }
    text.push_str("The least of several rounds, one thread; nothing is judged by times.\n");
    text
}

fn plain(text: &mut String, table: &Table) {
    let mut lines = vec![table.columns.clone()];
    for (name, numbers) in &table.rows {
        lines.push(std::iter::once(name.clone()).chain(numbers.iter().map(|x| Table::cell(*x))).collect());
    }
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(|column| width(column).unwrap_or(0)).collect();
    let _ = writeln!(text, "{}", table.caption);
    for line in &lines {
        let mut row = String::new();
        for (k, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let _ = if k == 0 { write!(row, "  {cell:<width$}") } else { write!(row, "  {cell:>width$}") };
        }
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text.push('\n');
}

/// One line per row of a table.
pub fn json_lines(outcome: &CaseOutcome) -> Vec<String> {
    let rows = outcome.tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let line = |(table, (name, numbers)): (&Table, &(String, Vec<Option<f64>>))| {
        let numbers: serde_json::Map<_, _> =
            table.columns.iter().skip(1).cloned().zip(numbers.iter().map(|x| json!(x))).collect();
        format!("{}\n", json!({"case": outcome.id, "table": table.caption, "row": name, "numbers": numbers}))
    };
    rows.map(line).collect()
}

/// A table of the page.
pub fn html(table: &Table) -> String {
    let mut text = format!("<h3>{}</h3>\n<div class=\"wide\"><table><thead><tr>", escape(&table.caption));
    for (k, column) in table.columns.iter().enumerate() {
        let class = if k == 0 { "" } else { " class=\"number\"" };
        let _ = write!(text, "<th{class}>{}</th>", escape(column));
    }
    text.push_str("</tr></thead><tbody>\n");
    for (name, numbers) in &table.rows {
        let _ = write!(text, "<tr><td>{}</td>", escape(name));
        for number in numbers {
            let _ = write!(text, "<td class=\"number\">{}</td>", Table::cell(*number));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div>\n");
    text
}
