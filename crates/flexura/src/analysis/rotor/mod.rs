//! Modes of a rotor that turns at a given speed: what an observer beside the machine measures.
//!
//! A rotor on a support that moves has a linear system with coefficients of the period of a turn. Two ways lead out:
//! the multi-blade transform (`multi_blade`), which makes the system of three or more equal blades constant, and Floquet's
//! theorem (`floquet`), which holds for any rotor. Both speak of the same coordinates, `turning`, so that both can be compared.

mod blades;
mod floquet;
mod flow;
mod likeness;
mod multi_blade;
mod pattern;
mod space;
mod turning;

use super::AnalysisError;
use super::eigen::Mode;
use crate::model::Model;
use crate::state::State;
pub use pattern::RotorPattern;
use turning::Turning;

/// How the modes of a rotor are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotorMethod {
    /// Multi-blade (Coleman) coordinates: three or more equal blades.
    MultiBlade,
    /// Multipliers of one turn: any rotor.
    Floquet,
}

/// A mode of a rotor.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RotorMode {
    /// Eigenvalue and shape of the largest harmonic, over the coordinates of [`RotorModes::coordinates`].
    pub mode: Mode,
    /// Multiple of the rotor speed by which the principal exponent was moved to that harmonic; 0 for multi-blade coordinates.
    pub harmonic: i32,
    /// Frequencies (rad/s, not negative) that the mode shows beside each other, with their shares; largest first.
    pub harmonics: Vec<(f64, f64)>,
    /// What goes round, and which way.
    pub pattern: RotorPattern,
}

/// Modes of a rotor at one speed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RotorModes {
    /// Names of the coordinates of the shapes; of equal blades the collective, cosine, sine, … ones.
    pub coordinates: Vec<String>,
    /// Modes with frequencies that are not negative, slowest first.
    pub list: Vec<RotorMode>,
    /// Speed of the rotor (rad/s).
    pub speed: f64,
    /// Bodies that carry the blades; none where blades were not told.
    pub blades: Vec<String>,
    /// Largest change of the accelerations of a mode over a turn, in these coordinates, as a share of them. Multi-blade coordinates give
    /// the modes of the average over a turn: an answer only where this is small.
    pub change: f64,
    /// Values that are left out: too fast for the steps taken, gone within a turn, or with shapes that rounding hides.
    pub unresolved: usize,
    /// Values of those that were asked for (both of a conjugate pair) that even the most steps of a turn do not resolve.
    pub missing: usize,
    /// Steps of a turn.
    pub steps: usize,
}

/// Modes of the rotor that a motion of `model` turns, about the steady motion of `state`.
///
/// Floquet's method takes steps that resolve as many modes as `count`, by the frequencies of a frozen azimuth, slowest first.
pub fn rotor_modes(
    model: &Model,
    state: &State,
    method: RotorMethod,
    count: usize,
) -> Result<RotorModes, AnalysisError> {
    let turning = Turning::new(model, state)?;
    match method {
        RotorMethod::MultiBlade => multi_blade::modes(&turning),
        // What stands still has no period, and nothing that changes.
        RotorMethod::Floquet if turning.speed == 0.0 => multi_blade::averaged(&turning),
        RotorMethod::Floquet => floquet::modes(&turning, count),
    }
}

/// The method by name that suits the rotor of `model`: multi-blade coordinates where they make its system constant; `None` where
/// neither is of use (no rotor, loops).
pub fn suited_rotor_method(model: &Model, state: &State) -> Option<RotorMethod> {
    let turning = Turning::new(model, state).ok()?;
    let constant =
        turning.blades.is_some() && multi_blade::change(&turning).is_ok_and(|c| c < multi_blade::CONSTANT);
    Some(if constant { RotorMethod::MultiBlade } else { RotorMethod::Floquet })
}
