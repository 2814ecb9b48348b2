//! Bricard's mechanism.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "a04-bricard",
    title: "Bricard's mechanism",
    source: "IFToMM library of multibody benchmarks A04",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
