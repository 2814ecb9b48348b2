//! Modes of a periodic system by Floquet's theorem: any rotor, with blades or without.
//!
//! x(t) = e^{λt} p(t), p(t + T) = p(t), where e^{λT} = μ is an eigenvalue of the monodromy matrix. λ is known up to multiples of
//! iΩ: p = Σ c_k e^{ikΩt} shows the frequencies Im λ + kΩ beside each other, and the mode is called by the one with the largest
//! share Σ m_i |c_ki|². Modes that share a multiplier, as those of blades that hardly feel each other, are told apart by the mean
//! number k of their harmonics (`space`). A multiplier counts where twice as many steps give the same. Source: V. A. Yakubovich,
//! V. M. Starzhinskii, Linear Differential Equations with Periodic Coefficients, 1975; C. S. Bottasso, S. Cacciola, Wind Energy 18,
//! 2015 (participation of harmonics). Typeset: book/src/theory/linear_analysis.md (LA.12), (LA.13). Cost: 3 linear systems and one
//! factorisation of 3n × 3n per step.

use super::flow::{Flow, flow};
use super::multi_blade::change;
use super::pattern::pattern;
use super::space::{Complexes, groups, normalised, separate, space};
use super::turning::Turning;
use super::{RotorMode, RotorModes};
use crate::analysis::AnalysisError;
use crate::analysis::eigen::{Mode, eigenvalues};
use nalgebra::{Complex, DMatrix};
use std::f64::consts::TAU;

/// Angle (rad) by which the fastest mode asked for goes on in a step: frequencies are right to 1e-9 of themselves.
const ANGLE: f64 = 0.2;
/// Fewest and most steps of a turn.
const STEPS: [usize; 2] = [32, 16_384];
/// Bytes in a gibibyte.
const GIB: usize = 1 << 30;
/// Most memory for the steps of a turn (bytes).
const MEMORY: usize = GIB;
/// Relative change of a multiplier under half the step that shows it resolved.
const RESOLVED: f64 = 1e-6;
/// Size of a multiplier, beside the largest, that rounding leaves nothing of.
const GONE: f64 = 1e-11;
/// Highest harmonic looked at.
const HARMONICS: i32 = 12;
/// Share of a harmonic that is told.
const TOLD: f64 = 0.01;

/// Modes by the multipliers of one turn, in steps for the `count` slowest.
pub(super) fn modes(turning: &Turning, count: usize) -> Result<RotorModes, AnalysisError> {
    let (turns, resolved, missing) = resolved_turn(turning, count)?;
    let all = turns.monodromy.nrows();
    let scale = resolved.iter().fold(0.0_f64, |most, z| most.max(z.norm()));
    let upper: Vec<Complex<f64>> = resolved.iter().copied().filter(|z| z.im >= 0.0).collect();
    let mut list = Vec::new();
    let mut unresolved = all - resolved.len();
    for (value, count) in groups(&upper, scale) {
        // A real multiplier has the conjugate of every mode beside it.
        let real = value.im == 0.0;
        let Some(found) = of_multiplier(turning, &turns, value, count, scale) else {
            unresolved += if real { count } else { 2 * count };
            continue;
        };
        list.extend(found.into_iter().filter(|mode| !real || mode.mode.imaginary >= 0.0).map(upright));
    }
    let found = turning.result(list, unresolved, change(turning)?, turns.steps.len());
    Ok(RotorModes { missing, ..found })
}

/// A mode or its conjugate, whichever has the frequency that is not negative.
fn upright(mut mode: RotorMode) -> RotorMode {
    if mode.mode.imaginary < 0.0 {
        mode.mode.imaginary = -mode.mode.imaginary;
        mode.mode.shape.iter_mut().for_each(|z| z.1 = -z.1);
        mode.harmonic = -mode.harmonic;
    }
    mode
}

/// The flow in steps that resolve the slowest modes, its resolved multipliers, and how many of those asked for are missing.
fn resolved_turn(
    turning: &Turning,
    wanted: usize,
) -> Result<(Flow, Vec<Complex<f64>>, usize), AnalysisError> {
    let frozen = turning.matrix(0.0)?;
    let values = eigenvalues(frozen.transpose().as_slice(), frozen.nrows())?;
    let size = |z: &(f64, f64)| z.0.hypot(z.1);
    let mut vibrating = values.iter().filter(|z| z.1 > 0.0);
    let limit = vibrating.clone().nth(wanted.max(1) - 1).or(vibrating.next_back()).map_or(0.0, size);
    let dies = |z: &(f64, f64)| z.0 * turning.period() < GONE.ln();
    let asked = values.iter().filter(|z| size(z) <= 1.001 * limit && !dies(z)).count();
    let least = (limit * turning.period() / ANGLE).ceil() as usize;
    if least > STEPS[1] {
        return super::turning::refused(&format!(
            "the rotor turns too slowly for Floquet's method: modes up to {:.4} Hz need {least} steps of a turn (at most {}); ask for \
             fewer modes (--count)",
            limit / TAU,
            STEPS[1]
        ));
    }
    let mut count = least.max(STEPS[0]);
    must_fit(2 * count, frozen.nrows())?;
    let turn = |count: usize| flow(turning.period(), count, |turns| turning.matrix(turns));
    let mut coarse = multipliers(&turn(count)?.monodromy)?;
    loop {
        count *= 2;
        let fine = turn(count)?;
        let all = multipliers(&fine.monodromy)?;
        let largest = all.iter().fold(0.0_f64, |most, z| most.max(z.norm()));
        let same = |z: &Complex<f64>| coarse.iter().any(|w| (w - z).norm() <= RESOLVED * z.norm());
        let resolved: Vec<Complex<f64>> =
            all.iter().copied().filter(|z| z.norm() > GONE * largest && same(z)).collect();
        if resolved.len() >= asked || count >= STEPS[1] || bytes(2 * count, frozen.nrows()) > MEMORY {
            let missing = asked.saturating_sub(resolved.len());
            return Ok((fine, resolved, missing));
        }
        coarse = all;
    }
}

