//! Multi-blade (Coleman) coordinates: the rotor as a disc that an observer beside the machine sees.
//!
//! Coordinates q_b of N equal blades at ψ_b = ψ + 2πb/N become one collective, cosine and sine parts per harmonic, and for even N a
//! differential one: q_b = a₀/√N + √(2/N) Σ (a_nc cos nψ_b + a_ns sin nψ_b) + (−1)^b a_d/√N. The factors make the transform T
//! orthogonal, so that squares keep their sum. Displacements and speeds are transformed alike: x = Tz, ż = (TᵀAT − TᵀṪ) z. Of a
//! rotor that is alike after 2π/N the result is constant where nothing else depends on the azimuth, and its average over
//! a turn is taken in any case. Source: R. P. Coleman, A. M. Feingold, NACA Report 1351, 1958; W. Johnson, Helicopter Theory,
//! 1980, chapter 8. Typeset: book/src/theory/linear_analysis.md (LA.11). Cost: 2N + 3 linear systems (at least 9), O(n²) each.

use super::blades::Blades;
use super::pattern::{pattern, waves};
use super::space::{Complexes, groups, normalised, separate, space};
use super::turning::{Turning, refused};
use super::{RotorMode, RotorModes};
use crate::analysis::eigen::{Mode, eigenvalues};
use crate::analysis::linearize::LinearSystem;
use crate::analysis::{AnalysisError, whirl};
use nalgebra::{Complex, DMatrix};

/// Fewest azimuths of an average.
const AZIMUTHS: usize = 9;
/// Change over a turn below which the system counts as constant.
pub(super) const CONSTANT: f64 = 1e-6;

/// x = T(ψ) z for the states of a linear system.
pub(super) struct Transform {
    azimuths: Vec<f64>,
    /// The coordinates of all blades at one place, group by group; displacements, then speeds.
    groups: Vec<Vec<usize>>,
    states: usize,
}

impl Transform {
    /// For `coordinates` displacements followed by as many speeds and by other states.
    pub fn new(blades: &Blades, states: usize, coordinates: usize) -> Self {
        let group =
            |place: usize, shift: usize| blades.coordinates.iter().map(|b| b[place] + shift).collect();
        let places = 0..blades.coordinates[0].len();
        let halves = [0, coordinates].into_iter();
        let groups = halves.flat_map(|shift| places.clone().map(move |place| (place, shift)));
        let groups = groups.map(|(place, shift)| group(place, shift)).collect();
        Self { azimuths: blades.azimuths.clone(), groups, states }
    }

    /// TᵀAT − TᵀṪ at the rotor angle `psi` and speed `omega`.
    pub fn apply(&self, a: &DMatrix<f64>, psi: f64, omega: f64) -> DMatrix<f64> {
        let mut t = DMatrix::identity(self.states, self.states);
        let mut rate = DMatrix::zeros(self.states, self.states);
        for group in &self.groups {
            for (b, &row) in group.iter().enumerate() {
                for (j, &column) in group.iter().enumerate() {
                    let (value, slope) = entry(j, b, group.len(), self.azimuths[b] + psi);
                    (t[(row, column)], rate[(row, column)]) = (value, omega * slope);
                }
            }
        }
        t.tr_mul(&(a * &t - rate))
    }
}

/// Part of the j-th multi-blade coordinate of N in the blade b at `azimuth`, and its derivative with respect to the azimuth.
fn entry(j: usize, b: usize, count: usize, azimuth: f64) -> (f64, f64) {
    let (single, pair) = ((count as f64).recip().sqrt(), (2.0 / count as f64).sqrt());
    let harmonic = j.div_ceil(2) as f64;
    let (sin, cos) = (harmonic * azimuth).sin_cos();
    match j {
        0 => (single, 0.0),
        // The differential part belongs to the blade, not to the azimuth.
        _ if j == count - 1 && count.is_multiple_of(2) => {
            (if b.is_multiple_of(2) { single } else { -single }, 0.0)
        }
        _ if j % 2 == 1 => (pair * cos, -pair * harmonic * sin),
        _ => (pair * sin, pair * harmonic * cos),
    }
}

/// Modes of equal blades; refused where the rotor has none. Where their system is not constant they are those of its average over a
/// turn, and nothing is refused: whoever asks must look at [`RotorModes::change`].
pub(super) fn modes(turning: &Turning) -> Result<RotorModes, AnalysisError> {
    if turning.blades.is_none() {
        return refused(
            "multi-blade coordinates need three or more equal blades (masses, modes, springs, dampers, elements, places), evenly \
             spaced, whose first bodies hang on one body that turns: use Floquet's method (--rotor floquet)",
        );
    }
    averaged(turning)
}

