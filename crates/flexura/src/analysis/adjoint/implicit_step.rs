//! Steps of the generalised-α family on trees, repeated and reversed.
//!
//! A step finds w = v̇₁ and the controller states z₁ with (Arnold & Brüls, Multibody Syst. Dyn. 18 (2007) 185-202)
//!
//! a₁ = ((1−α_f) w + α_f w₀ − α_m a₀)/(1−α_m),  δ = h v₀ + h²((½−β) a₀ + β a₁),  v₁ = v₀ + h((1−γ) a₀ + γ a₁),
//! q₁ = q₀ exp δ,  z₁ = z₀ + ½h (ζ₀ + ζ₁),  r(q₁, v₁, z₁, w) = 0
//!
//! with ζ the rates of the controller states. By the theorem of implicit functions its adjoint is one linear system for the multipliers μ of r
//! and z̄₁, the step's tangent transposed (AD.7), exact because its products are sweeps over the recorded evaluation; it is solved by minimal
//! residuals, preconditioned with the structured tangent that the step itself iterates with, which is symmetric. Whether Newton's
//! iteration took few corrections or many does not matter. A step that begins anew (after a jump of an input) takes a₀ = w₀ from an
//! evaluation at its start. Cost: the step once more, some ten sweeps, one more where it begins anew.
//!
//! Typeset: book/src/theory/adjoint.md (AD.7), (AD.8).

use super::GradientError;
use super::evaluation::{Place, Pulled, Seeds};
use super::sweep::{Sweep, Through};
use super::taping::Taping;
use super::trace::Point;
use super::twist_chart::TwistChart;
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::algorithm::structured_tangent::StructuredTangent;
use crate::error::SimulationError;
use crate::integrate::{AlphaCoefficients, AlphaMemory, Dense, Flow, GeneralizedAlpha};
use crate::linear::gmres;
use crate::model::Model;
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Residual of the adjoint system, relative to its right side: far below what derivatives are compared to.
const SOLVED: f64 = 1e-13;
/// Products taken for it at most.
const PRODUCTS: usize = 200;

/// Steps of the family, and the derivatives over what one hands on to the next.
pub(super) struct ImplicitStep {
    coefficients: AlphaCoefficients,
    method: GeneralizedAlpha,
    flow: Flow,
    dense: Dense,
    work: Workspace,
    /// Rates at the start of a step that begins anew.
    start_rates: Vec<f64>,
    bars: AlphaMemory,
    pulled: Pulled,
    coupled: Coupled,
}

impl ImplicitStep {
    pub fn new(model: &Model, coefficients: AlphaCoefficients) -> Self {
        let (n, size) = (model.speed_count(), Flow::size(model));
        Self {
            coefficients,
            method: GeneralizedAlpha::new(model, coefficients, 1.0, None),
            flow: Flow::new(model),
            dense: Dense::new(size),
            work: Workspace::with_route(model, FlexibleRoute::Direct),
            start_rates: vec![0.0; size],
            bars: AlphaMemory {
                algorithmic: vec![0.0; n],
                acceleration: vec![0.0; n],
                control_rates: vec![0.0; model.controller_states],
                power: 0.0,
            },
            pulled: Pulled::new(model, size),
            coupled: Coupled::new(model, size),
        }
    }

    /// Begins a way back: nothing comes after the last step.
    pub fn begin(&mut self) {
        self.bars.algorithmic.fill(0.0);
        self.bars.acceleration.fill(0.0);
        self.bars.control_rates.fill(0.0);
        self.bars.power = 0.0;
    }

    /// The step from `point` to `time`, whose end is seen from `side`; `point` is moved there. The evaluations it took.
    pub fn repeat(
        &mut self,
        model: &Model,
        point: &mut Point,
        (time, side, anew): (f64, Side, bool),
    ) -> Result<usize, GradientError> {
        let memory = point.memory.as_ref().filter(|_| !anew);
        self.method.resume(memory, time - point.state.time);
        let before = self.method.statistics.evaluations;
        self.flow.begin(&point.state, point.work);
        self.method.step_to(model, &mut self.flow, &mut self.work, time, &mut self.dense)?;
        point.work = self.flow.finish(model, (time, self.dense.end_values()), side, &mut point.state);
        point.memory = self.method.memory();
        Ok((self.method.statistics.evaluations - before) as usize)
    }

