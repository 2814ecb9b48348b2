//! Formulations of the equations of motion beside the recursive one of [`crate::algorithm`], each
//! complete in itself.

#[doc(hidden)]
pub mod global;
pub mod graph;
#[doc(hidden)]
pub mod topological;
