//! Order of elimination and fill of a sparse pattern.
//!
//! Small patterns are ordered by approximate minimum degree. Of large ones nested dissection (`dissection`) is tried as well and the
//! order with the smaller factor is taken: dissection for solids and plates, minimum degree for what is long and thin.

use super::{SymmetricMatrix, dissection};
use crate::error::FemError;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::perm::Perm;
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::{Par, Side};
use std::sync::Arc;

/// Patterns of so many unknowns are also ordered by dissection.
const LARGE: usize = 10_000;
/// Factors of so many entries are worth several threads.
const WIDE: usize = 2_000_000;

/// Ordering and fill of a pattern, shared by every matrix that has it.
#[derive(Clone, Debug)]
pub struct Analysis(pub(super) Arc<SymbolicCholesky<usize>>);

pub(super) fn pattern(matrix: &SymmetricMatrix) -> SymbolicSparseColMatRef<'_, usize> {
    let size = matrix.size();
    SymbolicSparseColMatRef::new_checked(size, size, matrix.column_start(), None, matrix.rows())
}

impl Analysis {
    /// Orders the unknowns of a pattern and finds the fill of its factor.
    pub fn of(matrix: &SymmetricMatrix) -> Result<Self, FemError> {
        let by_degree = Self::by_degree(matrix)?;
        if matrix.size() < LARGE {
            return Ok(by_degree);
        }
        // What cannot be dissected, for want of memory, still has the other order.
        match Self::dissected(matrix) {
            Ok(dissected) if dissected.fill() < by_degree.fill() => Ok(dissected),
            _ => Ok(by_degree),
        }
    }

    /// The order of approximate minimum degree.
    pub(super) fn by_degree(matrix: &SymmetricMatrix) -> Result<Self, FemError> {
        symbolic(matrix, SymmetricOrdering::Amd).map(|found| Self(Arc::new(found)))
    }

    /// The order of nested dissection.
    pub(super) fn dissected(matrix: &SymmetricMatrix) -> Result<Self, FemError> {
        let order = dissection::order(matrix, minimum_degree)?;
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(step, &unknown)| place[unknown] = step);
        let permutation = Perm::new_checked(order.into(), place.into(), matrix.size());
        symbolic(matrix, SymmetricOrdering::Custom(permutation.as_ref())).map(|found| Self(Arc::new(found)))
    }

    /// Stored entries of the factor.
    pub fn fill(&self) -> usize {
        self.0.len_val()
    }

    /// Threads to factorise with. The sums of the factors are the same for any number of them.
    pub(super) fn threads(&self) -> Par {
        if self.fill() < WIDE { Par::Seq } else { Par::rayon(0) }
    }

    /// Row of the matrix eliminated at a step. The library may name a step behind the last one for a pivot that is no number.
    pub(super) fn row_at(&self, step: usize) -> usize {
        let step = step.min(self.0.nrows().saturating_sub(1));
        self.0.perm().map_or(step, |perm| perm.arrays().0[step])
    }
}

fn symbolic(
    matrix: &SymmetricMatrix,
    ordering: SymmetricOrdering<'_, usize>,
) -> Result<SymbolicCholesky<usize>, FemError> {
    factorize_symbolic_cholesky(pattern(matrix), Side::Lower, ordering, CholeskySymbolicParams::default())
        .map_err(|error| FemError::Algebra(format!("{error:?}")))
}

/// Order of a small graph, given by starts of columns and neighbours.
fn minimum_degree(start: &[usize], neighbours: &[u32]) -> Result<Vec<usize>, FemError> {
    let size = start.len() - 1;
    let rows: Vec<usize> = neighbours.iter().map(|&row| row as usize).collect();
    let graph = SymbolicSparseColMatRef::new_unsorted_checked(size, size, start, None, &rows);
    let (mut order, mut place) = (vec![0; size], vec![0; size]);
    let mut memory = buffer(amd::order_maybe_unsorted_scratch::<usize>(size, rows.len()))?;
    amd::order_maybe_unsorted(
        &mut order,
        &mut place,
        graph,
        amd::Control::default(),
        MemStack::new(&mut memory),
    )
    .map_err(|error| FemError::Algebra(format!("{error:?}")))?;
    Ok(order)
}

pub(super) fn buffer(request: StackReq) -> Result<MemBuffer, FemError> {
    MemBuffer::try_new(request).map_err(|_| FemError::Algebra("out of memory".into()))
}
