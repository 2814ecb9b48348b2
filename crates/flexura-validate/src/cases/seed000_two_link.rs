//! Two-link flexible arm.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "seed000-two-link",
    title: "Two-link flexible arm",
    source: "Mukherjee & Anderson, flexible divide and conquer, example 2 (92)-(95); after Botz & Hagedorn (1997)",
    trust: Trust::T3,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
