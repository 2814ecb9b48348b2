//! Which way a mode goes round: with the spin of a rotor (forward) or against it (backward), and how fast as seen from outside.
//!
//! A vibration x = Re(φ e^{iωt}) moves a point by u e^{iωt}, u = Cφ, in axes that stand still at the instant of the linear
//! system. Across the spin axis, with z = u₁ + iu₂ in its plane, that is z = a e^{iωt} + b e^{−iωt}, a = (u₁ + iu₂)/2 and
//! b = (ū₁ + iū₂)/2: two circles, one with the spin, one against it. Coordinates of what stands still keep their axes;
//! those of what spins turn with it, so that their part is z e^{iΩt}: circles of Ω + ω and Ω − ω. The largest of the four,
//! in sum over all points, is what an observer beside the machine sees. Source: G. Genta, Dynamics of Rotating Systems,
//! Springer 2005 (rotating coordinates, whirl). Typeset: book/src/theory/linear_analysis.md (LA.10). Cost:
//! points × coordinates.

use super::eigen::Mode;
use super::linearize::{LinearSystem, linearize};
use super::{AnalysisError, modes};
use crate::model::Model;
use crate::motion::Motion;
use crate::motion::observe::inertial_velocity;
use crate::spatial::{Vector3, cross, dot, scale};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use nalgebra::Complex;
use std::f64::consts::TAU;

/// Outputs that a linear system needs for [`Spin::whirl`].
pub const WHIRL_OUTPUTS: &str = "*.position.*";
/// Share of the motion (squared) across the axis below which a mode does not whirl.
const ACROSS: f64 = 1e-6;
/// Share of the largest motion (squared) that the coordinates could give below which there is only rounding.
const ROUNDING: f64 = 1e-14;
/// Share of the largest circle below which a mode goes back and forth rather than round.
pub(super) const ROUND: f64 = 0.6;
/// Bodies whose speeds differ by less (relative) spin together.
const TOGETHER: f64 = 1e-6;
/// Share of a turn between two looks at a linear system; no simple fraction, so that rotors of several blades differ too.
const PART_OF_A_TURN: f64 = 0.137;

/// What spins in a model, and which coordinates turn with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spin {
    /// Axis, of length one.
    pub axis: Vector3,
    /// Speed (rad/s), positive.
    pub speed: f64,
    /// Whether the axes of each coordinate of the system turn.
    rotating: Vec<bool>,
}

/// How a mode goes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhirlDirection {
    /// With the spin.
    Forward,
    /// Against it.
    Backward,
    /// Back and forth.
    Line,
}

/// A mode as an observer beside the machine sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whirl {
    /// Which way.
    pub direction: WhirlDirection,
    /// How fast (rad/s); of a line, in its own axes.
    pub frequency: f64,
    /// Share of this circle in the motion across the axis.
    pub share: f64,
}

impl WhirlDirection {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
            Self::Line => "line",
        }
    }
}

/// The fastest spin of a model at `state`; `None` where nothing turns.
pub fn spin(model: &Model, state: &State, system: &LinearSystem) -> Option<Spin> {
    let mut motion = Motion::new(model);
    motion.evaluate(model, state);
    let speeds: Vec<Vector3> =
        (0..model.body_count()).map(|k| inertial_velocity(&motion.poses, k).0).collect();
    let size = |v: &Vector3| dot(v, v).sqrt();
    let fastest = speeds.iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let speed = size(fastest);
    if speed.is_nan() || speed <= 0.0 {
        return None;
    }
    let axis = scale(1.0 / speed, fastest);
    let spins = |body: Option<usize>| {
        body.is_some_and(|body| (dot(&speeds[body], &axis) - speed).abs() <= TOGETHER * speed)
    };
    let turning = |&index: &usize| {
        let body = model.layout.bodies.partition_point(|part| part.v <= index).saturating_sub(1);
        let part = &model.layout.bodies[body];
        // Modes and twists have the axes of the body; other coordinates those of what carries it.
        let own = index - part.v < part.modes || part.joint_q != part.joint_v;
        spins(if own { Some(body) } else { model.joints[body].parent })
    };
    Some(Spin { axis, speed, rotating: system.speeds.iter().map(turning).collect() })
}

