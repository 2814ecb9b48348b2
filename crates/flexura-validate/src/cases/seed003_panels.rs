//! Deployment of two panels.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "seed003-panels",
    title: "Deployment of two panels",
    source: "Richard (2012), example 2",
    trust: Trust::T3,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
