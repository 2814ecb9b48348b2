//! Inertia of flexible bodies at five levels of fidelity, one file each.

mod consistent;
mod gram;
mod gram_alignment;
mod gram_carriers;
mod node_sum;
mod paper;
mod paper_integrals;
mod ruthless;

pub use consistent::ConsistentInertia;
pub use gram::GramInertia;
pub(crate) use gram_carriers::residual_definiteness;
pub(crate) use node_sum::LARGEST_MODE_COUNT;
pub use node_sum::NodeSumInertia;
pub use paper::PaperInertia;
pub use ruthless::RuthlessInertia;

use crate::spatial::{Spatial, SymmetricSpatial};

/// The mass block `M_m = [ff fr; rf rr]` and bias `b_m = [f; r]` of one body,
/// in components of its reference frame F_k.
#[derive(Debug)]
#[doc(hidden)]
pub struct MassBlock<'a, S> {
    /// Rigid-rigid block, 6×6.
    pub rigid: &'a mut SymmetricSpatial<S>,
    /// Rigid-flexible block: one column [angular; linear] per mode.
    pub coupling: &'a mut [Spatial<S>],
    /// Flexible-flexible block, `modes × modes` row-major.
    pub modal: &'a mut [S],
    /// Modal rows of the bias.
    pub bias_modal: &'a mut [S],
    /// Rigid rows of the bias.
    pub bias_rigid: &'a mut Spatial<S>,
    /// Room for the evaluation itself: [`super::Body::scratch`] numbers.
    pub scratch: &'a mut [S],
}
