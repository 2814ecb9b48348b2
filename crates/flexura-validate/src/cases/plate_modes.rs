//! Frequencies and deflections of square plates.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "plate-modes",
    title: "Frequencies and deflections of square plates",
    source: "Kirchhoff theory, converged Ritz solution; Leissa (1973)",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
