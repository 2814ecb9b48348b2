//! Damage of stress histories by Palmgren and Miner.
//!
//! One number per instant makes cycles of a tensor: the signed von Mises stress, the principal stress of the largest
//! magnitude, or the normal stress on planes of all directions, of which the most damaged counts (critical plane). The
//! planes have normals on a hemisphere, nine degrees apart, and closer ones about the worst of them: half a degree.

use super::curve::Curve;
use super::mean_stress::MeanStress;
use super::rainflow::rainflow;
use crate::stress::{on_plane, principal, signed_von_mises};
use std::f64::consts::PI;

/// What makes a number of a stress tensor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Equivalent {
    /// Von Mises' stress with the sign of the principal stress of the largest magnitude.
    #[default]
    SignedVonMises,
    /// Principal stress of the largest magnitude, with its sign.
    Principal,
    /// Normal stress on the most damaged plane.
    CriticalPlane,
}

impl Equivalent {
    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::SignedVonMises => "signed von Mises stress",
            Self::Principal => "principal stress of the largest magnitude",
            Self::CriticalPlane => "normal stress on the critical plane",
        }
    }
}

/// How damage is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct FatigueCase {
    /// Name of the curve.
    pub name: String,
    /// Cycles to failure.
    pub curve: Curve,
    /// Whether the curve is over ranges; else over amplitudes.
    pub ranges: bool,
    /// Correction of means.
    pub mean: MeanStress,
    /// What makes a number of a tensor.
    pub equivalent: Equivalent,
    /// Factor of all stresses: notches, surface, size, safety.
    pub factor: f64,
}

/// Damage at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damage {
    /// Sum of n/N: one is failure.
    pub sum: f64,
    /// Largest range of a counted cycle (Pa).
    pub largest_range: f64,
    /// Cycles counted.
    pub cycles: f64,
    /// Normal of the critical plane.
    pub plane: Option<[f64; 3]>,
}

/// Damage of one history of numbers (Pa).
pub fn history_damage(series: &[f64], case: &FatigueCase) -> Damage {
    let mut damage = Damage::default();
    for cycle in rainflow(series) {
        let range = cycle.range * case.factor;
        let equivalent = case.mean.equivalent(range / 2.0, cycle.mean * case.factor);
        let stress = if case.ranges { 2.0 * equivalent } else { equivalent };
        damage.sum += cycle.count / case.curve.cycles(stress);
        damage.cycles += cycle.count;
        damage.largest_range = damage.largest_range.max(range);
    }
    damage
}

/// Damage of a history of stresses (Pa).
pub fn damage(history: &[[f64; 6]], case: &FatigueCase) -> Damage {
    match case.equivalent {
        Equivalent::SignedVonMises => {
            history_damage(&history.iter().map(signed_von_mises).collect::<Vec<_>>(), case)
        }
        Equivalent::Principal => {
            let largest = |stress: &[f64; 6]| {
                let [first, _, third] = principal(stress);
                if first.abs() >= third.abs() { first } else { third }
            };
            history_damage(&history.iter().map(largest).collect::<Vec<_>>(), case)
        }
        Equivalent::CriticalPlane => {
            let mut series = Vec::with_capacity(history.len());
            let mut on = |normal: [f64; 3]| {
                series.clear();
                series.extend(history.iter().map(|stress| on_plane(stress, &normal)));
                Damage { plane: Some(normal), ..history_damage(&series, case) }
            };
            let mut worst = normals().into_iter().map(&mut on).fold(Damage::default(), worse);
            for halving in 1..=4 {
                let Some(middle) = worst.plane else { break };
                let step = 0.5 * PI / RINGS as f64 / f64::from(1 << halving);
                worst = around(middle, step).into_iter().map(&mut on).fold(worst, worse);
            }
            worst
        }
    }
}

/// The more damaged of two; of equal ones the larger range.
fn worse(one: Damage, other: Damage) -> Damage {
    let more = (other.sum, other.largest_range) > (one.sum, one.largest_range);
    if more || one.plane.is_none() { other } else { one }
}

/// Eight normals at an angle (rad) about another.
fn around(normal: [f64; 3], angle: f64) -> Vec<[f64; 3]> {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let helper = if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let side = cross(normal, helper);
    let length = side.iter().map(|part| part * part).sum::<f64>().sqrt();
    let side = side.map(|part| part / length);
    let other = cross(normal, side);
    let at = |k: usize| {
        let (sin, cos) = (0.25 * PI * k as f64).sin_cos();
        std::array::from_fn(|i| normal[i] * angle.cos() + (side[i] * cos + other[i] * sin) * angle.sin())
    };
    (0..8).map(at).collect()
}

/// Rings of normals from the pole to the rim of the hemisphere.
const RINGS: usize = 10;

