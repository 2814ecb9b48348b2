//! Channels as a MAT file, version 5, for MATLAB, Octave and SciPy: `time` (rows × 1), `values` (rows × channels), `names` and `units` (cells of texts).
//!
//! Source: MAT-File Format, MathWorks, chapter 1 (level 5). Names of channels are no names of variables there, hence the cells. A variable
//! has less than 2 GiB.

use flexura_results::{ResultFile, ResultsError, TIME};
use std::io::{self, Write};

/// Types of data.
const INT8: u32 = 1;
const UINT16: u32 = 4;
const INT32: u32 = 5;
const UINT32: u32 = 6;
const DOUBLE: u32 = 9;
const MATRIX: u32 = 14;
/// Classes of arrays.
const CELL_CLASS: u32 = 1;
const CHAR_CLASS: u32 = 4;
const DOUBLE_CLASS: u32 = 6;
/// Most bytes of a variable.
const LARGEST: usize = i32::MAX as usize;

/// Writes time and the channels that match `patterns`.
pub fn export(file: &ResultFile, patterns: &[&str], mut out: impl Write) -> Result<(), ResultsError> {
    let mut names = file.select(patterns)?;
    names.retain(|name| *name != TIME);
    let rows = file.rows();
    if rows.saturating_mul(names.len()).saturating_mul(8) > LARGEST {
        let text = format!(
            "{rows} rows of {} channels are more than the 2 GiB of a variable: choose channels by --channels",
            names.len()
        );
        return Err(ResultsError::Export(io::Error::new(io::ErrorKind::InvalidInput, text)));
    }
    let layout = file.layout();
    let known: Vec<(&str, &str)> = layout.channel_names().zip(layout.units()).collect();
    let unit = |name: &&str| known.iter().find(|(known, _)| known == name).map_or("", |(_, unit)| *unit);
    let units: Vec<&str> = names.iter().map(unit).collect();
    let mut values = Vec::with_capacity(rows * names.len());
    for name in &names {
        values.extend(file.channel(name)?);
    }
    write_all(&mut out, file.time(), &values, &names, &units).map_err(ResultsError::Export)
}

fn write_all(
    out: &mut impl Write,
    time: &[f64],
    values: &[f64],
    names: &[&str],
    units: &[&str],
) -> io::Result<()> {
    let mut header =
        format!("MATLAB 5.0 MAT-file, written by Flexura {}", env!("CARGO_PKG_VERSION")).into_bytes();
    header.resize(124, b' ');
    out.write_all(&header)?;
    // Version and, as it reads here, the order of bytes.
    out.write_all(&[0x00, 0x01, b'I', b'M'])?;
    out.write_all(&numbers("time", (time.len(), 1), time))?;
    out.write_all(&numbers("values", (time.len(), names.len()), values))?;
    out.write_all(&cells("names", names))?;
    out.write_all(&cells("units", units))
}

/// A data element: type, size, bytes, padding to eight.
fn element(kind: u32, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 + bytes.len());
    out.extend(kind.to_le_bytes());
    out.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend(bytes);
    out.resize(out.len().next_multiple_of(8), 0);
    out
}

/// An array: class, sizes, name, contents.
fn array(class: u32, name: &str, (rows, columns): (usize, usize), contents: &[u8]) -> Vec<u8> {
    let flags: Vec<u8> = [class, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
    let size = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    let sizes: Vec<u8> = [size(rows), size(columns)].iter().flat_map(|word| word.to_le_bytes()).collect();
    let parts = [element(UINT32, &flags), element(INT32, &sizes), element(INT8, name.as_bytes())];
    element(MATRIX, &[&parts.concat(), contents].concat())
}

/// Numbers, column after column.
fn numbers(name: &str, size: (usize, usize), values: &[f64]) -> Vec<u8> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    array(DOUBLE_CLASS, name, size, &element(DOUBLE, &bytes))
}

/// A row of texts.
fn cells(name: &str, texts: &[&str]) -> Vec<u8> {
    let cell = |text: &&str| {
        let letters: Vec<u16> = text.encode_utf16().collect();
        let bytes: Vec<u8> = letters.iter().flat_map(|letter| letter.to_le_bytes()).collect();
        array(CHAR_CLASS, "", (1, letters.len()), &element(UINT16, &bytes))
    };
    array(CELL_CLASS, name, (1, texts.len()), &texts.iter().flat_map(cell).collect::<Vec<u8>>())
}
