//! 45-degree bend.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "bend-45",
    title: "45-degree bend",
    source: "Bathe & Bolourchi (1979); independent beam solver",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
