//! Stresses of beams for pictures, as rows acting on the modal coordinates.
//!
//! Euler-Bernoulli theory: with the stretch u, the deflections v, w along y, z and the twist θ, a fibre at (y, z) has
//! σ = E (u' − y v'' − z w'') and, as on a round section, τ = G r θ' at r² = y² + z²; von Mises' stress is
//! √(σ² + 3 τ²). On a rectangle τ is an estimate: the true shear peaks in the middle of the longer side.

use crate::beam::{ModeKind, PreparedShape};
use crate::model::description::BeamDescription;

/// Numbers per mode: E u' (Pa), E v'' and E w'' (Pa/m), G θ' (Pa/m).
pub const BEAM_ROWS: usize = 4;

/// Rows of the section at `x` (m): [`BEAM_ROWS`] numbers for every mode.
pub(super) fn beam_rows(beam: &BeamDescription, shapes: &[PreparedShape], x: f64) -> Vec<f64> {
    let row = |(mode, shape): (&crate::beam::BeamMode, &PreparedShape)| {
        let value = shape.at(x);
        match mode.kind {
            ModeKind::Axial => [beam.young * value.slope, 0.0, 0.0, 0.0],
            ModeKind::BendingY => [0.0, beam.young * value.curvature, 0.0, 0.0],
            ModeKind::BendingZ => [0.0, 0.0, beam.young * value.curvature, 0.0],
            ModeKind::Torsion => [0.0, 0.0, 0.0, beam.shear * value.slope],
        }
    };
    beam.modes.iter().zip(shapes).flat_map(row).collect()
}
