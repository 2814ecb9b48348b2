//! Linear algebra: symmetric sparse matrices, their factorisation, dense
//! symmetric eigenproblems. The only module that knows the library behind it.

mod dense;
mod factor;
mod symmetric;

pub(crate) use dense::SWEEPS;
pub use dense::{generalized_eigen, solve_definite, symmetric_eigen};
pub use factor::{Analysis, Factor};
pub use symmetric::SymmetricMatrix;
pub(crate) use symmetric::Triplets;
