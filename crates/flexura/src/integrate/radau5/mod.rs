//! Radau IIA of order five with error control, for stiff models.
//!
//! Source: Hairer & Wanner, Solving ODE II, section IV.8 (the code RADAU5): three implicit stages, L-stable, so that
//! stiff springs, dampers and modes that the step does not resolve neither limit it nor ring. The stages are solved by
//! a simplified Newton iteration with one real and one complex factorisation (`newton.rs`, `factors.rs`); Jacobian
//! and factors serve as long as the iteration contracts well and the step stays. Where a stage starts: on the
//! collocation polynomial p of the last step; its increments in rotations belong to another origin, which costs
//! an iteration at most.
//!
//! Error: err = E₁⁻¹ (f₀ − p′(0)/h), equation IV.8.19; on a first or repeated step filtered once more (IV.8.20).
//! Dense output: p misses the slope at the start by d = γ err. To p the quartic d θ(1−θ)²(1 − 5θ/2) is added: it is
//! the cubic Hermite polynomial of both ends plus the fourth derivative that the slopes at 0, c₁, c₂ and 1 give (their
//! third difference is −d/(c₁c₂) = −10 d), so that values inside are of fourth order; d is bounded by the tolerance
//! whatever is stiff.
//!
//! Cost of a step: three evaluations and 10 n² operations per iteration; of new matrices n evaluations and 10/3 n³
//! operations, n = 2 × speeds.
//!
//! Typeset: book/src/theory/integrators.md (TI.5), (TI.6).

mod coefficients;
mod factors;
mod jacobian;
mod newton;
mod settled;
mod step_size;

use super::fixed_step::bounded;
use super::stepper::{End, Stepper};
use super::{Dense, Flow, StepStatistics};
use crate::checkpoint::Tape;
use crate::error::{DynamicsError, SimulationError};
use crate::model::Model;
use crate::time_function::Side;
use crate::workspace::Workspace;
use coefficients::{GAMMA, NODES, START_SLOPE};
pub(crate) use coefficients::{NODES as RADAU_NODES, butcher as radau_weights};
pub(crate) use factors::Factors;
use jacobian::Jacobian;
use newton::{Ending, Interval, Newton};
pub(crate) use settled::SETTLED;
use step_size::StepSize;

/// Smallest step relative to the time before the integration is given up.
const SMALLEST_RELATIVE_STEP: f64 = 1e-14;
/// Contraction of Newton's iteration up to which the Jacobian serves for another step.
const GOOD_CONTRACTION: f64 = 0.1;

/// Steps over which the polynomial of the last one predicts.
const FARTHEST: f64 = 10.0;
/// States beyond which dense matrices take seconds to factorise.
const LARGEST: usize = 1_500;

/// Tolerances and bounds of the step.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct RadauOptions {
    /// Relative tolerance per entry.
    pub relative_tolerance: f64,
    /// Absolute tolerance per entry.
    pub absolute_tolerance: f64,
    /// First step (s); zero lets the method choose.
    pub initial_step: f64,
    /// Largest step (s).
    pub largest_step: f64,
}

/// Stages, matrices, step control and counters.
#[derive(Clone, Debug)]
pub(crate) struct Radau5 {
    size: StepSize,
    newton: Newton,
    jacobian: Jacobian,
    factors: Factors,
    /// Step of the factors (s); zero while they do not belong to the Jacobian.
    factored: f64,
    /// Whether the Jacobian is worth another step.
    usable: bool,
    /// Length of the last step (s); zero where nothing is known of the solution.
    last_step: f64,
    /// Collocation polynomial of the last step: p(θ) = θ(z + (1−θ)(a + θ b)).
    polynomial: [Vec<f64>; 3],
    slope: Vec<f64>,
    error: Vec<f64>,
    /// Scratch: y of a refined error, and its rate.
    y: Vec<f64>,
    rate: Vec<f64>,
    /// Reciprocal tolerances of the entries of y; zero for prescribed coordinates.
    weights: Vec<f64>,
    /// What stopped an attempt at the present step: steps that shrink away from it end for its reason.
    fault: Option<SimulationError>,
    /// Counters.
    pub statistics: StepStatistics,
}

impl Radau5 {
    /// Ends Newton's iteration at this share of the tolerance.
    pub fn solve_stages_to(&mut self, share: f64) {
        self.size.newton = share;
    }

    /// Whether the model is small enough for dense matrices.
    pub fn fits(&self) -> bool {
        self.slope.len() <= LARGEST
    }

    /// Starts anew with a first step of `h` (s).
    pub fn begin_with(&mut self, h: f64) {
        self.restart();
        self.size.control.propose(h);
    }