    /// Derivatives `bar` over the end of the step that was repeated last become those over its start `state`.
    pub fn reverse(
        &mut self,
        model: &Model,
        (state, anew): (&State, bool),
        bar: &mut Pulled,
        taping: &mut Taping<'_>,
    ) -> Result<(), GradientError> {
        let n = model.speed_count();
        let (twist, reached) = self.method.reached();
        let h = reached.time - state.time;
        let work = bar.y[bar.y.len() - 1];
        self.bars.power += 0.5 * h * work;
        let memory = self.method.memory().unwrap_or_default();
        // The end, with increments of zero from its own coordinates.
        let mut y = vec![0.0; bar.y.len()];
        y[n..2 * n].copy_from_slice(&reached.v);
        y[2 * n..bar.y.len() - 1].copy_from_slice(&reached.z);
        let at = Place { instant: (reached.time, Side::Before), start_q: &reached.q, y: &y };
        self.work.kinematics(model, reached);
        self.coupled.begin(
            model,
            (self.coefficients, self.method.weights(h), h),
            (state, twist),
            bar,
            &self.bars,
        );
        self.coupled.factorize(model, &self.work, reached.time)?;
        self.pulled.clear();
        taping.implicit(model, at, &memory.acceleration, &mut self.coupled, &mut self.pulled)?;
        self.hand_back(model, h, bar, taping.floor, (state, &twist.to_vec()));
        if anew {
            self.begin_anew(model, state, bar, taping)?;
        }
        Ok(())
    }

    /// From derivatives over the end to those over the start and what the step before has handed on.
    fn hand_back(
        &mut self,
        model: &Model,
        h: f64,
        bar: &mut Pulled,
        floor: usize,
        (state, twist): (&State, &[f64]),
    ) {
        let (n, c) = (model.speed_count(), self.coefficients);
        let last = bar.y.len() - 1;
        bar.start_q.iter_mut().zip(&self.pulled.start_q).for_each(|(sum, x)| *sum += x);
        bar.y[n..2 * n].iter_mut().zip(&self.pulled.y[n..2 * n]).for_each(|(sum, x)| *sum += x);
        let end_q = bar.start_q.clone();
        let twist_bar = TwistChart::pull_back(model, floor, (&state.q, twist), &end_q, &mut bar.start_q);
        for i in 0..n {
            let (twist, speed) = (twist_bar[i], bar.y[n + i]);
            let mixed = self.bars.algorithmic[i] + h * h * c.beta * twist + h * c.gamma * speed;
            let first = h * h * (0.5 - c.beta) * twist + h * (1.0 - c.gamma) * speed;
            let free = if model.prescribed[i] { 0.0 } else { 1.0 };
            self.bars.algorithmic[i] = free * (first - c.alpha_m / (1.0 - c.alpha_m) * mixed);
            self.bars.acceleration[i] = free * c.alpha_f / (1.0 - c.alpha_m) * mixed;
            bar.y[n + i] = speed + h * twist;
        }
        bar.y[..n].fill(0.0);
        bar.y[2 * n..last].copy_from_slice(&self.coupled.memory);
        for (slot, memory) in self.bars.control_rates.iter_mut().zip(&self.coupled.memory) {
            *slot = 0.5 * h * memory;
        }
        self.bars.power = 0.5 * h * bar.y[last];
    }

    /// Accelerations, rates and power that the step began with come from an evaluation at its start.
    fn begin_anew(
        &mut self,
        model: &Model,
        state: &State,
        bar: &mut Pulled,
        taping: &mut Taping<'_>,
    ) -> Result<(), GradientError> {
        let n = model.speed_count();
        self.flow.begin(state, 0.0);
        let y = self.flow.initial().to_vec();
        self.flow.rate(model, &mut self.work, state.time, &y, Side::After, &mut self.start_rates)?;
        let mut rate = vec![0.0; y.len()];
        for i in 0..n {
            rate[n + i] = self.bars.algorithmic[i] + self.bars.acceleration[i];
        }
        rate[2 * n..y.len() - 1].copy_from_slice(&self.bars.control_rates);
        rate[y.len() - 1] = self.bars.power;
        self.begin();
        let at = Place { instant: (state.time, Side::After), start_q: &state.q, y: &y };
        self.pulled.clear();
        let found = (&self.start_rates[n..2 * n], &self.work);
        taping.rates(model, at, found, Seeds { rate: &rate, row: &[] }, &mut self.pulled)?;
        bar.start_q.iter_mut().zip(&self.pulled.start_q).for_each(|(sum, x)| *sum += x);
        bar.y[n..].iter_mut().zip(&self.pulled.y[n..]).for_each(|(sum, x)| *sum += x);
        Ok(())
    }
}

