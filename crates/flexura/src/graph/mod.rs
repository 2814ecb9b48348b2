//! The linear graph of a system: where parents, order and loops come from.
//!
//! This is the only tree search of the project; every formulation takes its
//! topology from here.

mod disjoint_sets;
mod search;
mod tree;

pub use disjoint_sets::DisjointSets;
pub use tree::{Edge, SpanningTree, TreeBranch};
