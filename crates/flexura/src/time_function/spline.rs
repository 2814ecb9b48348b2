//! A table of values, interpolated in one of three ways.
//!
//! Cubic spline: de Boor, A Practical Guide to Splines, chapter IV, in the form with
//! the second derivatives M_i at the knots as unknowns:
//!
//! h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (d_i - d_{i-1})
//!
//! Symbols: h_i = t_{i+1} - t_i, d_i = (y_{i+1} - y_i)/h_i. End rows: M = 0
//! (natural) or 2 h_0 M_0 + h_0 M_1 = 6 (d_0 - rate) (clamped; mirrored at the end).
//!
//! A spline overshoots where values jump. The monotone cubic (Fritsch and Butland 1984, rates at the knots as weighted
//! harmonic means of d) stays between neighbouring values, at the price of second derivatives that jump at
//! the knots; straight lines have rates that jump there.

use super::validate::{all_finite, finite, increasing};
use super::{Sample, TimeFunctionError};

/// What the spline does at its two ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum SplineEnds {
    /// Zero second derivative at both ends.
    #[default]
    Natural,
    /// Given first derivatives at both ends.
    Clamped {
        /// Rate at the first instant [unit of the values per s].
        start_rate: f64,
        /// Rate at the last instant [unit of the values per s].
        end_rate: f64,
    },
}

/// What goes through the points of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interpolation {
    /// Cubic spline with continuous second derivatives; may overshoot.
    #[default]
    Spline,
    /// Cubics with continuous rates that stay between neighbouring values.
    Monotone,
    /// Straight lines.
    Linear,
}

/// A table of values over time; beyond its ends the end values are held.
#[derive(Clone, Debug, PartialEq)]
pub struct SplineTable {
    times: Vec<f64>,
    values: Vec<f64>,
    interpolation: Interpolation,
    /// Second derivatives at the knots of a spline, first derivatives of monotone cubics.
    moments: Vec<f64>,
}

impl SplineTable {
    /// Spline through (times (s), values), at least two points with increasing times.
    pub fn new(times: Vec<f64>, values: Vec<f64>, ends: SplineEnds) -> Result<Self, TimeFunctionError> {
        Self::interpolated(times, values, Interpolation::Spline, ends)
    }

    /// A table through (times (s), values) with a choice of interpolation; straight lines have no `ends`.
    pub fn interpolated(
        times: Vec<f64>,
        values: Vec<f64>,
        interpolation: Interpolation,
        ends: SplineEnds,
    ) -> Result<Self, TimeFunctionError> {
        check_table(&times, &values)?;
        if let SplineEnds::Clamped { start_rate, end_rate } = ends {
            finite("table start rate", start_rate)?;
            finite("table end rate", end_rate)?;
        }
        let moments = match interpolation {
            Interpolation::Spline => solve_moments(&times, &values, ends),
            Interpolation::Monotone => monotone_rates(&times, &values, ends),
            Interpolation::Linear => secants(&times, &values),
        };
        // Finite entries can still overflow in the divided differences.
        all_finite("table derivatives", &moments)?;
        Ok(Self { times, values, interpolation, moments })
    }

    /// Instants of the table (s).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Values of the table at its instants.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// First and last instant (s); the rate is not continuous there in general.
    pub fn span(&self) -> (f64, f64) {
        (self.times[0], self.times[self.times.len() - 1])
    }

    /// Value and derivatives at t (s); at the two ends from the right or from the left.
    pub(super) fn sample(&self, t: f64, from_left: bool) -> Sample {
        let (first, last) = self.span();
        let (is_before, is_after) = if from_left { (t <= first, t > last) } else { (t < first, t >= last) };
        if is_before {
            return Sample::held(self.values[0]);
        }
        if is_after {
            return Sample::held(self.values[self.values.len() - 1]);
        }
        // Clamping also gives a NaN instant an interval, so that NaN comes out.
        // A spline has the same derivatives on both sides of its knots, other tables have not.
        let left = from_left && self.interpolation != Interpolation::Spline;
        let later = self.times.partition_point(|knot| if left { *knot < t } else { *knot <= t });
        self.interval(later.clamp(1, self.times.len() - 1) - 1, t)
    }

    /// Instants where derivatives up to the second may jump (s).
    pub(super) fn break_points(&self) -> impl Iterator<Item = f64> {
        let inner = self.interpolation != Interpolation::Spline;
        let last = self.times.len() - 1;
        self.times.iter().enumerate().filter(move |(i, _)| inner || *i == 0 || *i == last).map(|(_, &t)| t)
    }

    /// Least and largest value between the ends, where they leave the range of the table's values by more than a
    /// tenth of it.
    pub fn overshoot(&self) -> Option<(f64, f64)> {
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
        };
        let given = range(&mut self.values.iter().copied());
        const PARTS: usize = 16;
        let inside = (0..self.times.len() - 1).flat_map(|i| {
            let (start, h) = (self.times[i], self.times[i + 1] - self.times[i]);
            (0..=PARTS).map(move |k| (i, start + h * k as f64 / PARTS as f64))
        });
        let met = range(&mut inside.map(|(i, t)| self.interval(i, t).value));
        let room = 0.1 * (given.1 - given.0);
        (met.0 < given.0 - room || met.1 > given.1 + room).then_some(met)
    }

    /// The cubic or line between knots i and i+1.
    fn interval(&self, i: usize, t: f64) -> Sample {
        let h = self.times[i + 1] - self.times[i];
        let (a, b) = ((self.times[i + 1] - t) / h, (t - self.times[i]) / h);
        let (y0, y1) = (self.values[i], self.values[i + 1]);
        match self.interpolation {
            Interpolation::Spline => {}
            Interpolation::Monotone => {
                return hermite([y0, y1], [self.moments[i], self.moments[i + 1]], h, b);
            }
            Interpolation::Linear => {
                return Sample { value: a * y0 + b * y1, rate: self.moments[i], acceleration: 0.0 };
            }
        }
        let (m0, m1) = (self.moments[i], self.moments[i + 1]);
        let bend = (a * a - 1.0) * a * m0 + (b * b - 1.0) * b * m1;
        let turn = (1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1;
        Sample {
            value: a * y0 + b * y1 + bend * h * h / 6.0,
            rate: (y1 - y0) / h + turn * h / 6.0,
            acceleration: a * m0 + b * m1,
        }
    }
}

