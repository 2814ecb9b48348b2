//! Factorisations and eigenvalues: dense, by blocks, by envelopes, sparse. No word of mechanics.
//!
//! | file | matrix | made for |
//! |---|---|---|
//! | `cholesky` | small dense, row-major | modal blocks |
//! | `pivoted_cholesky` | dense, semidefinite | dependent constraints |
//! | `block_cholesky` | block envelope, semidefinite | loops of large trees |
//! | `branched` | positive definite, coupled along the branches of a tree | mass matrices |
//! | `skyline`, `cuthill_mckee` | positive definite, by envelope | tangents over a tree, `block_cholesky` |
//! | `sparse`, `supernodes`, `minimum_degree` | sparse symmetric, by supernodes | tangents over all coordinates |
//! | `decompose` | dense: singular values, symmetric eigenvalues, with limits on iterations | analyses |
//! | `gmres` | none: products alone | adjoints of implicit steps |
//! | `hessenberg_qr` | dense general: eigenvalues | modes about motion |

mod block_cholesky;
mod branched;
mod cholesky;
mod cuthill_mckee;
mod decompose;
mod gmres;
mod hessenberg_qr;
mod minimum_degree;
mod pivoted_cholesky;
mod skyline;
mod sparse;
mod supernodes;

pub(crate) use block_cholesky::BlockCholesky;
pub(crate) use branched::{Branched, WIDTH as BRANCHED_WIDTH};
pub(crate) use cholesky::solve_lower_transposed;
pub use cholesky::{cholesky_in_place, solve_lower};
pub(crate) use cuthill_mckee::cuthill_mckee;
pub(crate) use decompose::{is_finite, singular_values, symmetric_part};
pub(crate) use gmres::gmres;
pub(crate) use hessenberg_qr::eigenvalues as general_eigenvalues;
pub(crate) use pivoted_cholesky::PivotedCholesky;
pub(crate) use skyline::Skyline;
pub(crate) use sparse::SparseFactor;
pub(crate) use sparse::SparsePattern;
