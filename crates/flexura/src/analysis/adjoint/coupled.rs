//! The end of an implicit step, whose accelerations were found together with the motion that belongs to them: its adjoint system.
//!
//! Unknown are the multipliers μ of r and the derivatives z̄₁ over the controller states at the end (AD.8). A product with the matrix is a
//! sweep over the recorded evaluation; minimal residuals preconditioned with the structured tangent, which is symmetric. Where loops close,
//! multipliers κ of Φ come with μ, and J μ = 0: the preconditioner keeps to that, so that the same equations are left.
//! Cost: one factorisation, some ten sweeps.
//!
//! Typeset: book/src/theory/adjoint.md (AD.8).

use super::GradientError;
use super::evaluation::{Pulled, Seeds};
use super::sweep::{Sweep, Through};
use super::twist_chart::TwistChart;
use crate::algorithm::structured_tangent::{StructuredTangent, TangentWeights};
use crate::error::SimulationError;
use crate::integrate::{AlphaCoefficients, AlphaMemory};
use crate::linear::gmres;
use crate::model::Model;
use crate::motion::kinematics::Kinematics;
use crate::state::State;
use crate::workspace::Workspace;

/// Residual of the adjoint system, relative to its right side: far below what derivatives are compared to.
const SOLVED: f64 = 1e-13;
/// Products taken for it at most.
const PRODUCTS: usize = 200;

/// A symmetric tangent near that of the step.
pub(super) trait Near {
    /// Multipliers `out` of all that is asked to vanish whose share over the accelerations is near `right`.
    fn solve(&mut self, model: &Model, right: &[f64], out: &mut [f64]);
}

/// The structured tangent of a tree.
pub(super) struct TreeTangent {
    tangent: StructuredTangent,
    kinematics: Kinematics,
}

/// The system with a tangent near its own.
pub(super) struct AtEnd<'b> {
    pub coupled: &'b mut Coupled,
    pub near: &'b mut dyn Near,
}

/// The system at the end of one step.
pub(super) struct Coupled {
    coefficients: AlphaCoefficients,
    h: f64,
    time: f64,
    chart: TwistChart,
    /// Derivatives over the end as they come in: coordinates and y, algorithmic and true accelerations.
    bar: Pulled,
    algorithmic: Vec<f64>,
    acceleration: Vec<f64>,
    /// Weights of the rates of an evaluation.
    rate: Vec<f64>,
    control_rates: Vec<f64>,
    power: f64,
    /// The solution: μ with the multipliers of rows, and derivatives over the controller states at the end.
    solved: Vec<f64>,
    pub memory: Vec<f64>,
    looked: Pulled,
}

impl Coupled {
    pub fn new(model: &Model, size: usize) -> Self {
        let (n, z) = (model.speed_count(), model.controller_states);
        Self {
            coefficients: AlphaCoefficients::trapezoidal(),
            h: 0.0,
            time: 0.0,
            chart: TwistChart::default(),
            bar: Pulled::new(model, size),
            algorithmic: vec![0.0; n],
            acceleration: vec![0.0; n],
            rate: vec![0.0; size],
            control_rates: vec![0.0; z],
            power: 0.0,
            solved: vec![0.0; n + 2 * model.constraint_count()],
            memory: vec![0.0; z],
            looked: Pulled::new(model, size),
        }
    }

    pub fn begin(
        &mut self,
        model: &Model,
        (coefficients, h, time): (AlphaCoefficients, f64, f64),
        (state, twist): (&State, &[f64]),
        bar: &Pulled,
        bars: &AlphaMemory,
    ) {
        (self.coefficients, self.h, self.time) = (coefficients, h, time);
        self.chart = TwistChart::new(model, &state.q, twist);
        self.bar.clone_from(bar);
        self.algorithmic.copy_from_slice(&bars.algorithmic);
        self.acceleration.copy_from_slice(&bars.acceleration);
        self.control_rates.copy_from_slice(&bars.control_rates);
        self.power = bars.power;
    }

    /// What the result sees of w, by itself and by the motion that belongs to it; `base` counts what came in.
    fn seen_of_w(&self, model: &Model, over: &dyn Sweep, looked: &Pulled, base: bool) -> Vec<f64> {
        let (n, c, h) = (model.speed_count(), self.coefficients, self.h);
        let share = (1.0 - c.alpha_f) / (1.0 - c.alpha_m);
        let sum = |x: f64, y: f64| if base { x + y } else { x };
        let end_q: Vec<f64> =
            looked.start_q.iter().zip(&self.bar.start_q).map(|(&x, &y)| sum(x, y)).collect();
        let twist = self.chart.over_twist(model, &end_q);
        let mut out = vec![0.0; n];
        for (i, slot) in out.iter_mut().enumerate().filter(|(i, _)| !model.prescribed[*i]) {
            let speed = sum(looked.y[n + i], self.bar.y[n + i]);
            let own = sum(over.over_acceleration(i), self.acceleration[i]);
            let algorithmic = if base { self.algorithmic[i] } else { 0.0 };
            *slot = own + share * (algorithmic + h * h * c.beta * twist[i] + h * c.gamma * speed);
        }
        out
    }