/// The cubic with given values and rates at both ends of an interval of length h, at the share s of it.
fn hermite(y: [f64; 2], rates: [f64; 2], h: f64, s: f64) -> Sample {
    let rise = y[1] - y[0];
    let (bend, twist) = (h * rates[0] - rise, 2.0 * rise - h * (rates[0] + rates[1]));
    // y₀ + s (rise + (1 − s)(bend + s twist))
    let (inner, slope) = ((1.0 - s) * (bend + s * twist), twist * (1.0 - 2.0 * s) - bend);
    Sample {
        value: y[0] + s * (rise + inner),
        rate: (rise + inner + s * slope) / h,
        acceleration: (2.0 * slope - 2.0 * s * twist) / (h * h),
    }
}

fn secants(times: &[f64], values: &[f64]) -> Vec<f64> {
    (1..times.len()).map(|i| (values[i] - values[i - 1]) / (times[i] - times[i - 1])).collect()
}

/// Rates at the knots that keep the cubics monotone between them; zero where the values turn.
fn monotone_rates(times: &[f64], values: &[f64], ends: SplineEnds) -> Vec<f64> {
    let (n, d) = (times.len(), secants(times, values));
    let step = |i: usize| times[i + 1] - times[i];
    let inner = |i: usize| {
        let (a, b) = (d[i - 1], d[i]);
        if a * b <= 0.0 {
            return 0.0;
        }
        let (w, v) = (2.0 * step(i) + step(i - 1), step(i) + 2.0 * step(i - 1));
        (w + v) / (w / a + v / b)
    };
    // An end takes the rate of the parabola through three points, as far as that stays monotone.
    let end = |h: f64, k: f64, a: f64, b: f64| {
        let rate = ((2.0 * h + k) * a - h * b) / (h + k);
        if rate * a <= 0.0 {
            0.0
        } else if a * b <= 0.0 && rate.abs() > 3.0 * a.abs() {
            3.0 * a
        } else {
            rate
        }
    };
    let (first, last) = match ends {
        SplineEnds::Clamped { start_rate, end_rate } => (start_rate, end_rate),
        SplineEnds::Natural if n == 2 => (d[0], d[0]),
        SplineEnds::Natural => {
            (end(step(0), step(1), d[0], d[1]), end(step(n - 2), step(n - 3), d[n - 2], d[n - 3]))
        }
    };
    let rate = |i: usize| {
        if i == 0 {
            first
        } else if i == n - 1 {
            last
        } else {
            inner(i)
        }
    };
    (0..n).map(rate).collect()
}

pub(super) fn check_table(times: &[f64], values: &[f64]) -> Result<(), TimeFunctionError> {
    if times.len() < 2 {
        return Err(TimeFunctionError::TooFew { what: "table times", needed: 2, got: times.len() });
    }
    if values.len() != times.len() {
        return Err(TimeFunctionError::SizesDiffer {
            what: "table values",
            needed: times.len(),
            got: values.len(),
        });
    }
    all_finite("table times", times)?;
    all_finite("table values", values)?;
    increasing("table times", times)
}

/// Second derivatives at the knots: tridiagonal elimination, diagonally dominant.
fn solve_moments(times: &[f64], values: &[f64], ends: SplineEnds) -> Vec<f64> {
    let n = times.len();
    let step = |i: usize| times[i + 1] - times[i];
    let secant = |i: usize| (values[i + 1] - values[i]) / step(i);
    // Row i: below M_{i-1} + diagonal M_i + above M_{i+1} = right.
    let row = |i: usize| match ends {
        SplineEnds::Natural if i == 0 || i == n - 1 => (0.0, 1.0, 0.0, 0.0),
        SplineEnds::Clamped { start_rate, .. } if i == 0 => {
            let h = step(0);
            (0.0, 2.0 * h, h, 6.0 * (secant(0) - start_rate))
        }
        SplineEnds::Clamped { end_rate, .. } if i == n - 1 => {
            let h = step(n - 2);
            (h, 2.0 * h, 0.0, 6.0 * (end_rate - secant(n - 2)))
        }
        _ => {
            let (h, k) = (step(i - 1), step(i));
            (h, 2.0 * (h + k), k, 6.0 * (secant(i) - secant(i - 1)))
        }
    };
    let mut moments = vec![0.0; n];
    let mut ratios = vec![0.0; n];
    for i in 0..n {
        let (below, diagonal, above, right) = row(i);
        let (ratio, moment) = match i {
            0 => (0.0, 0.0),
            _ => (ratios[i - 1], moments[i - 1]),
        };
        let pivot = diagonal - below * ratio;
        ratios[i] = above / pivot;
        moments[i] = (right - below * moment) / pivot;
    }
    for i in (0..n - 1).rev() {
        moments[i] -= ratios[i] * moments[i + 1];
    }
    moments
}
