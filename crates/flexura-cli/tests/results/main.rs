//! Commands around result files: export, plot, view, reduce, restart, interruption.

#[path = "../common/mod.rs"]
mod common;

mod corpus;
mod exit_codes;
mod export;
mod faults;
mod full_disk;
mod fuzzed;
mod interruption;
mod plot;
mod power;
mod ranks;
mod reduce;
mod releases;
mod restart;
mod stops;
mod strangers;
mod stress;
mod view;
