//! Algorithms over trees, one file each.
//!
//! All work on quantities *referred to the hinge*: with Pd = phi*(d,k) Π^d the
//! motion of body k is written with V_R = V(k) + Pd η̇, the velocity the frame
//! would have if the inboard point were rigidly attached. In these variables
//! H_f = [1, 0] (JPL 90-26 eqs 3.18-3.19 with errata A1), so that cantilever and
//! free-free modes run through the same lines. Φ = (1 − E_Φ)⁻¹ (JPL 90-26 eqs 3.20-3.22)
//! is never formed: it is an inward sweep, Φ* an outward one.

pub mod accelerations;
pub mod articulated_body;
pub mod body_inertia;
pub(crate) mod closure;
pub mod composite_body;
pub mod conjugate_gradient;
pub(crate) mod derivatives;
pub mod divide_and_conquer;
pub mod energy;
pub mod innovations;
pub mod inverse_dynamics;
mod low_rank;
pub mod structured_tangent;
pub(crate) mod transfer;

pub use articulated_body::{FlexibleRoute, articulated_body};
pub use composite_body::{composite_body, mass_matrix};
pub use conjugate_gradient::conjugate_gradient;
pub use energy::{Energy, Momentum, energy, momentum};
pub use inverse_dynamics::inverse_dynamics;
