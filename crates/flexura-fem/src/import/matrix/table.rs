//! Tables of nodes for matrices: CSV, or the GRID and SPOINT cards of a bulk or punch file.
//!
//!   node,x,y,z,freedoms,set
//!   1,0.0,0.0,0.0,123456,root
//!   101,,,,0                        a generalised coordinate
//!
//! Columns may stand in any order; `freedoms` (digits, all six where empty) and `set` may be left
//! out. Lines beginning with # are comments. A table of rows has `node,freedom`.

use super::super::error::{ImportError, Place};
use super::super::left_out::LeftOut;
use super::super::nastran::card::{Card, cards, digits};
use super::super::number::{identity, real};
use super::super::source::Source;
use super::Key;
use std::path::Path;

/// A node of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableNode {
    /// Number.
    pub number: u64,
    /// Position; `None` for a generalised coordinate.
    pub position: Option<[f64; 3]>,
    /// Freedoms (ux, uy, uz, rx, ry, rz).
    pub freedoms: [bool; 6],
    /// Set it belongs to; empty for none.
    pub set: String,
    /// Line of the file.
    pub line: usize,
}

/// A table of nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeTable {
    /// File it is from.
    pub file: String,
    /// Nodes in its order.
    pub nodes: Vec<TableNode>,
    /// Cards of its file that are no nodes.
    pub left_out: LeftOut,
}

impl NodeTable {
    /// Reads a table from a file.
    pub fn read_file(path: &Path) -> Result<Self, ImportError> {
        let source = Source::read(path, |_| None)?;
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("csv" | "txt") => Self::of_csv(&source),
            _ => Self::of_cards(&source),
        }
    }

    /// Reads a table given as CSV text.
    pub fn read_text(text: &str, file_name: &str) -> Result<Self, ImportError> {
        Self::of_csv(&Source::from_text(text, file_name))
    }

    /// Rows of a matrix that has every freedom in the order of the table.
    pub fn rows(&self) -> Vec<Key> {
        let freedoms = |node: &TableNode| -> Vec<Key> {
            match node.position {
                None => vec![(node.number, 0)],
                Some(_) => (0..6_u8)
                    .filter(|offset| node.freedoms[usize::from(*offset)])
                    .map(|offset| (node.number, offset + 1))
                    .collect(),
            }
        };
        self.nodes.iter().flat_map(freedoms).collect()
    }

    fn of_csv(source: &Source) -> Result<Self, ImportError> {
        let table = Csv::read(source, &["node", "x", "y", "z"], &["freedoms", "set"])?;
        let mut nodes = Vec::new();
        for row in &table.rows {
            let number = row.number(source)?;
            let freedoms = match row.field(4) {
                "" => Some([true; 6]),
                "0" => None,
                text => Some(digits(text).ok_or_else(|| {
                    let message = format!("freedoms are `{text}`");
                    row.error(source, message, "write digits from 1 to 6, such as 123, or 0 for a coordinate")
                })?),
            };
            let position = freedoms.map(|_| row.position(source)).transpose()?;
            nodes.push(TableNode {
                number,
                position,
                freedoms: freedoms.unwrap_or_default(),
                set: row.field(5).to_owned(),
                line: row.place.line,
            });
        }
        let file = source.files.first().cloned().unwrap_or_default();
        Ok(Self { file, nodes, left_out: LeftOut::default() })
    }

    fn of_cards(source: &Source) -> Result<Self, ImportError> {
        let mut nodes = Vec::new();
        let mut left_out = LeftOut::default();
        for card in cards(source)? {
            match card.name.as_str() {
                "GRID" => nodes.push(grid(&card, source)?),
                "SPOINT" => {
                    for index in (0..card.fields.len()).filter(|index| card.has(*index)) {
                        let number = card.identity(index, "the number of a scalar point", source)?;
                        let (set, line) = (String::new(), card.place.line);
                        nodes.push(TableNode { number, position: None, freedoms: [false; 6], set, line });
                    }
                }
                "INCLUDE" => {
                    return Err(card.error(source, "an included file is not read here", "put its cards in"));
                }
                "ENDDATA" => {}
                "DMIG" => {
                    let word = format!("DMIG {}", card.text(0).to_ascii_uppercase());
                    left_out.add(&word, &card.place, source);
                }
                _ => left_out.add(&card.title(), &card.place, source),
            }
        }
        let file = source.files.first().cloned().unwrap_or_default();
        Ok(Self { file, nodes, left_out })
    }
}

