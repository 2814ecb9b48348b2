//! Commands around result files: export, plot, view, reduce, restart, interruption.

#[path = "../common/mod.rs"]
mod common;

mod exit_codes;
mod export;
mod faults;
mod full_disk;
mod interruption;
mod plot;
mod reduce;
mod releases;
mod restart;
mod view;
