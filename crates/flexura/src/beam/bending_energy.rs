//! Slopes and curvatures along a beam, from which the strain energy beyond the modal stiffness is summed.
//!
//! The evaluation, its source and its symbols: `model/body/curvature.rs`. Here stand the points: Gauss points
//! of the mass integrals, which are exact for products of two shapes and good to about 1e-4 for products of four; force
//! and energy are of one sum, so that nothing depends on that.

use super::assemble::{ModeKind, PreparedMode, prepare};
use super::quadrature::{composite, order_for};
use super::{BeamError, BeamInput};

/// One bending mode at the points of a beam.
#[derive(Clone, Debug, PartialEq)]
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
pub struct BendingSamples {
    /// Weights of the points, in ascending x (m).
    pub weights: Vec<f64>,
    /// EI of bending along y and along z (N m²).
    pub rigidity: [f64; 2],
    /// Modes that bend.
    pub modes: Vec<BendingMode>,
}

/// Samples of all bending modes of a beam.
pub fn bending_samples(input: &BeamInput) -> Result<BendingSamples, BeamError> {
    let modes = prepare(input)?;
    let bends = |mode: &&PreparedMode| plane(mode.kind).is_some();
    let phase = modes.iter().filter(bends).map(|mode| mode.shape.phase_length()).fold(0.0, f64::max);
    let degree = modes.iter().filter(bends).map(|mode| mode.shape.degree()).max().unwrap_or(0);
    let (order, panels) = order_for(phase, degree);
    let rule = composite(order, panels, 0.0, input.length);
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

fn plane(kind: ModeKind) -> Option<usize> {
    match kind {
        ModeKind::BendingY => Some(0),
        ModeKind::BendingZ => Some(1),
        ModeKind::Axial | ModeKind::Torsion => None,
    }
}
