//! Where modes are no longer trusted: warnings of a run.

use crate::model::{Body, Model};
use crate::state::State;

/// Rotation at a node beyond which linear modes are not trusted (rad).
#[doc(hidden)]
pub const LINEAR_SLOPE_LIMIT: f64 = 0.2;
/// Displacement of a node relative to the size of its body beyond which linear modes are not trusted.
#[doc(hidden)]
pub const LINEAR_SHIFT_LIMIT: f64 = 0.2;

/// The same two limits for beams whose curvature is kept to third order. Under a tip force their error at this slope is that
/// of linear modes at theirs at most: 1.2 and 1.8 % of the deflection (test `curved_beams_are_trusted_as_far_as_linear_ones_err`).
#[doc(hidden)]
pub const CURVED_SLOPE_LIMIT: f64 = 0.5;
/// Displacement of a node relative to the size of its body, as [`LINEAR_SHIFT_LIMIT`].
#[doc(hidden)]
pub const CURVED_SHIFT_LIMIT: f64 = 0.5;

/// Rotation (rad) and relative displacement beyond which the modes of `body` are not trusted.
#[doc(hidden)]
pub fn trusted_deformation(body: &Body) -> [f64; 2] {
    match body.curvature {
        Some(_) => [CURVED_SLOPE_LIMIT, CURVED_SHIFT_LIMIT],
        None => [LINEAR_SLOPE_LIMIT, LINEAR_SHIFT_LIMIT],
    }
}

/// A mode left the range in which it is trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearRangeWarning {
    /// Body.
    pub body: String,
    /// Mode, counted from one.
    pub mode: usize,
    /// Time it was first seen (s).
    pub time: f64,
    /// Modal coordinate then.
    pub value: f64,
}

impl std::fmt::Display for LinearRangeWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "mode {} of body `{}` left the linear range at t = {:.6} s (eta = {:.3e}): results are \
             doubtful from here on; divide the body into more segments, or check stiffness and loads",
            self.mode, self.body, self.time, self.value
        )
    }
}

/// Modes of `state` beyond the linear range.
pub fn linear_range_warnings(model: &Model, state: &State) -> Vec<LinearRangeWarning> {
    let mut list = Vec::new();
    for_modes_beyond_linear(model, state, |_, warning| list.push(warning()));
    list
}

/// Calls `found` with the index over all modes and a maker of the warning; no allocation by itself.
pub(crate) fn for_modes_beyond_linear(
    model: &Model,
    state: &State,
    mut found: impl FnMut(usize, &dyn Fn() -> LinearRangeWarning),
) {
    for (k, body) in model.bodies.iter().enumerate() {
        let part = &model.layout.bodies[k];
        let eta = &state.q[part.modal_q()];
        let [slope, shift] = trusted_deformation(body);
        let together = body.largest_rotation(eta) > slope;
        let share = |r: usize| eta[r].abs() * body.largest_slope[r];
        let leading = (0..body.modes).fold(0, |best, r| if share(r) > share(best) { r } else { best });
        for (r, &value) in eta.iter().enumerate() {
            let bends = share(r) > slope || (together && r == leading);
            let moves = value.abs() * body.largest_shift[r] > shift;
            if bends || moves {
                found(part.modal + r, &|| LinearRangeWarning {
                    body: body.name.clone(),
                    mode: r + 1,
                    time: state.time,
                    value,
                });
            }
        }
    }
}
