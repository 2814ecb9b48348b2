//! Parameters that constants do not depend on smoothly: shifted models at every evaluation.
//!
//! The result sees an evaluation through L = Σ seeds × outputs − μᵀ r at given coordinates, speeds and accelerations (AD.1); ∂L/∂p is a sum
//! over the models built at shifted values, whatever numbers these hold. Cost: eight evaluations without factorisation for every
//! evaluation going backwards and every such parameter; for a handful of parameters.

use super::evaluation::{Evaluation, Seeds};
use super::{Cost, GradientError};
use crate::analysis::sensitivity::{Parameter, Stencil};
use crate::model::Model;
use crate::simulate::Input;

/// Shifted models of one parameter with their weights and scratch.
pub(super) struct Direct {
    pub parameter: usize,
    nodes: Vec<(f64, Model, Evaluation<f64>)>,
    sum: f64,
}

/// What the result sees of an evaluation.
pub(super) enum Seen<'b> {
    /// Rates or channels, with adjoint accelerations.
    Dynamics(Seeds<'b>, &'b [f64]),
    /// New states of controllers.
    Samples(&'b [f64]),
}

impl Direct {
    /// The models of parameter `index`.
    pub fn new(
        parameter: &Parameter<'_>,
        (index, base, size): (usize, &Model, usize),
        cost: &mut Cost,
    ) -> Result<Self, GradientError> {
        let mut list = Stencil::candidates(parameter, base)?;
        // Close by, where the value tells what that is; rounding of differences is no matter over a whole run.
        let place = if parameter.value == 0.0 { 0 } else { list.len() - 1 };
        let nodes = list.swap_remove(place).nodes;
        cost.models += nodes.len();
        let made = nodes.into_iter().map(|node| {
            let weight = node.weight();
            let own = Evaluation::new(&node.model, size);
            (weight, node.model, own)
        });
        Ok(Self { parameter: index, nodes: made.collect(), sum: 0.0 })
    }

    /// Gives the models other inputs.
    pub fn set_inputs(&mut self, inputs: &[Input], values: &[f64], time: f64) {
        for (_, model, _) in &mut self.nodes {
            inputs.iter().zip(values).for_each(|(input, &value)| input.set(model, time, value));
        }
    }

    /// Adds ∂L/∂p of an evaluation that `once` repeats.
    pub fn add(&mut self, seen: &Seen<'_>, once: &dyn Fn(&mut Evaluation<f64>, &Model)) {
        let mut reference = 0.0;
        for (i, (weight, model, own)) in self.nodes.iter_mut().enumerate() {
            once(own, model);
            let value = match seen {
                Seen::Dynamics(seeds, solved) => own.seen(model, *seeds, solved),
                Seen::Samples(seeds) => own.seen_samples(seeds),
            };
            if i == 0 {
                reference = value;
            }
            self.sum += *weight * (value - reference);
        }
    }

    /// The derivative so far.
    pub fn sum(&self) -> f64 {
        self.sum
    }
}