fn grid(card: &Card, source: &Source) -> Result<TableNode, ImportError> {
    let help = "give the positions and the matrices in the basic system";
    card.refuse(1, "a coordinate system of the position", help, source)?;
    card.refuse(5, "a coordinate system of displacements", help, source)?;
    Ok(TableNode {
        number: card.identity(0, "the number of a point", source)?,
        position: Some(card.vector(2, "a coordinate", source)?),
        freedoms: [true; 6],
        set: String::new(),
        line: card.place.line,
    })
}

/// Names of the rows of a matrix, from a table `node,freedom`.
pub fn read_rows(path: &Path) -> Result<Vec<Key>, ImportError> {
    rows_of(&Source::read(path, |_| None)?)
}

fn rows_of(source: &Source) -> Result<Vec<Key>, ImportError> {
    let table = Csv::read(source, &["node", "freedom"], &[])?;
    let key = |row: &CsvRow| {
        let component = row.field(1).parse::<u8>().ok().filter(|component| *component <= 6);
        let component = component.ok_or_else(|| {
            let message = format!("the freedom is `{}`", row.field(1));
            row.error(source, message, "write 1 to 6 (x, y, z, rx, ry, rz), or 0 for a coordinate")
        })?;
        Ok((row.number(source)?, component))
    };
    table.rows.iter().map(key).collect()
}

struct Csv {
    rows: Vec<CsvRow>,
}

/// A line with its fields in the order of the names asked for.
struct CsvRow {
    place: Place,
    fields: Vec<String>,
}

impl Csv {
    fn read(source: &Source, needed: &[&str], optional: &[&str]) -> Result<Self, ImportError> {
        let mut order: Option<Vec<Option<usize>>> = None;
        let mut rows = Vec::new();
        for line in &source.lines {
            let text = line.text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let words: Vec<&str> = text.split(',').map(|word| word.trim().trim_matches('"')).collect();
            let place = Place { file: line.file, line: line.number, card: "node table".into() };
            let Some(order) = &order else {
                order = Some(columns(&words, needed, optional).map_err(|message| {
                    let help = format!(
                        "the first line names the columns: {} (and {})",
                        needed.join(","),
                        optional.join(",")
                    );
                    source.error(&place, message, help)
                })?);
                continue;
            };
            if words.len() > order.iter().flatten().count() {
                let message = format!("the line has {} fields", words.len());
                return Err(source.error(&place, message, "it has more fields than the first line names"));
            }
            let field = |column: &Option<usize>| {
                column.and_then(|column| words.get(column)).map_or(String::new(), |word| (*word).to_owned())
            };
            rows.push(CsvRow { place, fields: order.iter().map(field).collect() });
        }
        Ok(Self { rows })
    }
}

/// Where the named columns stand.
fn columns(words: &[&str], needed: &[&str], optional: &[&str]) -> Result<Vec<Option<usize>>, String> {
    let place = |name: &&str| words.iter().position(|word| word.eq_ignore_ascii_case(name));
    if let Some(missing) = needed.iter().find(|name| place(name).is_none()) {
        return Err(format!("there is no column `{missing}`"));
    }
    let known = |word: &&&str| !needed.iter().chain(optional).any(|name| word.eq_ignore_ascii_case(name));
    if let Some(unknown) = words.iter().find(known) {
        return Err(format!("column `{unknown}` is not known"));
    }
    let found: Vec<Option<usize>> = needed.iter().chain(optional).map(place).collect();
    match found.iter().flatten().count() == words.len() {
        true => Ok(found),
        false => Err("a column is named twice".into()),
    }
}

impl CsvRow {
    fn field(&self, index: usize) -> &str {
        self.fields.get(index).map_or("", String::as_str)
    }

    fn error(&self, source: &Source, message: impl Into<String>, help: &str) -> ImportError {
        source.error(&self.place, message, help)
    }

    fn number(&self, source: &Source) -> Result<u64, ImportError> {
        identity(self.field(0)).ok_or_else(|| {
            let message = format!("the number of a node is `{}`", self.field(0));
            self.error(source, message, "write a positive whole number")
        })
    }

    fn position(&self, source: &Source) -> Result<[f64; 3], ImportError> {
        let mut position = [0.0; 3];
        for (axis, value) in position.iter_mut().enumerate() {
            *value = real(self.field(1 + axis)).ok_or_else(|| {
                let message = format!("a coordinate is `{}`, not a number", self.field(1 + axis));
                self.error(source, message, "write finite numbers for x, y and z")
            })?;
        }
        Ok(position)
    }
}
