//! What every method of integration does, whatever its equations: the one seam between the run and its steps.
//!
//! A formulation owns the states of its run from the first to the last: how it starts (in its first step, and after a jump), how it
//! steps, and what stands at the end of a step, so that rows and events read accelerations and reactions of the formulation
//! that ran. Explicit methods, Radau IIA and implicit steps of trees have the recursive formulation; implicit steps with loops
//! the topological one (`closed_step`); `global_step` the global one.

use super::fixed_step::FixedStep;
use super::{Dense, Flow, Method, StepStatistics};
use crate::checkpoint::Tape;
use crate::error::SimulationError;
use crate::model::Model;
use crate::workspace::Workspace;

/// What a step leaves behind besides its interpolant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// An evaluation of the state it ends in, loops closed.
    Evaluated,
    /// Motion, loads and joint forces in balance at the end.
    Balanced,
    /// A state whose loops are closed.
    Closed,
    /// A state to be put back on its constraints.
    Open,
}

/// A method with its memory from step to step.
pub(super) trait Stepper {
    /// One step from the state in `flow` that does not pass `limit` (s), with its interpolant in `dense`; the first one finds the
    /// accelerations to start from. No allocation.
    fn step(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        limit: f64,
        dense: &mut Dense,
    ) -> Result<(), SimulationError>;

    /// What a step leaves.
    fn end(&self) -> End;

    /// Makes what the last step has left in `work` an evaluation of its end, with reactions where they are wanted; false where
    /// that state must be evaluated.
    fn complete(&self, model: &Model, reactions: bool, work: &mut Workspace) -> bool;

    /// Whether speeds at the end of a step are those that the next one starts from, whatever has jumped.
    fn carries_speeds(&self) -> bool {
        false
    }

    /// Forgets what was learnt of the solution: an input has jumped.
    fn restart(&mut self) {}

    /// Forgets what was learnt of the end of the last step, which was taken back; the step size is kept.
    fn take_back(&mut self) {
        self.restart();
    }

    /// Forgets a step that has failed: the next one starts where it did.
    fn give_up(&mut self) {}

    /// Forgets the last step: the next one starts where it did.
    fn undo(&mut self) {
        self.take_back();
    }

    /// The last step is forgotten, and the next one starts inside it, behind an edge where forces jump. Accelerations there swing with
    /// everything that a step does not resolve: methods that would add them up do without.
    fn cross_edge(&mut self) {
        self.take_back();
    }

    /// Accelerations may have jumped; the step size is kept.
    fn refresh(&mut self) {}

    /// Steps of one length, where the method has them.
    fn fixed(&self) -> Option<&FixedStep> {
        None
    }

    /// What lasts from one step to the next, written to or read from a checkpoint.
    fn remember(&mut self, tape: &mut Tape);

    /// Steps taken so far.
    fn statistics(&self) -> StepStatistics;
}

/// Joint forces beside an evaluation of the end of a step, where they are wanted.
pub(super) fn with_reactions(model: &Model, reactions: bool, work: &mut Workspace) -> bool {
    if reactions {
        work.reactions(model);
    }
    true
}

impl Method {
    pub(super) fn stepper(&mut self) -> &mut dyn Stepper {
        match self {
            Self::Rk4(method) => method,
            Self::DormandPrince(method) => method,
            Self::Radau(method) => &mut **method,
            Self::Automatic(method) => &mut **method,
            Self::Alpha(method) => &mut **method,
            Self::Global(method) => &mut **method,
            Self::Energy(method) => &mut **method,
        }
    }

    pub(super) fn seen(&self) -> &dyn Stepper {
        match self {
            Self::Rk4(method) => method,
            Self::DormandPrince(method) => method,
            Self::Radau(method) => &**method,
            Self::Automatic(method) => &**method,
            Self::Alpha(method) => &**method,
            Self::Global(method) => &**method,
            Self::Energy(method) => &**method,
        }
    }
}
