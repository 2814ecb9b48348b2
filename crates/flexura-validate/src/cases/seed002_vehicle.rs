//! Iltis vehicle.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "seed002-vehicle",
    title: "Iltis vehicle",
    source: "Lugrís, Cuadrado, González & Luaces (2007), example 3; Frik, Leister & Schwartz (1993)",
    trust: Trust::T2,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