impl Spin {
    /// A spin whose coordinates all stand still.
    pub(super) fn seen_from_outside(axis: Vector3, speed: f64, coordinates: usize) -> Self {
        Self { axis, speed, rotating: vec![false; coordinates] }
    }

    /// How a mode goes round; `None` where it does not move across the axis. The system needs the outputs [`WHIRL_OUTPUTS`].
    pub fn whirl(&self, system: &LinearSystem, mode: &Mode) -> Option<Whirl> {
        let (first, second) = across(&self.axis);
        let (omega, spin) = (mode.imaginary, self.speed);
        let circles = [omega, -omega, spin + omega, spin - omega];
        let (mut powers, mut all, mut largest_row) = ([0.0; 4], 0.0, 0.0_f64);
        for (row, name) in system.outputs.iter().enumerate() {
            let rest = name.strip_suffix(".x").map(|stem| [".y", ".z"].map(|axis| format!("{stem}{axis}")));
            let Some(rest) = rest else { continue };
            if system.outputs.get(row + 1) != Some(&rest[0]) || system.outputs.get(row + 2) != Some(&rest[1])
            {
                continue;
            }
            largest_row = (row..row + 3).fold(largest_row, |most, row| most.max(self.reach(system, row)));
            for (rotating, offset) in [(false, 0), (true, 2)] {
                let moved = [0, 1, 2].map(|axis| self.moved(system, mode, row + axis, rotating));
                all += moved.iter().map(|u| u.0 * u.0 + u.1 * u.1).sum::<f64>();
                let along = |e: &Vector3| {
                    let sum =
                        |part: fn(&(f64, f64)) -> f64| (0..3).map(|i| e[i] * part(&moved[i])).sum::<f64>();
                    (sum(|u| u.0), sum(|u| u.1))
                };
                let (u1, u2) = (along(&first), along(&second));
                // |u₁ + iu₂|²/4 and |u₁ − iu₂|²/4.
                powers[offset] += ((u1.0 - u2.1).powi(2) + (u1.1 + u2.0).powi(2)) / 4.0;
                powers[offset + 1] += ((u1.0 + u2.1).powi(2) + (u1.1 - u2.0).powi(2)) / 4.0;
            }
        }
        let total: f64 = powers.iter().sum();
        let positions = mode.shape.iter().zip(&self.rotating);
        let size: f64 = positions.map(|(z, _)| z.0 * z.0 + z.1 * z.1).sum();
        if total.is_nan() || total <= ACROSS * all || total <= ROUNDING * largest_row * size {
            return None;
        }
        let largest = (0..4).max_by(|&a, &b| powers[a].total_cmp(&powers[b]))?;
        let share = powers[largest] / total;
        let (direction, frequency) = match (share < ROUND, circles[largest] >= 0.0) {
            // Two circles of equal size: what turns has no single frequency outside.
            (true, _) => (WhirlDirection::Line, omega),
            (_, true) => (WhirlDirection::Forward, circles[largest]),
            (_, false) => (WhirlDirection::Backward, -circles[largest]),
        };
        Some(Whirl { direction, frequency, share })
    }

    /// Square of the most that coordinates of length one move an output.
    fn reach(&self, system: &LinearSystem, row: usize) -> f64 {
        let columns = system.states.len();
        system.c[row * columns..][..self.rotating.len()].iter().map(|c| c * c).sum()
    }

    /// Part of an output that comes from coordinates that turn, or from those that do not.
    fn moved(&self, system: &LinearSystem, mode: &Mode, row: usize, rotating: bool) -> (f64, f64) {
        let columns = system.states.len();
        let parts =
            mode.shape.iter().zip(&self.rotating).enumerate().filter(|(_, (_, turns))| **turns == rotating);
        parts.fold((0.0, 0.0), |sum, (k, (z, _))| {
            let c = system.c[row * columns + k];
            (sum.0 + c * z.0, sum.1 + c * z.1)
        })
    }
}

