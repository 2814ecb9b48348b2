//! Stages of Radau's method, which see each other: found again, and their adjoint.
//!
//! With Y = y₀ + h A k over all stages, k̄ of one stage is seen through all of them:
//!
//! k̄ᵢ − h Σⱼ aⱼᵢ (∂f/∂y)ⱼᵀ k̄ⱼ = h bᵢ ȳ₁   (AD.13)
//!
//! A product with this matrix is a sweep over each stage. Minimal residuals solve it to 1e-13, preconditioned by the same matrix with ∂f/∂y of the
//! start in all stages, whose transposed factors are those of a step (`crates/flexura/src/integrate/radau5/settled.rs`). How the iteration of the step went does not
//! matter. Cost: the step once more with its stages at rounding, some eight sweeps over each.
//!
//! Typeset: book/src/theory/adjoint.md (AD.13).

use super::GradientError;
use super::step::StagedStep;
use super::taping::Taping;
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::analysis::sensitivity::Tableau;
use crate::integrate::{Flow, RADAU_NODES, Radau5, RadauFactors, RadauOptions, radau_weights};
use crate::linear::gmres;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// Residual of the adjoint system, relative to its right side.
const SOLVED: f64 = 1e-13;
/// Products taken for it at most.
const PRODUCTS: usize = 200;

/// Finds the stages of a step, and keeps its matrix transposed.
pub(super) struct RadauStages {
    method: Radau5,
    work: Workspace,
    factors: Option<RadauFactors>,
    weights: [[f64; 3]; 3],
}

impl RadauStages {
    pub fn new(model: &Model, options: RadauOptions) -> Self {
        Self {
            method: Radau5::new(model, options),
            work: Workspace::with_route(model, FlexibleRoute::Direct),
            factors: None,
            weights: radau_weights(),
        }
    }

    /// Stages of the step from where `flow` begins to `end`.
    pub fn find(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        end: f64,
        points: &mut [Vec<f64>],
    ) -> Result<(), GradientError> {
        let (stages, factors) = self.method.stages_to(model, flow, &mut self.work, end)?;
        for (point, stage) in points.iter_mut().zip(stages) {
            point.iter_mut().zip(flow.initial().iter().zip(stage)).for_each(|(y, (first, z))| *y = first + z);
        }
        self.factors = Some(factors);
        Ok(())
    }
}

/// Nodes, and weights of the end, of the method; its stages are not combined from those before.
pub(super) fn tableau() -> Tableau {
    (&RADAU_NODES, &END)
}

/// Weights of the stages in the end: those of the last stage.
const END: [&[f64]; 4] = [&[], &[], &[], &[0.376_403_062_700_467_3, 0.512_485_826_188_421_6, 1.0 / 9.0]];

impl StagedStep {
    /// Derivatives over the rates of stages that see each other, from what the end alone sees of them.
    pub(super) fn solve_rates(
        &mut self,
        model: &Model,
        state: &State,
        taping: &mut Taping<'_>,
    ) -> Result<(), GradientError> {
        let Some(radau) = self.radau.take() else { return Ok(()) };
        taping.looking = true;
        let solved = self.solve_coupled(model, state, taping, &radau);
        taping.looking = false;
        self.radau = Some(radau);
        solved
    }

    fn solve_coupled(
        &mut self,
        model: &Model,
        state: &State,
        taping: &mut Taping<'_>,
        radau: &RadauStages,
    ) -> Result<(), GradientError> {
        let right: Vec<f64> = self.rate_bars.iter().flatten().copied().collect();
        if !right.iter().all(|value| value.is_finite()) {
            return Err(GradientError::NotFinite);
        }
        let (h, size) = (self.step, right.len() / 3);
        let near = |y: &[f64], out: &mut [f64]| {
            out.copy_from_slice(y);
            if let Some(factors) = &radau.factors {
                factors.solve_stages_transposed(h, out);
            }
        };
        let (mut unknown, mut rates) = (vec![0.0; right.len()], vec![0.0; right.len()]);
        let mut fault = None;
        let mut apply = |y: &[f64], product: &mut [f64]| {
            near(y, &mut rates);
            product.copy_from_slice(&rates);
            for stage in 0..3 {
                self.rate_bars[stage].copy_from_slice(&rates[stage * size..(stage + 1) * size]);
                if let Err(error) = self.reverse_stage(model, state, stage, taping) {
                    fault.get_or_insert(error);
                    return;
                }
                for (weight, seen) in radau.weights[stage].iter().zip(product.chunks_exact_mut(size)) {
                    seen.iter_mut().zip(&self.pulled.y).for_each(|(slot, y)| *slot -= h * weight * y);
                }
            }
        };
        let done = gmres(&right, SOLVED, PRODUCTS, &mut unknown, &mut apply);
        if let Some(error) = fault {
            return Err(error);
        }
        if done.is_none() {
            return Err(GradientError::Adjoint(state.time + h));
        }
        near(&unknown, &mut rates);
        self.rate_bars.iter_mut().zip(rates.chunks_exact(size)).for_each(|(bar, x)| bar.copy_from_slice(x));
        Ok(())
    }
}
