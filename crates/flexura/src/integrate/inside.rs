//! Where a function of the interpolated state may turn inside a step.
//!
//! Two crossings in one step leave the signs at its ends alone. The quartic through five values of the function is exact
//! for what is linear in the dense output (a coordinate, say); between the instants where it turns there is at most one
//! crossing, so that looking at these instants finds them all.

/// Where the five values are taken, as shares of the step.
pub(crate) const NODES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Intervals in which the quartic's slope is searched for changes of sign.
const GRID: usize = 64;

/// Instants inside a step, as shares of it, at which a function must be looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TurningPoints {
    shares: [f64; 3],
    count: usize,
}

impl TurningPoints {
    /// In order.
    pub fn shares(&self) -> &[f64] {
        &self.shares[..self.count]
    }

    /// Turning points of the quartic through `values` that come nearer to zero than both neighbours or pass it.
    pub fn of(values: &[f64; 5]) -> Self {
        let quartic = Quartic::through(values);
        let mut found = Self::default();
        let mut left = quartic.slope(0.0);
        for i in 1..=GRID {
            let (a, b) = ((i - 1) as f64 / GRID as f64, i as f64 / GRID as f64);
            let right = quartic.slope(b);
            if (left < 0.0) != (right < 0.0) && found.count < found.shares.len() {
                let share = quartic.bisect_slope(a, b, left);
                if share > 0.0 && share < 1.0 {
                    found.shares[found.count] = share;
                    found.count += 1;
                }
            }
            left = right;
        }
        found
    }
}

/// Coefficients over the share θ, lowest first.
struct Quartic([f64; 5]);

impl Quartic {
    /// By Newton's divided differences on [`NODES`].
    fn through(values: &[f64; 5]) -> Self {
        let mut differences = *values;
        for order in 1..5 {
            for i in (order..5).rev() {
                differences[i] = (differences[i] - differences[i - 1]) / (NODES[i] - NODES[i - order]);
            }
        }
        let mut coefficients = [0.0; 5];
        for i in (0..5).rev() {
            // p ← p (θ − node) + difference
            for k in (1..5).rev() {
                coefficients[k] = coefficients[k - 1] - NODES[i] * coefficients[k];
            }
            coefficients[0] = differences[i] - NODES[i] * coefficients[0];
        }
        Self(coefficients)
    }

    fn slope(&self, share: f64) -> f64 {
        let [_, b, c, d, e] = self.0;
        b + share * (2.0 * c + share * (3.0 * d + share * 4.0 * e))
    }

    fn bisect_slope(&self, mut a: f64, mut b: f64, left: f64) -> f64 {
        for _ in 0..40 {
            let middle = 0.5 * (a + b);
            if (self.slope(middle) < 0.0) == (left < 0.0) { a = middle } else { b = middle }
        }
        0.5 * (a + b)
    }
}

/// Least value on [0, 1] of the cubic with given ends and slopes over the share, on a grid: a bound for skipping.
pub(crate) fn least_between(ends: [f64; 2], slopes: [f64; 2]) -> f64 {
    let rise = ends[1] - ends[0];
    let (bend, twist) = (slopes[0] - rise, 2.0 * rise - slopes[0] - slopes[1]);
    let at = |share: f64| ends[0] + share * (rise + (1.0 - share) * (bend + share * twist));
    (0..=16).map(|i| at(f64::from(i) / 16.0)).fold(ends[0].min(ends[1]), f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_points_of_quartics_are_exact() {
        let f = |x: f64| (x - 0.31) * (x - 0.32) * (x - 0.8) * (x + 2.0);
        let turns = TurningPoints::of(&NODES.map(f));
        assert_eq!(turns.shares().len(), 2);
        assert!((turns.shares()[0] - 0.315).abs() < 1e-3, "{turns:?}");
        assert!(f(turns.shares()[0]) > 0.0 && f(0.31 - 1e-3) < 0.0);
        assert!(TurningPoints::of(&NODES.map(|x| 1.0 + x)).shares().is_empty());
        assert!(TurningPoints::of(&[f64::NAN; 5]).shares().is_empty());
    }

    #[test]
    fn a_cubic_is_bounded_by_its_ends_and_slopes() {
        let least = least_between([1.0, 1.0], [-8.0, 8.0]);
        assert!((least + 1.0).abs() < 1e-12, "{least}");
        assert_eq!(least_between([1.0, 2.0], [1.0, 1.0]), 1.0);
    }
}
