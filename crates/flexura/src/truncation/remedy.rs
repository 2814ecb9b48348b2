//! What would carry the load that the modes of a beam lack: more of them, static shapes, or another boundary.
//!
//! Internal forces do not depend on the modes, so any other set is tried by projection: with s_r the strains of its shapes,
//! K_rs = ∫ s_r C⁻¹ s_s, b_r = ∫ s_r σ, it carries ½ b* K⁻¹ b of the energy ½∫ σ C σ.

use super::MISSING_LIMIT;
use super::beam::{Beam, FAMILIES};
use super::judge::Worst;
use super::verdict::Remedy;
use crate::beam::{BeamMode, Shape, prepare, strain};
use crate::linear::{cholesky_in_place, solve_lower};

/// Most further modes tried.
const FURTHER: usize = 30;
/// Further modes beyond which static shapes are the better advice.
const MANY: usize = 4;

/// What helps; `factor` turns the share of energy into that of the deflection.
pub(super) fn remedy(beam: &Beam, family: usize, worst: &Worst, factor: f64) -> Option<Remedy> {
    let count = beam.count(family);
    if count == 0 {
        return Some(Remedy::Some);
    }
    let kind = FAMILIES[family].1;
    let own = beam.input.modes.iter().filter(|mode| mode.kind == kind);
    let mut shapes: Vec<Shape> = own.map(|mode| mode.shape.clone()).collect();
    let share = |shapes: &[Shape]| lacking(beam, family, worst, shapes).map(|e| e / worst.reference());
    // Modes that could carry it but do not are held by the wrong points.
    if share(&shapes)? < 0.5 * worst.missing / worst.reference() {
        return Some(Remedy::Boundary);
    }
    let mut enough = None;
    for further in 1..=FURTHER {
        shapes.push(next(&shapes)?);
        if share(&shapes)? * factor < MISSING_LIMIT {
            enough = Some(further);
            break;
        }
    }
    let bending = family == 1 || family == 2;
    let statics = [Shape::TipDisplacement, Shape::TipRotation];
    let clamped = shapes.iter().any(|shape| matches!(shape, Shape::ClampedFreeBending(_)));
    let helps = bending && clamped && share(&statics).is_some_and(|share| share * factor < MISSING_LIMIT);
    match enough {
        Some(further) if further <= MANY || !helps => Some(Remedy::Modes(count + further)),
        _ if helps => Some(Remedy::StaticShapes),
        _ => Some(Remedy::Boundary),
    }
}

/// The shape after the last of a family with the same boundary.
fn next(shapes: &[Shape]) -> Option<Shape> {
    match shapes.last()? {
        Shape::ClampedFreeBending(n) => Some(Shape::ClampedFreeBending(n + 1)),
        Shape::FreeFreeBending(n) => Some(Shape::FreeFreeBending(n + 1)),
        Shape::ClampedClampedBending(n) => Some(Shape::ClampedClampedBending(n + 1)),
        Shape::Sine(n) => Some(Shape::Sine(n + 1)),
        Shape::QuarterSine(n) => Some(Shape::QuarterSine(n + 1)),
        Shape::Cosine(n) => Some(Shape::Cosine(n + 1)),
        Shape::TipDisplacement => Some(Shape::TipRotation),
        Shape::TipRotation => Some(Shape::ClampedClampedBending(1)),
        Shape::Linear => Some(Shape::Sine(1)),
        Shape::Polynomial(_) => None,
    }
}

/// Energy that `shapes` would lack where most was missing (J).
fn lacking(beam: &Beam, family: usize, worst: &Worst, shapes: &[Shape]) -> Option<f64> {
    let (kind, n) = (FAMILIES[family].1, shapes.len());
    let mut input = beam.input.clone();
    input.modes = shapes.iter().map(|shape| BeamMode { kind, shape: shape.clone() }).collect();
    let modes = prepare(&input).ok()?;
    let [main, shear] = beam.rigidities(family);
    let (mut k, mut b) = (vec![0.0; n * n], vec![0.0; n]);
    for (section, force) in beam.sections.iter().zip(&worst.internal) {
        let strains: Vec<_> =
            modes.iter().map(|m| [strain(m, section.x), m.shape.at(section.x).shear]).collect();
        for r in 0..n {
            b[r] += section.weight * (strains[r][0] * force[0] + strains[r][1] * force[1]);
            for s in 0..n {
                let product = main * strains[r][0] * strains[s][0] + shear * strains[r][1] * strains[s][1];
                k[r * n + s] += section.weight * product;
            }
        }
    }
    cholesky_in_place(&mut k, n).ok()?;
    solve_lower(&k, n, &mut b);
    let carried: f64 = 0.5 * b.iter().map(|x| x * x).sum::<f64>();
    let whole = beam.energy(family, |i| beam.strain(beam.rigidities(family), &worst.internal[i]));
    Some((whole - carried).max(0.0))
}