    /// Scratch for `model`.
    pub fn new(model: &Model, options: RadauOptions) -> Self {
        let size = Flow::size(model);
        // The first step says so.
        let dense = if size > LARGEST { 0 } else { size };
        let zero = vec![0.0; size];
        let RadauOptions { relative_tolerance, absolute_tolerance, initial_step, largest_step } = options;
        Self {
            size: StepSize::new(relative_tolerance, absolute_tolerance, initial_step, largest_step),
            newton: Newton::new(size),
            jacobian: Jacobian::new(model, dense),
            factors: Factors::new(dense),
            factored: 0.0,
            usable: false,
            last_step: 0.0,
            polynomial: std::array::from_fn(|_| zero.clone()),
            slope: zero.clone(),
            error: zero.clone(),
            y: zero.clone(),
            rate: zero.clone(),
            weights: zero,
            fault: None,
            statistics: StepStatistics::default(),
        }
    }
}

impl Stepper for Radau5 {
    fn take_back(&mut self) {
        self.refresh();
    }

    /// What lasts from one step to the next. Factors follow from the Jacobian and their step.
    fn remember(&mut self, tape: &mut Tape) {
        self.size.remember(tape);
        self.newton.remember(tape);
        tape.numbers(&mut self.jacobian.matrix);
        tape.number(&mut self.factored);
        tape.flag(&mut self.usable);
        tape.number(&mut self.last_step);
        self.polynomial.iter_mut().for_each(|part| tape.numbers(part));
        self.statistics.remember(tape);
        if tape.reading() && self.factored > 0.0 {
            self.factors.factorize(&self.jacobian.matrix, self.factored);
        }
    }

    /// Forgets the solution and its Jacobian, after an input jumped.
    fn restart(&mut self) {
        self.size.restart();
        (self.usable, self.factored, self.last_step) = (false, 0.0, 0.0);
    }

    /// Forgets the solution only, after forces jumped.
    fn refresh(&mut self) {
        self.last_step = 0.0;
    }

    /// One accepted step that does not pass `limit`.
    fn step(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        limit: f64,
        dense: &mut Dense,
    ) -> Result<(), SimulationError> {
        let start = flow.start_time();
        if !self.fits() {
            return Err(SimulationError::dynamics(start, too_large(self.slope.len())));
        }
        flow.rate_at_start(model, work, &mut self.slope)?;
        self.statistics.evaluations += 1;
        if self.size.control.proposal() == 0.0 {
            let (y, control) = (flow.initial(), &mut self.size.control);
            let sizes = [y, &self.slope].map(|values| control.norm(values, y, y, |_| true));
            control.first_step(sizes);
        }
        let mut fresh = false;
        self.fault = None;
        loop {
            let wanted = self.size.control.proposal();
            let (end, h) = bounded(start, wanted, limit);
            // Two limits may lie one rounding apart: such a step is short by order, not by error.
            if h <= SMALLEST_RELATIVE_STEP * (1.0 + start.abs()) && end < limit {
                let stuck = SimulationError::dynamics(start, DynamicsError::StepTooSmall);
                return Err(self.fault.take().unwrap_or(stuck));
            }
            let at = Interval { start, end, h };
            if self.attempt(model, flow, work, at, &mut fresh)? {
                self.statistics.accepted += 1;
                if h < wanted {
                    // Shortened to hit the limit, which says nothing about the next step.
                    self.size.control.keep(wanted);
                }
                self.finish(flow, at, dense);
                return Ok(());
            }
            self.statistics.rejected += 1;
        }
    }

    fn end(&self) -> End {
        End::Open
    }

    fn complete(&self, _: &Model, _: bool, _: &mut Workspace) -> bool {
        false
    }

    fn statistics(&self) -> StepStatistics {
        self.statistics
    }
}

impl Radau5 {
    /// One step of given length; returns whether it is accepted. `fresh`: the Jacobian is that of this start.
    fn attempt(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        at: Interval,
        fresh: &mut bool,
    ) -> Result<bool, SimulationError> {
        let h = at.h;
        if !self.usable && !*fresh {
            self.statistics.evaluations += self.jacobian.form(model, flow, work, &self.slope)?;
            self.statistics.jacobians += 1;
            (*fresh, self.factored) = (true, 0.0);
        }
        if self.factored != h {
            self.statistics.factorizations += 1;
            self.factored = h;
            if !self.factors.factorize(&self.jacobian.matrix, h) {
                return Ok(self.reject(0.5 * h));
            }
        }
        self.weigh(model, flow, h);
        self.predict(h);
        let (newton, evaluations) = (&mut self.newton, &mut self.statistics.evaluations);
        let (factors, weights, tolerance) = (&self.factors, &self.weights, self.size.newton);
        let iterations = match newton.solve(model, flow, work, at, factors, weights, tolerance, evaluations) {
            Ending::Converged(iterations) => iterations,
            Ending::Slow(factor) => return Ok(self.reject(factor * h)),
            // A stage far outside may leave the valid range: a shorter step decides.
            Ending::Fault(error) if h > 1e-10 * (1.0 + at.start.abs()) => {
                self.fault = Some(error);
                return Ok(self.reject(0.1 * h));
            }
            Ending::Fault(error) => return Err(error),
        };
        let norm = self.estimate(model, flow, work, h);
        let keep = self.newton.contraction <= GOOD_CONTRACTION;
        let accepted = self.size.judge(h, norm, iterations, keep);
        self.usable = keep;
        Ok(accepted)
    }

