//! Flexible slider-crank of Simeon.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "slider-crank-simeon",
    title: "Flexible slider-crank of Simeon",
    source: "Mazzia & Magherini, Test Set for IVP Solvers, problem CRANK; Simeon (1996)",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
