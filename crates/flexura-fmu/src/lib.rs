//! The library inside FMUs: one for every model. It reads model file, parts, inputs and outputs from the resources of the FMU
//! (`flexura_exchange::fmi` wrote them) and answers the functions of FMI 2.0 and 3.0.
//!
//! `instance.rs` and its folder are all of it without a pointer; `fmi2.rs` and `fmi3.rs`, with their folders, are the standard's signatures.

mod exchange;
mod fmi2;
mod fmi3;
mod handle;
mod instance;
mod snapshot;
mod stored;

pub use instance::{Instance, Mode};
pub use snapshot::Snapshot;