/// Unit normals on a hemisphere: rings of nearly equal distances, the axes among them.
fn normals() -> Vec<[f64; 3]> {
    let mut normals = vec![[0.0, 0.0, 1.0]];
    for ring in 1..=RINGS {
        let polar = 0.5 * PI * ring as f64 / RINGS as f64;
        // On the rim, opposite normals are the same plane.
        let (around, count) = if ring == RINGS { (PI, 2 * RINGS) } else { (2.0 * PI, 4 * ring) };
        for step in 0..count {
            let (sin, cos) = (around * step as f64 / count as f64).sin_cos();
            normals.push([polar.sin() * cos, polar.sin() * sin, polar.cos()]);
        }
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(equivalent: Equivalent, mean: MeanStress) -> FatigueCase {
        let curve = Curve::basquin(1e6, 100e6, 4.0);
        FatigueCase { name: "test".into(), curve, ranges: false, mean, equivalent, factor: 1.0 }
    }

    /// A thousand cycles of 200 MPa, at which the curve has 62,500.
    #[test]
    fn damage_of_a_plain_history() {
        let series: Vec<f64> = (0..=2000).map(|k| if k % 2 == 0 { 200e6 } else { -200e6 }).collect();
        let plain = history_damage(&series, &case(Equivalent::Principal, MeanStress::None));
        assert!((plain.sum - 1000.0 / 62_500.0).abs() < 1e-12, "{}", plain.sum);
        assert_eq!((plain.cycles, plain.largest_range), (1000.0, 400e6));
        let halved = FatigueCase { factor: 0.5, ..case(Equivalent::Principal, MeanStress::None) };
        assert!((history_damage(&series, &halved).sum - 1000.0 / 1e6).abs() < 1e-12);
        let ranges = FatigueCase { ranges: true, ..case(Equivalent::Principal, MeanStress::None) };
        assert!((history_damage(&series, &ranges).sum / plain.sum - 16.0).abs() < 1e-9);
        let pulled: Vec<f64> = series.iter().map(|value| value + 100e6).collect();
        let goodman = history_damage(&pulled, &case(Equivalent::Principal, MeanStress::Goodman(400e6)));
        assert!((goodman.sum / plain.sum - (4.0_f64 / 3.0).powi(4)).abs() < 1e-9);
    }

    /// Tension along an axis, pure shear: all three numbers in cases that are known.
    #[test]
    fn tensors_become_numbers() {
        let swing = |stress: [f64; 6]| -> Vec<[f64; 6]> {
            (0..=20).map(|k| stress.map(|s| if k % 2 == 0 { s } else { -s })).collect()
        };
        let of = |stress, equivalent| damage(&swing(stress), &case(equivalent, MeanStress::None));
        let pull = [0.0, 100e6, 0.0, 0.0, 0.0, 0.0];
        for equivalent in [Equivalent::SignedVonMises, Equivalent::Principal, Equivalent::CriticalPlane] {
            assert!((of(pull, equivalent).sum - 1e-5).abs() < 1e-12, "{equivalent:?}");
        }
        assert_eq!(of(pull, Equivalent::CriticalPlane).plane.map(|n| n[1].abs() > 0.999), Some(true));
        // Shear: von Mises has sqrt(3) times, the plane at 45 degrees the whole stress.
        let shear = [0.0, 0.0, 0.0, 100e6, 0.0, 0.0];
        assert!((of(shear, Equivalent::SignedVonMises).largest_range / 200e6 - 3.0_f64.sqrt()).abs() < 1e-9);
        let plane = of(shear, Equivalent::CriticalPlane);
        assert!((plane.largest_range / 200e6 - 1.0).abs() < 1e-9, "{plane:?}");
    }

    #[test]
    fn planes_lie_close() {
        let all = normals();
        let mut worst: f64 = 0.0;
        for k in 0..2000 {
            // Points of a spiral over the sphere.
            let z = 1.0 - 2.0 * (f64::from(k) + 0.5) / 2000.0;
            let (sin, cos) = (2.399_963 * f64::from(k)).sin_cos();
            let r = (1.0 - z * z).sqrt();
            let near =
                all.iter().map(|n| (n[0] * r * cos + n[1] * r * sin + n[2] * z).abs()).fold(0.0, f64::max);
            worst = worst.max(near.min(1.0).acos());
        }
        assert!(worst.to_degrees() < 8.0, "{}", worst.to_degrees());
        // Closer ones about the best of them: tension along an oblique axis is found to a thousandth.
        let [x, y, z] = [0.36, 0.48, 0.8];
        let pull = [x * x, y * y, z * z, x * y, y * z, z * x].map(|share| share * 100e6);
        let history: Vec<[f64; 6]> = (0..3).map(|k| pull.map(|s| if k % 2 == 0 { s } else { -s })).collect();
        let found = damage(&history, &case(Equivalent::CriticalPlane, MeanStress::None));
        assert!((found.largest_range / 200e6 - 1.0).abs() < 1e-3, "{}", found.largest_range);
    }
}
