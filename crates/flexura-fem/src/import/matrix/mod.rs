//! Matrices of other programs: DMIG cards of Nastran punch files ([`dmig`]), its OUTPUT4 files as text (`op4`) and Matrix Market
//! files (`market`), with tables of nodes (`table`), tied together to a part ([`tie`]).

pub mod dmig;
pub(crate) mod market;
pub(crate) mod op4;
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

/// The place of the matrix that is wanted among those of a file; else message and help.
fn choose(names: &[String], wanted: &Wanted<'_>) -> Result<usize, (String, String)> {
    let meant = |name: &String| match wanted.name {
        Some(given) => name.eq_ignore_ascii_case(given),
        None => name.starts_with(wanted.initials),
    };
    let places: Vec<usize> = (0..names.len()).filter(|place| meant(&names[*place])).collect();
    let help = format!("name it by `{}_name`", wanted.kind);
    let message = match places[..] {
        [place] => return Ok(place),
        [] => format!("none of its matrices is the {} matrix: {}", wanted.kind, names.join(", ")),
        _ => format!("several matrices could be the {} matrix: {}", wanted.kind, names.join(", ")),
    };
    Err((message, help))
}

/// Reads one matrix; rows and columns of Matrix Market and OUTPUT4 files are named by the lists.
pub fn read_file(
    path: &Path,
    wanted: &Wanted<'_>,
    rows: &[Key],
    columns: &[Key],
) -> Result<MatrixFile, ImportError> {
    let source = Source::read(path, |_| None)?;
    if is_market(&source) {
        return market::read(&source, wanted.kind, rows, columns);
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("op4")) {
        return op4::read(&source, wanted, rows, columns);
    }
    dmig::find(&dmig::read(&source)?, &source, wanted)
}

fn is_market(source: &Source) -> bool {
    source.lines.first().is_some_and(|line| line.text.starts_with("%%"))
}
