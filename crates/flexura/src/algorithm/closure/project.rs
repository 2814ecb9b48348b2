//! Puts a state back on the constraints, position and velocity level.
//!
//! The shortest correction in the metric of the mass matrix:
//! δ = −M⁻¹ J* (J M⁻¹ J*)⁺ Φ for positions (repeated until Φ is at rounding) and
//! the same with Φ̇ for speeds. Positions first; prescribed coordinates stay.

use super::{Closure, prepare_at, rows};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// Violation of a position accepted as closed, per unit of length, angle and cosine.
pub const POSITION_TOLERANCE: f64 = 1e-13;
/// Violation above which a loop counts as open after all corrections.
const OPEN: f64 = 1e-8;
/// Corrections of the position before giving up.
const CORRECTIONS: usize = 12;

/// Projects positions, then speeds. Loads and prescribed values must be those of the state's time.
pub fn project(model: &Model, state: &mut State, work: &mut Workspace) -> Result<(), DynamicsError> {
    project_position(model, state, work)?;
    project_velocity(model, state, work)
}

/// Corrects the coordinates until every loop is closed.
pub fn project_position(model: &Model, state: &mut State, work: &mut Workspace) -> Result<(), DynamicsError> {
    let mut last = f64::INFINITY;
    for _ in 0..CORRECTIONS {
        let gap = largest_gap(model, state, work);
        // At rounding, further corrections only shuffle the last digits.
        if gap <= POSITION_TOLERANCE * (1.0 + extent(model, work)) || (gap < OPEN && gap > 0.5 * last) {
            return Ok(());
        }
        last = gap;
        prepare_at(model, state, work)?;
        let closure = &mut work.closure;
        correct(closure, Level::Position);
        let step = combined_response(model, closure);
        move_by(model, state, step);
    }
    if last < OPEN { Ok(()) } else { Err(open_loop(model, work)) }
}

/// Corrects the speeds so that every constraint holds at velocity level.
pub fn project_velocity(model: &Model, state: &mut State, work: &mut Workspace) -> Result<(), DynamicsError> {
    prepare_at(model, state, work)?;
    let closure = &mut work.closure;
    correct(closure, Level::Velocity);
    let step = combined_response(model, closure);
    for (speed, change) in state.v.iter_mut().zip(step) {
        *speed += change;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Level {
    Position,
    Velocity,
}

/// Largest Φ at `state`; fills kinematics and poses.
pub(crate) fn largest_gap(model: &Model, state: &State, work: &mut Workspace) -> f64 {
    work.kinematics(model, state);
    work.poses(model, state);
    rows::evaluate_rows(model, state, work);
    work.closure.largest_residual()
}

/// Multipliers of the correction, left in `closure.multipliers`.
fn correct(closure: &mut Closure, level: Level) {
    let wrong = if level == Level::Position { &closure.residual } else { &closure.rate };
    for (multiplier, &value) in closure.multipliers.iter_mut().zip(wrong) {
        *multiplier = -value;
    }
    closure.factor.solve(&mut closure.multipliers);
}

/// M⁻¹ J* λ, collected in the first response row, which is not needed any more.
fn combined_response<'a>(model: &Model, closure: &'a mut Closure) -> &'a [f64] {
    let speeds = model.speed_count();
    let (first, rest) = closure.response.split_at_mut(speeds);
    for x in first.iter_mut() {
        *x *= closure.multipliers[0];
    }
    for (row, &multiplier) in rest.chunks_exact(speeds).zip(&closure.multipliers[1..]) {
        for (sum, &x) in first.iter_mut().zip(row) {
            *sum += multiplier * x;
        }
    }
    first
}

/// q moved by the twist `step` over a unit of time.
pub(crate) fn move_by(model: &Model, state: &mut State, step: &[f64]) {
    for (k, part) in model.layout.bodies.iter().enumerate() {
        for r in 0..part.modes {
            state.q[part.q + r] += step[part.v + r];
        }
        let mut start = [0.0; 7];
        let start = &mut start[..part.joint_q];
        start.copy_from_slice(&state.q[part.joint_q()]);
        let kind = &model.joints[k].joint.kind;
        kind.move_by_twist(start, &step[part.joint_v()], &mut state.q[part.joint_q()]);
    }
}

/// Largest distance of a loop frame from the origin (m): the unit of rounding in positions.
fn extent(model: &Model, work: &Workspace) -> f64 {
    let bodies = model.loops.iter().flat_map(|joint| joint.frames).filter_map(|id| model.frames[id.0].body);
    bodies.flat_map(|body| work.poses.position[body.0]).fold(0.0, |best: f64, x| best.max(x.abs()))
}

/// The loop with the largest violation, named.
#[cold]
pub(crate) fn open_loop(model: &Model, work: &Workspace) -> DynamicsError {
    let gap = |range: std::ops::Range<usize>| {
        work.closure.residual[range].iter().fold(0.0, |best: f64, x| best.max(x.abs()))
    };
    let worst = model.loops.iter().max_by(|a, b| gap(a.row_range()).total_cmp(&gap(b.row_range())));
    DynamicsError::OpenLoop {
        joint: worst.map_or(String::new(), |joint| joint.name.clone()),
        members: worst.map_or(String::new(), |joint| joint.members.join(", ")),
        gap: worst.map_or(0.0, |joint| gap(joint.row_range())),
    }
}
