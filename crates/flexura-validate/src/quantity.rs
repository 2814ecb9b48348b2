//! A computed number beside what it should be: error, tolerance, verdict.

use serde_json::{Value, json};

/// How far a reference can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// Exact, or converged and confirmed by an independent published number.
    T1,
    /// Numbers of an independent public program, or a converged solution without an outside check.
    T2,
    /// Reconstructed: some parameters were recalled or chosen.
    T3,
    /// Only a figure in the source, no numbers.
    T4,
}

impl Trust {
    /// All labels.
    pub const ALL: [Self; 4] = [Self::T1, Self::T2, Self::T3, Self::T4];

    /// The label.
    pub fn label(self) -> &'static str {
        match self {
            Self::T1 => "T1",
            Self::T2 => "T2",
            Self::T3 => "T3",
            Self::T4 => "T4",
        }
    }

    /// What the label says.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::T1 => "exact, or converged and confirmed by an independent published number",
            Self::T2 => {
                "numbers of an independent public program, or a converged solution without an outside check"
            }
            Self::T3 => {
                "reconstructed: the source leaves parameters out, which were recalled or chosen by this project"
            }
            Self::T4 => "only a figure in the source, no numbers",
        }
    }
}

/// Judgement of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Within its tolerance.
    Pass,
    /// Outside its tolerance.
    Fail,
    /// Outside its tolerance, as it must be: the point of the quantity.
    ExpectedFailure,
    /// The source gives no number to compare with.
    NoReference,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 4] = [Self::Pass, Self::Fail, Self::ExpectedFailure, Self::NoReference];

    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::ExpectedFailure => "expected_failure",
            Self::NoReference => "no_reference",
        }
    }

    /// Whether nothing is wrong.
    pub fn is_good(self) -> bool {
        self != Self::Fail
    }
}

/// What a reference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Comes from outside Flexura.
    Reference,
    /// A property that must hold: energy balances, algorithms agree.
    Property,
    /// Was computed by Flexura before: only says that nothing changed.
    Regression,
}

/// Largest tolerance, as a share of the reference, that stands for itself.
pub const NARROW: f64 = 0.02;

/// How the error of a quantity is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// Difference from the reference, in the unit of the quantity.
    Absolute,
    /// Difference from the reference as a share of a size.
    Share,
    /// The value itself must not exceed the tolerance.
    Limit,
    /// What the value lacks of a lower bound.
    Floor,
    /// What the value exceeds an upper bound by.
    Ceiling,
    /// Share by which the value is outside an interval.
    Interval,
}

/// A computed number with its judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// What it is.
    pub name: String,
    /// Unit; `1` for pure numbers.
    pub unit: &'static str,
    /// Computed value.
    pub value: f64,
    /// What it should be; for an interval its nearest bound.
    pub reference: Option<f64>,
    /// Error by `measure`.
    pub error: Option<f64>,
    /// Largest error allowed.
    pub tolerance: Option<f64>,
    /// How the error is measured.
    pub measure: Measure,
    /// Half the width of an interval as a share of its nearer bound, else zero.
    pub breadth: f64,
    /// The quantity of the same model with an independent reference that stands beside a tolerance above [`NARROW`]; empty: none.
    pub beside: String,
    /// Why this tolerance, or why no reference.
    pub reason: String,
    /// Where the reference comes from; empty: that of the case.
    pub source: String,
    /// Trust in the reference; `None`: that of the case.
    pub trust: Option<Trust>,
    /// Judgement.
    pub verdict: Verdict,
    /// Kind of reference.
    pub group: Group,
}

impl Quantity {
    /// A value without judgement; one of the methods below must follow.
    pub fn new(name: impl Into<String>, unit: &'static str, value: f64) -> Self {
        Self {
            name: name.into(),
            unit,
            value,
            reference: None,
            error: None,
            tolerance: None,
            measure: Measure::Absolute,
            breadth: 0.0,
            beside: String::new(),
            reason: String::new(),
            source: String::new(),
            trust: None,
            verdict: Verdict::NoReference,
            group: Group::Reference,
        }
    }

    /// Differs from `reference` by at most `tolerance` times its magnitude.
    pub fn relative(self, reference: f64, tolerance: f64, why: impl Into<String>) -> Self {
        self.share_of(reference.abs(), reference, tolerance, why)
    }

    /// Differs from `reference` by at most `tolerance` times `size`.
    pub fn share_of(self, size: f64, reference: f64, tolerance: f64, why: impl Into<String>) -> Self {
        let error = (self.value - reference).abs() / size;
        self.judged(Measure::Share, Some(reference), error, tolerance, why)
    }

    /// Differs from `reference` by at most `tolerance`.
    pub fn absolute(self, reference: f64, tolerance: f64, why: impl Into<String>) -> Self {
        let error = (self.value - reference).abs();
        self.judged(Measure::Absolute, Some(reference), error, tolerance, why)
    }

