//! Heavy top.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "heavy-top",
    title: "Heavy top",
    source: "classical benchmark of Lie group integrators",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
