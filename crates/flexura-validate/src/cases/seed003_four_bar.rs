//! Flexible four-bar.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "seed003-four-bar",
    title: "Flexible four-bar",
    source: "Richard (2012), example 1; after Khulief (1992)",
    trust: Trust::T3,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