    /// Asks for a shorter step with a Jacobian of this start; returns false, for the caller.
    fn reject(&mut self, h: f64) -> bool {
        self.size.shrink(h);
        self.usable = false;
        false
    }

    /// Reciprocal tolerances. Increments count by the way they go in a step; prescribed coordinates are exact. The work
    /// counts, so that the energy balance can be trusted.
    fn weigh(&mut self, model: &Model, flow: &Flow, h: f64) {
        let n = model.speed_count();
        for (i, weight) in self.weights.iter_mut().enumerate() {
            let value = if i < n { h * self.slope[i] } else { flow.initial()[i] };
            let exact = i < 2 * n && model.prescribed[i % n];
            *weight = if exact { 0.0 } else { 1.0 / self.size.control.scale(value, value) };
        }
    }

    /// Stages on the polynomial of the last step; at rest where there is none, or where it would be followed too far.
    fn predict(&mut self, h: f64) {
        let [z, a, b] = &self.polynomial;
        for (stage, node) in self.newton.stages.iter_mut().zip(NODES) {
            if h > FARTHEST * self.last_step {
                stage.fill(0.0);
                continue;
            }
            let s = node * h / self.last_step;
            for (i, slot) in stage.iter_mut().enumerate() {
                *slot = s * (z[i] - (1.0 + s) * (a[i] + (1.0 + s) * b[i]));
            }
        }
    }

    /// Error of the step in units of the tolerance.
    fn estimate(&mut self, model: &Model, flow: &mut Flow, work: &mut Workspace, h: f64) -> f64 {
        self.filter_error(h, false);
        let norm = self.norm();
        if norm < 1.0 || !(self.size.first() || self.size.rejected_last) {
            return norm;
        }
        for ((y, first), error) in self.y.iter_mut().zip(flow.initial()).zip(&self.error) {
            *y = first + error;
        }
        self.statistics.evaluations += 1;
        let start = flow.start_time();
        if flow.rate(model, work, start, &self.y, Side::After, &mut self.rate).is_err() {
            return norm;
        }
        self.filter_error(h, true);
        self.norm()
    }

    /// err = E₁⁻¹ (f − p′(0)/h), with the rate at the start or the `refined` one.
    fn filter_error(&mut self, h: f64, refined: bool) {
        let rate = if refined { &self.rate } else { &self.slope };
        let [z1, z2, z3] = &self.newton.stages;
        let [e1, e2, e3] = START_SLOPE;
        for (i, error) in self.error.iter_mut().enumerate() {
            *error = rate[i] + (e1 * z1[i] + e2 * z2[i] + e3 * z3[i]) / h;
        }
        self.factors.solve_real(&mut self.error);
    }

    fn norm(&self) -> f64 {
        let sum: f64 = self.error.iter().zip(&self.weights).map(|(e, w)| (e * w) * (e * w)).sum();
        (sum / self.error.len() as f64).sqrt()
    }

    /// Keeps the polynomial of the step for the next, and fills the dense output.
    fn finish(&mut self, flow: &Flow, at: Interval, dense: &mut Dense) {
        let [z1, z2, z3] = &self.newton.stages;
        let [z, a, b] = &mut self.polynomial;
        let [c1, c2, _] = NODES;
        for i in 0..z.len() {
            let bend = |c: f64, value: f64| (value - c * z3[i]) / (c * (1.0 - c));
            let (first, second) = (bend(c1, z1[i]), bend(c2, z2[i]));
            z[i] = z3[i];
            b[i] = (second - first) / (c2 - c1);
            a[i] = first - c1 * b[i];
            self.y[i] = flow.initial()[i] + z3[i];
        }
        self.last_step = at.h;
        let missed = |i: usize| GAMMA * self.error[i];
        let parts = |i: usize| [a[i] + missed(i), b[i] - missed(i), -2.5 * missed(i)];
        dense.fill_parts((at.start, at.end), (flow.initial(), &self.y), parts);
    }
}

#[cold]
fn too_large(states: usize) -> DynamicsError {
    let cause = format!(
        "the method \"radau\" has dense matrices, and {states} states are more than {LARGEST}: take \"generalized-alpha\" \
         with a tolerance"
    );
    DynamicsError::Unsupported { cause }
}
