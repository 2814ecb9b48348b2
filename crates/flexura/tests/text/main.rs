//! Model files: what is read, what is refused, what mangled files do.

#[path = "../common/mod.rs"]
mod common;

mod broken;
mod crates;
mod files;
mod geometry;
mod language;
mod mangled;
mod rooms;
mod unused_keys;
