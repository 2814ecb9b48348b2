//! Step-size control of the embedded Runge-Kutta pair.
//!
//! Source: Hairer, Nørsett & Wanner, Solving ODE I, section II.4, with the PI
//! controller of Gustafsson (section IV.2 of volume II).
//!
//! Typeset: book/src/theory/integrators.md (TI.3).

use crate::checkpoint::Tape;

/// Counters of an integration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepStatistics {
    /// Accepted steps.
    pub accepted: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Evaluations of the equations of motion.
    pub evaluations: u64,
    /// Jacobians of the equations of motion, where a method forms them.
    pub jacobians: u64,
    /// Factorisations of matrices made of a Jacobian and a step.
    pub factorizations: u64,
    /// Accepted steps that the automatic choice took by the method for stiff models.
    pub stiff: u64,
    /// Accepted explicit steps that were as long as stability lets them be, where the method can tell.
    pub held: u64,
}

impl StepStatistics {
    /// The counters, written or read.
    pub(crate) fn remember(&mut self, tape: &mut Tape) {
        let steps = [&mut self.accepted, &mut self.rejected, &mut self.evaluations];
        let matrices = [&mut self.jacobians, &mut self.factorizations];
        let kinds = [&mut self.stiff, &mut self.held];
        for count in steps.into_iter().chain(matrices).chain(kinds) {
            tape.count(count);
        }
    }
}

/// Tolerances and step memory.
#[derive(Clone, Debug)]
pub(crate) struct StepControl {
    relative: f64,
    absolute: f64,
    /// Step proposed next (s); zero before the first.
    proposed: f64,
    largest: f64,
    previous_error: f64,
    rejected_last: bool,
}

impl StepControl {
    /// Control with relative and absolute tolerance per entry; zero `initial` is chosen automatically.
    pub fn new(relative: f64, absolute: f64, initial: f64, largest: f64) -> Self {
        Self { relative, absolute, proposed: initial, largest, previous_error: 1e-4, rejected_last: false }
    }

    /// Scale of entry with values `a` and `b`.
    pub(super) fn scale(&self, a: f64, b: f64) -> f64 {
        self.absolute + self.relative * a.abs().max(b.abs())
    }

    /// Square of an error in units of the tolerance.
    pub(super) fn square(&self, error: f64, a: f64, b: f64) -> f64 {
        let ratio = error / self.scale(a, b);
        ratio * ratio
    }

    /// Root mean square of `error` in units of the tolerance.
    pub fn norm(&self, error: &[f64], a: &[f64], b: &[f64], counted: impl Fn(usize) -> bool) -> f64 {
        let (mut sum, mut count) = (0.0, 0usize);
        for i in (0..error.len()).filter(|&i| counted(i)) {
            let ratio = error[i] / self.scale(a[i], b[i]);
            sum += ratio * ratio;
            count += 1;
        }
        (sum / count.max(1) as f64).sqrt()
    }

    /// Step to try, or zero if none is known yet.
    pub fn proposal(&self) -> f64 {
        self.proposed.min(self.largest)
    }

    /// Sets the step to try next.
    pub(super) fn propose(&mut self, h: f64) {
        self.proposed = h;
    }

    /// A first step from the sizes of y and dy/dt in units of the tolerance (section II.4, simplified to one evaluation). How far the step may go
    /// is no matter here: the next limit may be one rounding away.
    pub fn first_step(&mut self, [size, slope]: [f64; 2]) -> f64 {
        let guess = if size < 1e-5 || slope < 1e-5 { 1e-6 } else { 0.01 * size / slope };
        self.proposed = guess.min(self.largest);
        self.proposed
    }

    /// Judges a step `h` with error `norm`; returns whether it is accepted.
    pub fn judge(&mut self, h: f64, norm: f64) -> bool {
        const SAFETY: f64 = 0.9;
        const BETA: f64 = 0.04;
        const EXPONENT: f64 = 0.2 - 0.75 * BETA;
        if !norm.is_finite() {
            self.proposed = 0.1 * h;
            self.rejected_last = true;
            return false;
        }
        let raw = norm.max(1e-10).powf(EXPONENT);
        if norm <= 1.0 {
            let factor = (SAFETY * self.previous_error.powf(BETA) / raw).clamp(0.2, 10.0);
            let factor = if self.rejected_last { factor.min(1.0) } else { factor };
            self.proposed = h * factor;
            self.previous_error = norm.max(1e-4);
            self.rejected_last = false;
            true
        } else {
            self.proposed = h * (SAFETY / raw).max(0.2);
            self.rejected_last = true;
            false
        }
    }

    /// Keeps the proposal of the last full step after one shortened to hit a limit.
    pub fn keep(&mut self, proposal: f64) {
        self.proposed = self.proposed.max(proposal);
    }

    /// What lasts from one step to the next.
    pub(crate) fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.proposed);
        tape.number(&mut self.previous_error);
        tape.flag(&mut self.rejected_last);
    }

    /// Forgets the error history after a jump of the inputs.
    pub fn restart(&mut self) {
        self.previous_error = 1e-4;
        self.proposed = 0.0;
    }
}
