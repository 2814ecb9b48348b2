//! Sparse LDL^T of a symmetric matrix, with the signs of its pivots.
//!
//! By Sylvester's law of inertia the number of negative pivots of K - s M is
//! the number of eigenvalues of K phi = lambda M phi below s. Factorised
//! without row exchanges (ordering of `analysis`, supernodes), which is safe
//! for positive definite matrices; for indefinite ones [`Factor::defect`] tells.

use super::SymmetricMatrix;
use super::analysis::{Analysis, buffer, pattern};
use crate::error::FemError;
use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::ldlt::factor::{LdltError, LdltRegularization};
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::cholesky::{
    LdltRef, SymbolicCholesky, SymbolicCholeskyRaw, supernodal::SupernodalLdltRef,
};
use faer::{Conj, MatMut, Par, Side, Spec};
use nalgebra::DMatrix;

/// The factors of one matrix.
#[derive(Debug)]
pub struct Factor {
    analysis: Analysis,
    values: Vec<f64>,
    pivots: Vec<f64>,
}

impl Factor {
    /// Factorises a matrix of a pattern already ordered.
    pub fn with_analysis(analysis: &Analysis, matrix: &SymmetricMatrix) -> Result<Self, FemError> {
        let mut factor = Self::empty(analysis);
        factor.refill(matrix)?;
        Ok(factor)
    }

    /// Memory for factors of a pattern, of nothing so far.
    pub(crate) fn empty(analysis: &Analysis) -> Self {
        Self { analysis: analysis.clone(), values: vec![0.0; analysis.fill()], pivots: Vec::new() }
    }

    /// Factorises another matrix of the same pattern in the memory of this one. After an error the factors are of nothing.
    pub fn refill(&mut self, matrix: &SymmetricMatrix) -> Result<(), FemError> {
        self.refill_on(matrix, self.analysis.threads())
    }

    pub(super) fn refill_on(&mut self, matrix: &SymmetricMatrix, threads: Par) -> Result<(), FemError> {
        let symbolic = &self.analysis.0;
        let mut memory = buffer(symbolic.factorize_numeric_ldlt_scratch::<f64>(threads, Spec::default()))?;
        symbolic
            .factorize_numeric_ldlt(
                &mut self.values,
                SparseColMatRef::new(pattern(matrix), matrix.values()),
                Side::Lower,
                LdltRegularization::default(),
                threads,
                MemStack::new(&mut memory),
                Spec::default(),
            )
            .map_err(|LdltError::ZeroPivot { index }| FemError::Singular {
                row: self.analysis.row_at(index),
            })?;
        self.pivots = pivots_of(symbolic, &self.values);
        match self.pivots.iter().position(|pivot| !pivot.is_finite()) {
            Some(step) => Err(FemError::Singular { row: self.analysis.row_at(step) }),
            None => Ok(()),
        }
    }

    /// Factorises a matrix that must be positive definite; a pivot that vanishes
    /// beside its diagonal entry counts as zero.
    pub fn definite(matrix: &SymmetricMatrix) -> Result<Self, FemError> {
        Self::definite_with_analysis(&Analysis::of(matrix)?, matrix)
    }

    /// As [`Self::definite`], for a pattern already ordered.
    pub fn definite_with_analysis(analysis: &Analysis, matrix: &SymmetricMatrix) -> Result<Self, FemError> {
        let factor = Self::with_analysis(analysis, matrix)?;
        factor.must_be_definite(matrix)?;
        Ok(factor)
    }

    /// Refuses pivots that vanish or are negative; `matrix` is what was factorised.
    fn must_be_definite(&self, matrix: &SymmetricMatrix) -> Result<(), FemError> {
        let diagonal = matrix.diagonal();
        for (step, pivot) in self.pivots.iter().enumerate() {
            let row = self.analysis.row_at(step);
            if *pivot <= 1e-13 * diagonal[row].abs() {
                return Err(FemError::Singular { row });
            }
        }
        Ok(())
    }

    /// The factors to the last digit.
    #[cfg(test)]
    pub(super) fn bits(&self) -> Vec<u64> {
        self.values.iter().map(|value| value.to_bits()).collect()
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
