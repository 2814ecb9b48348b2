//! Operation counts of the recursive algorithms.

use crate::context::Case;
use crate::quantity::Trust;

/// The case.
pub const CASE: Case = Case {
    id: "seed001-counts",
    title: "Operation counts of the recursive algorithms",
    source: "Jain & Rodriguez, JPL 90-26, section 8, Table 1",
    trust: Trust::T1,
    about: "",
    models: &[],
    cost: 0.0,
    run: super::pending::run,
};
