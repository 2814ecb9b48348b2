//! Steps of Runge-Kutta methods, repeated and reversed.
//!
//! A step from q₀ with y₀ = (0, v, z, w): Yᵢ = y₀ + h Σ aᵢⱼ kⱼ, kᵢ = f(tᵢ, q₀ ⊕ Yᵢ), y₁ = y₀ + h Σ bᵢ kᵢ, q₁ = q₀ ⊕ δ₁.
//! Backwards, with bars for derivatives of the result (Hager, Numer. Math. 87 (2000) 247-282):
//!
//! k̄ᵢ = h bᵢ ȳ₁ + h Σⱼ aⱼᵢ Ȳⱼ,  Ȳᵢ = (∂f/∂y)ᵢᵀ k̄ᵢ,  ȳ₀ = ȳ₁ + Σ Ȳᵢ   (AD.2)
//!
//! and q̄₀ collects what stages and the end see of q₀. Each stage keeps its own workspace, with the factors for M⁻¹λ. Where loops close,
//! every stage, and the end, are put back on them, and f is that of where they came to (`closed_stage.rs`). Stages of Radau's method see
//! each other: their k̄ are one system (`radau_step.rs`).
//! Cost: the stages once more, then one taped evaluation each.

use super::GradientError;
use super::closed_stage::ClosedStage;
use super::evaluation::{Place, Pulled, Seeds};
use super::implicit_step::ImplicitStep;
use super::radau_step::RadauStages;
use super::taping::Taping;
use super::trace::Point;
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::analysis::sensitivity::Tableau;
use crate::dynamics::evaluate;
use crate::error::SimulationError;
use crate::integrate::{Flow, follow_turns, increment_rates, place};
use crate::model::Model;
use crate::motion::retract::retract;
use crate::scalar::{Scalar, Taped, with_tape};
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Steps that can be gone back over.
pub(super) enum Step {
    Staged(StagedStep),
    Implicit(Box<ImplicitStep>),
}

/// Stages of a step and their workspaces.
pub(super) struct StagedStep {
    tableau: Tableau,
    flow: Flow,
    /// Stage points Yᵢ, rates kᵢ and instants.
    points: Vec<Vec<f64>>,
    rates: Vec<Vec<f64>>,
    instants: Vec<(f64, Side)>,
    works: Vec<Workspace>,
    /// Stages and the end as they are put back on closed loops; none on trees.
    closed: Vec<ClosedStage>,
    end: Vec<f64>,
    /// Finds stages that see each other; none where each sees those before it.
    pub(super) radau: Option<Box<RadauStages>>,
    /// Derivatives over the rates.
    pub(super) rate_bars: Vec<Vec<f64>>,
    pub(super) pulled: Pulled,
    pub(super) step: f64,
}

impl StagedStep {
    pub fn new(model: &Model, tableau: Tableau) -> Self {
        let (size, stages) = (Flow::size(model), tableau.0.len());
        let zero = vec![vec![0.0; size]; stages];
        Self {
            tableau,
            flow: Flow::new(model),
            points: zero.clone(),
            rates: zero.clone(),
            instants: vec![(0.0, Side::After); stages],
            works: (0..if model.loops.is_empty() { stages } else { 0 })
                .map(|_| Workspace::with_route(model, FlexibleRoute::Direct))
                .collect(),
            closed: (0..if model.loops.is_empty() { 0 } else { stages + 1 })
                .map(|_| ClosedStage::new(model))
                .collect(),
            end: vec![0.0; size],
            radau: None,
            rate_bars: zero,
            pulled: Pulled::new(model, size),
            step: 0.0,
        }
    }

    /// Evaluations of a step.
    pub fn evaluations(&self) -> usize {
        self.rates.len()
    }

    /// The step from `point` to `time`, whose end is seen from `side`; `point` is moved there.
    pub fn repeat(
        &mut self,
        model: &Model,
        point: &mut Point,
        (time, side): (f64, Side),
    ) -> Result<(), GradientError> {
        let start = point.state.time;
        let h = time - start;
        self.step = h;
        self.flow.begin(&point.state, point.work);
        let (nodes, weights) = self.tableau;
        if let Some(radau) = &mut self.radau {
            radau.find(model, &mut self.flow, time, &mut self.points)?;
        }
        for (i, node) in nodes.iter().enumerate() {
            self.instants[i] =
                if *node == 1.0 { (time, Side::Before) } else { (start + node * h, Side::After) };
            let (done, rest) = self.rates.split_at_mut(i);
            if self.radau.is_none() {
                combine(&mut self.points[i], self.flow.initial(), done, weights[i], h);
            }
            let (at, from) = self.instants[i];
            match self.closed.get_mut(i) {
                Some(stage) => {
                    closed_rate(model, stage, &point.state, (at, from), &self.points[i], &mut rest[0])?
                }
                None => self.flow.rate(model, &mut self.works[i], at, &self.points[i], from, &mut rest[0])?,
            }
        }
        combine(&mut self.end, self.flow.initial(), &self.rates, weights[nodes.len()], h);
        point.work = self.flow.finish(model, (time, &self.end), side, &mut point.state);
        if let Some(stage) = self.closed.last_mut() {
            stage.put_back(model, &point.state)?;
            point.state.q.copy_from_slice(&stage.state.q);
            point.state.v.copy_from_slice(&stage.state.v);
            follow_turns(model, &mut point.state, &mut stage.work);
        }
        Ok(())
    }

