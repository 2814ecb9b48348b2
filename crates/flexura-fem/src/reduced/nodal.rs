//! Nodal rows: the mass matrix of all nodal freedoms and the shapes at them.
//!
//! For formulations that keep the mesh in the loop (U. Lugris, M. A. Naya, J. A. Perez, J.
//! Cuadrado, co-rotational mass, eqs 11-15): nodal velocities in body axes are B (v, w, eta'),
//!   B(eta) = [1, -r~, phi; 0, 1, lambda],  r = l0 + phi eta,   M_m(eta) = B^T M B.
//! The mass matrix turns with the body's frame, so that it is constant here. Generalised
//! coordinates of given matrices have no place: their rows of B are those of the shapes alone.
//! Cost O(entries of M x (6 + modes)).

use super::bytes::{Input, Output};
use crate::assemble::nodal_mass;
use crate::error::FemError;
use crate::linear::SymmetricMatrix;
use crate::mesh::Mesh;
use crate::reduce::ReducedModel;
use flexura::model::nodal_mass::NodalMass;
use nalgebra::{DMatrix, Vector3};

/// Mass and shapes at the nodes of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct NodalRows {
    /// Places of the nodes from the reference (m); `None` for a generalised coordinate.
    pub positions: Vec<Option<[f64; 3]>>,
    /// Mass matrix of six freedoms per node, before links and supports, body axes.
    pub mass: SymmetricMatrix,
    /// Shapes: six rows per node (m, rad), one column per shape.
    pub shapes: DMatrix<f64>,
}

impl NodalRows {
    /// The rows of a reduced mesh.
    pub fn new(mesh: &Mesh, reduced: &ReducedModel) -> Result<Self, FemError> {
        let origin = Vector3::from(mesh.nodes[reduced.reference]);
        let place = |(node, at): (usize, &[f64; 3])| {
            (!mesh.is_coordinate(node)).then(|| (Vector3::from(*at) - origin).into())
        };
        Ok(Self {
            positions: mesh.nodes.iter().enumerate().map(place).collect(),
            mass: nodal_mass(mesh, reduced.mass_model)?,
            shapes: reduced.shapes.clone(),
        })
    }

    /// B: nodal velocities (six rows per node) from velocity and spin of the frame and the rates
    /// of the shapes, all in body axes, at amplitudes of the shapes.
    pub fn velocity_map(&self, amplitudes: &[f64]) -> Result<DMatrix<f64>, FemError> {
        let (rows, modes) = self.shapes.shape();
        if amplitudes.len() != modes {
            return Err(FemError::Size { what: "amplitudes".into(), got: amplitudes.len(), expected: modes });
        }
        let mut map = DMatrix::zeros(rows, 6 + modes);
        map.columns_mut(6, modes).copy_from(&self.shapes);
        let slide = &self.shapes * DMatrix::from_column_slice(modes, 1, amplitudes);
        for (node, place) in self.positions.iter().enumerate() {
            let Some(place) = place else { continue };
            let at = Vector3::from(*place) + slide.fixed_view::<3, 1>(6 * node, 0);
            let arm = -at.cross_matrix();
            for i in 0..3 {
                map[(6 * node + i, i)] = 1.0;
                map[(6 * node + 3 + i, 3 + i)] = 1.0;
                (0..3).for_each(|j| map[(6 * node + i, 3 + j)] = arm[(i, j)]);
            }
        }
        Ok(map)
    }

    /// B^T M B: the mass of (v, w, eta') at amplitudes of the shapes.
    pub fn mass_block(&self, amplitudes: &[f64]) -> Result<DMatrix<f64>, FemError> {
        let map = self.velocity_map(amplitudes)?;
        Ok(map.tr_mul(&self.mass.multiply(&map)))
    }

    /// The same rows as the engine multiplies them out.
    pub fn nodal_mass(&self) -> NodalMass {
        let (rows, modes) = self.shapes.shape();
        // Lower triangle by columns, so that the upper is by rows: both, in the order of the columns.
        let mut entries: Vec<Vec<(usize, f64)>> = vec![Vec::new(); rows];
        let (starts, places, values) = (self.mass.column_start(), self.mass.rows(), self.mass.values());
        for column in 0..rows {
            for at in starts[column]..starts[column + 1] {
                let row = places[at];
                entries[row].push((column, values[at]));
                if row != column {
                    entries[column].push((row, values[at]));
                }
            }
        }
        let mut out = NodalMass { modes, positions: self.positions.clone(), ..NodalMass::default() };
        out.starts.push(0);
        for row in &mut entries {
            row.sort_by_key(|(column, _)| *column);
            out.columns.extend(row.iter().map(|(column, _)| *column));
            out.values.extend(row.iter().map(|(_, value)| *value));
            out.starts.push(out.columns.len());
        }
        out.shapes.extend((0..rows).flat_map(|row| (0..modes).map(move |mode| self.shapes[(row, mode)])));
        out
    }

    pub(super) fn write(&self) -> Output {
        let mut out = Output::default();
        out.count(self.positions.len());
        for place in &self.positions {
            out.byte(u8::from(place.is_some()));
            out.reals(&place.unwrap_or_default());
        }
        out.list(self.shapes.as_slice());
        out.count(self.mass.values().len());
        for start in self.mass.column_start() {
            out.count(*start);
        }
        self.mass.rows().iter().for_each(|row| out.count(*row));
        out.reals(self.mass.values());
        out
    }

    pub(super) fn read(mut input: Input<'_>, modes: usize) -> Option<Self> {
        let count = input.count()?;
        let mut positions = Vec::new();
        for _ in 0..count {
            let placed = input.byte()?;
            let place = input.array()?;
            positions.push(match placed {
                0 => None,
                1 => Some(place),
                _ => return None,
            });
        }
        let (size, shapes) = (count.checked_mul(6)?, input.list()?);
        if shapes.len() != size.checked_mul(modes)? {
            return None;
        }
        let entries = input.count()?;
        let counts = |input: &mut Input<'_>, count: usize| -> Option<Vec<usize>> {
            let mut list = Vec::new();
            for _ in 0..count {
                list.push(input.count()?);
            }
            Some(list)
        };
        let starts = counts(&mut input, size + 1)?;
        let rows = counts(&mut input, entries)?;
        let mass = SymmetricMatrix::from_columns(size, starts, rows, input.reals(entries)?)?;
        let shapes = DMatrix::from_column_slice(size, modes, &shapes);
        input.is_empty().then_some(Self { positions, mass, shapes })
    }
}
