//! Recursions against each other and against closed forms; divide and conquer; counted operations.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod analytic;
mod assembly_depth;
mod automatic;
mod composite_runs;
mod conjugate_gradients;
mod counted_controllers;
mod couplers;
mod derivatives;
mod divide_and_conquer;
mod divide_and_conquer_accuracy;
mod divide_and_conquer_loops;
mod frames;
mod free_free_update;
mod joints;
mod low_rank;
mod operation_counts;
mod projection_in_assemblies;
mod ranks;
mod refinements;
mod scaling;
mod static_chain;
