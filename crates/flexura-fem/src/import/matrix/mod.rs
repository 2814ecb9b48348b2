//! Matrices of other programs: DMIG cards of Nastran punch files ([`dmig`]) and Matrix Market
//! files (`market`), with tables of nodes (`table`), tied together to a part ([`tie`]).

pub mod dmig;
pub(crate) mod market;
pub(crate) mod table;
mod tie;

pub use table::{NodeTable, TableNode};
pub use tie::{MatrixSet, tie};

use super::error::ImportError;
use super::left_out::LeftOut;
use super::source::Source;
use std::path::Path;

/// A row or column: number of a node and component, 1 to 6 for its freedoms (x, y, z, rx, ry,
/// rz), 0 for a generalised coordinate.
pub type Key = (u64, u8);

/// One number of a matrix file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixEntry {
    /// Row.
    pub row: Key,
    /// Column.
    pub column: Key,
    /// Value.
    pub value: f64,
    /// Line of the file.
    pub line: usize,
}

/// A matrix as its file gives it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatrixFile {
    /// File.
    pub file: String,
    /// What errors call it: `DMIG KAAX`, or the kind of matrix.
    pub card: String,
    /// Whether one triangle stands for both.
    pub symmetric: bool,
    /// Its numbers.
    pub entries: Vec<MatrixEntry>,
    /// Cards of its file that are not part of it.
    pub left_out: LeftOut,
}

impl MatrixFile {
    /// An error at a line.
    pub fn error(&self, line: usize, message: impl Into<String>, help: impl Into<String>) -> ImportError {
        ImportError { line, card: self.card.clone(), ..ImportError::of_file(&self.file, message, help) }
    }
}

/// Which matrix of which file.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Kind in words: `stiffness`, `mass`, `damping`, `recovery`.
    pub kind: &'a str,
    /// Name on the DMIG cards, where given.
    pub name: Option<&'a str>,
    /// First letters of names that are meant where none is given.
    pub initials: &'a [char],
}

/// Reads one matrix; rows and columns of Matrix Market files are named by the lists.
pub fn read_file(
    path: &Path,
    wanted: &Wanted<'_>,
    rows: &[Key],
    columns: &[Key],
) -> Result<MatrixFile, ImportError> {
    let source = Source::read(path, |_| None)?;
    match is_market(&source) {
        true => market::read(&source, wanted.kind, rows, columns),
        false => dmig::find(&dmig::read(&source)?, &source, wanted),
    }
}

fn is_market(source: &Source) -> bool {
    source.lines.first().is_some_and(|line| line.text.starts_with("%%"))
}
