//! A run of the engine whose steps a device takes.

use crate::device::{Choice, Description};
use crate::error::DeviceError;
use crate::steps::{Method, Progress};
use crate::system::System;
use flexura::integrate::StepStatistics;
use flexura::model::description::MethodDescription;
use flexura::simulate::{Reached, Remote};
use flexura::{Model, SimulationError, State};

/// First step tried where none is given (s).
const FIRST_STEP: f64 = 1e-4;

/// The stepping method of a device for that of a description; others are refused by name.
pub fn device_method(method: &MethodDescription) -> Result<Method, DeviceError> {
    match *method {
        MethodDescription::Rk4 { step } => Ok(Method::RungeKutta4 { step }),
        MethodDescription::DormandPrince {
            relative_tolerance,
            absolute_tolerance,
            initial_step,
            largest_step,
        } => {
            let first = if initial_step > 0.0 { initial_step } else { FIRST_STEP.min(largest_step) };
            Ok(Method::DormandPrince {
                relative: relative_tolerance,
                absolute: absolute_tolerance,
                largest: largest_step,
                first,
            })
        }
        ref other => Err(DeviceError::Method(other.to_string())),
    }
}

/// One huge system that steps on a device for a run of the engine.
pub struct DeviceRun<'m> {
    system: System<'m>,
    method: Method,
}

impl<'m> DeviceRun<'m> {
    /// For `model` by `method` on the chosen device.
    pub fn new(model: &'m Model, method: &MethodDescription, choice: Choice) -> Result<Self, DeviceError> {
        let method = device_method(method)?;
        Ok(Self { system: System::huge(model, choice)?, method })
    }

    /// The device.
    pub fn device(&self) -> Description {
        self.system.device()
    }
}

fn failed(error: DeviceError) -> SimulationError {
    SimulationError::Elsewhere(error.to_string())
}

pub(crate) fn statistics(progress: &Progress, method: &Method) -> StepStatistics {
    let stages = if matches!(method, Method::RungeKutta4 { .. }) { 4 } else { 7 };
    StepStatistics {
        accepted: progress.accepted,
        rejected: progress.rejected,
        evaluations: stages * (progress.accepted + progress.rejected),
        ..StepStatistics::default()
    }
}

impl Remote for DeviceRun<'_> {
    fn begin(&mut self, state: &State) -> Result<(), SimulationError> {
        self.system.set_state(state).map_err(failed)?;
        self.system.start(self.method, state.time).map_err(failed)
    }

    fn advance(
        &mut self,
        until: f64,
        state: &mut State,
        go_on: &mut dyn FnMut(f64, StepStatistics) -> bool,
    ) -> Result<Reached, SimulationError> {
        let method = self.method;
        let mut watch = |progress: &Progress| go_on(progress.time, statistics(progress, &method));
        let progress = self.system.advance_watched(until, &mut watch).map_err(failed)?;
        self.system.fetch().map_err(failed)?;
        self.system.read_state(0, state);
        Ok(Reached {
            time: progress.time,
            work_done: self.system.work(0).map_err(failed)?,
            statistics: statistics(&progress, &method),
        })
    }

    fn memory(&mut self) -> Result<Vec<u64>, SimulationError> {
        self.system.memory().map_err(failed)
    }

    fn recall(&mut self, state: &State, memory: &[u64]) -> Result<bool, SimulationError> {
        self.begin(state)?;
        self.system.recall(memory).map_err(failed)
    }
}
