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
//! let case = flexura_validate::find("a01-pendulum").expect("registered");
//! let outcome = run_case(case, &Options { quick: true, ..Options::default() }, &|_| {});
//! assert!(outcome.quantities.iter().all(|quantity| quantity.verdict.is_good()));
//! ```

mod agreement;
mod cases;
mod compare;
mod context;
mod figure;
mod momentum;
mod part;
mod quantity;
mod run;
mod sampled;
mod schedule;
mod statics;
mod threshold;
mod trees;
pub mod vehicle;

pub use cases::CASES;
pub use context::{Case, CaseOutcome, Context, Fault, PHYSICS, Timing};
pub use figure::{Curve, Figure, Look, Panel};
pub use quantity::{Group, Measure, Quantity, Trust, Verdict};
pub use run::Run;
pub use schedule::{News, Options, run_all, run_case};

/// The case called `id`.
pub fn find(id: &str) -> Option<&'static Case> {
    CASES.iter().find(|case| case.id == id).copied()
}
