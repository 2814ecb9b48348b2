//! Formats of other programs, read into and written from models and bodies of Flexura.
//!
//! The engine knows its own files only. Here live the readers of robots ([`robot`]: URDF and MJCF); each of them uses what a
//! user wrote, refuses it by file and line, or says that it is left out.

pub mod finding;
pub mod fmi;
pub mod robot;

pub use finding::{Finding, Refused};
