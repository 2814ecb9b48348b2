//! Bar released from uniform compression.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "seed000-bar",
    title: "Bar released from uniform compression",
    source: "Mukherjee & Anderson, flexible divide and conquer, example 1 (section 5)",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
