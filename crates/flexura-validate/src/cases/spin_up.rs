//! Spin-up of a cantilever.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "spin-up",
    title: "Spin-up of a cantilever",
    source: "Simo & Vu-Quoc (1987), Kane, Ryan & Banerjee (1987)",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
