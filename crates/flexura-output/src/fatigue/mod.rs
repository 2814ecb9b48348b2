//! Fatigue of flexible bodies: cycles counted in stress histories, their damage by an S-N curve.
//!
//! Cycles by rainflow counting (`rainflow`), means by the corrections of `mean_stress`, lives by `curve`, damage by Palmgren
//! and Miner: D = sum of n/N over all cycles, failure at D = 1.

mod curve;
mod curve_file;
mod damage;
mod mean_stress;
mod rainflow;

pub use curve::Curve;
pub use curve_file::{CurveError, read_curve};
pub use damage::{Damage, Equivalent, FatigueCase, damage, history_damage};
pub use mean_stress::MeanStress;
pub use rainflow::{Cycle, rainflow, turning_points};
