//! Four-bar with a misaligned hinge.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "iftomm-four-bar",
    title: "Four-bar with a misaligned hinge",
    source: "Bauchau, IFToMM library of flexible benchmarks; mb_sef_py",
    trust: Trust::T2,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
