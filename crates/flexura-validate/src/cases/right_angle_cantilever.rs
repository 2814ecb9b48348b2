//! Right-angle cantilever.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "right-angle-cantilever",
    title: "Right-angle cantilever",
    source: "Simo & Vu-Quoc (1988); mb_sef_py, AeroBeams",
    trust: Trust::T2,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