    /// A magnitude that should vanish, at most `limit`.
    pub fn at_most(self, limit: f64, why: impl Into<String>) -> Self {
        let error = self.value.abs();
        self.judged(Measure::Limit, Some(0.0), error, limit, why)
    }

    /// At least `bound`.
    pub fn at_least(self, bound: f64, why: impl Into<String>) -> Self {
        // A number that is not one lacks everything.
        let lack = if self.value.is_nan() { f64::INFINITY } else { (bound - self.value).max(0.0) };
        self.judged(Measure::Floor, Some(bound), lack, 0.0, why)
    }

    /// At most `bound`, which is a claim and no tolerance: a published count, say.
    pub fn no_more_than(self, bound: f64, why: impl Into<String>) -> Self {
        let excess = if self.value.is_nan() { f64::INFINITY } else { (self.value - bound).max(0.0) };
        self.judged(Measure::Ceiling, Some(bound), excess, 0.0, why)
    }

    /// Between two bounds in any order, or outside by at most `slack` times the nearer one.
    pub fn between(mut self, one: f64, other: f64, slack: f64, why: impl Into<String>) -> Self {
        let (low, high) = (one.min(other), one.max(other));
        let nearest = if (self.value - low).abs() < (self.value - high).abs() { low } else { high };
        let outside = (low - self.value).max(self.value - high).max(0.0) / nearest.abs();
        let error = if self.value.is_nan() { f64::INFINITY } else { outside };
        self.breadth = 0.5 * (high - low) / nearest.abs();
        self.judged(Measure::Interval, Some(nearest), error, slack, why)
    }

    /// Exactly `reference`: a count.
    pub fn exactly(self, reference: f64, why: impl Into<String>) -> Self {
        self.absolute(reference, 0.0, why)
    }

    /// Nothing to compare with; `why` says what is missing.
    pub fn without_reference(mut self, why: impl Into<String>) -> Self {
        self.reason = why.into();
        self
    }

    /// The point is that the value is wrong: it must be outside the tolerance. What is no finite number, as a run that broke down leaves it,
    /// shows nothing.
    pub fn expected_to_fail(mut self) -> Self {
        let finite = self.error.is_some_and(f64::is_finite);
        self.verdict = match self.verdict {
            Verdict::Fail if !finite => Verdict::Fail,
            Verdict::Fail => Verdict::ExpectedFailure,
            Verdict::Pass => Verdict::Fail,
            other => other,
        };
        self
    }

    /// The quantity `name` of this case is of the same model and has an independent reference, which it meets within [`NARROW`].
    pub fn beside(mut self, name: impl Into<String>) -> Self {
        self.beside = name.into();
        self
    }

    /// Whether the tolerance is more than [`NARROW`] of the reference, or of the size that errors are measured by; bounds from one side are
    /// claims, and where the reference is zero only pure numbers can tell.
    pub fn is_wide(&self) -> bool {
        let Some(tolerance) = self.tolerance else { return false };
        match self.measure {
            Measure::Share => tolerance > NARROW,
            Measure::Interval => tolerance + self.breadth > NARROW,
            Measure::Absolute => self
                .reference
                .is_some_and(|reference| reference != 0.0 && tolerance > NARROW * reference.abs()),
            Measure::Limit => self.unit == "1" && tolerance > NARROW,
            Measure::Floor | Measure::Ceiling => false,
        }
    }

    /// Whether this quantity may stand beside a wide one: met, narrow, and against numbers from outside.
    pub fn vouches(&self) -> bool {
        self.verdict == Verdict::Pass
            && !self.is_wide()
            && self.group == Group::Reference
            && self.reference.is_some()
    }

    /// The reference was computed by Flexura before.
    pub fn regression(mut self) -> Self {
        self.group = Group::Regression;
        self
    }

    /// Another source than that of the case.
    pub fn source(mut self, source: impl Into<String>, trust: Trust) -> Self {
        self.source = source.into();
        self.trust = Some(trust);
        self
    }

    fn judged(
        mut self,
        measure: Measure,
        reference: Option<f64>,
        error: f64,
        tolerance: f64,
        why: impl Into<String>,
    ) -> Self {
        // What is not a number is not within any tolerance.
        self.verdict = if error <= tolerance { Verdict::Pass } else { Verdict::Fail };
        (self.measure, self.reference) = (measure, reference);
        (self.error, self.tolerance) = (Some(error), Some(tolerance));
        self.reason = why.into();
        self
    }

    /// One line of `--json`.
    pub fn json(&self, case: &str) -> Value {
        // JSON has no infinities.
        let finite = |x: f64| if x.is_finite() { json!(x) } else { json!(x.to_string()) };
        let group = match self.group {
            Group::Reference => "reference",
            Group::Property => "property",
            Group::Regression => "regression",
        };
        json!({
            "case": case,
            "quantity": self.name,
            "unit": self.unit,
            "value": finite(self.value),
            "reference": self.reference.map(finite),
            "error": self.error.map(finite),
            "tolerance": self.tolerance,
            "measure": self.measure_word(),
            "verdict": self.verdict.word(),
            "source": self.source,
            "trust": self.trust.map(Trust::label),
            "group": group,
            "beside": self.beside,
            "reason": self.reason,
        })
    }

