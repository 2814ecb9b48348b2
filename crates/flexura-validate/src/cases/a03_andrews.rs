//! Andrews' squeezing mechanism.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "a03-andrews",
    title: "Andrews' squeezing mechanism",
    source: "Mazzia & Magherini, Test Set for IVP Solvers, problem ANDREWS; IFToMM library A03",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
