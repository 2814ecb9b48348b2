//! Everything that acts on a model at one state: loads at frames and over bodies, force elements, couplers, and the
//! laws of joints, in the tree and of those that close loops.
//!
//! Forces are written into a [`crate::state::Load`]: wrenches on bodies and generalised forces.

pub(crate) mod applied;
pub(crate) mod body;
pub(crate) mod coupler;
pub mod element;
pub(crate) mod joint_law;
pub(crate) mod loop_joint;
pub(crate) mod power;
pub(crate) mod tree_joint;
