//! Drives whose rate jumps inside a run, in systems with closed loops.
//!
//! The speeds of the loop jump along: of all that the loops allow, those that deform bodies least. Implicit steps of a
//! given length carry speeds on from one end to the next and do not see a jump between two of them; left as they are,
//! speeds stay open by the size of the jump, and put back by the masses alone they excite modes that no step resolves.
//! Methods that follow errors resolve what an impulse does to the masses.

use crate::constraint::{project_position, project_velocity_rigidly};
use crate::error::SimulationError;
use crate::model::Model;
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Change of a rate that is rounding, relative to it and to one.
const SMOOTH: f64 = 1e-12;

/// Whether closed loops are driven by a motion whose rate differs before and after `time`.
pub(crate) fn loops_jump(model: &Model, time: f64) -> bool {
    let tree = model.joints.iter().flat_map(|joint| &joint.coordinates);
    let chords = model.loops.iter().flat_map(|joint| &joint.coordinates);
    let mut motions = tree.chain(chords).filter_map(|coordinate| coordinate.motion.as_ref());
    !model.loops.is_empty()
        && motions.any(|motion| {
            let [left, right] = [Side::Before, Side::After].map(|side| motion.sample_side(time, side).rate);
            (left - right).abs() > SMOOTH * (1.0 + left.abs().max(right.abs()))
        })
}

/// Makes the speeds of `state` follow its drives. Allocates: a jump is no step.
pub(super) fn follow_jump(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
) -> Result<(), SimulationError> {
    state.side = Side::After;
    let closed =
        project_position(model, state, work).and_then(|()| project_velocity_rigidly(model, state, work));
    closed.map_err(|error| SimulationError::dynamics(state.time, error))
}
