//! Matrices, node tables and recovery rows tied together to a mesh.
//!
//! The matrices must be those of the free part: K R = 0 for its six rigid motions R, row by row
//! against the sum of the sizes of the terms, and its mass the same along x, y and z. A wrong
//! position, unit or order of rows shows there.

use super::super::deck::Imported;
use super::super::error::ImportError;
use super::{Key, MatrixFile, NodeTable};
use crate::assemble::rigid_motions;
use crate::linear::SymmetricMatrix;
use crate::matrices::{Entries, NodalMatrices, RecoveryRow};
use crate::mesh::Mesh;
use nalgebra::{DMatrix, Vector3};
use std::collections::{BTreeMap, BTreeSet};

/// Share of the terms of a row that may be left of a rigid motion: five digits are kept by the
/// narrowest fields of punch files.
const REFUSED: f64 = 1e-3;
/// Share from which the user is told.
const NOTICED: f64 = 1e-6;
/// Difference of the two triangles of a general matrix, against its diagonal.
const ASYMMETRY: f64 = 1e-6;

/// Everything a part of matrices is made of, in the units of its files.
#[derive(Clone, Debug, Default)]
pub struct MatrixSet {
    /// Nodes and generalised coordinates of the matrices.
    pub nodes: NodeTable,
    /// Stiffness.
    pub stiffness: MatrixFile,
    /// Mass.
    pub mass: MatrixFile,
    /// Viscous damping.
    pub damping: Option<MatrixFile>,
    /// Nodes without rows in the matrices.
    pub recovered: NodeTable,
    /// How they follow: their freedoms by those of the matrices.
    pub recovery: Option<MatrixFile>,
}

/// The mesh of a set of matrices.
pub fn tie(set: &MatrixSet) -> Result<Imported, ImportError> {
    let mut imported = Imported::default();
    let mut coordinates = BTreeSet::new();
    add_nodes(&set.nodes, &mut imported, &mut coordinates)?;
    let size = 6 * imported.mesh.nodes.len();
    let places = places(&set.nodes, &imported);
    let stiffness = lower(&set.stiffness, &places)?;
    let mass = lower(&set.mass, &places)?;
    let damping = set.damping.as_ref().map(|matrix| lower(matrix, &places)).transpose()?;
    let mut matrices = NodalMatrices::new(size, &stiffness, &mass, damping.as_ref());
    add_nodes(&set.recovered, &mut imported, &mut coordinates)?;
    matrices.coordinates = coordinates;
    if let Some(recovery) = &set.recovery {
        matrices.recovery = recovery_rows(recovery, &places, &set.recovered, &imported)?;
    }
    let used = matrices.used();
    let rows = set.nodes.rows();
    if let Some(node) = set.nodes.nodes.iter().find(|node| {
        let of_node = rows.iter().filter(|(number, _)| *number == node.number);
        of_node.into_iter().all(|key| !used[places[key]])
    }) {
        let message = format!("node {} has no row in the matrices", node.number);
        let help = "leave it out of the table, or put it among the recovered nodes";
        return Err(table_error(&set.nodes, node.line, message, help));
    }
    let held = rows.iter().filter(|key| !used[places[key]]).count();
    if held > 0 {
        let notice = format!("{held} freedoms of the node table have neither stiffness nor mass: held");
        imported.notices.push(notice);
    }
    imported.mesh.matrices = Some(matrices);
    check_rigid(set, &mut imported)?;
    Ok(imported)
}

fn table_error(table: &NodeTable, line: usize, message: String, help: &str) -> ImportError {
    let (file, card) = (table.file.clone(), "node table".into());
    ImportError { line, card, ..ImportError::of_file(&file, message, help) }
}