/// Two directions across an axis, right-handed with it.
pub(super) fn across(axis: &Vector3) -> (Vector3, Vector3) {
    let least = (0..3).fold(0, |best, i| if axis[i].abs() < axis[best].abs() { i } else { best });
    let mut other = [0.0; 3];
    other[least] = 1.0;
    let first = cross(axis, &other);
    let first = scale(1.0 / dot(&first, &first).sqrt(), &first);
    (first, cross(axis, &first))
}

/// A linear system that depends on where a rotor stands.
#[derive(Clone, Debug, PartialEq)]
pub struct AzimuthDependence {
    /// Frequency of the mode that is changed most (rad/s).
    pub frequency: f64,
    /// Change of its accelerations a part of a turn later, as a share of them.
    pub change: f64,
}

impl std::fmt::Display for AzimuthDependence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (frequency, percent) = (self.frequency / TAU, 100.0 * self.change);
        write!(
            f,
            "the linear system changes while the rotor turns: the accelerations of the mode of {frequency:.4} Hz differ by \
             {percent:.2} % a part of a turn later, so that eigenvalues of a frozen azimuth mislead"
        )
    }
}

/// Whether the linear system of a tree depends on the azimuth of what spins by a prescribed motion; `None` where it does not, to
/// a thousandth of the accelerations of each mode, and where no such motion is. Eigenvalues would not tell: those of a rotor that
/// is not round on supports that are the same all round do not depend on the azimuth, and mislead all the same.
pub fn azimuth_dependence(
    model: &Model,
    state: &State,
    system: &LinearSystem,
) -> Result<Option<AzimuthDependence>, AnalysisError> {
    let prescribed = model.joints.iter().any(|joint| joint.coordinates.iter().any(|c| c.motion.is_some()));
    // A loop would have to be closed again at the other azimuth.
    let looked_at = prescribed && model.loops.is_empty();
    let Some(spin) = spin(model, state, system).filter(|_| looked_at) else { return Ok(None) };
    let mut later = state.clone();
    later.time += PART_OF_A_TURN * TAU / spin.speed;
    apply_prescribed(model, &mut later, None);
    // The second look is for a warning: where it fails there is none.
    let Ok(turned) = linearize(model, &later, &[], &[]) else { return Ok(None) };
    if turned.states.len() != system.states.len() {
        return Ok(None);
    }
    let list = modes(system)?;
    let fastest = list.iter().fold(0.0_f64, |most, mode| most.max(mode.frequency()));
    let vibrating = list.iter().filter(|mode| mode.imaginary > 1e-6 * fastest);
    let changes = vibrating.map(|mode| (mode.imaginary, change(system, &turned, mode)));
    let most = changes.filter(|(_, change)| *change > 1e-3).max_by(|a, b| a.1.total_cmp(&b.1));
    Ok(most.map(|(frequency, change)| AzimuthDependence { frequency, change }))
}

/// Change of the accelerations of a mode between two systems, as a share of its own.
pub(super) fn change(one: &LinearSystem, other: &LinearSystem, mode: &Mode) -> f64 {
    let (n, count) = (one.states.len(), mode.shape.len());
    let value = Complex::new(mode.real, mode.imaginary);
    let shape: Vec<Complex<f64>> = mode.shape.iter().map(|z| Complex::new(z.0, z.1)).collect();
    let (mut changed, mut all) = (0.0, 0.0);
    for i in 0..count {
        let row = (count + i) * n;
        let difference = |k: usize| other.a[row + k] - one.a[row + k];
        let sum: Complex<f64> =
            (0..count).map(|k| shape[k] * difference(k) + value * shape[k] * difference(count + k)).sum();
        changed += sum.norm_sqr();
        all += (value * value * shape[i]).norm_sqr();
    }
    (changed / all).sqrt()
}
