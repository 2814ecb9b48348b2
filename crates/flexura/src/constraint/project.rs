//! Puts a state back on the constraints, position and velocity level.
//!
//! The shortest correction in the metric of the mass matrix:
//! δ = −M⁻¹ J* (J M⁻¹ J*)⁺ Φ for positions and the same with Φ̇ for speeds.
//! Positions first, repeated until Φ is at rounding: at a distance φ from a
//! singular position an error ε of Φ turns the direction of motion by ε/φ². The
//! Jacobian of the first correction serves for the others while they shrink
//! quickly. Prescribed coordinates stay. Rows on speeds alone have no part in corrections of positions.
//!
//! Speeds at rest under drives that move take another metric, M + T²K with the modal stiffness K: of all speeds that
//! the loops allow, those that deform bodies least. In the metric of the masses alone the lightest parts give way, and
//! those are modes far above anything that a step resolves: a rack that starts at 19 mm/s would bend its rods at once
//! and leave hubs and wheels behind, and the dampers of these modes then push with 10⁷ m/s².
//!
//! Typeset: book/src/theory/loops.md (LO.6).

use super::{divided, fill_rows, prepare, prepare_at, prepare_positions_at};
use crate::algorithm::articulated_body::articulated_body;
use crate::algorithm::closure::Closure;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::motion::retract::move_in_place;
use crate::scalar::Scalar;
use crate::state::State;
use crate::workspace::Workspace;

/// Violation of a position accepted as rounding, per unit of length, angle and cosine.
pub const POSITION_TOLERANCE: f64 = 1e-15;
/// Violation at which corrections that no longer help are no cause for concern.
pub(super) const CLOSED: f64 = 1e-13;
/// Share of the last violation that a correction with an old Jacobian may leave.
pub(crate) const QUICK: f64 = 0.1;
/// Violation above which a loop counts as open after all corrections.
pub(super) const OPEN: f64 = 1e-8;
/// Corrections of the position before giving up.
pub(super) const CORRECTIONS: usize = 12;

/// Projects positions, then speeds. Loads and prescribed values must be those of the state's time.
pub fn project(model: &Model, state: &mut State, work: &mut Workspace) -> Result<(), DynamicsError> {
    if let Some(mut substitute) = work.substitute.take() {
        let result = substitute.project(model, state, work);
        work.substitute = Some(substitute);
        return result;
    }
    project_position(model, state, work)?;
    if work.divided.is_some() {
        // Rows at the closed position are there, and speeds have not changed.
        return divided::correct_velocity(model, state, work);
    }
    project_velocity(model, state, work)
}

/// Corrects the coordinates until every loop is closed.
pub fn project_position(model: &Model, state: &mut State, work: &mut Workspace) -> Result<(), DynamicsError> {
    if work.divided.is_some() {
        return divided::project_position(model, state, work);
    }
    let mut last = f64::INFINITY;
    for correction in 0..CORRECTIONS {
        let gap = largest_gap(model, state, work);
        let length = 1.0 + extent(model, work);
        let stalled = gap > 0.5 * last;
        if gap <= POSITION_TOLERANCE * length || (stalled && gap < CLOSED * length) {
            return Ok(());
        }
        if correction == 0 || gap > QUICK * last {
            prepare_positions_at(model, state, work)?;
        }
        last = gap;
        correct_position(model, state, &mut work.closure);
    }
    if last < OPEN { Ok(()) } else { Err(open_loop(model, work)) }
}

/// One correction of the coordinates with the responses and factors of `closure`.
pub(super) fn correct_position<S: Scalar>(model: &Model, state: &mut State<S>, closure: &mut Closure<S>) {
    correct(closure, Level::Position);
    combine_responses(closure);
    move_by(model, state, &closure.step);
}

/// Corrects the speeds so that every constraint holds at velocity level.
#[doc(hidden)]
pub fn project_velocity(model: &Model, state: &mut State, work: &mut Workspace) -> Result<(), DynamicsError> {
    if work.divided.is_some() {
        divided::look(model, state, work);
        return divided::correct_velocity(model, state, work);
    }
    project_velocity_by_rows(model, state, work)
}

/// The same by the matrix of all rows, on any numbers.
pub(super) fn project_velocity_by_rows<S: Scalar>(
    model: &Model,
    state: &mut State<S>,
    work: &mut Workspace<S>,
) -> Result<(), DynamicsError> {
    prepare_at(model, state, work)?;
    correct_velocity(state, &mut work.closure);
    Ok(())
}

/// One correction of the speeds with the responses and factors of `closure`: the rows are linear in them.
fn correct_velocity<S: Scalar>(state: &mut State<S>, closure: &mut Closure<S>) {
    correct(closure, Level::Velocity);
    combine_responses(closure);
    for (speed, change) in state.v.iter_mut().zip(&closure.step) {
        *speed += *change;
    }
}

