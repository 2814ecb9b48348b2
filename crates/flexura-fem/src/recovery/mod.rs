//! Forces, stresses and strains from displacements, as linear rows.
//!
//! Everything recovered is linear in the displacements, so that it is computed once per
//! shape (stress modes) and then costs a small product per instant.

pub(crate) mod fibre;
mod orient;
mod patch;
pub(crate) mod section;
pub(crate) mod stress;

pub use fibre::{Fibre, fibre_stress_rows};
pub use section::{SectionForces, section_force_rows, section_forces};
pub use stress::{Layer, Quantity, StressModes, StressPlace, von_mises};
