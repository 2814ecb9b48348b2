//! Parts made of matrices: the files a part names, read and brought to SI units.

use super::description::{FileMatrix, MatrixReference, NodeSource, Units};
use crate::import::matrix::{Key, MatrixFile, MatrixSet, NodeTable, Wanted, read_file, table, tie};
use crate::import::{ImportError, Imported, LeftOut};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const LENGTH: f64 = 1e-3;

/// All files a reference names.
pub(crate) fn files(reference: &MatrixReference, part: &Path) -> Vec<PathBuf> {
    let folder = part.parent().unwrap_or(Path::new(""));
    let matrices = [Some(&reference.stiffness), Some(&reference.mass)];
    let optional = [reference.damping.as_ref(), reference.recovery.as_ref()];
    let tables = [Some(&reference.nodes), reference.recovery_nodes.as_ref()];
    let named = matrices.into_iter().chain(optional).flatten().map(|matrix| matrix.file.as_str());
    let listed = tables.into_iter().flatten().filter_map(|nodes| match nodes {
        NodeSource::File(file) => Some(file.as_str()),
        NodeSource::Table(_) => None,
    });
    named.chain(listed).chain(reference.rows.as_deref()).map(|file| folder.join(file)).collect()
}

/// Reads the matrices of a part.
pub(super) fn import(reference: &MatrixReference, part: &Path) -> Result<Imported, ImportError> {
    let folder = part.parent().unwrap_or(Path::new(""));
    let nodes = node_table(&reference.nodes, part)?;
    let rows = match &reference.rows {
        Some(file) => table::read_rows(&folder.join(file))?,
        None => nodes.rows(),
    };
    let recovered = match &reference.recovery_nodes {
        Some(source) => node_table(source, part)?,
        None => NodeTable::default(),
    };
    let read = |matrix: &FileMatrix, kind: &str, initials: &[char], rows: &[Key], columns: &[Key]| {
        let wanted = Wanted { kind, name: matrix.name.as_deref(), initials };
        read_file(&folder.join(&matrix.file), &wanted, rows, columns)
    };
    let square = |matrix: &FileMatrix, kind: &str, initial: char| -> Result<MatrixFile, ImportError> {
        read(matrix, kind, &[initial], &rows, &rows)
    };
    let mut set = MatrixSet {
        stiffness: square(&reference.stiffness, "stiffness", 'K')?,
        mass: square(&reference.mass, "mass", 'M')?,
        damping: reference.damping.as_ref().map(|matrix| square(matrix, "damping", 'B')).transpose()?,
        recovery: None,
        nodes,
        recovered,
    };
    if let Some(matrix) = &reference.recovery {
        set.recovery = Some(read(matrix, "recovery", &['G', 'T'], &set.recovered.rows(), &rows)?);
    }
    if reference.units == Units::MillimetreTonne {
        to_si(&mut set);
    }
    let mut imported = tie(&set)?;
    imported.notices.extend(left_out(&set).notices("it is not part of the matrices and nodes"));
    Ok(imported)
}

/// Cards that no reader of their file has used.
fn left_out(set: &MatrixSet) -> LeftOut {
    let matrices = [Some(&set.stiffness), Some(&set.mass), set.damping.as_ref(), set.recovery.as_ref()];
    let of_matrices = matrices.into_iter().flatten().map(|matrix| (&matrix.file, &matrix.left_out));
    let of_tables = [&set.nodes, &set.recovered].map(|table| (&table.file, &table.left_out));
    let mut by_file: BTreeMap<&String, LeftOut> = BTreeMap::new();
    for (file, cards) in of_matrices.chain(of_tables) {
        by_file.entry(file).and_modify(|all| all.also_left_out_by(cards)).or_insert_with(|| cards.clone());
    }
    let mut all = LeftOut::default();
    by_file.into_values().for_each(|cards| all.extend(cards));
    all
}

fn node_table(source: &NodeSource, part: &Path) -> Result<NodeTable, ImportError> {
    match source {
        NodeSource::File(file) => NodeTable::read_file(&part.parent().unwrap_or(Path::new("")).join(file)),
        NodeSource::Table(nodes) => {
            Ok(NodeTable { file: part.display().to_string(), nodes: nodes.clone(), ..NodeTable::default() })
        }
    }
}

/// From millimetre, tonne, second. With displacements u' = S u (S a thousand for translations, one
/// for rotations and coordinates) and energy in N mm: K = 1e-3 S K' S, and the same for mass and
/// damping.
fn to_si(set: &mut MatrixSet) {
    let scale = |key: Key| if (1..=3).contains(&key.1) { 1.0 / LENGTH } else { 1.0 };
    let square = [Some(&mut set.stiffness), Some(&mut set.mass), set.damping.as_mut()];
    for entry in square.into_iter().flatten().flat_map(|matrix| &mut matrix.entries) {
        entry.value *= LENGTH * scale(entry.row) * scale(entry.column);
    }
    for entry in set.recovery.iter_mut().flat_map(|matrix| &mut matrix.entries) {
        entry.value *= scale(entry.column) / scale(entry.row);
    }
    for node in set.nodes.nodes.iter_mut().chain(&mut set.recovered.nodes) {
        node.position.iter_mut().flatten().for_each(|x| *x *= LENGTH);
    }
}
