//! Constraint rows that hold whatever the mechanism does.
//!
//! Of the five rows of a hinge that closes a loop in a plane three never move:
//! the tree cannot leave the plane. The entries of J are analytic functions of
//! the coordinates; a row that vanishes at a few positions chosen at random
//! vanishes everywhere, its Φ keeps the value of the assembled position, and no
//! reaction along it is determined: it is left out. Offline: may allocate.

use super::constraints::Constraints;
use super::jacobian::Jacobian;
use super::structure::Structure;
use crate::constraint::move_by;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// Positions tried.
const POSITIONS: usize = 3;
/// Entry relative to the largest of J that counts as rounding.
const ROUNDING: f64 = 1e-12;
/// Deformation of the positions tried (m or rad): large enough to show what it moves.
const BENT: f64 = 0.01;

/// Takes the rows that move nothing out of every loop; driven rows stay.
pub(super) fn leave_out(model: &Model, structure: &mut Structure) {
    if model.loops.is_empty() {
        return;
    }
    let mut largest = vec![0.0_f64; model.constraint_count()];
    let (mut work, mut rows) = (Workspace::<f64>::new(model), Constraints::new(model));
    let mut jacobian = Jacobian::new(structure);
    for attempt in 0..POSITIONS {
        let state = somewhere(model, attempt);
        work.kinematics(model, &state);
        work.poses(model, &state);
        rows.evaluate(model, (state.time, state.side), &work.motion, None);
        jacobian.fill(model, structure, &work.motion, &rows);
        jacobian.for_rows(model, structure, |index, row, unknowns| {
            let free = row.iter().zip(unknowns).filter(|(_, unknown)| **unknown < structure.speeds.len());
            largest[index] = free.fold(largest[index], |best, (x, _)| best.max(x.abs()));
        });
    }
    let limit = ROUNDING * largest.iter().fold(0.0, |best: f64, x| best.max(*x));
    for (joint, part) in model.loops.iter().zip(&mut structure.loops) {
        let moves = |r: &usize| joint.rows[*r].driver.is_some() || largest[joint.first_row + r] > limit;
        part.active.retain(moves);
    }
}

/// A position far from the initial one, the same in every run.
fn somewhere(model: &Model, attempt: usize) -> State {
    let mut state = State::initial(model, 0.0);
    let mut step = vec![0.0; model.speed_count()];
    for part in &model.layout.bodies {
        for i in part.v..part.v + part.modes + part.joint_v {
            let spread = ((i * POSITIONS + attempt + 1) as f64 * 0.618_033_988_749_895).fract() - 0.5;
            let modal = i < part.v + part.modes;
            step[i] = spread * if modal { BENT } else { 2.0 };
        }
    }
    for i in (0..step.len()).filter(|&i| model.prescribed[i]) {
        step[i] = 0.0;
    }
    move_by(model, &mut state, &step);
    state
}
