//! What every method of integration does, whatever its equations: the one seam between the run and its steps.

use super::{Dense, Flow, Method, StepStatistics};
use crate::checkpoint::Tape;
use crate::error::SimulationError;
use crate::model::Model;
use crate::workspace::Workspace;

/// A method with its memory from step to step.
pub(super) trait Stepper {
    /// One step from the state in `flow` that does not pass `limit` (s), with its interpolant in `dense`. No allocation.
    fn step(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        limit: f64,
        dense: &mut Dense,
    ) -> Result<(), SimulationError>;

    /// Forgets what was learnt of the solution: an input has jumped.
    fn restart(&mut self) {}

    /// Forgets what was learnt of the end of the last step, which was taken back; the step size is kept.
    fn take_back(&mut self) {
        self.restart();
    }

    /// Accelerations may have jumped; the step size is kept.
    fn refresh(&mut self) {}

    /// What lasts from one step to the next, written to or read from a checkpoint.
    fn remember(&mut self, tape: &mut Tape);

    /// Steps taken so far.
    fn statistics(&self) -> StepStatistics;
}

impl Method {
    pub(super) fn stepper(&mut self) -> &mut dyn Stepper {
        match self {
            Self::Rk4(method) => method,
            Self::DormandPrince(method) => method,
            Self::Radau(method) => &mut **method,
            Self::Alpha(method) => &mut **method,
            Self::Global(method) => &mut **method,
            Self::Energy(method) => &mut **method,
        }
    }
}
