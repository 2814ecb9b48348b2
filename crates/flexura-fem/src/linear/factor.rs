//! Sparse LDL^T of a symmetric matrix, with the signs of its pivots.
//!
//! By Sylvester's law of inertia the number of negative pivots of K - s M is
//! the number of eigenvalues of K phi = lambda M phi below s. Factorised
//! without row exchanges (minimum-degree ordering, supernodes), which is safe
//! for positive definite matrices; for indefinite ones [`Factor::defect`] tells.

use super::SymmetricMatrix;
use crate::error::FemError;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::{LdltError, LdltRegularization};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky, supernodal::SupernodalLdltRef,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side, Spec};
use nalgebra::DMatrix;
use std::sync::Arc;

/// Ordering and fill of a pattern, shared by every matrix that has it.
#[derive(Clone, Debug)]
pub struct Analysis(Arc<SymbolicCholesky<usize>>);

/// The factors of one matrix.
#[derive(Debug)]
pub struct Factor {
    analysis: Analysis,
    values: Vec<f64>,
    pivots: Vec<f64>,
}

fn pattern(matrix: &SymmetricMatrix) -> SymbolicSparseColMatRef<'_, usize> {
    let size = matrix.size();
    SymbolicSparseColMatRef::new_checked(size, size, matrix.column_start(), None, matrix.rows())
}

impl Analysis {
    /// Orders the unknowns of a pattern and finds the fill of its factor.
    pub fn of(matrix: &SymmetricMatrix) -> Result<Self, FemError> {
        let parameters = CholeskySymbolicParams::default();
        factorize_symbolic_cholesky(pattern(matrix), Side::Lower, SymmetricOrdering::Amd, parameters)
            .map(|symbolic| Self(Arc::new(symbolic)))
            .map_err(|error| FemError::Algebra(format!("{error:?}")))
    }

    /// Stored entries of the factor.
    pub fn fill(&self) -> usize {
        self.0.len_val()
    }

    /// Row of the matrix eliminated at a step. The library may name a step behind the last one for a pivot that is no number.
    fn row_at(&self, step: usize) -> usize {
        let step = step.min(self.0.nrows().saturating_sub(1));
        self.0.perm().map_or(step, |perm| perm.arrays().0[step])
    }
}

impl Factor {
    /// Factorises a matrix of a pattern already ordered.
    pub fn with_analysis(analysis: &Analysis, matrix: &SymmetricMatrix) -> Result<Self, FemError> {
        let symbolic = &analysis.0;
        let mut values = vec![0.0; symbolic.len_val()];
        let request = symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Spec::default());
        let mut memory = buffer(request)?;
        symbolic
            .factorize_numeric_ldlt(
                &mut values,
                SparseColMatRef::new(pattern(matrix), matrix.values()),
                Side::Lower,
                LdltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Spec::default(),
            )
            .map_err(|LdltError::ZeroPivot { index }| FemError::Singular { row: analysis.row_at(index) })?;
        let pivots = pivots_of(symbolic, &values);
        if let Some(step) = pivots.iter().position(|pivot| !pivot.is_finite()) {
            return Err(FemError::Singular { row: analysis.row_at(step) });
        }
        Ok(Self { analysis: analysis.clone(), values, pivots })
    }

    /// Factorises a matrix that must be positive definite; a pivot that vanishes
    /// beside its diagonal entry counts as zero.
    pub fn definite(matrix: &SymmetricMatrix) -> Result<Self, FemError> {
        Self::definite_with_analysis(&Analysis::of(matrix)?, matrix)
    }

    /// As [`Self::definite`], for a pattern already ordered.
    pub fn definite_with_analysis(analysis: &Analysis, matrix: &SymmetricMatrix) -> Result<Self, FemError> {
        let factor = Self::with_analysis(analysis, matrix)?;
        let diagonal = matrix.diagonal();
        for (step, pivot) in factor.pivots.iter().enumerate() {
            let row = factor.analysis.row_at(step);
            if *pivot <= 1e-13 * diagonal[row].abs() {
                return Err(FemError::Singular { row });
            }
        }
        Ok(factor)
    }

    /// The ordering, for further matrices of the same pattern.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Number of negative pivots: eigenvalues of the matrix below zero.
    pub fn negative_pivots(&self) -> usize {
        self.pivots.iter().filter(|pivot| **pivot < 0.0).count()
    }

    /// Solves in place for each column.
    pub fn solve_in_place(&self, right: &mut DMatrix<f64>) -> Result<(), FemError> {
        let (rows, columns) = right.shape();
        let symbolic = &self.analysis.0;
        if rows != symbolic.nrows() {
            return Err(FemError::Size { what: "right side".into(), got: rows, expected: symbolic.nrows() });
        }
        let mut memory = buffer(symbolic.solve_in_place_scratch::<f64>(columns, Par::Seq))?;
        let view = MatMut::from_column_major_slice_mut(right.as_mut_slice(), rows, columns);
        let factor = LdltRef::new(symbolic, &self.values);
        factor.solve_in_place_with_conj(Conj::No, view, Par::Seq, MemStack::new(&mut memory));
        Ok(())
    }

    /// Solves for each column.
    pub fn solve(&self, right: &DMatrix<f64>) -> Result<DMatrix<f64>, FemError> {
        let mut solution = right.clone();
        self.solve_in_place(&mut solution)?;
        Ok(solution)
    }

    /// Relative residual of a solve with a mixed right side: how far the factors
    /// can be trusted (small means the pivots can).
    pub fn defect(&self, matrix: &SymmetricMatrix) -> Result<f64, FemError> {
        let exact = DMatrix::from_fn(matrix.size(), 1, |i, _| 1.0 + ((i * 7919) % 101) as f64 / 101.0);
        let right = matrix.multiply(&exact);
        let residual = matrix.multiply(&self.solve(&right)?) - &right;
        Ok(residual.norm() / right.norm().max(f64::MIN_POSITIVE))
    }
}

fn buffer(request: faer::dyn_stack::StackReq) -> Result<MemBuffer, FemError> {
    MemBuffer::try_new(request).map_err(|_| FemError::Algebra("out of memory".into()))
}

/// The diagonal D, in elimination order. Both storages keep it on the diagonal of L.
fn pivots_of(symbolic: &SymbolicCholesky<usize>, values: &[f64]) -> Vec<f64> {
    match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(simplicial) => {
            simplicial.col_ptr()[..simplicial.nrows()].iter().map(|&start| values[start]).collect()
        }
        SymbolicCholeskyRaw::Supernodal(supernodal) => {
            let factor = SupernodalLdltRef::new(supernodal, values);
            let of_node = |s| {
                let block = factor.supernode(s).val();
                (0..block.ncols()).map(move |i| block[(i, i)])
            };
            (0..supernodal.n_supernodes()).flat_map(of_node).collect()
        }
    }
}
