//! States along the vibration in one mode, to look at.
//!
//! With the eigenvalue σ + iω and the shape φ about a state x₀ the coordinates are
//! x₀ ⊕ a Re(φ e^{iα}) at the phase α; decay is left out, and speeds are those of
//! the vibration added to the state's own. In closed loops the dependent coordinates follow.

use super::eigen::Mode;
use super::linearize::LinearSystem;
use super::manifold::Manifold;
use crate::algorithm::closure::{move_by, project};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::prescribe::apply_prescribed;
use crate::state::State;
use crate::workspace::{Workspace, evaluate};
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
    let mut work = Workspace::new(model);
    let mut sound = |amplitude: f64| {
        (0..MODE_PHASES).all(|i| {
            let phase = TAU * (i as f64 / MODE_PHASES as f64);
            let moved = mode_state(model, state, system, mode, amplitude, phase);
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
    let mut step = vec![0.0; model.speed_count()];
    let mut rate = vec![0.0; model.speed_count()];
    let (sin, cos) = phase.sin_cos();
    for (&speed, (real, imaginary)) in system.speeds.iter().zip(&mode.shape) {
        step[speed] = amplitude * (real * cos - imaginary * sin);
        rate[speed] = -amplitude * mode.imaginary * (real * sin + imaginary * cos);
    }
    if !model.loops.is_empty() {
        follow(model, state, &mut [&mut step, &mut rate]);
    }
    let mut moved = state.clone();
    move_by(model, &mut moved, &step);
    moved.v.iter_mut().zip(&rate).for_each(|(speed, rate)| *speed += rate);
    if !model.loops.is_empty() {
        let mut work = Workspace::new(model);
        apply_prescribed(model, &mut moved, Some(&mut work.load));
        project(model, &mut moved, &mut work)?;
    }
    Ok(moved)
}

/// Completes motions of the independent speeds by those of the others, along the constraints.
fn follow(model: &Model, state: &State, motions: &mut [&mut Vec<f64>]) {
    let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
    let (chosen, columns) = Manifold::at(model, state, &free).independent();
    for motion in motions {
        let own: Vec<f64> = chosen.iter().map(|&i| motion[free[i]]).collect();
        for (i, &speed) in free.iter().enumerate() {
            motion[speed] = own.iter().enumerate().map(|(c, x)| columns[(i, c)] * x).sum();
        }
    }
}
