//! Formulations of the equations of motion beside the recursive one of [`crate::algorithm`].

pub mod global;
