//! The projection back on the constraints with its derivative along one direction.
//!
//! P of `project.rs` (book/src/theory/loops.md (LO.6)) in dual numbers x + ε δx: the corrections are those of the values, so that what is derived is the
//! map that `project` computes. On the constraints, where values need no correction, changes across them still do: there
//! δP = (1 − M⁻¹J*(J M⁻¹J*)⁺J) δ. Corrections go on until δΦ is at rounding too; each shrinks it by the share by which its Jacobian is old. Cost: some evaluations in dual numbers, two or three of them near the constraints.

use super::project::{CLOSED, CORRECTIONS, OPEN, POSITION_TOLERANCE, QUICK, correct_position};
use super::{extent, largest_gap, open_loop, prepare_positions_at, project_velocity_by_rows};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::scalar::Dual;
use crate::state::State;
use crate::workspace::Workspace;

/// Change of a violation accepted as rounding, beside the largest change of a coordinate or of a violation before the corrections.
const ROUNDING: f64 = 1e-14;
/// The same where corrections no longer help.
const STALLED: f64 = 1e-10;

/// Projects positions, then speeds, with their changes. Loads and prescribed values must be those of the state's time.
pub(crate) fn project_changes(
    model: &Model,
    state: &mut State<Dual<1>>,
    work: &mut Workspace<Dual<1>>,
) -> Result<(), DynamicsError> {
    project_position(model, state, work)?;
    project_velocity_by_rows(model, state, work)
}

fn project_position(
    model: &Model,
    state: &mut State<Dual<1>>,
    work: &mut Workspace<Dual<1>>,
) -> Result<(), DynamicsError> {
    let (mut last, mut last_change) = (f64::INFINITY, f64::INFINITY);
    let mut scale = state.q.iter().fold(0.0, |best: f64, q| best.max(q.eps[0].abs()));
    for correction in 0..CORRECTIONS {
        let gap = largest_gap(model, state, work);
        let change = largest_change(work);
        let length = 1.0 + extent(model, work);
        if correction == 0 {
            scale = change.max(scale * length);
        }
        let closed = gap <= POSITION_TOLERANCE * length || (gap > 0.5 * last && gap < CLOSED * length);
        let followed = change <= ROUNDING * scale || (change > 0.5 * last_change && change < STALLED * scale);
        if correction > 0 && closed && followed {
            return Ok(());
        }
        if correction == 0 || (!closed && gap > QUICK * last) || (closed && change > QUICK * last_change) {
            prepare_positions_at(model, state, work)?;
        }
        (last, last_change) = (gap, change);
        correct_position(model, state, &mut work.closure);
    }
    if last >= OPEN {
        return Err(open_loop(model, work));
    }
    if last_change <= STALLED * scale {
        return Ok(());
    }
    let cause =
        "the closed loops are at a singular position, where what is put back on them has no derivative";
    Err(DynamicsError::Unsupported { cause: cause.into() })
}

/// Largest |δΦ|.
fn largest_change(work: &Workspace<Dual<1>>) -> f64 {
    work.closure.residual.iter().fold(0.0, |best: f64, row| best.max(row.eps[0].abs()))
}
