//! Formats of other programs, read into and written from models and bodies of Flexura.
//!
//! The engine knows its own files only. Here live the readers of robots ([`robot`]: URDF, MJCF and SDF); each of them uses what a
//! user wrote, refuses it by file and line, or says that it is left out. [`fmi`] writes models as FMUs and runs FMUs of others as controllers,
//! [`modelica`] writes linear systems.

pub mod finding;
pub mod fmi;
pub mod modelica;
pub mod robot;

pub use finding::{Finding, Refused};
