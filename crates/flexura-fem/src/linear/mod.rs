//! Linear algebra: symmetric sparse matrices, their factorisation, dense
//! symmetric eigenproblems. The only module that knows the library behind it.

mod analysis;
mod dense;
mod dissection;
mod factor;
mod symmetric;
#[cfg(test)]
mod tests;

pub use analysis::Analysis;
pub(crate) use dense::SWEEPS;
pub use dense::{generalized_eigen, solve_definite, symmetric_eigen};
pub use factor::Factor;
pub use symmetric::SymmetricMatrix;
pub(crate) use symmetric::Triplets;