/// Freedom to move of the slowest mode beside that of its mass alone, where bodies deform least.
const UNWILLING: f64 = 1e-3;

/// Corrects the speeds so that every constraint holds at velocity level, with as little deformation of bodies as the
/// loops allow; where they allow none without it, bodies deform. Offline: allocates.
pub fn project_velocity_rigidly(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
) -> Result<(), DynamicsError> {
    let frequencies = model.bodies.iter().flat_map(|body| body.mode_frequencies());
    let slowest = frequencies.filter(|&frequency| frequency > 0.0).fold(f64::INFINITY, f64::min);
    if slowest.is_finite() {
        let weight = 1.0 / (UNWILLING * slowest * slowest);
        if work.divided.is_some() {
            // Models with loops have no blocks that are factorised once: the assemblies read these.
            divided::look(model, state, work);
            let masses = work.inertias.modal.clone();
            stiffen(model, weight, &mut work.inertias.modal);
            let corrected = divided::correct_velocity(model, state, work);
            work.inertias.modal = masses;
            corrected?;
            return project_velocity(model, state, work);
        }
        work.kinematics(model, state);
        work.poses(model, state);
        let masses = work.inertias.modal.clone();
        stiffen(model, weight, &mut work.inertias.modal);
        let (kin, found) = (&work.motion.kinematics, &mut work.accelerations);
        let factored = articulated_body(model, kin, &work.inertias, &work.load, &mut work.articulated, found);
        work.inertias.modal = masses;
        factored?;
        prepare(model, state, work);
        correct_velocity(state, &mut work.closure);
    }
    // What the loops cannot do without deformation is left to the masses.
    project_velocity(model, state, work)
}

/// M + T²K in the modal blocks, with `weight` T² (s²).
fn stiffen(model: &Model, weight: f64, modal: &mut [f64]) {
    for (body, part) in model.bodies.iter().zip(&model.layout.bodies) {
        let (n, block) = (part.modes, &mut modal[part.modal_square()]);
        for r in 0..n {
            for s in 0..n {
                block[r * n + s] += weight * body.stiffness.entry(r, s, n);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Level {
    Position,
    Velocity,
}

/// Largest Φ at `state`; fills kinematics and poses.
pub(crate) fn largest_gap<S: Scalar>(model: &Model, state: &State<S>, work: &mut Workspace<S>) -> f64 {
    work.kinematics(model, state);
    work.poses(model, state);
    fill_rows(model, state, work);
    work.closure.largest_residual().value()
}

/// Multipliers of the correction, left in `closure.multipliers`.
fn correct<S: Scalar>(closure: &mut Closure<S>, level: Level) {
    let wrong = if level == Level::Position { &closure.residual } else { &closure.rate };
    for (multiplier, &value) in closure.multipliers.iter_mut().zip(wrong) {
        *multiplier = -value;
    }
    closure.reflected.solve(&mut closure.multipliers);
}

/// M⁻¹ J* λ, left in `closure.step`.
fn combine_responses<S: Scalar>(closure: &mut Closure<S>) {
    closure.step.fill(S::ZERO);
    for (row, &multiplier) in closure.multipliers.iter().enumerate() {
        closure.response.add_to(row, multiplier, &mut closure.step);
    }
}

/// q moved by the twist `step` over a unit of time.
pub(crate) fn move_by<S: Scalar>(model: &Model, state: &mut State<S>, step: &[S]) {
    move_in_place(model, &mut state.q, step);
}

/// Largest distance of a loop frame from the origin (m): the unit of rounding in positions.
pub(crate) fn extent<S: Scalar>(model: &Model, work: &Workspace<S>) -> f64 {
    let bodies = model.loops.iter().flat_map(|joint| joint.frames).filter_map(|id| model.frames[id.0].body);
    bodies
        .flat_map(|body| work.motion.poses.position[body.0])
        .fold(0.0, |best: f64, x| best.max(x.value().abs()))
}

/// The loop with the largest violation, named.
#[cold]
pub(crate) fn open_loop<S: Scalar>(model: &Model, work: &Workspace<S>) -> DynamicsError {
    let gap = |range: std::ops::Range<usize>| {
        work.closure.residual[range].iter().fold(0.0, |best: f64, x| best.max(x.value().abs()))
    };
    let worst = model.loops.iter().max_by(|a, b| gap(a.row_range()).total_cmp(&gap(b.row_range())));
    DynamicsError::OpenLoop {
        joint: worst.map_or(String::new(), |joint| joint.name.clone()),
        members: worst.map_or(String::new(), |joint| joint.members.join(", ")),
        gap: worst.map_or(0.0, |joint| gap(joint.row_range())),
    }
}
