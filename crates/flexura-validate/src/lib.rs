//! Papers and public benchmarks reproduced: cases with models, references, tolerances and verdicts.
//!
//! A [`Case`] names where its figures come from and how far they can be trusted, runs its models by every
//! algorithm and formulation that can run them, and returns [`Quantity`]s with verdicts, and figures. The command
//! `flexura validate` runs cases and draws the report; nothing is drawn here.
//!
//! A new case is a file in `cases/` with a constant `CASE`, and a line in `cases/mod.rs`.
//!
//! ```
//! use flexura_validate::{Options, run_case};
//!
//! let case = flexura_validate::find("iftomm-pendulum").expect("registered");
//! let outcome = run_case(case, &Options { quick: true, ..Options::default() }, &|_| {});
//! assert!(outcome.quantities.iter().all(|quantity| quantity.verdict.is_good()));
//! ```

mod agreement;
mod cases;
mod compare;
mod context;
mod coordinates;
pub mod differential;
mod energy_routes;
mod figure;
mod momentum;
pub mod papers;
mod part;
mod quantity;
mod road_edges;
mod run;
mod sampled;
mod schedule;
mod statics;
mod table;
mod threshold;
mod times;
mod trees;
pub mod vehicle;

pub use cases::CASES;
pub use context::{Case, CaseOutcome, Context, Fault, PHYSICS, Timing};
pub use figure::{Curve, Figure, Look, Panel};
pub use quantity::{Group, Measure, NARROW, Quantity, Trust, Verdict};
pub use run::Run;
pub use schedule::{News, Options, run_all, run_case};
pub use table::Table;
pub use times::timed_cases;

/// Earlier names of cases, which are still found.
const EARLIER_NAMES: [(&str, &str); 12] = [
    ("a01-pendulum", "iftomm-pendulum"),
    ("a02-four-bar-chain", "iftomm-four-bar-chain"),
    ("a03-andrews", "iftomm-andrews"),
    ("a04-bricard", "iftomm-bricard"),
    ("seed000-bar", "fdca-bar"),
    ("seed000-two-link", "fdca-two-link"),
    ("seed001-counts", "soa-counts"),
    ("seed002-double-four-bar", "lugris-double-four-bar"),
    ("seed002-suspension", "lugris-suspension"),
    ("seed002-vehicle", "lugris-vehicle"),
    ("seed003-four-bar", "flexnet-four-bar"),
    ("seed003-panels", "flexnet-panels"),
];

/// The case called `id`, now or by an earlier name.
pub fn find(id: &str) -> Option<&'static Case> {
    let now = EARLIER_NAMES.iter().find(|(earlier, _)| *earlier == id).map_or(id, |(_, now)| *now);
    CASES.iter().find(|case| case.id == now).copied()
}
