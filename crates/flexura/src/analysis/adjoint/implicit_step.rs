//! Steps of the generalised-α family, repeated and reversed.
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
//! Where loops close, the rows Φ(q₁) = 0 stand beside r with multipliers of their own, and what such a step hands on are speeds and
//! accelerations projected at its end (`closed_end.rs`): the way back goes over rates at the projected end, the projections, then the iteration.
//!
//! Typeset: book/src/theory/adjoint.md (AD.7) to (AD.10).

use super::GradientError;
use super::closed_end::{ClosedTangent, Projections};
use super::coupled::{AtEnd, Coupled, TreeTangent};
use super::evaluation::{Place, Pulled, Seeds};
use super::taping::Taping;
use super::trace::Point;
use super::twist_chart::TwistChart;
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::dynamics::evaluate;
use crate::error::SimulationError;
use crate::integrate::{AlphaCoefficients, AlphaMemory, Dense, Flow, GeneralizedAlpha, follow_turns};
use crate::model::Model;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
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
    near: TreeTangent,
}

impl ImplicitStep {
    pub fn new(model: &Model, coefficients: AlphaCoefficients) -> Self {
        let (n, size) = (model.speed_count(), Flow::size(model));
        let mut method = GeneralizedAlpha::new(model, coefficients, 1.0, None);
        method.settle(model);
        Self {
            coefficients,
            method,
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
            near: TreeTangent::new(model),
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
        follow_turns(model, &mut point.state, &mut self.work);
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
        let h = self.method.reached().1.time - state.time;
        self.bars.power += 0.5 * h * bar.y[bar.y.len() - 1];
        self.pulled.clear();
        if model.loops.is_empty() {
            self.reverse_tree(model, state, bar, taping)?;
        } else {
            self.reverse_closed(model, state, bar, taping)?;
        }
        self.hand_back(model, h, bar, taping.floor, state);
        if anew {
            self.begin_anew(model, state, bar, taping)?;
        }
        Ok(())
    }

    fn reverse_tree(
        &mut self,
        model: &Model,
        state: &State,
        bar: &Pulled,
        taping: &mut Taping<'_>,
    ) -> Result<(), GradientError> {
        let (twist, reached) = self.method.reached();
        let (h, time) = (reached.time - state.time, reached.time);
        let memory = self.method.memory().unwrap_or_default();
        let y = vector_of(reached, &reached.v);
        let at = Place { instant: (time, Side::Before), turns: &state.turns, start_q: &reached.q, y: &y };
        self.work.kinematics(model, reached);
        self.coupled.begin(model, (self.coefficients, h, time), (state, twist), bar, &self.bars);
        self.near.factorize(model, &self.work, (self.method.weights(h), time))?;
        let mut system = AtEnd { coupled: &mut self.coupled, near: &mut self.near };
        taping.implicit(model, at, &memory.acceleration, &mut system, &mut self.pulled)
    }

    /// Back over the end of a step of closed loops: rates there, both projections, the iteration.
    fn reverse_closed(
        &mut self,
        model: &Model,
        state: &State,
        bar: &mut Pulled,
        taping: &mut Taping<'_>,
    ) -> Result<(), GradientError> {
        let (n, c) = (model.speed_count(), self.coefficients);
        let (twist, reached) = self.method.reached();
        let (twist, reached) = (twist.to_vec(), reached.clone());
        let (h, time) = (reached.time - state.time, reached.time);
        let weights = self.method.weights(h);
        let last = self.method.memory().unwrap_or_default().acceleration;
        let Some(end) = self.method.end_of_step() else { return Ok(()) };
        let turns = &state.turns;
        let instant = (time, Side::Before);
        let y = vector_of(&reached, &reached.v);
        let at = Place { instant, turns, start_q: &reached.q, y: &y };
        let mut rate = vec![0.0; y.len()];
        rate[2 * n..y.len() - 1].copy_from_slice(&self.bars.control_rates);
        rate[y.len() - 1] = self.bars.power;
        if rate.iter().any(|x| *x != 0.0) {
            let found: Vec<f64> = last.iter().chain(&end.multipliers).copied().collect();
            taping.results(model, at, &found, Seeds { rate: &rate, row: &[] }, &mut self.pulled)?;
            add(bar, &mut self.pulled, n);
        }
        let share = (1.0 - c.alpha_f) / (1.0 - c.alpha_m);
        let seen = self.bars.acceleration.iter().zip(&self.bars.algorithmic);
        let accelerations: Vec<f64> = seen
            .zip(&model.prescribed)
            .map(|((own, mixed), &prescribed)| if prescribed { 0.0 } else { own + share * mixed })
            .collect();
        let given = Projections::given(model, end, &last, weights);
        let speeds = bar.y[n..2 * n].to_vec();
        let mut projections = Projections::new(model, end, speeds, accelerations);
        taping.loops(model, at, &given, &mut projections, &mut self.pulled)?;
        let acceleration = projections.before(model);
        add(bar, &mut self.pulled, n);
        // The iteration knows nothing of what is handed on but by speeds and accelerations.
        let none = AlphaMemory {
            algorithmic: vec![0.0; n],
            acceleration,
            control_rates: vec![0.0; model.controller_states],
            power: 0.0,
        };
        self.coupled.begin(model, (c, h, time), (state, &twist), bar, &none);
        let y = vector_of(&reached, &end.speeds);
        let at = Place { instant, turns, start_q: &reached.q, y: &y };
        let found: Vec<f64> = end.accelerations.iter().chain(&end.multipliers).copied().collect();
        let mut near = ClosedTangent { end, scale: weights.stiffness };
        let mut system = AtEnd { coupled: &mut self.coupled, near: &mut near };
        taping.implicit(model, at, &found, &mut system, &mut self.pulled)
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
        let mut found = if model.loops.is_empty() {
            self.flow.rate(model, &mut self.work, state.time, &y, Side::After, &mut self.start_rates)?;
            self.start_rates[n..2 * n].to_vec()
        } else {
            // Nothing is put back on the loops before the first step.
            let mut start = state.clone();
            start.side = Side::After;
            apply_prescribed(model, &mut start, Some(&mut self.work.load));
            evaluate(model, &start, &mut self.work)
                .map_err(|error| SimulationError::dynamics(state.time, error))?;
            self.work.accelerations.chidot.clone()
        };
        found.extend(&self.work.closure.multipliers);
        let mut rate = vec![0.0; y.len()];
        for i in 0..n {
            rate[n + i] = self.bars.algorithmic[i] + self.bars.acceleration[i];
        }
        rate[2 * n..y.len() - 1].copy_from_slice(&self.bars.control_rates);
        rate[y.len() - 1] = self.bars.power;
        self.begin();
        let instant = (state.time, Side::After);
        let at = Place { instant, turns: &state.turns, start_q: &state.q, y: &y };
        self.pulled.clear();
        let found = (&found[..], &self.work);
        taping.rates(model, at, found, Seeds { rate: &rate, row: &[] }, &mut self.pulled)?;
        add(bar, &mut self.pulled, n);
        Ok(())
    }
}

/// Increments (zero), `speeds`, controller states and work (zero).
fn vector_of(state: &State, speeds: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; speeds.len()];
    y.extend(speeds.iter().chain(&state.z));
    y.push(0.0);
    y
}

/// Adds `more` over coordinates, speeds and controller states, and clears it.
fn add(bar: &mut Pulled, more: &mut Pulled, n: usize) {
    bar.start_q.iter_mut().zip(&more.start_q).for_each(|(sum, x)| *sum += x);
    bar.y[n..].iter_mut().zip(&more.y[n..]).for_each(|(sum, x)| *sum += x);
    more.clear();
}