/// The end of a step: accelerations and controller states that were found together with the motion they belong to (AD.7).
struct Coupled {
    coefficients: AlphaCoefficients,
    h: f64,
    time: f64,
    tangent: StructuredTangent,
    kinematics: crate::motion::kinematics::Kinematics,
    weights: crate::algorithm::structured_tangent::TangentWeights,
    chart: TwistChart,
    /// Derivatives over the end as they come in: coordinates and y, algorithmic and true accelerations.
    bar: Pulled,
    algorithmic: Vec<f64>,
    acceleration: Vec<f64>,
    /// Weights of the rates of an evaluation.
    rate: Vec<f64>,
    control_rates: Vec<f64>,
    power: f64,
    /// The solution: μ, and derivatives over the controller states at the end.
    solved: Vec<f64>,
    memory: Vec<f64>,
    looked: Pulled,
}

impl Coupled {
    fn new(model: &Model, size: usize) -> Self {
        let (n, z) = (model.speed_count(), model.controller_states);
        Self {
            coefficients: AlphaCoefficients::trapezoidal(),
            h: 0.0,
            time: 0.0,
            tangent: StructuredTangent::new(model),
            kinematics: Workspace::<f64>::new(model).motion.kinematics,
            weights: crate::algorithm::structured_tangent::TangentWeights { stiffness: 0.0, damping: 0.0 },
            chart: TwistChart::default(),
            bar: Pulled::new(model, size),
            algorithmic: vec![0.0; n],
            acceleration: vec![0.0; n],
            rate: vec![0.0; size],
            control_rates: vec![0.0; z],
            power: 0.0,
            solved: vec![0.0; n],
            memory: vec![0.0; z],
            looked: Pulled::new(model, size),
        }
    }

    fn begin(
        &mut self,
        model: &Model,
        (coefficients, weights, h): (
            AlphaCoefficients,
            crate::algorithm::structured_tangent::TangentWeights,
            f64,
        ),
        (state, twist): (&State, &[f64]),
        bar: &Pulled,
        bars: &AlphaMemory,
    ) {
        (self.coefficients, self.weights, self.h) = (coefficients, weights, h);
        self.chart = TwistChart::new(model, &state.q, twist);
        self.bar.clone_from(bar);
        self.algorithmic.copy_from_slice(&bars.algorithmic);
        self.acceleration.copy_from_slice(&bars.acceleration);
        self.control_rates.copy_from_slice(&bars.control_rates);
        self.power = bars.power;
    }

    /// Factorises the preconditioner at the end of the step, whose kinematics `work` has.
    fn factorize(&mut self, model: &Model, work: &Workspace, time: f64) -> Result<(), GradientError> {
        self.time = time;
        self.kinematics.clone_from(&work.motion.kinematics);
        let (kin, bodies) = (&self.kinematics, &work.inertias);
        let done = self.tangent.factorize(model, kin, bodies, self.weights, &model.prescribed);
        done.map_err(|error| SimulationError::dynamics(time, error).into())
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
        let n = solved.len();
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

impl Through for Coupled {
    fn pull(&mut self, model: &Model, over: &mut dyn Sweep, out: &mut Pulled) -> Result<(), GradientError> {
        let (n, z) = (model.speed_count(), self.memory.len());
        over.hold();
        let (no_force, no_memory) = (vec![0.0; n], vec![0.0; z]);
        // w̄ = Sᵀμ over the free speeds, z̄₁ − what the evaluation sees of z₁ through it = what came in.
        let right = self.sweep(model, over, (&no_force, &no_memory), true);
        let mut unknown = vec![0.0; n + z];
        let mut force = vec![0.0; n];
        // x = P⁻¹ y with P the structured tangent, the unit for controller states.
        let mut apply = |y: &[f64], product: &mut [f64]| {
            force.fill(0.0);
            self.tangent.solve(model, &self.kinematics, &model.prescribed, &y[..n], &mut force);
            let solved = force.clone();
            let seen = self.sweep(model, over, (&solved, &y[n..]), false);
            for (i, slot) in product.iter_mut().enumerate() {
                // Multipliers enter with their sign.
                *slot = if i < n { -seen[i] } else { seen[i] };
            }
        };
        let done = gmres(&right, SOLVED, PRODUCTS, &mut unknown, &mut apply);
        over.let_go();
        if done.is_none() {
            return Err(GradientError::Adjoint(self.time));
        }
        self.solved.fill(0.0);
        let (tangent, kin, solved) = (&mut self.tangent, &self.kinematics, &mut self.solved);
        tangent.solve(model, kin, &model.prescribed, &unknown[..n], solved);
        self.memory.copy_from_slice(&unknown[n..]);
        let memory = self.memory.clone();
        self.weigh(n, &memory, true);
        over.sweep(model, Some(Seeds { rate: &self.rate, row: &[] }), Some(&self.solved));
        over.gather(out);
        Ok(())
    }

    fn seen(&self) -> (Seeds<'_>, &[f64]) {
        (Seeds { rate: &self.rate, row: &[] }, &self.solved)
    }
}
