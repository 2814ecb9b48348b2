//! Export as comma-separated text.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, Write};

use crate::error::ResultsError;
use crate::reader::ResultFile;
use crate::schema::{TIME, TIME_UNIT};

/// Writes the time and the channels that match `patterns`, one line per row.
///
/// The header reads `time [s],name [unit],...`, without brackets where a unit is empty. Numbers
/// are the shortest that read back as the same value; what is not a number reads `NaN`, `inf` or
/// `-inf`. A name that a spreadsheet would take for a formula (`=`, `+`, `-`, `@`) has an apostrophe
/// before it.
pub fn export_csv(file: &ResultFile, patterns: &[&str], writer: impl Write) -> Result<(), ResultsError> {
    let mut names = file.select(patterns)?;
    // The time is always written, and always first.
    names.retain(|name| *name != TIME);
    let columns = names.iter().map(|name| file.channel(name)).collect::<Result<Vec<_>, _>>()?;
    let mut writer = BufWriter::new(writer);
    write_header(file, &names, &mut writer)
        .and_then(|()| write_rows(file.time(), &columns, &mut writer))
        .and_then(|()| writer.flush())
        .map_err(ResultsError::Export)
}

fn write_header(file: &ResultFile, names: &[&str], writer: &mut impl Write) -> io::Result<()> {
    write!(writer, "{}", heading(TIME, TIME_UNIT))?;
    let layout = file.layout();
    // Both run in row order, so one pass over the layout meets the selected names in turn.
    let mut wanted = names.iter().peekable();
    for (name, unit) in layout.channel_names().zip(layout.units()) {
        if wanted.next_if(|next| **next == name).is_some() {
            write!(writer, ",{}", heading(name, unit))?;
        }
    }
    writeln!(writer)
}

fn write_rows(time: &[f64], columns: &[Vec<f64>], writer: &mut impl Write) -> io::Result<()> {
    for (row, &time) in time.iter().enumerate() {
        write!(writer, "{}", Number(time))?;
        for column in columns {
            write!(writer, ",{}", Number(column[row]))?;
        }
        writeln!(writer)?;
    }
    Ok(())
}

fn heading(name: &str, unit: &str) -> String {
    match unit {
        "" => cell(name),
        _ => cell(&format!("{name} [{unit}]")),
    }
}

/// A text as a cell: quoted where it has to be, and never computed by a spreadsheet. What begins like a formula (`=`, `+`,
/// `-`, `@`) has an apostrophe before it.
pub fn cell(text: &str) -> String {
    let text = Cow::Borrowed(text);
    let text = match text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => Cow::Owned(format!("'{text}")),
        false => text,
    };
    let text = text.replace(|letter: char| letter.is_control() && !"\n\r\t".contains(letter), "\u{fffd}");
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

/// A value in its shortest exact decimal form.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        let size = value.abs();
        // Plain notation would spell out hundreds of zeros for extreme values.
        if value.is_finite() && value != 0.0 && !(1e-5..1e16).contains(&size) {
            write!(out, "{value:e}")
        } else {
            write!(out, "{value}")
        }
    }
}
