//! A structure held at its reference node, assembled and factorised once for everything that is solved on it.
//!
//! Unit load cases of stiffening and the flexibility of the whole part have the same support, which is statically determinate.

use crate::assemble::{System, assemble};
use crate::constraint::Supports;
use crate::element::MassModel;
use crate::error::FemError;
use crate::linear::Factor;
use crate::mesh::Mesh;
use nalgebra::DMatrix;
use std::cell::OnceCell;

/// The structure, made when it is first asked for.
pub(crate) struct Held<'a> {
    mesh: &'a Mesh,
    reference: usize,
    mass: MassModel,
    made: OnceCell<(System, Factor)>,
}

impl<'a> Held<'a> {
    /// The structure of `mesh`, held at a node.
    pub fn new(mesh: &'a Mesh, reference: usize, mass: MassModel) -> Self {
        Self { mesh, reference, mass, made: OnceCell::new() }
    }

    fn made(&self) -> Result<&(System, Factor), FemError> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let system = assemble(self.mesh, &Supports::none().clamp(&[self.reference]), self.mass)?;
        let factor = Factor::definite(&system.stiffness)?;
        Ok(self.made.get_or_init(|| (system, factor)))
    }

    /// Forces on the unknowns for forces on all nodal freedoms, one column per case.
    pub fn project(&self, nodal: &DMatrix<f64>) -> Result<DMatrix<f64>, FemError> {
        let (system, _) = self.made()?;
        let columns: Vec<_> =
            nodal.column_iter().map(|column| system.dofs.project(&column.into_owned())).collect();
        Ok(DMatrix::from_columns(&columns))
    }

    /// What the unknowns answer to forces on them.
    pub fn answer(&self, forces: &DMatrix<f64>) -> Result<DMatrix<f64>, FemError> {
        self.made()?.1.solve(forces)
    }

    /// Displacements of all nodal freedoms under forces on them.
    pub fn displacements(&self, nodal: &DMatrix<f64>) -> Result<DMatrix<f64>, FemError> {
        let mut unknowns = self.project(nodal)?;
        let (system, factor) = self.made()?;
        factor.solve_in_place(&mut unknowns)?;
        Ok(system.dofs.expand(&unknowns))
    }
}
