//! Commands that compute: analyses, loops, sweeps, sensitivity, validation, verdicts.

#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod deck;
mod devices;
mod energy_audit;
mod equations;
mod fit;
mod gradient;
mod graph;
mod inverse;
mod loops;
mod matrices;
mod optimize;
mod paper;
mod sensitivity;
mod sweep;
mod trust;
mod validate;
mod validity;
