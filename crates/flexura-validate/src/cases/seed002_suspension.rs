//! Suspension of the Iltis.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "seed002-suspension",
    title: "Suspension of the Iltis",
    source: "Lugrís, Cuadrado, González & Luaces (2007), example 2",
    trust: Trust::T3,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
