//! What a step has found at its end, as an evaluation of the equations of motion.
//!
//! Rows and events at the end of a step need motion, loads, accelerations and reactions there. Explicit steps end with an
//! evaluation of just that state; implicit steps of trees have balanced it, to the accuracy of Newton's iteration.
//! Neither is solved again by another route: a row belongs to the formulation that ran, and costs what reading costs.
//!
//! Other ends are evaluated anew. Where Newton's iteration ended at the rounding of positions, far from the origin, forces
//! would show it. Where inputs may jump, the step has seen them from the left, and a row is seen from the
//! right. The last evaluation of a Radau step lies one correction before its end. Implicit steps with loops balance the
//! motion before the projection of speeds and accelerations: forces read from there, multipliers settled, put 1 N m on
//! the free hinge of a flexible double four-bar at 10 ms and moved its reactions by 30 % of their range.

use super::Integrator;
use super::generalized_alpha::GeneralizedAlpha;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

impl Integrator {
    /// The evaluation of `state` in the workspace of the last step, where that ended in it, reactions included if wanted.
    /// `None` where the state must be evaluated.
    #[doc(hidden)]
    pub fn found<'a>(
        &self,
        model: &Model,
        state: &State,
        reactions: bool,
        work: &'a mut Workspace,
    ) -> Option<&'a mut Workspace> {
        let stands = self.stands && state.time == self.dense.end();
        (stands && self.method.seen().complete(model, reactions, work)).then_some(work)
    }
}

impl GeneralizedAlpha {
    /// Accelerations of the step beside the motion, loads and joint forces that its last residual left in `work`.
    pub(super) fn give_accelerations(&self, work: &mut Workspace) {
        let found = &mut work.accelerations;
        found.chidot.copy_from_slice(&self.acceleration);
        found.acceleration.copy_from_slice(&work.inverse.acceleration);
        work.take_driving_forces();
    }
}
