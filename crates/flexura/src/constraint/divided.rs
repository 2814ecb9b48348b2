//! States put back on the constraints where divide and conquer closes the loops.
//!
//! The corrections of `project`, found by the assemblies (`algorithm/divide_and_conquer/loops/correct.rs`): no matrix over all
//! rows. Every correction of positions is a Newton step of its own, because its factors cost no more than its sweeps do.
//!
//! Typeset: book/src/theory/divide_and_conquer.md (DC.16).

use super::move_by;
use super::project::{CLOSED, CORRECTIONS, OPEN, POSITION_TOLERANCE};
use super::{extent, open_loop};
use crate::algorithm::divide_and_conquer::{Level, Par, correct_loops, evaluate_loop_rows};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::state::State;
use crate::workspace::{Divided, Workspace};

/// Corrects the coordinates until every loop is closed; leaves the rows of the closed state.
pub(super) fn project_position(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
) -> Result<(), DynamicsError> {
    let mut last = f64::INFINITY;
    for _ in 0..CORRECTIONS {
        look(model, state, work);
        let gap = work.closure.largest_residual();
        let length = 1.0 + extent(model, work);
        let stalled = gap > 0.5 * last;
        if gap <= POSITION_TOLERANCE * length || (stalled && gap < CLOSED * length) {
            return Ok(());
        }
        last = gap;
        correct(model, work, Level::Position)?;
        work.take_correction(|step| move_by(model, state, step));
    }
    if last < OPEN {
        // Rows and rates of the place that the last correction led to.
        look(model, state, work);
        return Ok(());
    }
    Err(open_loop(model, work))
}

/// Corrects the speeds with the rows of the last [`look`].
pub(super) fn correct_velocity(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
) -> Result<(), DynamicsError> {
    correct(model, work, Level::Velocity)?;
    work.take_correction(|step| {
        for (speed, change) in state.v.iter_mut().zip(step) {
            *speed += change;
        }
    });
    Ok(())
}

/// Kinematics, poses and rows at `state`.
pub(super) fn look(model: &Model, state: &State, work: &mut Workspace) {
    work.kinematics(model, state);
    work.poses(model, state);
    if let Some(mut divided) = work.divided.take() {
        let Divided { solver, threads, .. } = &mut *divided;
        evaluate_loop_rows(model, state, &mut work.loop_parts(), solver, Par::Threads(threads));
        work.divided = Some(divided);
    }
}

/// Rows that depend on others at `state`. Offline: allocates.
pub(super) fn dependent_rows(
    model: &Model,
    state: &State,
    work: &mut Workspace,
) -> Result<Vec<usize>, DynamicsError> {
    look(model, state, work);
    correct(model, work, Level::Velocity)?;
    let Some(divided) = &work.divided else { return Ok(Vec::new()) };
    Ok(divided.solver.find_dependent())
}

/// Takes from `direction` what the constraints at `state` do not let move: e − M⁻¹J*(J M⁻¹J*)⁺ J e. Offline: allocates.
pub(super) fn make_compatible(
    model: &Model,
    state: &State,
    work: &mut Workspace,
    direction: &mut [f64],
) -> Result<(), DynamicsError> {
    let mut moving = state.clone();
    moving.v.fill(0.0);
    look(model, &moving, work);
    let still = work.closure.rate.clone();
    moving.v.copy_from_slice(direction);
    look(model, &moving, work);
    for (rate, &driven) in work.closure.rate.iter_mut().zip(&still) {
        *rate -= driven;
    }
    correct(model, work, Level::Velocity)?;
    work.take_correction(|step| direction.iter_mut().zip(step).for_each(|(e, change)| *e += change));
    Ok(())
}

fn correct(model: &Model, work: &mut Workspace, level: Level) -> Result<(), DynamicsError> {
    let Some(mut divided) = work.divided.take() else { return Ok(()) };
    let Divided { solver, threads, .. } = &mut *divided;
    let found = correct_loops(model, &mut work.loop_parts(), solver, level, Par::Threads(threads));
    work.divided = Some(divided);
    found
}

impl Workspace {
    /// Hands the correction last found to `take`.
    fn take_correction(&self, take: impl FnOnce(&[f64])) {
        if let Some(divided) = &self.divided {
            take(&divided.solver.chidot);
        }
    }
}
