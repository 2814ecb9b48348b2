//! What goes round in a mode of a rotor, and which way, as seen from beside it.
//!
//! Cosine and sine parts C, S of a multi-blade coordinate that vibrates as e^{iωt}, ω > 0, are two waves in the disc: one with the
//! turn, |C + iS|/√2, and one against it, |C − iS|/√2. Shares are of squares weighted by inertia. Where the support has more
//! of the motion than the blades, its own whirl counts (`whirl`).

use super::turning::Turning;
use crate::analysis::eigen::Mode;
use crate::analysis::whirl::{ROUND, Spin, WhirlDirection};
use nalgebra::Complex;

/// How a rotor moves in a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotorPattern {
    /// All blades alike.
    Collective,
    /// A wave round the disc, or the support round the axis: so many waves to a turn (1 tilts the disc or shifts its centre).
    Round(WhirlDirection, usize),
    /// Every blade against its neighbours.
    Differential,
    /// Neither: along the axis, about it, or blades that were not told.
    Other,
}

impl RotorPattern {
    /// The word for it.
    pub fn word(self) -> String {
        match self {
            Self::Collective => "collective".into(),
            Self::Differential => "differential".into(),
            Self::Other => "-".into(),
            Self::Round(direction, 1) => direction.word().into(),
            Self::Round(direction, waves) => format!("{waves}× {}", direction.word()),
        }
    }
}

/// Waves of the blades round the disc: (waves to a turn, cosine coordinate, sine coordinate).
pub(super) fn waves(turning: &Turning) -> Vec<(usize, usize, usize)> {
    let Some(blades) = &turning.blades else { return Vec::new() };
    let pairs = 1..=(blades.count() - 1) / 2;
    let of =
        |n: usize, place: usize| (n, blades.coordinates[2 * n - 1][place], blades.coordinates[2 * n][place]);
    pairs.flat_map(|n| (0..blades.coordinates[0].len()).map(move |place| of(n, place))).collect()
}

/// The pattern of a shape that vibrates with e^{iωt}, ω not negative.
pub(super) fn pattern(turning: &Turning, shape: &[Complex<f64>], omega: f64) -> RotorPattern {
    let energy = |i: usize| turning.inertia[i] * shape[i].norm_sqr();
    let all: f64 = (0..shape.len()).map(energy).sum();
    let mut found: Vec<(f64, RotorPattern)> = Vec::new();
    if let Some(blades) = &turning.blades {
        let count = blades.count();
        let of = |j: usize| blades.coordinates[j].iter().map(|&i| energy(i)).sum::<f64>();
        found.push((of(0), RotorPattern::Collective));
        if count.is_multiple_of(2) {
            found.push((of(count - 1), RotorPattern::Differential));
        }
        for n in 1..=(count - 1) / 2 {
            found.push(round(turning, shape, n));
        }
    }
    let blades: f64 = found.iter().map(|(energy, _)| energy).sum();
    let largest = found.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    match largest {
        Some((_, pattern)) if blades > 0.5 * all => pattern,
        _ => support(turning, shape, omega),
    }
}

/// Energy and direction of n waves round the disc.
fn round(turning: &Turning, shape: &[Complex<f64>], n: usize) -> (f64, RotorPattern) {
    let (mut with, mut against) = (0.0, 0.0);
    for (_, cosine, sine) in waves(turning).into_iter().filter(|wave| wave.0 == n) {
        let (c, s) = (shape[cosine], shape[sine] * Complex::i());
        with += turning.inertia[cosine] * (c + s).norm_sqr() / 2.0;
        against += turning.inertia[cosine] * (c - s).norm_sqr() / 2.0;
    }
    let direction = match with.max(against) < ROUND * (with + against) {
        true => WhirlDirection::Line,
        false if with > against => WhirlDirection::Forward,
        false => WhirlDirection::Backward,
    };
    (with + against, RotorPattern::Round(direction, n))
}

/// Which way the support goes round.
fn support(turning: &Turning, shape: &[Complex<f64>], omega: f64) -> RotorPattern {
    let still =
        shape.iter().zip(&turning.rotating).map(|(z, turns)| if *turns { (0.0, 0.0) } else { (z.re, z.im) });
    let mode = Mode { real: 0.0, imaginary: omega, shape: still.collect() };
    let spin = Spin::seen_from_outside(turning.axis, turning.speed, shape.len());
    spin.whirl(&turning.system, &mode)
        .map_or(RotorPattern::Other, |whirl| RotorPattern::Round(whirl.direction, 1))
}
