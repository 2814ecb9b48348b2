//! Joints with rows on speeds alone: what they need beside other loops, and who must refuse them.
//!
//! Such a row has Φ̇ and Φ̈, but no Φ: corrections of positions leave it out, corrections of speeds and accelerations
//! take it as any other. Whoever asks for a manifold of positions (implicit steps on Φ, equilibria, linear systems)
//! does not know it, and says so by name.
//!
//! Typeset: book/src/theory/loops.md (LO.7), (LO.8).

use super::loop_motion;
use crate::algorithm::closure::Closure;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::model::closure::LoopJoint;
use crate::scalar::Scalar;
use crate::state::State;
use crate::workspace::Workspace;

/// What to do instead, in runs.
pub(crate) const FIX: &str =
    "write method = \"dormand-prince\", \"auto\", \"radau\" or \"rk4\" without `formulation`";

/// Sine of the angle between axis and normal below which a disc lies flat: the contact runs round its rim within a step.
const FLAT: f64 = 1e-4;

/// Why `who` cannot take `model`, where it has constraints on speeds alone.
pub(crate) fn refusal(model: &Model, who: &str) -> Option<String> {
    let joint = model.nonholonomic_joint()?;
    let (name, kind) = (&joint.name, joint.kind.word());
    Some(format!("{who} not know constraints on speeds alone (joint `{name}`, type = \"{kind}\")"))
}

/// Empties the rows on speeds of the Jacobian; whether there are any.
pub(crate) fn clear_speed_rows<S: Scalar>(model: &Model, closure: &mut Closure<S>) -> bool {
    let mut any = false;
    for joint in &model.loops {
        for (row, index) in joint.rows.iter().zip(joint.row_range()) {
            if row.shape.is_on_speeds() {
                closure.jacobian.row_mut(index).fill(S::ZERO);
                any = true;
            }
        }
    }
    any
}

/// Refuses a disc that lies flat on its plane: it has no lowest point. Poses must be current.
pub(crate) fn check_discs<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &Workspace<S>,
) -> Result<(), DynamicsError> {
    match flat_disc(model, state, work) {
        Some(joint) => Err(DynamicsError::FlatDisc { joint: joint.to_string() }),
        None => Ok(()),
    }
}

/// The first disc that lies flat on its plane.
pub(crate) fn flat_disc<'a, S: Scalar>(
    model: &'a Model,
    state: &State<S>,
    work: &Workspace<S>,
) -> Option<&'a str> {
    let lies_flat = |joint: &&LoopJoint| {
        let Some((disc, _)) = joint.rolling_disc() else { return false };
        disc.sine(&loop_motion(model, state, work, joint).1) < FLAT
    };
    let mut on_speeds = model.loops.iter().filter(|joint| joint.kind.is_nonholonomic());
    on_speeds.find(lies_flat).map(|joint| joint.name.as_str())
}
