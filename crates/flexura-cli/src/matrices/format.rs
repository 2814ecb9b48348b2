//! Dense matrices as files: NumPy arrays, Matrix Market, CSV.
//!
//! Formats: NumPy's `.npy` version 1.0 (numpy.lib.format); Matrix Market exchange format, dense arrays column by column.

use crate::columns::exact;
use std::fmt::Write;

/// Formats of matrices.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Format {
    /// NumPy array
    Npy,
    /// Matrix Market
    Mtx,
    /// Text with the names of rows and columns
    Csv,
}

/// A matrix, row-major, or a vector where it has no columns.
pub struct Matrix<'a> {
    /// Name of its file.
    pub name: &'static str,
    /// Entries.
    pub values: &'a [f64],
    /// Names of rows.
    pub rows: Vec<String>,
    /// Names of columns; empty for a vector.
    pub columns: Vec<String>,
}

impl Format {
    /// Ending of files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Npy => "npy",
            Self::Mtx => "mtx",
            Self::Csv => "csv",
        }
    }

    /// What a file of `matrix` holds.
    pub fn bytes(self, matrix: &Matrix<'_>) -> Vec<u8> {
        match self {
            Self::Npy => numpy(matrix),
            Self::Mtx => {
                matrix_market(matrix.values, matrix.rows.len(), matrix.columns.len().max(1)).into_bytes()
            }
            Self::Csv => csv(matrix).into_bytes(),
        }
    }
}

fn numpy(matrix: &Matrix<'_>) -> Vec<u8> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let shape = match matrix.columns.len() {
        0 => format!("({},)", matrix.rows.len()),
        columns => format!("({}, {columns})", matrix.rows.len()),
    };
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    // Data starts at a multiple of 64 bytes; a line feed ends the header.
    let length = (MAGIC.len() + 2 + header.len() + 1).next_multiple_of(64) - MAGIC.len() - 2;
    header.extend(std::iter::repeat_n(' ', length - 1 - header.len()));
    header.push('\n');
    let length = u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
    let mut out = [MAGIC, &length, header.as_bytes()].concat();
    out.extend(matrix.values.iter().flat_map(|value| value.to_le_bytes()));
    out
}

/// Dense MatrixMarket text, column by column, of a row-major matrix.
pub fn matrix_market(values: &[f64], rows: usize, columns: usize) -> String {
    let mut text = format!("%%MatrixMarket matrix array real general\n{rows} {columns}\n");
    for j in 0..columns {
        for i in 0..rows {
            let _ = writeln!(text, "{:e}", values[i * columns + j]);
        }
    }
    text
}

fn csv(matrix: &Matrix<'_>) -> String {
    let heads =
        if matrix.columns.is_empty() { vec![matrix.name.to_string()] } else { matrix.columns.clone() };
    let mut text = String::from("name");
    heads.iter().for_each(|name| text.push_str(&format!(",{}", quoted(name))));
    text.push('\n');
    for (name, row) in matrix.rows.iter().zip(matrix.values.chunks(heads.len())) {
        text.push_str(&quoted(name));
        row.iter().for_each(|value| text.push_str(&format!(",{}", exact(*value))));
        text.push('\n');
    }
    text
}

fn quoted(name: &str) -> String {
    flexura_results::csv_cell(name)
}
