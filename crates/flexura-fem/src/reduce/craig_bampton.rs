//! Craig-Bampton shapes: static responses to unit interface displacements, then
//! modes with the interfaces fixed.
//!
//! With unknowns split into interface b and interior i:
//!   static  X_b = I, X_i = -K_ii^-1 K_ib;   dynamic  K_ii phi = w^2 M_ii phi, X_b = 0.
//! Static response to interface loads is exact, whatever modes are kept, and
//! K has no coupling between static and dynamic shapes.
//!
//! Typeset: book/src/theory/reduction.md (FE.1).

use super::Basis;
use super::select::{Selection, Source};
use crate::assemble::{Pencil, System};
use crate::eigen::{EigenOptions, ShiftedFactor};
use crate::error::FemError;
use nalgebra::DMatrix;

/// Static shapes of interface unknowns, then so many fixed-interface modes, in the unknowns
/// of a supported structure.
pub fn shapes(
    system: &System,
    interfaces: &[usize],
    modes: usize,
    options: &EigenOptions,
) -> Result<DMatrix<f64>, FemError> {
    let none = DMatrix::zeros(system.dofs.unknowns(), 3);
    Ok(basis(system, interfaces, &Selection::Count(modes), options, &none)?.shapes)
}

/// Shapes in the unknowns of the supported structure.
pub(super) fn basis(
    system: &System,
    interfaces: &[usize],
    selection: &Selection,
    options: &EigenOptions,
    translations: &DMatrix<f64>,
) -> Result<Basis, FemError> {
    let size = system.dofs.unknowns();
    let (inner, boundary) = split(size, interfaces);
    let interior_size = size - interfaces.len();
    let mut shapes = DMatrix::zeros(size, interfaces.len());
    for (column, unknown) in interfaces.iter().enumerate() {
        shapes[(*unknown, column)] = 1.0;
    }
    if interior_size == 0 {
        return Ok(Basis { shapes, static_shapes: interfaces.len() });
    }
    let interior_stiffness = system.stiffness.principal_block(&inner);
    let mut response = -system.stiffness.coupling_block(&inner, &boundary);
    let interior_mass = system.mass.principal_block(&inner);
    let pencil = Pencil { stiffness: &interior_stiffness, mass: &interior_mass };
    let mut factors = ShiftedFactor::unshifted(pencil)?;
    factors.at(0.0)?.solve_in_place(&mut response)?;
    place(&mut shapes, &inner, &response, 0);
    if *selection != Selection::Count(0) {
        let rows: Vec<usize> = (0..size).filter(|unknown| inner[*unknown].is_some()).collect();
        let translations = translations.select_rows(&rows);
        let source = Source { pencil, options: *options, factors: Some(factors), rigid: 0, translations };
        let spectrum = selection.modes(source)?;
        shapes = shapes.resize_horizontally(interfaces.len() + spectrum.shapes.ncols(), 0.0);
        place(&mut shapes, &inner, &spectrum.shapes, interfaces.len());
    }
    Ok(Basis { shapes, static_shapes: interfaces.len() })
}

/// Places of the unknowns in the interior block and in the boundary block.
fn split(size: usize, interfaces: &[usize]) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
    let (mut inner, mut boundary) = (vec![None; size], vec![None; size]);
    for (place, unknown) in interfaces.iter().enumerate() {
        boundary[*unknown] = Some(place);
    }
    let mut next = 0;
    for unknown in 0..size {
        if boundary[unknown].is_none() {
            inner[unknown] = Some(next);
            next += 1;
        }
    }
    (inner, boundary)
}

/// Copies interior columns into the shapes from a column on.
fn place(shapes: &mut DMatrix<f64>, inner: &[Option<usize>], columns: &DMatrix<f64>, first: usize) {
    for (unknown, row) in inner.iter().enumerate() {
        if let Some(row) = row {
            for column in 0..columns.ncols() {
                shapes[(unknown, first + column)] = columns[(*row, column)];
            }
        }
    }
}
