//! Double four-bar.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "seed002-double-four-bar",
    title: "Double four-bar",
    source: "Lugrís, Cuadrado, González & Luaces (2007), example 1",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