    /// Weights of the rates with derivatives `memory` over the controller states; `base` counts what came in.
    fn weigh(&mut self, n: usize, memory: &[f64], base: bool) {
        let last = self.rate.len() - 1;
        self.rate.fill(0.0);
        for ((slot, given), own) in self.rate[2 * n..last].iter_mut().zip(memory).zip(&self.control_rates) {
            *slot = 0.5 * self.h * given + if base { *own } else { 0.0 };
        }
        self.rate[last] = if base { self.power } else { 0.0 };
    }

    /// Looks at a sweep with `solved` as multipliers and `memory` over controller states.
    fn sweep(
        &mut self,
        model: &Model,
        over: &mut dyn Sweep,
        (solved, memory): (&[f64], &[f64]),
        base: bool,
    ) -> Vec<f64> {
        let n = model.speed_count();
        self.weigh(n, memory, base);
        let seeds = Seeds { rate: &self.rate, row: &[] };
        over.sweep(model, Some(seeds), Some(solved));
        let mut looked = std::mem::replace(&mut self.looked, Pulled { start_q: Vec::new(), y: Vec::new() });
        looked.clear();
        over.look(&mut looked);
        let mut out = self.seen_of_w(model, over, &looked, base);
        let last = looked.y.len() - 1;
        let ends = self.bar.y[2 * n..last].iter().zip(&looked.y[2 * n..last]).zip(memory);
        out.extend(ends.map(|((came, seen), own)| if base { came + seen } else { own - seen }));
        self.looked = looked;
        out
    }
}

impl TreeTangent {
    pub fn new(model: &Model) -> Self {
        let kinematics = Workspace::<f64>::new(model).motion.kinematics;
        Self { tangent: StructuredTangent::new(model), kinematics }
    }

    /// Factorises at the end of the step, whose kinematics `work` has.
    pub fn factorize(
        &mut self,
        model: &Model,
        work: &Workspace,
        (weights, time): (TangentWeights, f64),
    ) -> Result<(), GradientError> {
        self.kinematics.clone_from(&work.motion.kinematics);
        let done =
            self.tangent.factorize(model, &self.kinematics, &work.inertias, weights, &model.prescribed);
        done.map_err(|error| SimulationError::dynamics(time, error).into())
    }
}

impl Near for TreeTangent {
    fn solve(&mut self, model: &Model, right: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.tangent.solve(model, &self.kinematics, &model.prescribed, right, out);
    }
}

impl Through for AtEnd<'_> {
    fn pull(&mut self, model: &Model, over: &mut dyn Sweep, out: &mut Pulled) -> Result<(), GradientError> {
        let Self { coupled, near } = self;
        let (n, z) = (model.speed_count(), coupled.memory.len());
        over.hold();
        let (mut solved, no_memory) = (vec![0.0; coupled.solved.len()], vec![0.0; z]);
        // w̄ = Sᵀμ over the free speeds, z̄₁ − what the evaluation sees of z₁ through it = what came in.
        let right = coupled.sweep(model, over, (&solved, &no_memory), true);
        if !right.iter().all(|value| value.is_finite()) {
            over.let_go();
            return Err(GradientError::NotFinite);
        }
        let mut unknown = vec![0.0; n + z];
        // x = P⁻¹ y with P the tangent near that of the step, the unit for controller states.
        let mut apply = |y: &[f64], product: &mut [f64]| {
            near.solve(model, &y[..n], &mut solved);
            let seen = coupled.sweep(model, over, (&solved, &y[n..]), false);
            for (i, slot) in product.iter_mut().enumerate() {
                // Multipliers enter with their sign.
                *slot = if i < n { -seen[i] } else { seen[i] };
            }
        };
        let done = gmres(&right, SOLVED, PRODUCTS, &mut unknown, &mut apply);
        over.let_go();
        if done.is_none() {
            return Err(GradientError::Adjoint(coupled.time));
        }
        near.solve(model, &unknown[..n], &mut coupled.solved);
        coupled.memory.copy_from_slice(&unknown[n..]);
        let memory = coupled.memory.clone();
        coupled.weigh(n, &memory, true);
        over.sweep(model, Some(Seeds { rate: &coupled.rate, row: &[] }), Some(&coupled.solved));
        over.gather(out);
        Ok(())
    }

    fn seen(&self) -> (Seeds<'_>, &[f64]) {
        (Seeds { rate: &self.coupled.rate, row: &[] }, &self.coupled.solved)
    }
}
