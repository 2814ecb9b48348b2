//! Columns of numbers over time: read from CSV and result files, written as CSV.
//!
//! Headers read `name [unit]` as `flexura export` writes them; a unit may be left out.

use crate::failure::Failure;
use flexura_results::{ResultFile, TIME};
use std::fmt::Write;
use std::path::Path;

/// Instants, and columns by name with the unit of their header.
pub struct Columns {
    /// Instants (s).
    pub times: Vec<f64>,
    /// Name, unit if one is written, values.
    pub list: Vec<(String, Option<String>, Vec<f64>)>,
}

/// All columns of the CSV file at `path`.
pub fn read_csv(path: &Path) -> Result<Columns, Failure> {
    let text = flexura::file::read_plain_text(path)
        .map_err(|error| Failure::File(format!("cannot read {}: {error}", path.display())))?;
    let wrong = |words: String| Failure::File(format!("{}: {words}", path.display()));
    let mut lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let (_, header) = lines.next().ok_or_else(|| wrong("no header".into()))?;
    let mut list: Vec<(String, Option<String>, Vec<f64>)> = cells(header)
        .into_iter()
        .map(|cell| with_unit(&cell))
        .map(|(name, unit)| (name, unit, Vec::new()))
        .collect();
    for (number, line) in lines {
        let values = cells(line);
        if values.len() != list.len() {
            let (found, needed) = (values.len(), list.len());
            return Err(wrong(format!("line {} has {found} cells, the header {needed}", number + 1)));
        }
        for ((name, _, column), cell) in list.iter_mut().zip(values) {
            let value = cell.trim().parse().map_err(|_| {
                wrong(format!("line {}: `{}` in column `{name}` is no number", number + 1, cell.trim()))
            })?;
            column.push(value);
        }
    }
    let at = list.iter().position(|(name, ..)| name == TIME);
    let at = at.ok_or_else(|| wrong(format!("no column `{TIME}`")))?;
    let (_, unit, times) = list.remove(at);
    match unit.as_deref() {
        None | Some("s") => Ok(Columns { times, list }),
        Some(unit) => Err(wrong(format!("`{TIME} [{unit}]`: times are in s"))),
    }
}

/// The columns of the result file at `path` that `wanted` chooses by name.
pub fn read_result(path: &Path, wanted: impl Fn(&str) -> bool) -> Result<Columns, Failure> {
    let result = ResultFile::open(path).map_err(Failure::file)?;
    if let Some(reason) = result.torn() {
        eprintln!("warning: {} is torn ({reason}); {} whole rows are used", path.display(), result.rows());
    }
    let chosen = result.channel_names().filter(|name| *name != TIME && wanted(name));
    let read = |name: &str| Ok((name.to_string(), None, result.channel(name).map_err(Failure::file)?));
    Ok(Columns { times: result.time().to_vec(), list: chosen.map(read).collect::<Result<_, Failure>>()? })
}

/// Cells of a line; quotes hold commas together.
fn cells(line: &str) -> Vec<String> {
    let (mut list, mut quoted) = (vec![String::new()], false);
    for letter in line.trim_end_matches('\r').chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => list.push(String::new()),
            other => list.iter_mut().next_back().into_iter().for_each(|cell| cell.push(other)),
        }
    }
    list
}

/// `name [unit]` in its parts.
fn with_unit(cell: &str) -> (String, Option<String>) {
    let cell = cell.trim();
    // The apostrophe that keeps spreadsheets from computing a name is not part of it.
    let cell = cell.strip_prefix('\'').filter(|name| name.starts_with(['=', '+', '-', '@'])).unwrap_or(cell);
    match cell.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [")) {
        Some((name, unit)) => (name.to_string(), Some(unit.to_string())),
        None => (cell.to_string(), None),
    }
}

/// CSV text of rows below headers.
pub struct Table {
    text: String,
}

impl Table {
    /// A table with `time` and the columns (name, unit).
    pub fn new<'a>(columns: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut text = format!("{TIME} [s]");
        for (name, unit) in columns {
            let heading = if unit.is_empty() { name.to_string() } else { format!("{name} [{unit}]") };
            let _ = write!(text, ",{}", flexura_results::csv_cell(&heading));
        }
        text.push('\n');
        Self { text }
    }

    /// Adds a row, numbers in their shortest exact form.
    pub fn row(&mut self, time: f64, values: impl IntoIterator<Item = f64>) {
        let _ = write!(self.text, "{}", exact(time));
        for value in values {
            let _ = write!(self.text, ",{}", exact(value));
        }
        self.text.push('\n');
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }
}

/// A number in its shortest exact form.
pub fn exact(value: f64) -> String {
    // Plain notation would spell out hundreds of zeros for extreme values.
    let extreme = value.is_finite() && value != 0.0 && !(1e-5..1e16).contains(&value.abs());
    if extreme { format!("{value:e}") } else { format!("{value}") }
}
