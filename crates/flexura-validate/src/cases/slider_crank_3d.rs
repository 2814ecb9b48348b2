//! Spatial slider-crank.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "slider-crank-3d",
    title: "Spatial slider-crank",
    source: "after Haug (1989); independent rigid solver",
    trust: Trust::T2,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
