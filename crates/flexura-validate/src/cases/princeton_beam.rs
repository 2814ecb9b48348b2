//! Princeton beam.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "princeton-beam",
    title: "Princeton beam",
    source: "Dowell & Traybar (1975); independent beam solver",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
