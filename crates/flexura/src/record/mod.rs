//! Recording: named channels with units, sampled into rows.
//!
//! The recorder fills plain rows of numbers; where they go is decided by a
//! [`Sink`]: memory here, result files in the `flexura-results` crate.

mod channel;
mod recorder;
mod recording;
pub(crate) mod snapshot;

pub use channel::{Channel, Family, Source, all_channels, matches_pattern};
pub use recorder::Recorder;
pub use recording::{Recording, Sink};
pub(crate) use snapshot::Snapshot;
