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
use super::coupled::Coupled;
use super::evaluation::{Place, Pulled, Seeds};
use super::taping::Taping;
use super::trace::Point;
use super::twist_chart::TwistChart;
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::integrate::{AlphaCoefficients, AlphaMemory, Dense, Flow, GeneralizedAlpha};
use crate::model::Model;
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;

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
        self.hand_back(model, h, bar, taping.floor, state);
        if anew {
            self.begin_anew(model, state, bar, taping)?;
        }
        Ok(())
    }

    /// From derivatives over the end to those over the start and what the step before has handed on.
    fn hand_back(&mut self, model: &Model, h: f64, bar: &mut Pulled, floor: usize, state: &State) {
        let (n, c) = (model.speed_count(), self.coefficients);
        let last = bar.y.len() - 1;
        bar.start_q.iter_mut().zip(&self.pulled.start_q).for_each(|(sum, x)| *sum += x);
        bar.y[n..2 * n].iter_mut().zip(&self.pulled.y[n..2 * n]).for_each(|(sum, x)| *sum += x);
        let end_q = bar.start_q.clone();
        let (twist, _) = self.method.reached();
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
