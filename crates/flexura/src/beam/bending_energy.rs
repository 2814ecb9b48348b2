//! Slopes and curvatures along a beam, from which the strain energy beyond the modal stiffness is summed.
//!
//! The evaluation, its source and its symbols: `model/body/curvature.rs`. Here stand the points. Force and energy are of
//! one sum over them, so that energy is kept whatever their number.

use super::assemble::{ModeKind, PreparedMode, prepare};
use super::quadrature::gauss_legendre;
use super::{BeamError, BeamInput};

/// One bending mode at the points of a beam.
#[derive(Clone, Debug, PartialEq)]
#[doc(hidden)]
pub struct BendingMode {
    /// Number of the modal coordinate.
    pub mode: usize,
    /// 0 where the mode moves along y, 1 along z.
    pub plane: usize,
    /// Rotation of the section at each point, towards its plane (rad per unit).
    pub slopes: Vec<f64>,
    /// Curvature at each point (rad/m per unit).
    pub curvatures: Vec<f64>,
}

/// Bending of a beam at quadrature points.
#[derive(Clone, Debug, PartialEq)]
#[doc(hidden)]
pub struct BendingSamples {
    /// Weights of the points, in ascending x (m).
    pub weights: Vec<f64>,
    /// EI of bending along y and along z (N m²).
    pub rigidity: [f64; 2],
    /// Modes that bend.
    pub modes: Vec<BendingMode>,
}

/// Samples of all bending modes of a beam.
#[doc(hidden)]
pub fn bending_samples(input: &BeamInput) -> Result<BendingSamples, BeamError> {
    let modes = prepare(input)?;
    let bends = |mode: &&PreparedMode| plane(mode.kind).is_some();
    let phase = modes.iter().filter(bends).map(|mode| mode.shape.phase_length()).fold(0.0, f64::max);
    let degree = modes.iter().filter(bends).map(|mode| mode.shape.degree()).max().unwrap_or(0);
    let rule = gauss_legendre(points_for(phase, degree), 0.0, input.length);
    let sampled = |(mode, prepared): (usize, &PreparedMode)| {
        let plane = plane(prepared.kind)?;
        let (slopes, curvatures) = rule
            .iter()
            .map(|(x, _)| prepared.shape.at(x))
            .map(|shape| (shape.rotation(), shape.curvature))
            .unzip();
        Some(BendingMode { mode, plane, slopes, curvatures })
    };
    let properties = &input.properties;
    Ok(BendingSamples {
        modes: modes.iter().enumerate().filter_map(sampled).collect(),
        weights: rule.weights,
        rigidity: [properties.bending_y, properties.bending_z],
    })
}

/// Gauss points for products of two slopes or curvatures of any modes with two of low ones, whose slopes are large.
///
/// Two shapes of phase k multiply to cos(k ξ) on ξ ∈ [−1, 1], the low ones add a few radians. The coefficients of cos(k ξ) in
/// polynomials of degree n fall off beyond n = k, and m points are exact up to degree 2m − 1: m > k/2 with a margin for the low
/// modes and for the decay. Polynomial shapes of degree d: p² c² has degree 4d − 6, exact from 2d − 2 points on. The energy is then right to about 1e-4
/// (tests `energy_does_not_depend_on_the_points`, `fast_modes_have_points_enough`).
fn points_for(phase: f64, degree: usize) -> usize {
    const MARGIN: usize = 8;
    (0.5 * phase).ceil() as usize + (MARGIN + degree).max(2 * degree)
}

fn plane(kind: ModeKind) -> Option<usize> {
    match kind {
        ModeKind::BendingY => Some(0),
        ModeKind::BendingZ => Some(1),
        ModeKind::Axial | ModeKind::Torsion => None,
    }
}
