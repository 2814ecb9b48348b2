//! Step sizes of the Radau method.
//!
//! Source: Hairer & Wanner, Solving ODE II, section IV.8: the error estimate is of third order in the step, so the
//! proposal follows its fourth root, less where Newton took many iterations; after Gustafsson the change of the last
//! two errors predicts the next. Tolerances: the estimate belongs to a method of third order while the result is of
//! fifth, so that 0.1 τ^(2/3) asked of the estimate keeps the error of the result near τ.

use super::newton::ITERATIONS;
use crate::checkpoint::Tape;
use crate::integrate::StepControl;

const SAFETY: f64 = 0.9;
/// Bounds of h/h_new.
const LARGEST_GROWTH: f64 = 1.0 / 8.0;
const LARGEST_SHRINKAGE: f64 = 5.0;
/// A growth up to this factor is not worth new matrices.
const NOT_WORTH_IT: f64 = 1.2;

/// Tolerances, proposal and memory of the last accepted step.
#[derive(Clone, Debug)]
pub(super) struct StepSize {
    pub control: StepControl,
    /// Newton's tolerance in units of the error tolerance.
    pub newton: f64,
    /// Length (s) and error of the last accepted step; zero before the first.
    accepted: (f64, f64),
    pub rejected_last: bool,
}

impl StepSize {
    pub fn new(relative: f64, absolute: f64, initial: f64, largest: f64) -> Self {
        let inner = 0.1 * relative.powf(2.0 / 3.0);
        let newton = (10.0 * f64::EPSILON / inner).max(inner.sqrt().min(0.03));
        Self {
            control: StepControl::new(inner, absolute / relative * inner, initial, largest),
            newton,
            accepted: (0.0, 0.0),
            rejected_last: false,
        }
    }

    /// Whether no step has been accepted since the start or a jump.
    pub fn first(&self) -> bool {
        self.accepted.0 == 0.0
    }

    /// Judges a step `h` with error `norm` found in `iterations`; `keep`: the matrices may serve again.
    pub fn judge(&mut self, h: f64, norm: f64, iterations: usize, keep: bool) -> bool {
        if !norm.is_finite() {
            self.shrink(0.1 * h);
            return false;
        }
        let norm = norm.max(1e-10);
        let most = ITERATIONS as f64;
        let safety = SAFETY.min(SAFETY * (1.0 + 2.0 * most) / (iterations as f64 + 2.0 * most));
        let quotient = (norm.powf(0.25) / safety).clamp(LARGEST_GROWTH, LARGEST_SHRINKAGE);
        if norm >= 1.0 {
            self.shrink(if self.first() { 0.1 * h } else { h / quotient });
            return false;
        }
        let mut next = h / self.predicted(h, norm, quotient);
        self.accepted = (h, norm.max(0.01));
        if self.rejected_last {
            next = next.min(h);
        }
        self.rejected_last = false;
        if keep && (1.0..=NOT_WORTH_IT).contains(&(next / h)) {
            next = h;
        }
        self.control.propose(next);
        true
    }

    /// The quotient by Gustafsson's prediction where that asks for a shorter step.
    fn predicted(&self, h: f64, norm: f64, quotient: f64) -> f64 {
        if self.first() {
            return quotient;
        }
        let (last, error) = self.accepted;
        let predicted = last / h * (norm * norm / error).powf(0.25) / SAFETY;
        quotient.max(predicted.clamp(LARGEST_GROWTH, LARGEST_SHRINKAGE))
    }

    /// Proposes a shorter step after a failure.
    pub fn shrink(&mut self, h: f64) {
        self.control.propose(h);
        self.rejected_last = true;
    }

    /// What lasts from one step to the next.
    pub fn remember(&mut self, tape: &mut Tape) {
        self.control.remember(tape);
        tape.number(&mut self.accepted.0);
        tape.number(&mut self.accepted.1);
        tape.flag(&mut self.rejected_last);
    }

    /// Forgets the history after a jump of the inputs.
    pub fn restart(&mut self) {
        self.control.restart();
        self.accepted = (0.0, 0.0);
        self.rejected_last = false;
    }
}