    /// How the error is measured, in a word.
    pub fn measure_word(&self) -> &'static str {
        match self.measure {
            Measure::Absolute => "difference",
            Measure::Share => "share",
            Measure::Limit => "at most",
            Measure::Floor => "at least",
            Measure::Ceiling => "no more than",
            Measure::Interval => "outside the bounds by",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: f64) -> Quantity {
        Quantity::new("x", "1", value)
    }

    #[test]
    fn verdicts_follow_the_error() {
        assert_eq!(of(1.01).relative(1.0, 0.02, "").verdict, Verdict::Pass);
        assert_eq!(of(-0.97).relative(-1.0, 0.02, "").verdict, Verdict::Fail);
        assert_eq!(of(-0.97).relative(-1.0, 0.02, "").expected_to_fail().verdict, Verdict::ExpectedFailure);
        assert_eq!(of(1.0).relative(1.0, 0.02, "").expected_to_fail().verdict, Verdict::Fail);
        assert_eq!(of(-2.0).at_most(1.0, "").verdict, Verdict::Fail);
        assert_eq!(of(1.9).at_least(1.8, "").verdict, Verdict::Pass);
        assert_eq!(of(1.7).at_least(1.8, "").verdict, Verdict::Fail);
        assert_eq!(of(0.9).no_more_than(1.0, "").verdict, Verdict::Pass);
        assert_eq!(of(1.1).no_more_than(1.0, "").verdict, Verdict::Fail);
        assert_eq!(of(-1.5).between(-1.0, -2.0, 0.0, "").verdict, Verdict::Pass);
        assert_eq!(of(-2.1).between(-1.0, -2.0, 0.06, "").verdict, Verdict::Pass);
        assert_eq!(of(-2.1).between(-1.0, -2.0, 0.04, "").verdict, Verdict::Fail);
        assert_eq!(of(3.0).without_reference("lost").verdict, Verdict::NoReference);
        // Where nothing is compared nothing can fail as expected either.
        assert_eq!(of(3.0).without_reference("lost").expected_to_fail().verdict, Verdict::NoReference);
    }

    /// Shares, intervals, numbers with and without a unit; one-sided claims are no tolerances.
    #[test]
    fn tolerances_above_two_percent_are_wide() {
        assert!(of(1.0).relative(1.0, 0.021, "").is_wide() && !of(1.0).relative(1.0, 0.02, "").is_wide());
        assert!(
            of(1.0).share_of(5.0, 1.0, 0.03, "").is_wide() && !of(1.0).share_of(5.0, 1.0, 0.02, "").is_wide()
        );
        assert!(of(0.1).absolute(0.1, 0.01, "").is_wide() && !of(1.0).absolute(1.0, 0.01, "").is_wide());
        assert!(!of(0.0).absolute(0.0, 0.01, "").is_wide());
        assert!(
            of(1.0).at_most(0.03, "").is_wide() && !Quantity::new("x", "m", 1.0).at_most(0.03, "").is_wide()
        );
        assert!(
            of(1.0).between(1.0, 1.2, 0.0, "").is_wide() && !of(1.0).between(1.0, 1.01, 0.0, "").is_wide()
        );
        assert!(!of(3.0).at_least(1.0, "").is_wide() && !of(3.0).no_more_than(5.0, "").is_wide());
        assert!(!of(3.0).without_reference("").is_wide());
        assert!(of(1.0).relative(1.0, 0.02, "").vouches());
        let others = [
            of(1.0).relative(1.0, 0.03, ""),
            of(2.0).relative(1.0, 0.02, ""),
            of(1.0).relative(1.0, 0.02, "").regression(),
            of(1.0).without_reference(""),
        ];
        assert!(others.iter().all(|quantity| !quantity.vouches()));
    }

    #[test]
    fn what_flexura_computed_is_no_reference() {
        assert_eq!(of(1.0).relative(1.0, 0.02, "").group, Group::Reference);
        assert_eq!(of(1.0).relative(1.0, 0.02, "").regression().group, Group::Regression);
    }

    /// A run that broke down must never pass.
    #[test]
    fn what_is_no_number_fails() {
        let nan = || of(f64::NAN);
        let all = [
            nan().relative(1.0, 0.5, ""),
            nan().absolute(1.0, 0.5, ""),
            nan().at_most(1.0, ""),
            nan().at_least(1.0, ""),
            nan().no_more_than(1.0, ""),
            nan().between(0.0, 1.0, 0.1, ""),
            of(1.0).relative(0.0, 0.5, ""),
            nan().relative(1.0, 0.5, "").expected_to_fail(),
            of(f64::NEG_INFINITY).relative(1.0, 0.5, "").expected_to_fail(),
        ];
        assert!(all.iter().all(|quantity| quantity.verdict == Verdict::Fail), "{all:?}");
    }
}
