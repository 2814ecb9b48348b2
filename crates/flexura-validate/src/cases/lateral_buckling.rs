//! Lateral buckling of a thin beam.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "lateral-buckling",
    title: "Lateral buckling of a thin beam",
    source: "Bauchau, IFToMM library of flexible benchmarks; mb_sef_py",
    trust: Trust::T2,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
