//! Stresses of flexible bodies as data: rows kept in a result file, times the modal coordinates of its rows.
//!
//! The rows stand in the metadata `stress` (book/src/result_file.md), the modal coordinates in the channels
//! `BODY.eta.1…`, so that a result alone gives stresses at every node and instant.

mod error;
mod field;
mod gauge;
mod gauge_file;
mod peak;
mod read;
mod select;
mod tensor;
mod text;

pub use error::StressError;
pub use field::{Instants, Point, PointKind, StressField};
pub use gauge::{Gauge, NoGauge, Rosette, surface_normal};
pub use gauge_file::{GaugeEntry, parse_gauges, read_gauges};
pub use peak::{Extreme, Peak, SectionPeak, peaks, section_forces, section_peaks};
pub use read::{BodyRows, bodies_with_rows, body_rows};
pub use select::{Selection, nodes_of};
pub use tensor::{on_plane, principal, signed_von_mises, von_mises};
pub use text::{STRESS_KEY, stress_text};
