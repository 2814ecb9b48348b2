//! Second-order rotation of the sections of a beam.
//!
//! Source and symbols: `model/body/section_turn.rs`. Lambda2(r,s) = 1/2 int_0^x (l_r x l_s' + l_s x l_r') du with the
//! rotation l(u) of the section per unit of a mode and its derivative: curvature or rate of twist.

use super::assemble::{ModeKind, PreparedMode, motion};
use super::foreshortening::Order;
use super::quadrature::composite;
use crate::spatial::{Vector3, axpy, cross};

/// Lambda2 of the section at x (m), n x n, row-major, symmetric; empty where it is zero.
pub(super) fn turning_terms(modes: &[PreparedMode], (order, panels): Order, x: f64) -> Vec<Vector3> {
    let n = modes.len();
    let turning = modes.iter().filter(|mode| mode.kind != ModeKind::Axial).map(|mode| mode.kind);
    let mut kinds: Vec<ModeKind> = turning.collect();
    kinds.dedup();
    if kinds.len() < 2 {
        return Vec::new();
    }
    let mut terms = vec![[0.0; 3]; n * n];
    for (u, weight) in composite(order, panels, 0.0, x).iter() {
        let angles: Vec<Vector3> = modes.iter().map(|mode| motion(mode, u).0).collect();
        let rates: Vec<Vector3> = modes.iter().map(|mode| rate(mode, u)).collect();
        for r in 0..n {
            for s in 0..n {
                let half = 0.5 * weight;
                axpy(&mut terms[r * n + s], half, &cross(&angles[r], &rates[s]));
                axpy(&mut terms[s * n + r], half, &cross(&angles[r], &rates[s]));
            }
        }
    }
    terms
}

/// Derivative along the beam of the rotation by a mode.
fn rate(mode: &PreparedMode, x: f64) -> Vector3 {
    let f = mode.shape.at(x);
    match mode.kind {
        ModeKind::Axial => [0.0; 3],
        ModeKind::BendingY => [0.0, 0.0, f.curvature],
        ModeKind::BendingZ => [0.0, -f.curvature, 0.0],
        ModeKind::Torsion => [f.slope, 0.0, 0.0],
    }
}
