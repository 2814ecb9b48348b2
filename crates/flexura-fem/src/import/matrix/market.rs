//! Matrix Market exchange format (R. F. Boisvert, R. Pozo, K. Remington, 1996), coordinate form.
//!
//!   %%MatrixMarket matrix coordinate real symmetric
//!   % comments
//!   rows columns entries
//!   row column value      (counted from one; the lower triangle where symmetric)

use super::super::error::{ImportError, Place};
use super::super::number::{identity, real};
use super::super::source::{Line, Source};
use super::{Key, MatrixEntry, MatrixFile};
use std::collections::BTreeSet;

const HEADER: &str = "%%MatrixMarket matrix coordinate real symmetric (or general)";

/// Reads a matrix whose rows and columns have names.
pub fn read(source: &Source, kind: &str, rows: &[Key], columns: &[Key]) -> Result<MatrixFile, ImportError> {
    let card = format!("{kind} matrix");
    let place = |line: &Line| Place { file: line.file, line: line.number, card: card.clone() };
    let whole = |message: &str| {
        let place = Place { file: 0, line: source.lines.len(), card: card.clone() };
        source.error(&place, message, format!("a file begins with {HEADER}, then sizes and entries"))
    };
    let first = source.lines.first().ok_or_else(|| whole("the file is empty"))?;
    let symmetric = header(&first.text).map_err(|message| {
        let help = format!("write the matrix as {HEADER}");
        source.error(&place(first), message, help)
    })?;
    let mut lines = source.lines[1..].iter().filter(|line| {
        let text = line.text.trim();
        !text.is_empty() && !text.starts_with('%')
    });
    let sizes = lines.next().ok_or_else(|| whole("the line of sizes is missing"))?;
    let [height, width, count] = three_counts(&sizes.text).ok_or_else(|| {
        source.error(
            &place(sizes),
            "this is not a line of sizes",
            "write rows, columns and number of entries",
        )
    })?;
    if height != rows.len() as u64 || width != columns.len() as u64 {
        let message = format!(
            "the matrix has {height} rows and {width} columns, but the tables name {} and {}",
            rows.len(),
            columns.len()
        );
        let help = "every freedom of the node table is a row, in its order; or name them in `rows`";
        return Err(source.error(&place(sizes), message, help));
    }
    let mut seen = BTreeSet::new();
    let mut entries = Vec::new();
    for line in lines {
        let fail = |message: String, help: &str| source.error(&place(line), message, help);
        let (row, column, value) = entry(&line.text).ok_or_else(|| {
            fail(format!("`{}` is not an entry", line.text.trim()), "write row, column and a finite number")
        })?;
        if row >= rows.len() || column >= columns.len() {
            let help = "rows and columns are counted from one";
            return Err(fail(format!("entry {}, {} is outside the matrix", row + 1, column + 1), help));
        }
        if symmetric && column > row {
            let help = "a symmetric file has entries on and below the diagonal only";
            return Err(fail(format!("entry {}, {} is above the diagonal", row + 1, column + 1), help));
        }
        if !seen.insert((row, column)) {
            let message = format!("entry {}, {} is given twice", row + 1, column + 1);
            return Err(fail(message, "give every place once"));
        }
        entries.push(MatrixEntry { row: rows[row], column: columns[column], value, line: line.number });
    }
    if entries.len() as u64 != count {
        let message = format!("{count} entries are announced, but there are {}", entries.len());
        return Err(source.error(
            &place(sizes),
            message,
            "the file is cut off, or the line of sizes is wrong",
        ));
    }
    let file = source.files.first().cloned().unwrap_or_default();
    Ok(MatrixFile { file, card, symmetric, entries, ..MatrixFile::default() })
}

/// Whether the header says symmetric.
fn header(text: &str) -> Result<bool, String> {
    let words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
    let [mark, object, format, field, symmetry] = &words[..] else {
        return Err("the first line has not the five words of a Matrix Market header".into());
    };
    let known = mark == "%%matrixmarket"
        && object == "matrix"
        && format == "coordinate"
        && matches!(field.as_str(), "real" | "integer" | "double");
    match (known, symmetry.as_str()) {
        (true, "symmetric") => Ok(true),
        (true, "general") => Ok(false),
        _ => Err(format!("`{object} {format} {field} {symmetry}` is not supported")),
    }
}

fn three_counts(text: &str) -> Option<[u64; 3]> {
    let counts: Option<Vec<u64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    counts?.try_into().ok()
}

fn entry(text: &str) -> Option<(usize, usize, f64)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [row, column, value] = words[..] else { return None };
    let place = |word: &str| usize::try_from(identity(word)? - 1).ok();
    Some((place(row)?, place(column)?, real(value)?))
}
