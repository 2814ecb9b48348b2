//! Flying spaghetti.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "flying-spaghetti",
    title: "Flying spaghetti",
    source: "Simo & Vu-Quoc (1986); independent beam solver, AeroBeams",
    trust: Trust::T2,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
