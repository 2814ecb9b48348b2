//! Cases, and what they collect while they run.

use crate::figure::Figure;
use crate::quantity::{Group, Quantity, Trust, Verdict};
use crate::table::Table;
use std::sync::atomic::{AtomicBool, Ordering};

/// A paper's example or a benchmark.
pub struct Case {
    /// Name on the command line.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// Where model and reference come from.
    pub source: &'static str,
    /// Trust in the reference, where a quantity does not say otherwise.
    pub trust: Trust,
    /// The model, what was chosen, what is compared; Markdown paragraphs.
    pub about: &'static str,
    /// Names of its model files in `models/`.
    pub models: &'static [&'static str],
    /// Rough computing time (s): long cases start first.
    pub cost: f64,
    /// Computes everything.
    pub run: fn(&mut Context) -> Result<(), Fault>,
}

/// Why a case could not be computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault(pub String);

impl<E: std::error::Error> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Computing time of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Algorithm, formulation, step.
    pub route: String,
    /// Computing time (s).
    pub seconds: f64,
    /// Simulated time (s).
    pub simulated: f64,
    /// Accepted steps.
    pub steps: u64,
}

/// Everything a case found.
#[derive(Clone, Debug)]
pub struct CaseOutcome {
    /// The case's id.
    pub id: &'static str,
    /// Quantities in order; sources and trust filled in.
    pub quantities: Vec<Quantity>,
    /// Figures in order.
    pub figures: Vec<Figure>,
    /// Tables in order.
    pub tables: Vec<Table>,
    /// Runs in order.
    pub timings: Vec<Timing>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
    /// Computing time of the whole case (s).
    pub seconds: f64,
}

impl CaseOutcome {
    /// Number of quantities with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.quantities.iter().filter(|quantity| quantity.verdict == verdict).count()
    }
}

/// What a running case writes to.
pub struct Context<'a> {
    case: &'static Case,
    /// Whether only the fast part is wanted.
    pub quick: bool,
    outcome: CaseOutcome,
    last: Vec<Figure>,
    hear: &'a dyn Fn(&str),
    stop: &'a AtomicBool,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        case: &'static Case,
        quick: bool,
        hear: &'a dyn Fn(&str),
        stop: &'a AtomicBool,
    ) -> Self {
        let outcome = CaseOutcome {
            id: case.id,
            quantities: Vec::new(),
            figures: Vec::new(),
            tables: Vec::new(),
            timings: Vec::new(),
            notes: Vec::new(),
            seconds: 0.0,
        };
        Self { case, quick, outcome, last: Vec::new(), hear, stop }
    }

    /// Adds a quantity; what it does not say of its source is that of the case.
    pub fn judge(&mut self, mut quantity: Quantity) {
        if quantity.source.is_empty() {
            quantity.source = self.case.source.into();
        }
        quantity.trust.get_or_insert(self.case.trust);
        if quantity.source == PHYSICS {
            quantity.group = Group::Property;
        }
        self.outcome.quantities.push(quantity);
    }

    /// Adds a figure of energies and constraints, which come last.
    pub fn draw_last(&mut self, figure: Figure) {
        self.last.push(figure);
    }

    /// Adds a figure.
    pub fn draw(&mut self, figure: Figure) {
        self.outcome.figures.push(figure);
    }

    /// Adds a table.
    pub fn tabulate(&mut self, table: Table) {
        self.outcome.tables.push(table);
    }

    /// Adds a remark.
    pub fn note(&mut self, words: impl Into<String>) {
        self.outcome.notes.push(words.into());
    }

    /// Says what is being done.
    pub fn stage(&self, words: &str) {
        (self.hear)(words);
    }

    /// Adds a computing time.
    pub fn time(&mut self, timing: Timing) {
        self.outcome.timings.push(timing);
    }

    /// Whether the user wants to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// A tolerance above 2 % is no evidence by itself: one that names no quantity of the same model that meets numbers from outside within 2 %
    /// fails. In the fast part of a case that quantity may be missing.
    pub(crate) fn vouch_for_wide_tolerances(&mut self) {
        let quantities = &self.outcome.quantities;
        let alone = |wide: &&Quantity| {
            let beside = quantities.iter().find(|other| other.name == wide.beside);
            wide.beside.is_empty() || beside.map_or(!self.quick, |other| !other.vouches())
        };
        let alone: Vec<String> =
            quantities.iter().filter(|one| one.is_wide()).filter(alone).map(|one| one.name.clone()).collect();
        for name in alone {
            let why = "a tolerance above 2 % without a reference of the same model beside it that is met within 2 %";
            self.judge(
                Quantity::new(format!("{name}: reference of the same model"), "1", 0.0).exactly(1.0, why),
            );
        }
    }

    pub(crate) fn finish(mut self) -> CaseOutcome {
        self.outcome.figures.append(&mut self.last);
        self.outcome
    }
}

/// The source of properties that every mechanical system has.
pub const PHYSICS: &str = "conservation of energy, and equivalence of formulations of the same model";
