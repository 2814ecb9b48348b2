//! Decompositions that may fail: of nothing, of numbers that are none, or without convergence.
//!
//! The library's own panic on empty matrices and iterate for ever on infinite entries. Everything offline asks
//! here.

use nalgebra::{DMatrix, DVector, Dyn, SVD};

/// Sweeps per row before giving up; ordinary matrices take two or three.
const SWEEPS: usize = 100;

/// Singular values, largest first, with the vectors asked for; `None` for an empty or infinite matrix.
pub(crate) fn singular_values(matrix: DMatrix<f64>, left: bool, right: bool) -> Option<SVD<f64, Dyn, Dyn>> {
    if matrix.is_empty() || !is_finite(&matrix) {
        return None;
    }
    let most = SWEEPS * matrix.nrows().max(matrix.ncols());
    SVD::try_new(matrix, left, right, 5.0 * f64::EPSILON, most)
}

/// Eigenvalues and vectors of the symmetric part of `matrix`, in no order; `None` as above.
pub(crate) fn symmetric_part(matrix: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
    if matrix.is_empty() || !is_finite(matrix) {
        return None;
    }
    let symmetric = (matrix + matrix.transpose()) * 0.5;
    let most = SWEEPS * matrix.nrows();
    let found = nalgebra::SymmetricEigen::try_new(symmetric, f64::EPSILON, most)?;
    Some((found.eigenvalues, found.eigenvectors))
}

/// Whether every entry is a number.
pub(crate) fn is_finite(matrix: &DMatrix<f64>) -> bool {
    matrix.iter().all(|x| x.is_finite())
}
