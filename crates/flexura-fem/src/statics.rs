//! Static response of a supported structure.

use crate::DOFS_PER_NODE;
use crate::assemble::System;
use crate::error::FemError;
use crate::linear::Factor;
use nalgebra::{DMatrix, DVector};

/// Forces and moments on the nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Loads(DVector<f64>);

impl Loads {
    /// No load on a number of nodes.
    pub fn none(nodes: usize) -> Self {
        Self(DVector::zeros(DOFS_PER_NODE * nodes))
    }

    /// Adds a force (N) and a moment (N m) at a node; nodes that do not exist are refused.
    pub fn at(mut self, node: usize, force: [f64; 3], moment: [f64; 3]) -> Result<Self, FemError> {
        if DOFS_PER_NODE * node >= self.0.len() {
            return Err(FemError::Missing { what: "a load".into(), missing: format!("node {node}") });
        }
        for axis in 0..3 {
            self.0[DOFS_PER_NODE * node + axis] += force[axis];
            self.0[DOFS_PER_NODE * node + 3 + axis] += moment[axis];
        }
        Ok(self)
    }

    /// Forces and moments, six per node.
    pub fn values(&self) -> &DVector<f64> {
        &self.0
    }
}

/// Nodal displacements and rotations under loads, six per node.
pub fn solve(system: &System, loads: &Loads) -> Result<DVector<f64>, FemError> {
    let expected = system.dofs.freedoms();
    if loads.0.len() != expected {
        return Err(FemError::Size { what: "the load vector".into(), got: loads.0.len(), expected });
    }
    let right = system.dofs.project(&loads.0);
    let mut unknowns = DMatrix::from_column_slice(right.len(), 1, right.as_slice());
    Factor::definite(&system.stiffness)?.solve_in_place(&mut unknowns)?;
    Ok(system.dofs.expand(&unknowns).column(0).into_owned())
}
