//! Constraints by elimination: every nodal freedom as a combination of the
//! unknowns of the solution.
//!
//! A freedom is independent, fixed (no terms), or follows others: the master of a rigid
//! link, the mean of several nodes (`relation`), or the rest of a linear equation (`equation`). Leaders may follow other leaders;
//! circles are refused. Rotations that nothing stiffens, those of nodes of solids alone,
//! are fixed.

mod equation;
mod relation;

use crate::DOFS_PER_NODE;
use crate::error::FemError;
use crate::mesh::Mesh;
use nalgebra::{DMatrix, DVector};
use relation::{Role, resolve, roles};

/// Freedoms held at zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Supports {
    held: Vec<(usize, [bool; DOFS_PER_NODE])>,
    /// Freedoms held at every node that follows no other.
    everywhere: [bool; DOFS_PER_NODE],
}

/// The combination of unknowns behind every nodal freedom.
#[derive(Clone, Debug, PartialEq)]
pub struct DofMap {
    unknowns: usize,
    /// Start of each freedom's terms, and the end of the last.
    start: Vec<usize>,
    terms: Vec<(usize, f64)>,
}

impl Supports {
    /// No support: a free body.
    pub fn none() -> Self {
        Self::default()
    }

    /// Holds all six freedoms of the nodes.
    pub fn clamp(self, nodes: &[usize]) -> Self {
        self.hold(nodes, [true; DOFS_PER_NODE])
    }

    /// Holds the marked freedoms (ux, uy, uz, rx, ry, rz) of the nodes.
    pub fn hold(mut self, nodes: &[usize], freedoms: [bool; DOFS_PER_NODE]) -> Self {
        self.held.extend(nodes.iter().map(|node| (*node, freedoms)));
        self
    }

    /// Holds the marked freedoms of every node that follows no other: a structure that moves in a plane.
    pub fn hold_everywhere(mut self, freedoms: [bool; DOFS_PER_NODE]) -> Self {
        self.everywhere = freedoms;
        self
    }
}

/// What to do with a frame at a node that does not turn.
pub(crate) const NO_ROTATION_HELP: &str =
    "hang a set of nodes on a node of its own, rigidly (RBE2) or by their mean (RBE3)";

/// Which nodes have no rotation at all: those of solids alone, and those of matrices with
/// translations only.
pub(crate) fn nodes_without_rotation(mesh: &Mesh) -> Result<Vec<bool>, FemError> {
    let roles = roles(mesh, &Supports::none())?;
    let still = |node: &[Role]| node[3..].iter().all(|role| *role == Role::Held);
    Ok(roles.chunks_exact(DOFS_PER_NODE).map(still).collect())
}

/// Equations of a mesh that follow from its links and from the equations before them.
pub(crate) fn redundant_equations(mesh: &Mesh) -> Result<Vec<usize>, FemError> {
    let mut roles = relation::linked(mesh)?;
    equation::eliminate(mesh, &mut roles)
}

impl DofMap {
    /// Numbers the unknowns of a mesh under supports.
    pub fn new(mesh: &Mesh, supports: &Supports) -> Result<Self, FemError> {
        let roles = roles(mesh, supports)?;
        let terms = resolve(&roles)?;
        let mut number = vec![None; roles.len()];
        let mut unknowns = 0;
        for (freedom, role) in roles.iter().enumerate() {
            if *role == Role::Free {
                number[freedom] = Some(unknowns);
                unknowns += 1;
            }
        }
        let (mut start, mut flat) = (vec![0], Vec::new());
        for list in &terms {
            flat.extend(list.iter().filter_map(|(freedom, factor)| Some((number[*freedom]?, *factor))));
            start.push(flat.len());
        }
        Ok(Self { unknowns, start, terms: flat })
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }

    /// Number of nodal freedoms, six per node.
    pub fn freedoms(&self) -> usize {
        self.start.len() - 1
    }

    /// Unknowns and factors behind a nodal freedom.
    pub fn terms(&self, freedom: usize) -> &[(usize, f64)] {
        &self.terms[self.start[freedom]..self.start[freedom + 1]]
    }

    /// The unknown that is this freedom, when it is independent.
    pub fn unknown(&self, freedom: usize) -> Option<usize> {
        match self.terms(freedom) {
            [(unknown, factor)] if *factor == 1.0 => Some(*unknown),
            _ => None,
        }
    }

    /// Nodal freedoms from unknowns, column by column.
    pub fn expand(&self, unknowns: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(self.freedoms(), unknowns.ncols(), |freedom, column| {
            self.terms(freedom).iter().map(|(i, factor)| factor * unknowns[(*i, column)]).sum()
        })
    }

    /// Generalised forces on the unknowns from nodal forces and moments.
    pub fn project(&self, nodal: &DVector<f64>) -> DVector<f64> {
        let mut result = DVector::zeros(self.unknowns);
        for freedom in 0..self.freedoms() {
            for (unknown, factor) in self.terms(freedom) {
                result[*unknown] += factor * nodal[freedom];
            }
        }
        result
    }

    /// The part of a nodal displacement field that the unknowns hold.
    pub fn restrict(&self, nodal: &DMatrix<f64>) -> DMatrix<f64> {
        let mut result = DMatrix::zeros(self.unknowns, nodal.ncols());
        for freedom in 0..self.freedoms() {
            if let Some(unknown) = self.unknown(freedom) {
                result.set_row(unknown, &nodal.row(freedom));
            }
        }
        result
    }
}
