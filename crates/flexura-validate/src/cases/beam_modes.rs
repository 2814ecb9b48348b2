//! Frequencies of beams.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "beam-modes",
    title: "Frequencies of beams",
    source: "Euler-Bernoulli and Timoshenko theory",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