/// Adds the nodes of a table; generalised coordinates are put in the middle of the others.
fn add_nodes(
    table: &NodeTable,
    imported: &mut Imported,
    coordinates: &mut BTreeSet<usize>,
) -> Result<(), ImportError> {
    let placed: Vec<Vector3<f64>> =
        table.nodes.iter().filter_map(|node| node.position).map(Vector3::from).collect();
    let middle = placed.iter().sum::<Vector3<f64>>() / placed.len().max(1) as f64;
    for node in &table.nodes {
        let index = imported.mesh.node(node.position.unwrap_or(middle.into()));
        if imported.numbers.insert(node.number, index).is_some() {
            let message = format!("node {} is given twice", node.number);
            return Err(table_error(table, node.line, message, "give every node once"));
        }
        if node.position.is_none() {
            coordinates.insert(index);
        }
        if !node.set.is_empty() {
            imported.mesh.sets.entry(node.set.clone()).or_default().push(index);
        }
    }
    Ok(())
}

/// Freedom of each row of the table.
fn places(table: &NodeTable, imported: &Imported) -> BTreeMap<Key, usize> {
    let place = |key: Key| (key, 6 * imported.numbers[&key.0] + usize::from(key.1.saturating_sub(1)));
    table.rows().into_iter().map(place).collect()
}

fn place_of(
    matrix: &MatrixFile,
    key: Key,
    line: usize,
    places: &BTreeMap<Key, usize>,
    what: &str,
) -> Result<usize, ImportError> {
    places.get(&key).copied().ok_or_else(|| {
        let message = format!("{what} {} {} is not in the node table", key.0, key.1);
        let help = "give the node with its position and freedoms; component 0 is a generalised coordinate";
        matrix.error(line, message, help)
    })
}

/// Lower triangle of a symmetric matrix.
fn lower(matrix: &MatrixFile, places: &BTreeMap<Key, usize>) -> Result<Entries, ImportError> {
    if matrix.entries.is_empty() {
        return Err(matrix.error(0, "the matrix has no entries", "check that it was written"));
    }
    let mut full: BTreeMap<(usize, usize), (f64, usize)> = BTreeMap::new();
    for entry in &matrix.entries {
        let row = place_of(matrix, entry.row, entry.line, places, "row")?;
        let column = place_of(matrix, entry.column, entry.line, places, "column")?;
        let place = if matrix.symmetric { (row.max(column), row.min(column)) } else { (row, column) };
        if row == column && entry.value < 0.0 {
            let message = format!("the diagonal at {} {} is negative", entry.row.0, entry.row.1);
            return Err(matrix.error(
                entry.line,
                message,
                "stiffness, mass and damping take energy, not give it",
            ));
        }
        full.insert(place, (entry.value, entry.line));
    }
    if matrix.symmetric {
        return Ok(full.into_iter().map(|(place, (value, _))| (place, value)).collect());
    }
    let at = |place: (usize, usize)| full.get(&place).map_or(0.0, |(value, _)| *value);
    let mut lower = Entries::new();
    for (&(row, column), &(value, line)) in &full {
        let other = at((column, row));
        let scale = (at((row, row)) * at((column, column))).sqrt().max(value.abs().min(other.abs()));
        if (value - other).abs() > ASYMMETRY * scale {
            let message =
                format!("the matrix is not symmetric: {value:e} here, {other:e} at the mirrored place");
            return Err(matrix.error(line, message, "only symmetric matrices are reduced"));
        }
        lower.insert((row.max(column), row.min(column)), 0.5 * (value + other));
    }
    Ok(lower)
}

fn recovery_rows(
    matrix: &MatrixFile,
    places: &BTreeMap<Key, usize>,
    recovered: &NodeTable,
    imported: &Imported,
) -> Result<Vec<RecoveryRow>, ImportError> {
    if matrix.symmetric {
        let help = "write it as a general (rectangular) matrix";
        return Err(matrix.error(0, "recovery rows cannot be a symmetric matrix", help));
    }
    if let Some(node) = recovered.nodes.iter().find(|node| node.position.is_none()) {
        let message = format!("node {} is a generalised coordinate", node.number);
        return Err(table_error(recovered, node.line, message, "recovered nodes have a position"));
    }
    let own = self::places(recovered, imported);
    // Every freedom of the table follows; one without entries stays at zero.
    let mut rows: BTreeMap<usize, Vec<(usize, f64)>> =
        own.values().map(|freedom| (*freedom, Vec::new())).collect();
    for entry in &matrix.entries {
        let row = place_of(matrix, entry.row, entry.line, &own, "recovered row")?;
        let column = place_of(matrix, entry.column, entry.line, places, "column")?;
        rows.entry(row).or_default().push((column, entry.value));
    }
    Ok(rows.into_iter().collect())
}

