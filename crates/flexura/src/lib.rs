//! Flexura: flexible multibody dynamics.
//!
//! One immutable [`Model`] from one [`model::description::Description`], plain
//! [`State`], preallocated [`Workspace`], and recursive algorithms as free
//! functions. Units are SI throughout.

pub mod algorithm;
pub mod beam;
pub mod diagnostic;
pub mod error;
pub mod file;
pub mod graph;
pub mod load;
pub mod loads;
pub mod model;
pub mod prescribe;
pub mod scalar;
pub mod spatial;
pub mod state;
pub mod time_function;
pub mod workspace;

pub use error::DynamicsError;
pub use load::Load;
pub use model::{Model, build};
pub use state::State;
pub use workspace::{Workspace, evaluate};
