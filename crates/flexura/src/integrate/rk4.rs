//! Classical fourth-order Runge-Kutta with a fixed step and cubic Hermite output.

use super::fixed_step::FixedStep;
use super::stepper::{End, Stepper, with_reactions};
use super::{Dense, Flow, StepStatistics};
use crate::error::SimulationError;
use crate::model::Model;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Stages and counters.
#[derive(Clone, Debug)]
pub(crate) struct RungeKutta4 {
    step: FixedStep,
    stages: [Vec<f64>; 5],
    y: Vec<f64>,
    end: Vec<f64>,
    /// Counters.
    pub statistics: StepStatistics,
}

impl RungeKutta4 {
    /// Scratch for vectors of length `size`.
    pub fn new(size: usize, step: f64) -> Self {
        let zero = vec![0.0; size];
        Self {
            step: FixedStep::new(step),
            stages: std::array::from_fn(|_| zero.clone()),
            y: zero.clone(),
            end: zero,
            statistics: StepStatistics::default(),
        }
    }
}

impl Stepper for RungeKutta4 {
    /// What lasts from one step to the next.
    fn fixed(&self) -> Option<&FixedStep> {
        Some(&self.step)
    }

    fn remember(&mut self, tape: &mut crate::checkpoint::Tape) {
        self.step.remember(tape);
        self.statistics.remember(tape);
    }

    /// One step, shortened to end on `limit`.
    fn step(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        limit: f64,
        dense: &mut Dense,
    ) -> Result<(), SimulationError> {
        let start = flow.start_time();
        let (end, h) = self.step.next(start, limit);
        let [k1, k2, k3, k4, k5] = &mut self.stages;
        let middle = start + 0.5 * h;
        let y0 = flow.initial().to_owned_in(&mut self.end);
        flow.rate(model, work, start, y0, Side::After, k1)?;
        combine(&mut self.y, y0, h * 0.5, k1);
        flow.rate(model, work, middle, &self.y, Side::After, k2)?;
        combine(&mut self.y, y0, h * 0.5, k2);
        flow.rate(model, work, middle, &self.y, Side::After, k3)?;
        combine(&mut self.y, y0, h, k3);
        flow.rate(model, work, end, &self.y, Side::Before, k4)?;
        for i in 0..self.y.len() {
            self.y[i] = y0[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        // Slope at the end for dense output.
        flow.rate(model, work, end, &self.y, Side::Before, k5)?;
        dense.fill((start, end), (flow.initial(), &self.y), (k1, k5), |_| 0.0);
        self.statistics.accepted += 1;
        self.statistics.evaluations += 5;
        Ok(())
    }

    fn end(&self) -> End {
        End::Evaluated
    }

    fn complete(&self, model: &Model, reactions: bool, work: &mut Workspace) -> bool {
        with_reactions(model, reactions, work)
    }

    fn statistics(&self) -> StepStatistics {
        self.statistics
    }
}

/// Copies a slice into preallocated storage, to end a borrow without allocating.
trait OwnedIn {
    fn to_owned_in<'a>(&self, storage: &'a mut Vec<f64>) -> &'a [f64];
}

impl OwnedIn for [f64] {
    fn to_owned_in<'a>(&self, storage: &'a mut Vec<f64>) -> &'a [f64] {
        storage.copy_from_slice(self);
        storage
    }
}

/// out = y + h k.
fn combine(out: &mut [f64], y: &[f64], h: f64, k: &[f64]) {
    for i in 0..out.len() {
        out[i] = y[i] + h * k[i];
    }
}
