//! Steps in real time: fixed step, bounded work, the worst step time on record.
//!
//! Every step takes at most a given number of Newton iterations with one
//! factorisation and the projections; nothing is allocated. What the iterations
//! leave is small where the step suits the motion, and counted otherwise.

use super::Integrator;
use crate::error::SimulationError;
use crate::formulation::topological::{TangentRoute, TopologicalOptions};
use crate::model::Model;
use crate::model::description::{DampingChoice, MethodDescription};
use crate::state::State;
use crate::workspace::Workspace;
use std::time::{Duration, Instant};

/// Times of the steps taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RealTimeReport {
    /// Steps taken.
    pub steps: u64,
    /// Longest step.
    pub worst: Duration,
    /// All steps together.
    pub total: Duration,
    /// Steps that took longer than their span of simulated time.
    pub late: u64,
    /// Steps ended by the bound on iterations.
    pub unfinished: u64,
}

/// A model, its state and an integrator with bounded work.
#[derive(Clone, Debug)]
pub struct RealTime {
    /// State at the end of the last step; inputs of the model are functions of its time.
    pub state: State,
    /// Times so far.
    pub report: RealTimeReport,
    step: f64,
    integrator: Integrator,
    work: Workspace,
}

impl RealTime {
    /// Real-time steps of `step` (s) from `start`, with at most `iterations` Newton iterations each.
    pub fn new(model: &Model, start: State, damping: DampingChoice, step: f64, iterations: usize) -> Self {
        let mut integrator =
            Integrator::new(model, &MethodDescription::Implicit { damping, step, tolerance: 0.0 });
        let options = TopologicalOptions {
            tangent: TangentRoute::Approximate,
            iterations: iterations.max(1),
            bounded: true,
            ..TopologicalOptions::default()
        };
        integrator.set_topological(model, options);
        Self {
            state: start,
            report: RealTimeReport::default(),
            step,
            integrator,
            work: Workspace::new(model),
        }
    }

    /// One step; returns the time it took.
    pub fn advance(&mut self, model: &Model) -> Result<Duration, SimulationError> {
        let began = Instant::now();
        let end = self.state.time + self.step;
        self.integrator.step(model, &mut self.state, &mut self.work, end)?;
        let taken = began.elapsed();
        let report = &mut self.report;
        report.steps += 1;
        report.worst = report.worst.max(taken);
        report.total += taken;
        report.late += u64::from(taken.as_secs_f64() > self.step);
        report.unfinished = self.integrator.topological().map_or(0, |closed| closed.counts.unfinished);
        Ok(taken)
    }
}
