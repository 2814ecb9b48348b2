//! Dense symmetric problems of the size of a reduced model.
//!
//! K x = lambda M x becomes standard by the Cholesky factor M = L L^T:
//! (L^-1 K L^-T) y = lambda y, x = L^-T y.

use crate::error::FemError;
use faer::{MatRef, Side};
use nalgebra::{Cholesky, DMatrix, DVector};

/// Sweeps per row before a decomposition of a small matrix is given up; ordinary ones take two or three.
pub(crate) const SWEEPS: usize = 300;

/// Eigenvalues in ascending order and orthonormal eigenvectors in columns.
pub fn symmetric_eigen(matrix: &DMatrix<f64>) -> Result<(DVector<f64>, DMatrix<f64>), FemError> {
    let (rows, columns) = matrix.shape();
    if rows == 0 {
        return Ok((DVector::zeros(0), DMatrix::zeros(0, 0)));
    }
    if !matrix.iter().all(|x| x.is_finite()) {
        return Err(FemError::Algebra("a matrix has entries that are no numbers".into()));
    }
    let view = MatRef::from_column_major_slice(matrix.as_slice(), rows, columns);
    let eigen =
        view.self_adjoint_eigen(Side::Lower).map_err(|error| FemError::Algebra(format!("{error:?}")))?;
    let values = DVector::from_fn(rows, |i, _| eigen.S().column_vector()[i]);
    let vectors = DMatrix::from_fn(rows, rows, |i, j| eigen.U()[(i, j)]);
    Ok((values, vectors))
}

/// Eigenvalues of `k x = lambda m x` in ascending order, eigenvectors with `x^T m x = 1`.
pub fn generalized_eigen(
    k: &DMatrix<f64>,
    m: &DMatrix<f64>,
) -> Result<(DVector<f64>, DMatrix<f64>), FemError> {
    let lower = cholesky(m, "the reduced mass matrix")?.l();
    let failed = || FemError::NotDefinite { what: "the reduced mass matrix".into() };
    let half = lower.solve_lower_triangular(k).ok_or_else(failed)?;
    let standard = lower.solve_lower_triangular(&half.transpose()).ok_or_else(failed)?;
    let (values, vectors) = symmetric_eigen(&((&standard + standard.transpose()) * 0.5))?;
    let shapes = lower.transpose().solve_upper_triangular(&vectors).ok_or_else(failed)?;
    Ok((values, shapes))
}

/// Solves `a x = b` for a symmetric positive definite matrix.
pub fn solve_definite(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Result<DMatrix<f64>, FemError> {
    Ok(cholesky(a, "the reduced stiffness matrix")?.solve(b))
}

fn cholesky(matrix: &DMatrix<f64>, what: &str) -> Result<Cholesky<f64, nalgebra::Dyn>, FemError> {
    Cholesky::new(matrix.clone()).ok_or_else(|| FemError::NotDefinite { what: what.into() })
}
