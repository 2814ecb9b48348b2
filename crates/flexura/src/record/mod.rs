//! Recording: named channels with units, sampled into rows.
//!
//! The recorder fills plain rows of numbers; where they go is decided by a
//! [`Sink`]: memory here, result files in the `flexura-results` crate.

mod audit;
mod recorder;
mod recording;

pub use crate::model::channel::{Channel, Family, Source, all_channels, matches_pattern};
pub(crate) use audit::energy_at_rest;
pub use audit::{EnergyAudit, EnergyWarning, energy_limit};
pub use recorder::Recorder;
pub use recording::{Recording, Sink};
