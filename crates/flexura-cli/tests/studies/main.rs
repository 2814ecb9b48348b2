//! Commands that compute: analyses, loops, sweeps, sensitivity, validation, verdicts.

#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod energy_audit;
mod graph;
mod loops;
mod sensitivity;
mod sweep;
mod trust;
mod validate;
mod validity;
