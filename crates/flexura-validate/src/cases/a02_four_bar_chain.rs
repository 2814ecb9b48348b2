//! Chain of four-bar loops.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "a02-four-bar-chain",
    title: "Chain of four-bar loops",
    source: "IFToMM library of multibody benchmarks A02",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
