//! No reduction: the freedoms of the nodes are the coordinates.
//!
//! M. J. Richard (2012), eqs 49, 52, 66-67: a flexible body has the coordinates q = {R, theta, s_n}, place and attitude of
//! its frame and the displacements of its nodes in that frame. The frame is the reference node, which is held in it, so
//! that no motion is counted twice. Every unknown becomes a unit shape: mass, stiffness and viscous damping of the shapes are the
//! matrices of the mesh, and the body is the reference that any choice of modes must approach.
//!
//! Directions without mass (the drilling rotation of shells whose mass is lumped or linear) have no dynamics: Z spans them,
//! M Z = 0, and with them at rest on their stiffness the others are the shapes
//!   V - Z (Z^T K Z)^-1 Z^T K V,
//! which loses nothing (book/src/theory/reduction.md (FE.12)). V: unit shapes of all other directions.
//!
//! Symbols: K, M stiffness and mass of the held mesh. Cost: the sums of the body are of the order freedoms^3, which limits their number.

use super::Basis;
use crate::assemble::System;
use crate::error::FemError;
use crate::linear::{SWEEPS, solve_definite};
use crate::mesh::Mesh;
use nalgebra::{DMatrix, SymmetricEigen};
use std::collections::BTreeSet;

/// More freedoms of given matrices than this are not kept one by one.
const MOST_OF_MATRICES: usize = 1000;
/// The same of elements, whose bodies have displacements of second order: 200 MB of them.
const MOST_OF_ELEMENTS: usize = 300;
/// Rotary inertia of a node about one axis, relative to that about another, that is none: rounding of the sums over its elements.
const MASSLESS: f64 = 1e-12;

/// Unit displacements of every unknown: those of nodes, then generalised coordinates.
pub(super) fn every_freedom(mesh: &Mesh, system: &System) -> Result<Basis, FemError> {
    let size = system.dofs.unknowns();
    let most = if mesh.matrices.is_some() { MOST_OF_MATRICES } else { MOST_OF_ELEMENTS };
    if size > most {
        let what = "the number of freedoms".into();
        let rule = format!("to keep all, at most {most}");
        return Err(FemError::OutOfRange { what, value: size as f64, rule });
    }
    let unknowns = |wanted: bool| {
        (0..system.dofs.freedoms())
            .filter(move |freedom| mesh.is_coordinate(freedom / 6) == wanted)
            .filter_map(|freedom| system.dofs.unknown(freedom))
            .collect::<BTreeSet<usize>>()
    };
    let (of_nodes, of_coordinates) = (unknowns(false), unknowns(true));
    let order: Vec<usize> =
        of_nodes.iter().copied().chain(of_coordinates.difference(&of_nodes).copied()).collect();
    let mut shapes = DMatrix::zeros(size, order.len());
    order.iter().enumerate().for_each(|(column, unknown)| shapes[(*unknown, column)] = 1.0);
    if mesh.matrices.is_some() {
        return Ok(Basis { shapes, static_shapes: of_nodes.len() });
    }
    let massless = turn_to_massless(mesh, system, &mut shapes)?;
    let shapes = condense(system, shapes, &massless)?;
    Ok(Basis { static_shapes: shapes.ncols(), shapes })
}

/// Turns the rotations of nodes that have no inertia about some axis to that axis; the columns of these.
fn turn_to_massless(mesh: &Mesh, system: &System, shapes: &mut DMatrix<f64>) -> Result<Vec<usize>, FemError> {
    let mass = system.mass.congruence(shapes);
    let mut massless = Vec::new();
    for node in 0..mesh.nodes.len() {
        let unknowns: Vec<usize> = (3..6).filter_map(|axis| system.dofs.unknown(6 * node + axis)).collect();
        let columns: Vec<usize> = (0..shapes.ncols())
            .filter(|column| unknowns.iter().any(|unknown| shapes[(*unknown, *column)] != 0.0))
            .collect();
        if columns.is_empty() {
            continue;
        }
        let own = mass.select_rows(&columns).select_columns(&columns);
        let most = SWEEPS * columns.len();
        let finite = own.iter().all(|x| x.is_finite());
        let parts = finite.then(|| SymmetricEigen::try_new(own, f64::EPSILON, most)).flatten();
        let parts = parts.ok_or_else(|| {
            FemError::Algebra(format!("the rotary inertia of node {node} is no matrix of numbers"))
        })?;
        let none = MASSLESS * parts.eigenvalues.amax();
        if parts.eigenvalues.iter().all(|inertia| *inertia > none) {
            continue;
        }
        let turned = shapes.select_columns(&columns) * &parts.eigenvectors;
        for (place, column) in columns.iter().enumerate() {
            shapes.set_column(*column, &turned.column(place));
            if parts.eigenvalues[place] <= none {
                massless.push(*column);
            }
        }
    }
    Ok(massless)
}

/// Lets the `massless` columns follow the others statically.
fn condense(system: &System, shapes: DMatrix<f64>, massless: &[usize]) -> Result<DMatrix<f64>, FemError> {
    if massless.is_empty() {
        return Ok(shapes);
    }
    let rest: Vec<usize> = (0..shapes.ncols()).filter(|column| !massless.contains(column)).collect();
    let (still, moved) = (shapes.select_columns(massless), shapes.select_columns(&rest));
    let pulled = system.stiffness.multiply(&still);
    let follow = solve_definite(&still.tr_mul(&pulled), &pulled.tr_mul(&moved))?;
    Ok(moved - still * follow)
}
