//! Curves from result files and from tables of reference data.

use crate::failure::Failure;
use flexura_results::ResultFile;
use std::path::Path;

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Channel.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// File it comes from.
    pub source: String,
    /// Number of the file, in the order given.
    pub file: usize,
    /// Whether it is reference data, drawn as points.
    pub reference: bool,
    /// Abscissae: time (s) at first.
    pub x: Vec<f64>,
    /// Values.
    pub y: Vec<f64>,
}

/// What part of the time is drawn (s).
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// First instant.
    pub from: f64,
    /// Last instant.
    pub to: f64,
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn kept(x: &[f64], y: &[f64], window: Window) -> (Vec<f64>, Vec<f64>) {
    x.iter().zip(y).filter(|(x, _)| (window.from..=window.to).contains(*x)).unzip()
}

/// The curves of a result file that match `patterns`, in the order of the patterns.
pub fn from_result(
    path: &Path,
    patterns: &[String],
    window: Window,
    file: usize,
) -> Result<Vec<Series>, Failure> {
    let result = ResultFile::open(path).map_err(Failure::file)?;
    let shown = path.display();
    let mut names: Vec<&str> = Vec::new();
    for pattern in patterns {
        let found = result.select(&[pattern]).map_err(|error| {
            Failure::Usage(format!("{shown}: {error}\nall names: flexura export {shown} --list"))
        })?;
        names.extend(found.into_iter().filter(|name| *name != flexura_results::TIME));
    }
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(*name));
    let layout = result.layout();
    let units: std::collections::HashMap<&str, &str> = layout.channel_names().zip(layout.units()).collect();
    names
        .into_iter()
        .map(|name| {
            let values = result.channel(name).map_err(Failure::file)?;
            let (x, y) = kept(result.time(), &values, window);
            if x.is_empty() {
                return Err(Failure::Usage(format!("{shown} has no rows between --from and --to")));
            }
            let unit = units.get(name).copied().unwrap_or_default().to_string();
            Ok(Series { name: name.into(), unit, source: stem(path), file, reference: false, x, y })
        })
        .collect()
}

/// Columns of a table with a heading line `time, name [unit], …`; the first column is the time.
pub fn from_table(path: &Path, window: Window, file: usize) -> Result<Vec<Series>, Failure> {
    let shown = path.display();
    let text = flexura::file::read_plain_text(path)
        .map_err(|error| Failure::File(format!("cannot read {shown}: {error}")))?;
    let mut lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let wrong = |words: String| Failure::File(format!("{shown}: {words}"));
    let (_, heading) = lines.next().ok_or_else(|| wrong("the table is empty".into()))?;
    let heads: Vec<(String, String)> = heading.split(',').map(split_unit).collect();
    if heads.len() < 2 || heads[0].0.parse::<f64>().is_ok() {
        let help = "the first line must name the columns: time [s], name [unit], …";
        return Err(wrong(format!("{help} (found `{heading}`)")));
    }
    let mut columns = vec![Vec::new(); heads.len()];
    for (number, line) in lines {
        let cells: Vec<&str> = line.split(',').collect();
        if cells.len() != heads.len() {
            let words = format!("line {} has {} columns, not {}", number + 1, cells.len(), heads.len());
            return Err(wrong(words));
        }
        for (column, cell) in columns.iter_mut().zip(cells) {
            let value = cell.trim().parse::<f64>();
            column.push(value.map_err(|_| wrong(format!("line {}: `{cell}` is no number", number + 1)))?);
        }
    }
    let time = columns.remove(0);
    Ok(heads[1..]
        .iter()
        .zip(columns)
        .map(|((name, unit), values)| {
            let (x, y) = kept(&time, &values, window);
            let (name, unit) = (name.clone(), unit.clone());
            Series { name, unit, source: stem(path), file, reference: true, x, y }
        })
        .collect())
}

/// `name [unit]` in its parts.
fn split_unit(head: &str) -> (String, String) {
    let head = head.trim().trim_matches('"');
    match head.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((name, unit)) => (name.trim().into(), unit.trim().into()),
        None => (head.into(), String::new()),
    }
}
