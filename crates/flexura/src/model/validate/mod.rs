//! Semantic validation of a description.
use super::description::Description;
use crate::diagnostic::Diagnostic;
/// Everything wrong with `description`.
pub fn validate(_description: &mut Description) -> Vec<Diagnostic> { Vec::new() }
