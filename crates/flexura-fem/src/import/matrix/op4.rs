//! OUTPUT4 files of Nastran as text (MSC Nastran DMAP programmer's guide, module OUTPUT4, formatted files).
//!
//! ```text
//! NCOL NROW FORM TYPE name format      head, fields of 8: TYPE 1 and 2 real; format such as 1P,3E23.16; NROW < 0 says BIGMAT
//! ICOL IROW NW                         a column from row IROW on: NW numbers follow
//! ICOL 0    NW                         a column of strings; each has a line with its length and row, then its numbers:
//! L IROW                               BIGMAT: L − 1 words;   otherwise IS = IROW + 65536 (L + 1) with L words
//! NCOL+1 1 1 and a number              the end of the matrix
//! ```
//!
//! A word is half a number of TYPE 2. Columns hold all their rows, of symmetric matrices too. Files name no freedoms: rows and columns are those of
//! the node table, or of `rows`.

use super::super::error::{ImportError, Place};
use super::super::number::real;
use super::super::source::{Line, Source};
use super::{Key, MatrixEntry, MatrixFile, Wanted, choose};

/// Entries of a matrix: row, column, value, line of the file.
type Entries = Vec<(usize, usize, f64, usize)>;

/// A matrix of a file.
struct Op4 {
    name: String,
    rows: usize,
    columns: usize,
    line: usize,
    entries: Entries,
}

/// Lines that are taken one by one.
struct Lines<'a> {
    source: &'a Source,
    at: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a Line> {
        let line = self.source.lines.get(self.at);
        self.at += 1;
        line
    }

    fn error(&self, line: usize, message: impl Into<String>) -> ImportError {
        let place = Place { file: 0, line, card: "OP4".into() };
        let help = "write the matrix as text (FORMATTED), real, as OUTPUT4 does; is the file whole?";
        self.source.error(&place, message, help)
    }

    /// The next line with this many whole numbers in fields of eight.
    fn integers<const N: usize>(&mut self) -> Result<([i64; N], usize), ImportError> {
        let Some(line) = self.next() else {
            return Err(self.error(self.at, "the file ends inside a matrix"));
        };
        let numbers: Option<Vec<i64>> = line.text.split_whitespace().map(|word| word.parse().ok()).collect();
        let fitting = numbers.and_then(|list| <[i64; N]>::try_from(list).ok());
        let found =
            fitting.ok_or_else(|| self.error(line.number, format!("{N} whole numbers should stand here")))?;
        Ok((found, line.number))
    }

    /// `count` numbers in fields of `width`.
    fn reals(
        &mut self,
        count: usize,
        width: usize,
        put: &mut impl FnMut(usize, f64, usize),
    ) -> Result<(), ImportError> {
        let mut found = 0;
        while found < count {
            let Some(line) = self.next() else {
                return Err(self.error(self.at, "the file ends inside a column"));
            };
            let text = line.text.trim_end();
            if text.is_empty() || !text.is_ascii() {
                return Err(self.error(line.number, "numbers of a column should stand here"));
            }
            for start in (0..text.len()).step_by(width) {
                let field = text[start..text.len().min(start + width)].trim();
                let value = real(field).filter(|value| value.is_finite());
                let value =
                    value.ok_or_else(|| self.error(line.number, format!("`{field}` is no number")))?;
                if found == count {
                    return Err(self.error(line.number, format!("more than {count} numbers of a column")));
                }
                put(found, value, line.number);
                found += 1;
            }
        }
        Ok(())
    }
}

