//! Rubber pendulum.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "rubber-pendulum",
    title: "Rubber pendulum",
    source: "independent beam solver; mb_sef_py",
    trust: Trust::T2,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
