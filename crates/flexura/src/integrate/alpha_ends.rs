//! Where steps of the generalised-α family begin and end: first accelerations, and what is kept of a step.

use super::trial::end_power;
use super::{Dense, Flow, GeneralizedAlpha};
use crate::error::SimulationError;
use crate::model::Model;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// What a step takes over from the one before.
#[derive(Clone, Debug)]
pub(super) struct History {
    pub algorithmic: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub mean: Vec<f64>,
    pub control_rates: Vec<f64>,
    pub power: f64,
    pub behind_edge: bool,
}

impl GeneralizedAlpha {
    /// Accelerations at the start of the integration or after a jump, by the formulation that steps.
    pub(super) fn start(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
    ) -> Result<(), SimulationError> {
        match self.closed.take() {
            Some(mut closed) => {
                let outcome = self.start_closed(model, &mut closed, flow, work);
                self.closed = Some(closed);
                outcome.map_err(|error| SimulationError::dynamics(flow.start_time(), error))?;
            }
            None => self.start_tree(model, flow, work)?,
        }
        self.algorithmic.copy_from_slice(&self.acceleration);
        self.mean.copy_from_slice(&self.acceleration);
        self.trial.control_rates.copy_from_slice(&work.control.rates);
        self.started = true;
        Ok(())
    }

    /// What stood before the last step, again.
    pub(super) fn recall(&mut self) {
        let History { algorithmic, acceleration, mean, control_rates, power, behind_edge } = &self.before;
        self.algorithmic.copy_from_slice(algorithmic);
        self.acceleration.copy_from_slice(acceleration);
        self.mean.copy_from_slice(mean);
        self.trial.control_rates.copy_from_slice(control_rates);
        (self.start_power, self.behind_edge) = (*power, *behind_edge);
    }

    /// Keeps what the next step will replace.
    fn remember_start(&mut self) {
        let before = &mut self.before;
        before.algorithmic.copy_from_slice(&self.algorithmic);
        before.acceleration.copy_from_slice(&self.acceleration);
        before.mean.copy_from_slice(&self.mean);
        before.control_rates.copy_from_slice(&self.trial.control_rates);
        (before.power, before.behind_edge) = (self.start_power, self.behind_edge);
    }

    fn start_tree(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
    ) -> Result<(), SimulationError> {
        let (n, time) = (model.speed_count(), flow.start_time());
        let slopes = &mut self.trial.slopes[0];
        self.trial.end.copy_from_slice(flow.initial());
        flow.rate(model, work, time, &self.trial.end, Side::After, slopes)?;
        self.acceleration.copy_from_slice(&slopes[n..2 * n]);
        self.start_power = slopes[slopes.len() - 1];
        Ok(())
    }

    /// Keeps the step: dense output, work and history.
    pub(super) fn accept(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &Workspace,
        start: f64,
        end: f64,
        dense: &mut Dense,
    ) {
        self.remember_start();
        let n = model.speed_count();
        let trial = &mut self.trial;
        let drivers = self.closed.as_ref().map_or(0.0, |c| c.driver_power(model, &trial.state));
        let power = end_power(model, trial, work) + drivers;
        flow.local_increment(model, &trial.state.q, &trial.twist, &mut trial.end[..n]);
        trial.end[n..2 * n].copy_from_slice(&trial.state.v);
        let last = trial.end.len() - 1;
        if std::mem::take(&mut self.behind_edge) {
            // Acceleration and power of the end have acted all along.
            self.acceleration.copy_from_slice(&trial.w);
            self.start_power = power;
        }
        trial.end[2 * n..last].copy_from_slice(&trial.state.z);
        trial.end[last] = flow.initial()[last] + 0.5 * (end - start) * (self.start_power + power);
        let [first, final_slopes] = &mut trial.slopes;
        flow.increment_slopes(model, &trial.start, None, &mut first[..n]);
        flow.increment_slopes(model, &trial.state, Some(&trial.end[..n]), &mut final_slopes[..n]);
        first[n..2 * n].copy_from_slice(&self.acceleration);
        final_slopes[n..2 * n].copy_from_slice(&trial.w);
        first[2 * n..last].copy_from_slice(&trial.control_rates);
        final_slopes[2 * n..last].copy_from_slice(&work.control.rates);
        (first[last], final_slopes[last]) = (self.start_power, power);
        dense.fill((start, end), (flow.initial(), &trial.end), (first, final_slopes), |_| 0.0);
        trial.control_rates.copy_from_slice(&work.control.rates);
        self.acceleration.copy_from_slice(&trial.w);
        self.algorithmic.copy_from_slice(&trial.a);
        for (mean, (after, before)) in self.mean.iter_mut().zip(trial.state.v.iter().zip(&trial.start.v)) {
            *mean = (after - before) / (end - start);
        }
        self.start_power = power;
        self.statistics.accepted += 1;
    }
}
