//! DMIG cards of Nastran (MSC Nastran quick reference guide), as `PARAM,EXTOUT,DMIGPCH` punches them.
//!
//! ```text
//! DMIG  name  0   IFO  TIN  TOUT  POLAR  -  NCOL     head: IFO 6 symmetric, 1 square, 2 or 9
//!                                                     rectangular; TIN 1 or 2 real
//! DMIG  name  GJ  CJ   -    G1   C1   A1   B1         one column: grid and component of the
//! +     G2    C2  A2   B2   G3   C3   A3   B3         column, then of each row with its number
//! ```
//!
//! Component 0 belongs to a scalar point: a generalised coordinate. Small, large and free fields.

use super::super::error::{ImportError, Place};
use super::super::left_out::LeftOut;
use super::super::nastran::card::{Card, cards};
use super::super::number::real;
use super::super::source::Source;
use super::{Key, MatrixEntry, MatrixFile, Wanted, choose};
use std::collections::BTreeSet;

/// Cards of punch files that say nothing about the matrices: named in a notice.
const LEFT_OUT: [&str; 12] = [
    "GRID", "SPOINT", "ASET", "ASET1", "QSET", "QSET1", "BSET", "BSET1", "CORD2R", "EXTRN", "SESET", "PARAM",
];
/// Parameters that scale matrices. Whether those of the file are scaled already cannot be told.
const SCALES: [&str; 8] = ["WTMASS", "CK1", "CK2", "CK3", "CM1", "CM2", "CB1", "CB2"];

/// A matrix of a punch file.
#[derive(Clone, Debug)]
pub struct Dmig {
    name: String,
    matrix: MatrixFile,
    place: Place,
    seen: BTreeSet<(Key, Key)>,
}

/// All matrices of a file.
pub fn read(source: &Source) -> Result<Vec<Dmig>, ImportError> {
    let mut found: Vec<Dmig> = Vec::new();
    let mut left_out = LeftOut::default();
    for card in cards(source)? {
        match card.name.as_str() {
            "DMIG" => {}
            "ENDDATA" => continue,
            name if LEFT_OUT.contains(&name) => {
                refuse_meaning(&card, source)?;
                left_out.add(&card.title(), &card.place, source);
                continue;
            }
            _ => {
                let help = "a punch file of matrices has DMIG cards; is this one?";
                return Err(card.error(source, "this card is not supported", help));
            }
        }
        let name = card.text(0).to_ascii_uppercase();
        let place = found.iter().position(|known| known.name == name);
        match (card.text(1), place) {
            (_, _) if name.is_empty() => {
                return Err(card.error(source, "the matrix has no name (field 2)", "name it, such as KAAX"));
            }
            ("0", None) => found.push(head(&card, name, source)?),
            ("0", Some(_)) => {
                let message = format!("a second head of matrix {name}");
                return Err(card.error(source, message, "give every matrix a name of its own"));
            }
            (_, Some(place)) => column(&card, &mut found[place], source)?,
            (_, None) => {
                let message = format!("a column of matrix {name} before its head");
                return Err(card.error(source, message, "the head has 0 in field 3"));
            }
        }
    }
    found.iter_mut().for_each(|dmig| dmig.matrix.left_out = left_out.clone());
    Ok(found)
}

/// Refuses cards that would change what the matrices mean.
fn refuse_meaning(card: &Card, source: &Source) -> Result<(), ImportError> {
    let name = card.text(0).to_ascii_uppercase();
    match card.name.as_str() {
        "GRID" => {
            let help = "give the matrices in the basic system";
            card.refuse(5, "a coordinate system of displacements", help, source)
        }
        "PARAM" if SCALES.contains(&name.as_str()) && real(card.text(1)) != Some(1.0) => {
            let message =
                format!("{name} scales matrices; whether those of this file are scaled is not known");
            Err(card.error(source, message, "scale the matrices themselves and remove the card"))
        }
        _ => Ok(()),
    }
}

/// The matrix that is wanted.
pub fn find(found: &[Dmig], source: &Source, wanted: &Wanted<'_>) -> Result<MatrixFile, ImportError> {
    let file = source.files.first().map_or("", String::as_str);
    let names: Vec<String> = found.iter().map(|dmig| dmig.name.clone()).collect();
    if names.is_empty() {
        let help = "give a DMIG punch file, an OUTPUT4 file (.op4) or a Matrix Market file";
        return Err(ImportError::of_file(file, "there is no DMIG card in this file", help));
    }
    let place =
        choose(&names, wanted).map_err(|(message, help)| ImportError::of_file(file, message, help))?;
    let mut matrix = found[place].matrix.clone();
    for other in found.iter().filter(|dmig| dmig.name != names[place]) {
        matrix.left_out.add(&other.matrix.card, &other.place, source);
    }
    Ok(matrix)
}

fn head(card: &Card, name: String, source: &Source) -> Result<Dmig, ImportError> {
    let symmetric = match card.text(2) {
        "6" => true,
        "1" | "2" | "9" => false,
        other => {
            let message = format!("the form of matrix {name} (field 4) is `{other}`");
            return Err(card.error(source, message, "6 is symmetric, 1 square, 2 or 9 rectangular"));
        }
    };
    if !matches!(card.text(3), "1" | "2") {
        let message = format!("the type of matrix {name} (field 5) is `{}`", card.text(3));
        return Err(card.error(source, message, "only real matrices are read: 1 (single) or 2 (double)"));
    }
    let file = source.files.get(card.place.file).cloned().unwrap_or_default();
    let matrix = MatrixFile { file, card: format!("DMIG {name}"), symmetric, ..MatrixFile::default() };
    Ok(Dmig { name, matrix, place: card.place.clone(), seen: BTreeSet::new() })
}

fn column(card: &Card, into: &mut Dmig, source: &Source) -> Result<(), ImportError> {
    let column = key(card, 1, source)?;
    if card.fields.iter().skip(4).all(|field| field.is_empty()) {
        return Err(card.error(source, "the column has no entries", "leave out columns of zeros"));
    }
    for first in (4..card.fields.len()).step_by(4) {
        if (first..first + 4).all(|index| !card.has(index)) {
            continue;
        }
        let row = key(card, first, source)?;
        let value = card.real(first + 2, "the number of an entry", source)?;
        card.refuse(first + 3, "an imaginary part", "only real matrices are read", source)?;
        let symmetric = into.matrix.symmetric;
        let place = if symmetric && column > row { (column, row) } else { (row, column) };
        if !into.seen.insert(place) {
            let message =
                format!("row {} {} of column {} {} is given twice", row.0, row.1, column.0, column.1);
            let help = "a symmetric matrix (form 6) has one triangle only, and every place once";
            return Err(card.error(source, message, help));
        }
        into.matrix.entries.push(MatrixEntry { row, column, value, line: card.place.line });
    }
    Ok(())
}

/// Grid and component of a row or column.
fn key(card: &Card, index: usize, source: &Source) -> Result<Key, ImportError> {
    let grid = card.identity(index, "the number of a point", source)?;
    let component = match card.text(index + 1) {
        "" => Some(0),
        text => text.parse::<u8>().ok().filter(|component| *component <= 6),
    };
    component.map(|component| (grid, component)).ok_or_else(|| {
        let message =
            format!("the component of point {grid} (field {}) is `{}`", index + 3, card.text(index + 1));
        card.error(source, message, "components are 1 to 6, or 0 for a scalar point")
    })
}