    /// Derivatives `bar` over the end of the step that was repeated last become those over its start `state`.
    pub fn reverse(
        &mut self,
        model: &Model,
        state: &State,
        bar: &mut Pulled,
        taping: &mut Taping<'_>,
    ) -> Result<(), GradientError> {
        let n = model.speed_count();
        let (nodes, weights) = self.tableau;
        if let Some(stage) = self.closed.last_mut() {
            stage.reverse(model, bar, taping)?;
        }
        let mut start_q = pull_back_place(model, (&state.q, &self.end[..n]), bar, taping.floor);
        for (rate, weight) in self.rate_bars.iter_mut().zip(weights[nodes.len()]) {
            rate.iter_mut().zip(&bar.y).for_each(|(slot, y)| *slot = self.step * weight * y);
        }
        let coupled = self.radau.is_some();
        if coupled {
            self.solve_rates(model, state, taping)?;
        }
        for i in (0..nodes.len()).rev() {
            if self.rate_bars[i].iter().all(|x| *x == 0.0) {
                continue;
            }
            self.reverse_stage(model, state, i, taping)?;
            start_q.iter_mut().zip(&self.pulled.start_q).for_each(|(sum, x)| *sum += x);
            bar.y.iter_mut().zip(&self.pulled.y).for_each(|(sum, x)| *sum += x);
            let before = if coupled { 0 } else { i };
            for (rate, weight) in self.rate_bars[..before].iter_mut().zip(weights[i]) {
                rate.iter_mut().zip(&self.pulled.y).for_each(|(slot, y)| *slot += self.step * weight * y);
            }
        }
        bar.start_q.copy_from_slice(&start_q);
        // Increments begin at zero whatever the state.
        bar.y[..n].fill(0.0);
        Ok(())
    }

    /// What the result sees of where stage `i` was, by its rates.
    pub(super) fn reverse_stage(
        &mut self,
        model: &Model,
        state: &State,
        i: usize,
        taping: &mut Taping<'_>,
    ) -> Result<(), GradientError> {
        let n = model.speed_count();
        self.pulled.clear();
        let (instant, turns) = (self.instants[i], &state.turns);
        let seeds = Seeds { rate: &self.rate_bars[i], row: &[] };
        let found = &self.rates[i][n..2 * n];
        let Some(stage) = self.closed.get_mut(i) else {
            let at = Place { instant, turns, start_q: &state.q, y: &self.points[i] };
            return taping.rates(model, at, (found, &self.works[i]), seeds, &mut self.pulled);
        };
        let mut y = self.points[i].clone();
        y[n..2 * n].copy_from_slice(&stage.state.v);
        let at = Place { instant, turns, start_q: &stage.state.q, y: &y };
        let found: Vec<f64> = found.iter().chain(&stage.work.closure.multipliers).copied().collect();
        taping.rates(model, at, (&found, &stage.work), seeds, &mut self.pulled)?;
        stage.reverse(model, &mut self.pulled, taping)?;
        let of_rates = self.pulled.y[..n].to_vec();
        let increments = &self.points[i][..n];
        let start_q = pull_back_place(model, (&state.q, increments), &mut self.pulled, taping.floor);
        self.pulled.start_q.copy_from_slice(&start_q);
        self.pulled.y.iter_mut().zip(&of_rates).for_each(|(sum, x)| *sum += x);
        Ok(())
    }
}

/// Rates of a stage `y` of a step from `start`, put back on the loops.
fn closed_rate(
    model: &Model,
    stage: &mut ClosedStage,
    start: &State,
    (time, side): (f64, Side),
    y: &[f64],
    rate: &mut [f64],
) -> Result<(), GradientError> {
    let mut state = start.clone();
    state.set_instant(time, side);
    place(model, &start.q, y, &mut state);
    stage.put_back(model, &state)?;
    let ClosedStage { state, work, .. } = stage;
    evaluate(model, state, work).map_err(|error| SimulationError::dynamics(time, error))?;
    let (n, last) = (state.v.len(), rate.len() - 1);
    increment_rates(model, state, y, &mut rate[..n]);
    rate[n..2 * n].copy_from_slice(&work.accelerations.chidot);
    rate[2 * n..last].copy_from_slice(&work.control.rates);
    rate[last] = work.power.total() + work.driver_power(model, state) + work.closure.driver_power;
    Ok(())
}

/// q = q₀ ⊕ δ: what the result sees of q₀ by q in `bar.start_q`; δ̄ goes to `bar.y`.
fn pull_back_place(
    model: &Model,
    (start_q, increments): (&[f64], &[f64]),
    bar: &mut Pulled,
    floor: usize,
) -> Vec<f64> {
    with_tape(|tape| tape.rewind(floor));
    let start: Vec<Taped> = start_q.iter().map(|&x| Taped::leaf(x)).collect();
    let step: Vec<Taped> = increments.iter().map(|&x| Taped::leaf(x)).collect();
    let mut q = vec![Taped::ZERO; start.len()];
    retract(model, &start, &step, &mut q);
    with_tape(|tape| {
        tape.reverse(floor, q.into_iter().zip(bar.start_q.iter().copied()));
        bar.y.iter_mut().zip(&step).for_each(|(slot, leaf)| *slot = tape.adjoint(*leaf));
        start.iter().map(|leaf| tape.adjoint(*leaf)).collect()
    })
}

/// out = y₀ + h Σ wᵢ kᵢ.
fn combine(out: &mut [f64], first: &[f64], stages: &[Vec<f64>], weights: &[f64], h: f64) {
    out.copy_from_slice(first);
    for (stage, weight) in stages.iter().zip(weights) {
        out.iter_mut().zip(stage).for_each(|(slot, k)| *slot += h * weight * k);
    }
}
