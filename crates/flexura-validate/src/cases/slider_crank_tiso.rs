//! Flexible slider-crank of Tiso.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "slider-crank-tiso",
    title: "Flexible slider-crank of Tiso",
    source: "mb_sef_py, slider-crank after Tiso",
    trust: Trust::T2,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