/// Azimuths of an average: harmonics below this number drop out exactly, those of the blades, N and 2N, among them.
fn azimuths(blades: usize) -> usize {
    AZIMUTHS.max(2 * blades + 3)
}

/// Modes of the average over a turn.
pub(super) fn averaged(turning: &Turning) -> Result<RotorModes, AnalysisError> {
    let mut average = turning.matrix(0.0)?;
    let blades = turning.blades.as_ref().map_or(0, Blades::count);
    let azimuths = if turning.speed > 0.0 { azimuths(blades) } else { 1 };
    for i in 1..azimuths {
        average += turning.matrix(i as f64 / azimuths as f64)?;
    }
    average /= azimuths as f64;
    let values = eigenvalues(average.transpose().as_slice(), average.nrows())?;
    let scale = values.iter().fold(0.0_f64, |most, z| most.max(z.0.hypot(z.1)));
    let upper: Vec<Complex<f64>> =
        values.into_iter().filter(|z| z.1 >= 0.0).map(|z| Complex::new(z.0, z.1)).collect();
    let mut list = Vec::with_capacity(upper.len());
    let mut hidden = 0;
    for (value, count) in groups(&upper, scale) {
        let Some(basis) = space(&average, value, scale, count) else {
            hidden += if value.im == 0.0 { count } else { 2 * count };
            continue;
        };
        let basis = basis.rows(0, turning.coordinates.len()).into_owned();
        let parts = &basis * separate(&gram(turning, &basis), &direction(turning, &basis));
        list.extend(parts.column_iter().map(|shape| mode(turning, value, shape.as_slice())));
    }
    Ok(turning.result(list, hidden, change(turning)?, azimuths))
}

fn mode(turning: &Turning, value: Complex<f64>, shape: &[Complex<f64>]) -> RotorMode {
    RotorMode {
        mode: Mode { real: value.re, imaginary: value.im, shape: normalised(shape) },
        harmonic: 0,
        harmonics: vec![(value.im, 1.0)],
        pattern: pattern(turning, shape, value.im),
    }
}

/// Products of shapes, weighted by inertia.
fn gram(turning: &Turning, basis: &Complexes) -> Complexes {
    let weighted =
        Complexes::from_fn(basis.nrows(), basis.ncols(), |i, j| basis[(i, j)] * turning.inertia[i]);
    basis.adjoint() * weighted
}

/// Waves with the turn less waves against it: the form that tells modes of one frequency apart.
fn direction(turning: &Turning, basis: &Complexes) -> Complexes {
    let mut form = Complexes::zeros(basis.ncols(), basis.ncols());
    for (n, cosine, sine) in waves(turning) {
        let wave = |sign: f64| basis.row(cosine) + basis.row(sine) * Complex::new(0.0, sign);
        let (with, against) = (wave(1.0), wave(-1.0));
        let weight = Complex::new(n as f64 * turning.inertia[cosine] / 2.0, 0.0);
        form += (with.adjoint() * with - against.adjoint() * against) * weight;
    }
    form
}

/// Largest change of the accelerations of a mode between azimuths, as a share of them.
pub(super) fn change(turning: &Turning) -> Result<f64, AnalysisError> {
    let at = |turns: f64| -> Result<LinearSystem, AnalysisError> {
        let a = turning.matrix(turns)?.transpose().as_slice().to_vec();
        Ok(LinearSystem { a, ..turning.system.clone() })
    };
    if turning.speed == 0.0 {
        return Ok(0.0);
    }
    let one = at(0.0)?;
    let list = crate::analysis::eigen::modes(&one)?;
    let fastest = list.iter().fold(0.0_f64, |most, mode| most.max(mode.frequency()));
    let mut most = 0.0_f64;
    for turns in [0.137, 0.419] {
        let other = at(turns)?;
        let vibrating = list.iter().filter(|mode| mode.imaginary > 1e-6 * fastest);
        most = vibrating.fold(most, |most, mode| most.max(whirl::change(&one, &other, mode)));
    }
    Ok(most)
}

#[cfg(test)]
mod tests {
    use super::azimuths;
    use std::f64::consts::TAU;

    /// Loads of N blades on what carries them repeat N times a turn: an average that took them for constant would be wrong.
    #[test]
    fn harmonics_of_the_blades_drop_out_of_an_average() {
        for blades in 3..=16 {
            let count = azimuths(blades);
            for harmonic in [1, 2, blades, 2 * blades] {
                let at = |i: usize| (TAU * (harmonic * i) as f64 / count as f64).cos();
                let mean = (0..count).map(at).sum::<f64>() / count as f64;
                assert!(mean.abs() < 1e-12, "{blades} blades, harmonic {harmonic}: {mean}");
            }
        }
    }
}