/// Memory of a turn, whose steps are all kept: the harmonics of every mode need them.
fn bytes(steps: usize, states: usize) -> usize {
    steps.saturating_mul(states).saturating_mul(states).saturating_mul(size_of::<f64>())
}

fn must_fit(steps: usize, states: usize) -> Result<(), AnalysisError> {
    let needed = bytes(steps, states);
    if needed <= MEMORY {
        return Ok(());
    }
    super::turning::refused(&format!(
        "Floquet's method would keep {steps} steps of a turn of {states} states, {:.1} GiB (at most {} GiB): ask for fewer modes \
         (--count), give the bodies fewer modes, or take multi-blade coordinates of three or more equal blades (--rotor coleman)",
        needed as f64 / GIB as f64,
        MEMORY / GIB
    ))
}

fn multipliers(monodromy: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, AnalysisError> {
    let values = eigenvalues(monodromy.transpose().as_slice(), monodromy.nrows())?;
    Ok(values.into_iter().map(|z| Complex::new(z.0, z.1)).collect())
}

/// The modes of one multiplier; none where rounding hides its vectors.
fn of_multiplier(
    turning: &Turning,
    turns: &Flow,
    value: Complex<f64>,
    count: usize,
    scale: f64,
) -> Option<Vec<RotorMode>> {
    let basis = space(&turns.monodromy, value, scale, count)?;
    let exponent = value.ln() / turning.period();
    let harmonics = harmonics(turns, &basis, exponent * turning.period(), turning.coordinates.len());
    let (mut gram, mut form) = (Complexes::zeros(count, count), Complexes::zeros(count, count));
    for (k, part) in &harmonics {
        let square = weighted_square(turning, part);
        form += &square * Complex::new(f64::from(*k), 0.0);
        gram += square;
    }
    let mixing = separate(&gram, &form);
    let parts: Vec<(i32, Complexes)> = harmonics.into_iter().map(|(k, part)| (k, part * &mixing)).collect();
    Some((0..count).map(|column| mode(turning, exponent, &parts, column)).collect())
}

fn weighted_square(turning: &Turning, part: &Complexes) -> Complexes {
    let weighted = Complexes::from_fn(part.nrows(), part.ncols(), |i, j| part[(i, j)] * turning.inertia[i]);
    part.adjoint() * weighted
}

/// Fourier parts c_k of p over the displacements, a column per vector of the basis.
fn harmonics(
    turns: &Flow,
    basis: &Complexes,
    turn: Complex<f64>,
    coordinates: usize,
) -> Vec<(i32, Complexes)> {
    let count = turns.steps.len();
    let mut parts: Vec<(i32, Complexes)> =
        (-HARMONICS..=HARMONICS).map(|k| (k, Complexes::zeros(coordinates, basis.ncols()))).collect();
    let mut x = basis.clone();
    for (i, step) in turns.steps.iter().enumerate() {
        let share = i as f64 / count as f64;
        let periodic = x.rows(0, coordinates) * (-turn * share).exp();
        for (k, part) in &mut parts {
            *part += &periodic * (Complex::new(0.0, -TAU * f64::from(*k) * share).exp() / count as f64);
        }
        x = step.map(|entry| Complex::new(entry, 0.0)) * x;
    }
    parts
}

/// One mode by its largest harmonic.
fn mode(turning: &Turning, exponent: Complex<f64>, parts: &[(i32, Complexes)], column: usize) -> RotorMode {
    let energy = |part: &Complexes| -> f64 {
        part.column(column).iter().zip(&turning.inertia).map(|(z, inertia)| inertia * z.norm_sqr()).sum()
    };
    let frequency = |k: i32| exponent.im + f64::from(k) * turning.speed;
    let all: f64 = parts.iter().map(|(_, part)| energy(part)).sum();
    let mut shares: Vec<(f64, i32, &Complexes)> =
        parts.iter().map(|(k, part)| (energy(part) / all, *k, part)).collect();
    // Of a real multiplier two harmonics are equal but for rounding: the positive frequency stands first.
    let even = |share: f64| (share * 1e9).round();
    shares.sort_by(|a, b| even(b.0).total_cmp(&even(a.0)).then(frequency(b.1).total_cmp(&frequency(a.1))));
    let (_, harmonic, part) = shares[0];
    let shape: Vec<Complex<f64>> = part.column(column).iter().copied().collect();
    let omega = frequency(harmonic);
    let upright: Vec<Complex<f64>> = shape.iter().map(|z| if omega < 0.0 { z.conj() } else { *z }).collect();
    RotorMode {
        mode: Mode { real: exponent.re, imaginary: omega, shape: normalised(&shape) },
        harmonic,
        harmonics: shares
            .iter()
            .filter(|(share, ..)| *share >= TOLD)
            .map(|(share, k, _)| (frequency(*k).abs(), *share))
            .collect(),
        pattern: pattern(turning, &upright, omega.abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 16,384 steps of 90 states fit into a gibibyte, those of 100 do not.
    #[test]
    fn a_turn_that_does_not_fit_is_refused_with_its_size() {
        assert_eq!(must_fit(STEPS[1], 90), Ok(()));
        let Err(AnalysisError::Name(text)) = must_fit(STEPS[1], 100) else { panic!("refused") };
        for part in ["100 states", "1.2 GiB", "--count", "--rotor coleman"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
