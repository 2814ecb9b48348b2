//! Derivatives along one parameter: models built at shifted values.
//!
//! Sources: Fornberg, Math. Comp. 51 (1988) 699-706, for the weights. A stencil
//! holds models built at p + h offset; the derivative of any quantity g(model)
//! at a fixed state is Σ wᵢ g(modelᵢ). The central stencil of eight models has
//! the error h⁸ g⁽⁹⁾/630: with h = |p|/128 truncation and rounding are both near
//! 1e-13 of g. Where the model refuses values on one side (a damping of zero),
//! nine models on the other side take its place. The inner models alone give a
//! derivative of order six; the difference of the two bounds the error from above.

use super::{Parameter, SensitivityError};
use crate::build::Built;
use crate::error::SimulationError;
use crate::model::Model;
use crate::workspace::Workspace;

/// Steps tried, relative to the size of the parameter.
const RELATIVE_STEPS: [f64; 3] = [1.0 / 128.0, 1.0 / 32.0, 1.0 / 512.0];
/// Steps tried for a parameter that is zero, whose size is unknown.
const ABSOLUTE_STEPS: [f64; 6] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7];

const CENTRAL: [f64; 8] = [-1.0, 1.0, -2.0, 2.0, -3.0, 3.0, -4.0, 4.0];
const FORWARD: [f64; 9] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
/// Models of the derivative of order six: the first of either stencil.
const COARSE: [usize; 2] = [6, 7];

/// A model at a shifted value with its weights.
pub(in crate::analysis) struct Node {
    pub model: Model,
    pub work: Workspace,
    fine: f64,
    coarse: f64,
    /// Weight in the value between the models, at the parameter itself.
    middle: f64,
}

impl Node {
    /// Its weight in derivatives.
    pub fn weight(&self) -> f64 {
        self.fine
    }
}

/// The models of one parameter.
pub(in crate::analysis) struct Stencil {
    pub nodes: Vec<Node>,
    /// Largest difference of the two orders seen, relative to the largest derivative.
    pub error: f64,
    value: Vec<f64>,
    reference: Vec<f64>,
    fine: Vec<f64>,
    coarse: Vec<f64>,
    middle: Vec<f64>,
}

impl Stencil {
    /// Stencils worth trying, best guess first.
    pub fn candidates(parameter: &Parameter<'_>, base: &Model) -> Result<Vec<Self>, SensitivityError> {
        let mut list = Vec::new();
        let mut refused = None;
        for step in Self::steps(parameter) {
            match Self::around(parameter, base, step) {
                Ok(stencil) => list.push(stencil),
                Err(error) => refused = Some(error),
            }
        }
        match refused {
            Some(error) if list.is_empty() => Err(error),
            _ => Ok(list),
        }
    }

    /// Distances of the models worth trying, best guess first.
    pub fn steps(parameter: &Parameter<'_>) -> Vec<f64> {
        if parameter.value == 0.0 {
            ABSOLUTE_STEPS.to_vec()
        } else {
            RELATIVE_STEPS.iter().map(|step| step * parameter.value.abs()).collect()
        }
    }

    /// Central if possible, else on the side where models can be built.
    pub fn around(parameter: &Parameter<'_>, base: &Model, step: f64) -> Result<Self, SensitivityError> {
        let central = Self::with_offsets(parameter, base, &CENTRAL, step);
        let Err(SensitivityError::Build { .. }) = central else { return central };
        Self::with_offsets(parameter, base, &FORWARD, step)
            .or_else(|_| Self::with_offsets(parameter, base, &FORWARD, -step))
            .or(central)
    }

    fn with_offsets(
        parameter: &Parameter<'_>,
        base: &Model,
        offsets: &[f64],
        step: f64,
    ) -> Result<Self, SensitivityError> {
        let scaled: Vec<f64> = offsets.iter().map(|offset| offset * step).collect();
        let fine = first_derivative_weights(&scaled);
        let middle = value_weights(offsets);
        let inner = COARSE[offsets.len() - 8];
        let mut coarse = first_derivative_weights(&scaled[..inner]);
        coarse.resize(offsets.len(), 0.0);
        let mut nodes = Vec::with_capacity(offsets.len());
        for (i, offset) in scaled.iter().enumerate() {
            let mut model = (parameter.build)(parameter.value + offset)
                .map_err(|cause| SensitivityError::Build { parameter: parameter.name.clone(), cause })?
                .model;
            let same = model.layout == base.layout
                && model.prescribed == base.prescribed
                && model.controller_states == base.controller_states;
            if !same {
                return Err(SensitivityError::Structure { parameter: parameter.name.clone() });
            }
            model.bodies.iter_mut().zip(&base.bodies).for_each(|(body, base)| body.align(base));
            let work = Workspace::new(&model);
            nodes.push(Node { model, work, fine: fine[i], coarse: coarse[i], middle: middle[i] });
        }
        Ok(Self {
            nodes,
            error: 0.0,
            value: Vec::new(),
            reference: Vec::new(),
            fine: Vec::new(),
            coarse: Vec::new(),
            middle: Vec::new(),
        })
    }