/// Refuses matrices that resist rigid motions, and rows of recovered nodes that do not follow them.
fn check_rigid(set: &MatrixSet, imported: &mut Imported) -> Result<(), ImportError> {
    let Imported { mesh, notices, .. } = imported;
    let Some(matrices) = &mesh.matrices else { return Ok(()) };
    let middle = mesh.nodes.iter().map(|x| Vector3::from(*x)).sum::<Vector3<f64>>() / mesh.nodes.len() as f64;
    let rigid = rigid_motions(mesh, middle);
    let worst = strain_of_rigid(&matrices.stiffness, &rigid);
    let help = "give the matrices of the free part, in the units and at the positions of the node table";
    if worst.is_nan() || worst > REFUSED {
        let message =
            format!("the stiffness resists rigid motions of the nodes (a share of {worst:.1e} of a row)");
        return Err(set.stiffness.error(0, message, help));
    }
    if worst > NOTICED {
        notices.push(format!("the stiffness resists rigid motions: a share of {worst:.1e} of a row"));
    }
    let momentum = matrices.mass_times(&rigid);
    let masses: [f64; 3] = std::array::from_fn(|axis| rigid.column(axis).dot(&momentum.column(axis)));
    let (least, most) = masses.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), m| (a.min(*m), b.max(*m)));
    if !(least > 0.0 && most - least <= REFUSED * most) {
        let [x, y, z] = masses;
        let message = format!("the mass differs along the axes: {x:e}, {y:e}, {z:e}");
        return Err(set.mass.error(0, message, help));
    }
    let worst = recovery_defect(mesh, matrices, &rigid);
    match &set.recovery {
        Some(recovery) if worst.is_nan() || worst > REFUSED => {
            let message = format!("recovered nodes do not follow rigid motions (off by {worst:.1e})");
            Err(recovery.error(0, message, help))
        }
        _ => Ok(()),
    }
}

/// Largest share of a row that is left of a rigid motion.
fn strain_of_rigid(stiffness: &SymmetricMatrix, rigid: &DMatrix<f64>) -> f64 {
    let size = stiffness.size();
    let mut worst = 0.0_f64;
    for motion in rigid.column_iter() {
        let (mut sum, mut terms) = (vec![0.0; size], vec![0.0; size]);
        for column in 0..size {
            for (row, value) in stiffness.column(column) {
                let mut add = |to: usize, term: f64| {
                    sum[to] += term;
                    terms[to] += term.abs();
                };
                add(row, value * motion[column]);
                if row != column {
                    add(column, value * motion[row]);
                }
            }
        }
        for (row, (sum, terms)) in sum.iter().zip(&terms).enumerate() {
            // What is small against the stiffness of the row itself is rounding.
            let floor = stiffness.column(row).find(|(place, _)| *place == row).map_or(0.0, |(_, v)| v.abs());
            let scale = terms.max(floor * motion.amax());
            worst = if scale > 0.0 { worst.max(sum.abs() / scale) } else { worst };
        }
    }
    worst
}

fn recovery_defect(mesh: &Mesh, matrices: &NodalMatrices, rigid: &DMatrix<f64>) -> f64 {
    let size = mesh.nodes.iter().flatten().fold(1e-300_f64, |most, x| most.max(x.abs()));
    let mut worst = 0.0_f64;
    for (freedom, terms) in &matrices.recovery {
        for motion in 0..6 {
            let followed: f64 = terms.iter().map(|(leader, factor)| factor * rigid[(*leader, motion)]).sum();
            let scale = if motion >= 3 && freedom % 6 < 3 { size } else { 1.0 };
            worst = worst.max((followed - rigid[(*freedom, motion)]).abs() / scale);
        }
    }
    worst
}