/// Reads the matrix that is wanted; the lists name its rows and columns.
pub fn read(
    source: &Source,
    wanted: &Wanted<'_>,
    rows: &[Key],
    columns: &[Key],
) -> Result<MatrixFile, ImportError> {
    let file = source.files.first().cloned().unwrap_or_default();
    let mut lines = Lines { source, at: 0 };
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if !line.text.trim().is_empty() {
            found.push(matrix(&mut lines, line)?);
        }
    }
    let names: Vec<String> = found.iter().map(|matrix| matrix.name.clone()).collect();
    let place =
        choose(&names, wanted).map_err(|(message, help)| ImportError::of_file(&file, message, help))?;
    let matrix = found.swap_remove(place);
    if (matrix.rows, matrix.columns) != (rows.len(), columns.len()) {
        let message = format!(
            "matrix {} has {} rows and {} columns, but the tables name {} and {}",
            matrix.name,
            matrix.rows,
            matrix.columns,
            rows.len(),
            columns.len()
        );
        let help = "every freedom of the node table is a row, in its order; or name them in `rows`";
        let place = Place { file: 0, line: matrix.line, card: "OP4".into() };
        return Err(source.error(&place, message, help));
    }
    let entry = |&(row, column, value, line): &(usize, usize, f64, usize)| MatrixEntry {
        row: rows[row],
        column: columns[column],
        value,
        line,
    };
    let entries = matrix.entries.iter().map(entry).collect();
    Ok(MatrixFile { file, card: format!("OP4 {}", matrix.name), entries, ..MatrixFile::default() })
}

/// One matrix, whose head is `line`.
fn matrix(lines: &mut Lines<'_>, line: &Line) -> Result<Op4, ImportError> {
    let (sizes, rest) = line.text.split_at_checked(32).unwrap_or((&line.text, ""));
    let numbers: Vec<i64> = sizes.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [columns, rows, _, kind] = numbers[..] else {
        return Err(
            lines.error(line.number, "this is no head of a matrix: columns, rows, form, type, name, format")
        );
    };
    let (name, format) = rest.split_at_checked(8).unwrap_or((rest, ""));
    let words = match kind {
        1 => 1,
        2 => 2,
        _ => {
            return Err(lines
                .error(line.number, format!("numbers of type {kind} are not supported: 1 and 2 are real")));
        }
    };
    let width =
        width(format).ok_or_else(|| lines.error(line.number, format!("`{}` is no format", format.trim())))?;
    let (height, big) = (rows.unsigned_abs() as usize, rows < 0);
    let mut made = Op4 {
        name: name.trim().to_ascii_uppercase(),
        rows: height,
        columns: usize::try_from(columns).unwrap_or(0),
        line: line.number,
        entries: Vec::new(),
    };
    loop {
        let ([column, row, size], number) = lines.integers::<3>()?;
        if column > columns {
            return lines.reals(1, width, &mut |_, _, _| {}).map(|()| made);
        }
        let (Some(column), Ok(size)) = (from_one(column), usize::try_from(size)) else {
            return Err(lines.error(number, "this is no head of a column"));
        };
        let mut string = |lines: &mut Lines<'_>, row: i64, count: usize| {
            let first = from_one(row).filter(|first| first + count <= height);
            let first = first
                .ok_or_else(|| lines.error(number, format!("column {} leaves the matrix", column + 1)))?;
            let entries = &mut made.entries;
            lines.reals(count, width, &mut |k, value, line| {
                if value != 0.0 {
                    entries.push((first + k, column, value, line));
                }
            })
        };
        if row > 0 {
            string(lines, row, size)?;
            continue;
        }
        let mut left = size;
        while left > 0 {
            let (row, length, head) = if big {
                let ([length, row], _) = lines.integers::<2>()?;
                (row, length - 1, 2)
            } else {
                let ([packed], _) = lines.integers::<1>()?;
                (packed % 65536, packed / 65536 - 1, 1)
            };
            let length = usize::try_from(length).ok().filter(|length| *length > 0 && length + head <= left);
            let length = length.ok_or_else(|| {
                lines.error(number, format!("a string of column {} has a wrong length", column + 1))
            })?;
            string(lines, row, length / words)?;
            left -= length + head;
        }
    }
}

fn from_one(place: i64) -> Option<usize> {
    usize::try_from(place).ok()?.checked_sub(1)
}

/// Width of a number of a format such as `1P,3E23.16`.
fn width(format: &str) -> Option<usize> {
    let after = format.trim().rsplit(['E', 'D', 'e', 'd']).next()?;
    let width: usize = after.split('.').next()?.trim().parse().ok()?;
    (format.contains(['E', 'D', 'e', 'd']) && (8..=40).contains(&width)).then_some(width)
}
