//! Formulations of the equations of motion beside the recursive one of [`crate::algorithm`], each
//! complete in itself.

pub mod global;
pub mod graph;
pub mod topological;
