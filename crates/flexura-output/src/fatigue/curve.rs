//! S-N curves: cycles to failure for a stress amplitude at zero mean.
//!
//! Straight pieces in log S over log N. Basquin: N = N_1 (S_1/S)^k. Beyond the knee the slope changes, or life has no end
//! (a fatigue limit). A table is joined by straight pieces and goes on with its first and last slope.

/// One curve, as points of falling stress with the slopes at its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Cycles and amplitude (Pa), cycles ascending, amplitudes falling.
    points: Vec<[f64; 2]>,
    /// Exponent k of N ~ S^-k above the first point.
    steep: f64,
    /// Exponent below the last point; `None`: no damage there.
    flat: Option<f64>,
}

impl Curve {
    /// Basquin's curve through one point (cycles, amplitude in Pa) with exponent k.
    pub fn basquin(cycles: f64, amplitude: f64, exponent: f64) -> Self {
        Self { points: vec![[cycles, amplitude]], steep: exponent, flat: Some(exponent) }
    }

    /// The same with a knee at so many cycles, beyond which another exponent holds, or a limit where there is none.
    pub fn with_knee(self, cycles: f64, exponent: Option<f64>) -> Self {
        let amplitude = self.amplitude(cycles);
        Self { points: vec![[cycles, amplitude]], flat: exponent, ..self }
    }

    /// A curve through two points or more (cycles, amplitude in Pa); below the last it goes on, or ends as a limit.
    /// `None` unless cycles rise and amplitudes fall.
    pub fn through(points: &[[f64; 2]], limit: bool) -> Option<Self> {
        let positive = points.iter().flatten().all(|value| value.is_finite() && *value > 0.0);
        let falling = points.windows(2).all(|pair| pair[1][0] > pair[0][0] && pair[1][1] < pair[0][1]);
        if points.len() < 2 || !positive || !falling {
            return None;
        }
        let slope = |pair: &[[f64; 2]]| (pair[1][0] / pair[0][0]).ln() / (pair[0][1] / pair[1][1]).ln();
        let (steep, flat) = (slope(&points[..2]), slope(&points[points.len() - 2..]));
        Some(Self { points: points.to_vec(), steep, flat: (!limit).then_some(flat) })
    }

    /// Cycles to failure at an amplitude (Pa); infinite below a limit.
    pub fn cycles(&self, amplitude: f64) -> f64 {
        if amplitude <= 0.0 {
            return f64::INFINITY;
        }
        let (first, last) = (self.points[0], self.points[self.points.len() - 1]);
        if amplitude >= first[1] {
            return first[0] * (first[1] / amplitude).powf(self.steep);
        }
        if amplitude < last[1] {
            return self.flat.map_or(f64::INFINITY, |flat| last[0] * (last[1] / amplitude).powf(flat));
        }
        let at = self.points.windows(2).find(|pair| amplitude >= pair[1][1]);
        let Some([[n0, s0], [n1, s1]]) = at.map(|pair| [pair[0], pair[1]]) else { return last[0] };
        let share = (s0 / amplitude).ln() / (s0 / s1).ln();
        n0 * (n1 / n0).powf(share)
    }

    /// Amplitude (Pa) that breaks after so many cycles, above the limit.
    pub fn amplitude(&self, cycles: f64) -> f64 {
        let (first, last) = (self.points[0], self.points[self.points.len() - 1]);
        if cycles <= first[0] {
            return first[1] * (first[0] / cycles).powf(1.0 / self.steep);
        }
        if cycles >= last[0] {
            return self.flat.map_or(last[1], |flat| last[1] * (last[0] / cycles).powf(1.0 / flat));
        }
        let at = self.points.windows(2).find(|pair| cycles <= pair[1][0]);
        let Some([[n0, s0], [n1, s1]]) = at.map(|pair| [pair[0], pair[1]]) else { return last[1] };
        s0 * (s1 / s0).powf((cycles / n0).ln() / (n1 / n0).ln())
    }

    /// The same curve with all amplitudes times a factor.
    pub fn scaled(mut self, factor: f64) -> Self {
        self.points.iter_mut().for_each(|point| point[1] *= factor);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-10 * b.abs(), "{a} against {b}");
    }

    #[test]
    fn pieces_meet_and_follow_their_slopes() {
        // EN 1993-1-9, detail category 100: 100 MPa at 2e6 cycles, slope 3 to 5e6, then 5, as ranges.
        let curve = Curve::basquin(2e6, 100e6, 3.0).with_knee(5e6, Some(5.0));
        close(curve.amplitude(5e6), 100e6 * (0.4_f64).powf(1.0 / 3.0)); // 73.7 MPa, as the standard has it
        assert!((curve.amplitude(5e6) / 1e6 - 73.7).abs() < 0.05);
        close(curve.cycles(100e6), 2e6);
        close(curve.cycles(200e6), 2.5e5);
        close(curve.cycles(curve.amplitude(1e8)), 1e8);
        assert!((curve.amplitude(1e8) / 1e6 - 40.5).abs() < 0.05, "cut-off limit of the standard: 40.5 MPa");
        let limited = Curve::basquin(2e6, 100e6, 3.0).with_knee(5e6, None);
        assert_eq!(limited.cycles(73e6), f64::INFINITY);
        close(limited.cycles(limited.amplitude(5e6)), 5e6);
    }

    #[test]
    fn tables_are_straight_in_logarithms() {
        let curve = Curve::through(&[[1e3, 400e6], [1e5, 200e6], [1e7, 150e6]], true).expect("a curve");
        close(curve.cycles(200e6), 1e5);
        close(curve.cycles((400e6_f64 * 200e6).sqrt()), 1e4);
        close(curve.cycles(800e6), 10.0);
        assert_eq!(curve.cycles(149e6), f64::INFINITY);
        close(curve.amplitude(1e6), (200e6_f64 * 150e6).sqrt());
        assert!(Curve::through(&[[1e5, 200e6], [1e3, 400e6]], true).is_none());
        close(curve.scaled(0.5).cycles(100e6), 1e5);
    }
}
