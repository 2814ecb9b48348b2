//! Elements and their connections: patch tests, plates, solids, beams, stiffening.

#[path = "../common/mod.rs"]
mod common;

mod attachments;
mod beams;
mod connections;
mod laminates;
mod masses;
mod materials;
mod matrices;
mod patch;
mod plates;
mod residual;
mod solids;
mod spectrum;
mod stiffening;
mod unit_loads;
