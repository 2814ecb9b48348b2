//! The linear graph of a system: where parents, order and loops come from.
//!
//! This is the only tree search of the project (`search.rs`); every formulation
//! takes its topology from here. [`SpanningTree`] is the tree of bodies and
//! joints, [`LinearGraph`] the graph of frames and components with its incidence,
//! cutset and circuit matrices.

mod circuit;
mod component;
mod cut_reason;
mod cutset;
mod deformation;
mod disjoint_sets;
mod gruebler;
mod incidence;
mod integer_matrix;
mod linear_graph;
mod search;
mod system;
mod tree;

pub use circuit::{circuit, circuit_branches, closure};
pub use component::{Component, ForceClass, JointClass, joint_rank};
pub use cut_reason::cut_reason;
pub use cutset::{balance, cutset, cutset_chords};
pub use disjoint_sets::DisjointSets;
pub use gruebler::{GrueblerCount, KinematicLoop, gruebler};
pub use incidence::incidence;
pub use integer_matrix::IntegerMatrix;
pub use linear_graph::{GraphError, GraphTree, LinearEdge, LinearGraph};
pub use system::SystemGraph;
pub use tree::{Edge, SpanningTree, TreeBranch};
