//! Closed loops over an evaluation: rows, Jacobian and reflected inertia filled, loops closed, states projected.
//!
//! Source, symbols and cost: `algorithm/closure`, whose scratch this fills; here stands what needs a whole
//! [`Workspace`].

mod divided;
mod mobility;
pub(crate) mod nonholonomic;
mod project;
mod project_changes;
mod rows;

pub use mobility::{Mobility, mobility};
use project::project_velocity_by_rows;
pub(crate) use project::{POSITION_TOLERANCE, QUICK, extent, largest_gap, move_by, open_loop};
pub use project::{project, project_position, project_velocity, project_velocity_rigidly};
pub(crate) use project_changes::project_changes;
pub(crate) use rows::{fill_rows, loop_motion};

use crate::algorithm::articulated_body::articulated_body;
use crate::algorithm::closure::{RANK_TOLERANCE, apply_reactions, fill_jacobian, respond};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::scalar::Scalar;
use crate::state::State;
use crate::workspace::Workspace;

/// Closes the loops: after the accelerations of the tree, finds reactions and the true accelerations.
#[doc(hidden)]
pub fn close<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut Workspace<S>,
) -> Result<(), DynamicsError> {
    prepare(model, state, work);
    let closure = &mut work.closure;
    for (multiplier, &acceleration) in closure.multipliers.iter_mut().zip(&closure.acceleration) {
        *multiplier = -acceleration;
    }
    closure.reflected.solve(&mut closure.multipliers);
    apply_reactions(model, (state.time, state.side), &mut work.loop_parts());
    let (kin, found) = (&work.motion.kinematics, &mut work.accelerations);
    articulated_body(model, kin, &work.inertias, &work.load, &mut work.articulated, found)
}

/// Rows, Jacobian, response and factorised reflected inertia at the present evaluation.
pub(crate) fn prepare<S: Scalar>(model: &Model, state: &State<S>, work: &mut Workspace<S>) {
    work.closure.make_matrices(model);
    fill_rows(model, state, work);
    fill_jacobian(model, &work.motion, &mut work.closure);
    reflect(model, work);
}

/// Kinematics, articulated-body factors, rows, Jacobian and reflected inertia at `state`.
#[doc(hidden)]
pub fn prepare_at<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut Workspace<S>,
) -> Result<(), DynamicsError> {
    work.kinematics(model, state);
    work.poses(model, state);
    let (kin, found) = (&work.motion.kinematics, &mut work.accelerations);
    articulated_body(model, kin, &work.inertias, &work.load, &mut work.articulated, found)?;
    prepare(model, state, work);
    Ok(())
}

/// The same for corrections of positions, in which rows on speeds have no part: they are empty.
fn prepare_positions_at<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut Workspace<S>,
) -> Result<(), DynamicsError> {
    prepare_at(model, state, work)?;
    if nonholonomic::clear_speed_rows(model, &mut work.closure) {
        reflect(model, work);
    }
    Ok(())
}

/// Rows and Jacobian at `state`, whatever its accelerations.
pub(crate) fn rows_and_jacobian<S: Scalar>(model: &Model, state: &State<S>, work: &mut Workspace<S>) {
    work.closure.make_matrices(model);
    work.kinematics(model, state);
    work.poses(model, state);
    fill_rows(model, state, work);
    fill_jacobian(model, &work.motion, &mut work.closure);
}

/// J M⁻¹ J* and its factor from the Jacobian and the articulated-body factors.
fn reflect<S: Scalar>(model: &Model, work: &mut Workspace<S>) {
    let closure = &mut work.closure;
    for (joint, chord) in model.loops.iter().zip(&closure.structure.chords) {
        for row in joint.row_range() {
            let (force, out) = (closure.jacobian.row(row), closure.response.row_mut(row));
            // Rows that move nothing are common: reactions out of the plane of plane mechanisms.
            if force.iter().all(|x| x.value() == 0.0) {
                out.fill(S::ZERO);
                continue;
            }
            for &(tree, from) in &chord.trees {
                respond(
                    model,
                    &work.motion.kinematics,
                    &work.articulated,
                    &work.load.prescribed,
                    (&closure.structure.trees[tree], &closure.structure.place),
                    &force[from..],
                    &mut closure.sweep,
                    &mut out[from..],
                );
            }
        }
    }
    closure.reflected.fill(&closure.jacobian, &closure.response);
    closure.reflected.factorize(RANK_TOLERANCE);
}
