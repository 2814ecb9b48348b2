//! Equations of motion generated as a whole, for comparison and study (offline: may allocate).

pub mod graph;
