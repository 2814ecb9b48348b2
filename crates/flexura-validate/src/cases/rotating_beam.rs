//! Frequencies of rotating beams.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "rotating-beam",
    title: "Frequencies of rotating beams",
    source: "Wright et al. (1982), Yoo & Shin (1998); converged Ritz solution",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