    /// What the derivatives found last leave open: the difference of the two orders, or by how much the models around `base`, the
    /// quantities at the parameter itself, miss these, over the distance `step`.
    pub fn open(&self, base: &[f64], step: f64) -> Vec<f64> {
        let orders = self.fine.iter().zip(&self.coarse).map(|(fine, coarse)| (fine - coarse).abs());
        let between = self.reference.iter().zip(&self.middle).zip(base);
        let missed =
            between.map(|((reference, middle), base)| (reference + middle - base).abs() / step.abs());
        orders.zip(missed).map(|(a, b)| a.max(b)).collect()
    }

    /// What was differentiated last, at the first of the models.
    pub fn values(&self) -> &[f64] {
        &self.reference
    }

    /// Derivative of what `quantity` writes for each model, `length` numbers.
    pub fn differentiate(
        &mut self,
        length: usize,
        mut quantity: impl FnMut(&Model, &mut Workspace, &mut [f64]) -> Result<(), SimulationError>,
    ) -> Result<&[f64], SimulationError> {
        for values in [&mut self.value, &mut self.reference] {
            values.resize(length, 0.0);
        }
        for sum in [&mut self.fine, &mut self.coarse, &mut self.middle] {
            sum.clear();
            sum.resize(length, 0.0);
        }
        for (index, node) in self.nodes.iter_mut().enumerate() {
            quantity(&node.model, &mut node.work, &mut self.value)?;
            // The weights sum to zero: relative to one of them, what does not depend on p gives exactly zero.
            if index == 0 {
                self.reference.copy_from_slice(&self.value);
                continue;
            }
            for (i, (&value, &reference)) in self.value.iter().zip(&self.reference).enumerate() {
                self.fine[i] += node.fine * (value - reference);
                self.coarse[i] += node.coarse * (value - reference);
                self.middle[i] += node.middle * (value - reference);
            }
        }
        let largest = self.fine.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let apart = self.fine.iter().zip(&self.coarse).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        if largest > 0.0 {
            self.error = self.error.max(apart / largest);
        }
        Ok(&self.fine)
    }
}

/// Weights of the value at zero for values at `x` (Lagrange polynomials).
fn value_weights(x: &[f64]) -> Vec<f64> {
    let others = |i: usize| (0..x.len()).filter(move |&j| j != i);
    (0..x.len()).map(|i| others(i).map(|j| -x[j] / (x[i] - x[j])).product()).collect()
}

/// Weights of the first derivative at zero for values at `x` (Lagrange polynomials).
fn first_derivative_weights(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let weight = |i: usize| {
        // d/dt at t = 0 of Π (t − xⱼ)/(xᵢ − xⱼ), j ≠ i.
        let below: f64 = (0..n).filter(|&j| j != i).map(|j| x[i] - x[j]).product();
        let above: f64 = (0..n)
            .filter(|&k| k != i)
            .map(|k| (0..n).filter(|&j| j != i && j != k).map(|j| -x[j]).product::<f64>())
            .sum();
        above / below
    };
    (0..n).map(weight).collect()
}

/// A model from a description, or why there is none.
pub(super) type BuildOutcome = Result<Built, String>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_exact_for_polynomials_of_their_order() {
        for offsets in [&CENTRAL[..], &FORWARD[..]] {
            let x: Vec<f64> = offsets.iter().map(|t| 0.1 * t).collect();
            let weights = first_derivative_weights(&x);
            for power in 0..x.len() as i32 {
                let sum: f64 = x.iter().zip(&weights).map(|(x, w)| w * x.powi(power)).sum();
                let exact = if power == 1 { 1.0 } else { 0.0 };
                assert!((sum - exact).abs() < 1e-11, "{power}: {sum}");
                let value: f64 = x.iter().zip(value_weights(&x)).map(|(x, w)| w * x.powi(power)).sum();
                let exact = if power == 0 { 1.0 } else { 0.0 };
                assert!((value - exact).abs() < 1e-12, "{power}: {value}");
            }
        }
    }
}
