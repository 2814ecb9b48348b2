//! Bodies whose equations have no energy: steps that conserve one would converge to another motion.
//!
//! The correction s of the step is O(h²) where the equations of motion conserve E. Levels `ruthless` and `paper` and attachment
//! rules other than `exact` neglect terms of the motion that their energy has (book/src/theory/inertia.md), and s then stays of
//! the size of these terms, whatever the step.

use crate::model::Model;
use crate::model::description::{AttachmentRule, InertiaLevel};

/// What is refused, and what to write instead.
pub(crate) const WHAT: &str = "methods that conserve energy need bodies whose equations do: not levels ruthless and paper, nor attachments other than exact";
pub(crate) const FIX: &str = "give the body level = \"gram\", \"consistent\" or \"full\" and attachments = \"exact\", or take another method";

/// The first body whose equations conserve no energy.
pub(crate) fn without_energy(model: &Model) -> Option<&str> {
    let flexible = model.bodies.iter().filter(|body| body.modes > 0);
    let mut lacking = flexible.filter(|body| {
        matches!(body.level(), InertiaLevel::Ruthless | InertiaLevel::Paper)
            || body.rule != AttachmentRule::Exact
    });
    lacking.next().map(|body| body.name.as_str())
}
