//! Positions and speeds put back on the constraints inside the assemblies.
//!
//! The shortest correction in the metric of the masses, δ = −M⁻¹ J* (J M⁻¹ J*)⁺ Φ, and the same with Φ̇ for speeds, is the
//! solution of
//!
//! ```text
//! M δ + J* μ = 0,    J δ = −Φ
//! ```
//!
//! the equations of a system at rest on which nothing acts, with Φ in place of the velocity terms of the rows. The
//! sweeps that find accelerations find δ: every row is closed at the lowest assembly that holds both its ends, and no
//! matrix over all rows exists. Prescribed speeds stay. Cost: that of one solution, O(n) for loops between neighbours.
//!
//! Typeset: book/src/theory/divide_and_conquer.md (DC.16).

use crate::algorithm::closure::LoopParts;
use crate::algorithm::divide_and_conquer::{DivideAndConquer, Par, solve};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::scalar::Scalar;
use crate::state::State;

/// What is put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Coordinates: rows on speeds alone have no part.
    Position,
    /// Speeds.
    Velocity,
}

/// Values, rates and unit forces of all rows at `state`; kinematics and poses of `work` must be current.
pub(crate) fn evaluate_loop_rows<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut LoopParts<'_, S>,
    divided: &mut DivideAndConquer<S>,
    par: Par<'_>,
) {
    divided.rows.evaluate(model, state, work, par);
}

/// Leaves δ in `divided.chidot`, for the violations and unit forces of the last [`evaluate_loop_rows`].
///
/// Its accelerations and joint forces are void afterwards.
pub(crate) fn correct_loops<S: Scalar>(
    model: &Model,
    work: &mut LoopParts<'_, S>,
    divided: &mut DivideAndConquer<S>,
    level: Level,
    par: Par<'_>,
) -> Result<(), DynamicsError> {
    let wrong = if level == Level::Position { &work.closure.residual } else { &work.closure.rate };
    divided.rows.bias.copy_from_slice(wrong);
    if level == Level::Position {
        divided.rows.release_speeds(model);
    }
    let Some(mut nothing) = divided.nothing.take() else { return Ok(()) };
    nothing.prescribed.copy_from_slice(&work.load.prescribed);
    let solved = solve(model, &work.motion.kinematics, work.inertias, &nothing, true, true, divided, par);
    divided.nothing = Some(nothing);
    divided.forces_stand = false;
    solved
}
