//! Formulations of systems with closed loops, each complete in itself.

pub mod topological;
