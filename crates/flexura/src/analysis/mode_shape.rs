//! States along the vibration in one mode, to look at.
//!
//! With the eigenvalue σ + iω and the shape φ about a state x₀ the coordinates are
//! x₀ ⊕ a Re(φ e^{iα}) at the phase α; decay is left out, and speeds are those of
//! the vibration added to the state's own. In closed loops the dependent coordinates follow.

use super::eigen::Mode;
use super::linearize::LinearSystem;
use super::manifold::Manifold;
use crate::constraint::{move_by, project};
use crate::dynamics::evaluate;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;
use std::f64::consts::TAU;

/// Largest joint displacement shown (rad, m), and largest slope of a flexible body (rad).
const VISIBLE: f64 = 0.2;
/// Largest displacement of a flexible body relative to its size.
const VISIBLE_SHIFT: f64 = 0.1;

/// An amplitude at which the mode is seen well: 0.2 rad or m of a joint, 0.2 rad or a tenth of the size of a
/// flexible body, whichever comes first.
pub fn visible_amplitude(model: &Model, system: &LinearSystem, mode: &Mode) -> f64 {
    let mut amplitude = f64::INFINITY;
    for (&speed, z) in system.speeds.iter().zip(&mode.shape) {
        let body = model.layout.bodies.partition_point(|part| part.v <= speed).saturating_sub(1);
        let (part, local) = (&model.layout.bodies[body], speed - model.layout.bodies[body].v);
        let limit = if local < part.modes {
            let body = &model.bodies[body];
            (VISIBLE / body.largest_slope[local]).min(VISIBLE_SHIFT / body.largest_shift[local])
        } else {
            VISIBLE
        };
        let size = z.0.hypot(z.1);
        if size > 0.0 {
            amplitude = amplitude.min(limit / size);
        }
    }
    if amplitude.is_finite() { amplitude } else { VISIBLE }
}

/// Phases of a period at which a mode is looked at.
pub const MODE_PHASES: usize = 32;
/// Halvings of an amplitude before it is given up.
const HALVINGS: usize = 40;

/// [`visible_amplitude`], made smaller until the dynamics can be evaluated all along the period: the mass
/// of a body bent beyond its linear range need not be positive, and loops close only so far.
pub fn sound_amplitude(model: &Model, state: &State, system: &LinearSystem, mode: &Mode) -> f64 {
    let mut amplitude = visible_amplitude(model, system, mode);
    let shape = whole_shape(model, state, system, mode);
    let mut work = Workspace::new(model);
    let mut sound = |amplitude: f64| {
        (0..MODE_PHASES).all(|i| {
            let phase = TAU * (i as f64 / MODE_PHASES as f64);
            let moved = moved_state(model, state, &shape, mode.imaginary, amplitude, phase);
            moved.is_ok_and(|moved| evaluate(model, &moved, &mut work).is_ok())
        })
    };
    for _ in 0..HALVINGS {
        if sound(amplitude) {
            break;
        }
        amplitude *= 0.5;
    }
    amplitude
}

/// The state at `phase` (rad) of a vibration of `amplitude` about `state`; loops stay closed.
pub fn mode_state(
    model: &Model,
    state: &State,
    system: &LinearSystem,
    mode: &Mode,
    amplitude: f64,
    phase: f64,
) -> Result<State, DynamicsError> {
    let shape = whole_shape(model, state, system, mode);
    moved_state(model, state, &shape, mode.imaginary, amplitude, phase)
}

fn moved_state(
    model: &Model,
    state: &State,
    shape: &[(f64, f64)],
    frequency: f64,
    amplitude: f64,
    phase: f64,
) -> Result<State, DynamicsError> {
    let (sin, cos) = phase.sin_cos();
    let step: Vec<f64> =
        shape.iter().map(|(real, imaginary)| amplitude * (real * cos - imaginary * sin)).collect();
    let mut moved = state.clone();
    move_by(model, &mut moved, &step);
    for (speed, (real, imaginary)) in moved.v.iter_mut().zip(shape) {
        *speed -= amplitude * frequency * (real * sin + imaginary * cos);
    }
    if !model.loops.is_empty() {
        let mut work = Workspace::new(model);
        apply_prescribed(model, &mut moved, Some(&mut work.load));
        project(model, &mut moved, &mut work)?;
    }
    Ok(moved)
}

/// The shape over all speeds: dependent ones of closed loops follow the independent ones along the constraints.
fn whole_shape(model: &Model, state: &State, system: &LinearSystem, mode: &Mode) -> Vec<(f64, f64)> {
    let mut shape = vec![(0.0, 0.0); model.speed_count()];
    for (&speed, &part) in system.speeds.iter().zip(&mode.shape) {
        shape[speed] = part;
    }
    if model.loops.is_empty() {
        return shape;
    }
    let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
    let (chosen, columns) = Manifold::at(model, state, &free).independent();
    let own: Vec<(f64, f64)> = chosen.iter().map(|&i| shape[free[i]]).collect();
    for (i, &speed) in free.iter().enumerate() {
        let parts = own.iter().enumerate().map(|(c, x)| (columns[(i, c)] * x.0, columns[(i, c)] * x.1));
        shape[speed] = parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    }
    shape
}
