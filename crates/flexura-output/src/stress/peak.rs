//! Running extremes over time: of every place with stress, and of the section forces of beams.

use super::field::{Instants, StressField};
use super::tensor::{principal, signed_von_mises};
use flexura::model::recovery::Recovery;

/// A largest value and when it was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// Value (Pa, N or N m).
    pub value: f64,
    /// Time (s).
    pub time: f64,
}

/// Extremes of one place over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Place, counted from zero.
    pub point: usize,
    /// Largest von Mises stress; its value has the sign of the principal stress of the largest magnitude then.
    pub von_mises: Extreme,
    /// Largest first principal stress: tension.
    pub tension: Extreme,
    /// Smallest third principal stress: compression.
    pub compression: Extreme,
}

impl Peak {
    /// The principal stress of the largest magnitude, with its sign.
    pub fn principal(&self) -> Extreme {
        if self.tension.value.abs() >= self.compression.value.abs() { self.tension } else { self.compression }
    }
}

/// Extremes of all places of a field, in their order; none without instants.
pub fn peaks(field: &StressField, instants: &Instants) -> Vec<Peak> {
    let Some(&start) = instants.times.first() else { return Vec::new() };
    let of = |point: usize| {
        let nothing = Extreme { value: 0.0, time: start };
        let least = Extreme { value: f64::INFINITY, time: start };
        let most = Extreme { value: f64::NEG_INFINITY, time: start };
        let mut peak = Peak { point, von_mises: nothing, tension: most, compression: least };
        for (row, &time) in instants.times.iter().enumerate() {
            let stress = field.stress(point, instants.at(row));
            let ([first, _, third], signed) = (principal(&stress), signed_von_mises(&stress));
            if signed.abs() > peak.von_mises.value.abs() || signed.is_nan() {
                peak.von_mises = Extreme { value: signed, time };
            }
            if first > peak.tension.value {
                peak.tension = Extreme { value: first, time };
            }
            if third < peak.compression.value {
                peak.compression = Extreme { value: third, time };
            }
        }
        peak
    };
    (0..field.points.len()).map(of).collect()
}

/// Largest magnitudes of the section forces at an end of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionPeak {
    /// Line, counted from zero.
    pub line: usize,
    /// End: 0 or 1.
    pub end: usize,
    /// N, Qy, Qz (N), T, My, Mz (N m): values of the largest magnitude, with their signs.
    pub forces: [Extreme; 6],
}

/// Section forces of an end of a line for modal coordinates: N, Qy, Qz (N), T, My, Mz (N m).
pub fn section_forces(rows: &Recovery, line: usize, end: usize, eta: &[f64]) -> [f64; 6] {
    let rows_of = &rows.section_forces[(2 * line + end) * 6 * rows.modes..][..6 * rows.modes];
    std::array::from_fn(|row| {
        rows_of[row * rows.modes..(row + 1) * rows.modes].iter().zip(eta).map(|(row, eta)| row * eta).sum()
    })
}

/// Extremes of the section forces of all lines, end by end; of `nodes` only where some are given.
pub fn section_peaks(rows: &Recovery, instants: &Instants, nodes: Option<&[usize]>) -> Vec<SectionPeak> {
    let Some(&start) = instants.times.first() else { return Vec::new() };
    let mut found = Vec::new();
    for (line, ends) in rows.lines.iter().enumerate() {
        for (end, node) in ends.iter().enumerate() {
            if nodes.is_some_and(|nodes| !nodes.contains(&(*node as usize))) {
                continue;
            }
            let mut peak = SectionPeak { line, end, forces: [Extreme { value: 0.0, time: start }; 6] };
            for (row, &time) in instants.times.iter().enumerate() {
                let forces = section_forces(rows, line, end, instants.at(row));
                for (most, value) in peak.forces.iter_mut().zip(forces) {
                    if value.abs() > most.value.abs() {
                        *most = Extreme { value, time };
                    }
                }
            }
            found.push(peak);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexura::model::recovery::{RecoveryPlace, StressLayer};

    /// One bar in tension by the first mode and in shear by the second.
    #[test]
    fn extremes_have_their_own_times_and_signs() {
        let mut stress = vec![0.0; 12];
        (stress[0], stress[7]) = (1e6, 1e6);
        let place = RecoveryPlace { node: 0, layer: StressLayer::Solid, side: 0 };
        let rows = Recovery { modes: 2, places: vec![place], stress, ..Recovery::default() };
        let field = StressField::new(&rows, None);
        let eta = vec![0.0, 0.0, 3.0, 0.0, -5.0, 0.0, 0.0, 2.0];
        let instants = Instants { times: vec![0.0, 1.0, 2.0, 3.0], modes: 2, eta };
        let [peak] = peaks(&field, &instants)[..] else { panic!("one place") };
        assert_eq!((peak.von_mises.value, peak.von_mises.time), (-5e6, 2.0));
        assert!((peak.tension.value - 3e6).abs() < 1e-3 && peak.tension.time == 1.0);
        assert!((peak.compression.value + 5e6).abs() < 1e-3 && peak.compression.time == 2.0);
        assert_eq!(peak.principal().time, 2.0);
        assert!(peaks(&field, &Instants::default()).is_empty());
    }
}
