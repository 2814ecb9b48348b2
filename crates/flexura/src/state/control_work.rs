//! Outputs and rates of controllers at an instant.

use crate::model::Model;
use crate::scalar::Scalar;

/// Outputs and state rates of all controllers.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct ControlWork<S = f64> {
    /// Outputs, controller after controller.
    pub outputs: Vec<S>,
    /// Rates of [`super::State::z`]; zero for sampled controllers.
    pub rates: Vec<S>,
}

impl<S: Scalar> ControlWork<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let outputs = model.controllers.iter().map(|c| c.actuators.len()).sum();
        Self { outputs: vec![S::ZERO; outputs], rates: vec![S::ZERO; model.controller_states] }
    }
}
