//! Result files: what is written, what survives.

#[path = "../common/mod.rs"]
mod common;

mod closing;
mod crash;
mod kill;
mod round_trip;
mod selection;
mod torn;
