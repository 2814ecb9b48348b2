//! States along the vibration in one mode, to look at.
//!
//! With the eigenvalue σ + iω and the shape φ about a state x₀ the coordinates are
//! x₀ ⊕ a Re(φ e^{iα}) at the phase α; decay is left out, and speeds are those of
//! the vibration added to the state's own.

use super::eigen::Mode;
use super::linearize::LinearSystem;
use crate::integrate::{Flow, place};
use crate::model::Model;
use crate::state::State;

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

/// The state at `phase` (rad) of a vibration of `amplitude` about `state`.
pub fn mode_state(
    model: &Model,
    state: &State,
    system: &LinearSystem,
    mode: &Mode,
    amplitude: f64,
    phase: f64,
) -> State {
    let n = model.speed_count();
    let mut y = vec![0.0; Flow::size(model)];
    y[n..2 * n].copy_from_slice(&state.v);
    y[2 * n..2 * n + state.z.len()].copy_from_slice(&state.z);
    let (sin, cos) = phase.sin_cos();
    for (&speed, (real, imaginary)) in system.speeds.iter().zip(&mode.shape) {
        y[speed] = amplitude * (real * cos - imaginary * sin);
        y[n + speed] -= amplitude * mode.imaginary * (real * sin + imaginary * cos);
    }
    let mut moved = state.clone();
    place(model, &state.q, &y, &mut moved);
    moved
}
