//! What steps of the generalised-α family hand on from one to the next, for those who take a step once more.

use super::fixed_step::FixedStep;
use super::stepper::Stepper;
use super::{Dense, Flow, GeneralizedAlpha};
use crate::error::SimulationError;
use crate::model::Model;
use crate::workspace::Workspace;

/// What a step takes over from the one before.
#[derive(Clone, Debug, Default)]
pub(crate) struct AlphaMemory {
    /// Algorithmic and true accelerations.
    pub algorithmic: Vec<f64>,
    pub acceleration: Vec<f64>,
    /// Rates of the controller states.
    pub control_rates: Vec<f64>,
    /// Power of drivers and non-conservative forces (W).
    pub power: f64,
}

impl GeneralizedAlpha {
    /// What the next step takes over; `None` where it begins anew.
    pub(crate) fn memory(&self) -> Option<AlphaMemory> {
        self.started.then(|| AlphaMemory {
            algorithmic: self.algorithmic.clone(),
            acceleration: self.acceleration.clone(),
            control_rates: self.trial.control_rates.clone(),
            power: self.start_power,
        })
    }

    /// Has the next step begin with `memory`, or anew, and be `length` long (s).
    pub(crate) fn resume(&mut self, memory: Option<&AlphaMemory>, length: f64) {
        self.step = FixedStep::new(length);
        self.started = memory.is_some();
        if let Some(memory) = memory {
            self.algorithmic.copy_from_slice(&memory.algorithmic);
            self.acceleration.copy_from_slice(&memory.acceleration);
            self.trial.control_rates.copy_from_slice(&memory.control_rates);
            self.start_power = memory.power;
        }
    }

    /// The step from where `flow` begins to `end`.
    pub(crate) fn step_to(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        end: f64,
        dense: &mut Dense,
    ) -> Result<(), SimulationError> {
        self.step(model, flow, work, end, dense)
    }

    /// Body twists over the last step, and coordinates, speeds and controller states that it ended in.
    pub(crate) fn reached(&self) -> (&[f64], &crate::state::State) {
        (&self.trial.twist, &self.trial.state)
    }
}
