//! Explicit steps, repeated and reversed.
//!
//! A step from q₀ with y₀ = (0, v, z, w): Yᵢ = y₀ + h Σ aᵢⱼ kⱼ, kᵢ = f(tᵢ, q₀ ⊕ Yᵢ), y₁ = y₀ + h Σ bᵢ kᵢ, q₁ = q₀ ⊕ δ₁.
//! Backwards, with bars for derivatives of the result (Hager, Numer. Math. 87 (2000) 247-282):
//!
//! k̄ᵢ = h bᵢ ȳ₁ + h Σⱼ aⱼᵢ Ȳⱼ,  Ȳᵢ = (∂f/∂y)ᵢᵀ k̄ᵢ,  ȳ₀ = ȳ₁ + Σ Ȳᵢ   (AD.2)
//!
//! and q̄₀ collects what stages and the end see of q₀. Each stage keeps its own workspace, with the factors for M⁻¹λ.
//! Cost: the stages once more, then one taped evaluation each.

use super::GradientError;
use super::evaluation::{Place, Pulled, Seeds};
use super::implicit_step::ImplicitStep;
use super::taping::Taping;
use super::trace::Point;
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::analysis::sensitivity::Tableau;
use crate::integrate::Flow;
use crate::model::Model;
use crate::motion::retract::retract;
use crate::scalar::{Scalar, Taped, with_tape};
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Steps that can be gone back over.
pub(super) enum Step {
    Explicit(ExplicitStep),
    Implicit(Box<ImplicitStep>),
}

/// Stages of a step and their workspaces.
pub(super) struct ExplicitStep {
    tableau: Tableau,
    flow: Flow,
    /// Stage points Yᵢ, rates kᵢ and instants.
    points: Vec<Vec<f64>>,
    rates: Vec<Vec<f64>>,
    instants: Vec<(f64, Side)>,
    works: Vec<Workspace>,
    end: Vec<f64>,
    /// Derivatives over the rates.
    rate_bars: Vec<Vec<f64>>,
    pulled: Pulled,
    step: f64,
}

impl ExplicitStep {
    pub fn new(model: &Model, tableau: Tableau) -> Self {
        let (size, stages) = (Flow::size(model), tableau.0.len());
        let zero = vec![vec![0.0; size]; stages];
        Self {
            tableau,
            flow: Flow::new(model),
            points: zero.clone(),
            rates: zero.clone(),
            instants: vec![(0.0, Side::After); stages],
            works: (0..stages).map(|_| Workspace::with_route(model, FlexibleRoute::Direct)).collect(),
            end: vec![0.0; size],
            rate_bars: zero,
            pulled: Pulled::new(model, size),
            step: 0.0,
        }
    }

    /// Evaluations of a step.
    pub fn evaluations(&self) -> usize {
        self.works.len()
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
        for (i, node) in nodes.iter().enumerate() {
            self.instants[i] =
                if *node == 1.0 { (time, Side::Before) } else { (start + node * h, Side::After) };
            let (done, rest) = self.rates.split_at_mut(i);
            combine(&mut self.points[i], self.flow.initial(), done, weights[i], h);
            let (at, from) = self.instants[i];
            self.flow.rate(model, &mut self.works[i], at, &self.points[i], from, &mut rest[0])?;
        }
        combine(&mut self.end, self.flow.initial(), &self.rates, weights[nodes.len()], h);
        point.work = self.flow.finish(model, (time, &self.end), side, &mut point.state);
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
        let mut start_q = self.pull_back_end(model, state, bar, taping.floor);
        for (rate, weight) in self.rate_bars.iter_mut().zip(weights[nodes.len()]) {
            rate.iter_mut().zip(&bar.y).for_each(|(slot, y)| *slot = self.step * weight * y);
        }
        for i in (0..nodes.len()).rev() {
            if self.rate_bars[i].iter().all(|x| *x == 0.0) {
                continue;
            }
            self.pulled.clear();
            let (instant, turns) = (self.instants[i], &state.turns);
            let at = Place { instant, turns, start_q: &state.q, y: &self.points[i] };
            let seeds = Seeds { rate: &self.rate_bars[i], row: &[] };
            let found = &self.rates[i][n..2 * n];
            taping.rates(model, at, (found, &self.works[i]), seeds, &mut self.pulled)?;
            start_q.iter_mut().zip(&self.pulled.start_q).for_each(|(sum, x)| *sum += x);
            bar.y.iter_mut().zip(&self.pulled.y).for_each(|(sum, x)| *sum += x);
            for (rate, weight) in self.rate_bars.iter_mut().zip(weights[i]) {
                rate.iter_mut().zip(&self.pulled.y).for_each(|(slot, y)| *slot += self.step * weight * y);
            }
        }
        bar.start_q.copy_from_slice(&start_q);
        // Increments begin at zero whatever the state.
        bar.y[..n].fill(0.0);
        Ok(())
    }

    /// q₁ = q₀ ⊕ δ₁: what the result sees of q₀; δ̄₁ goes to `bar.y`.
    fn pull_back_end(&self, model: &Model, state: &State, bar: &mut Pulled, floor: usize) -> Vec<f64> {
        let n = model.speed_count();
        with_tape(|tape| tape.rewind(floor));
        let start: Vec<Taped> = state.q.iter().map(|&x| Taped::leaf(x)).collect();
        let step: Vec<Taped> = self.end[..n].iter().map(|&x| Taped::leaf(x)).collect();
        let mut q = vec![Taped::ZERO; start.len()];
        retract(model, &start, &step, &mut q);
        with_tape(|tape| {
            tape.reverse(floor, q.into_iter().zip(bar.start_q.iter().copied()));
            bar.y[..n].iter_mut().zip(&step).for_each(|(slot, leaf)| *slot = tape.adjoint(*leaf));
            start.iter().map(|leaf| tape.adjoint(*leaf)).collect()
        })
    }
}

/// out = y₀ + h Σ wᵢ kᵢ.
fn combine(out: &mut [f64], first: &[f64], stages: &[Vec<f64>], weights: &[f64], h: f64) {
    out.copy_from_slice(first);
    for (stage, weight) in stages.iter().zip(weights) {
        out.iter_mut().zip(stage).for_each(|(slot, k)| *slot += h * weight * k);
    }
}
