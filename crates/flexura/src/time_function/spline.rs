//! Cubic spline through a table of values.
//!
//! Source: de Boor, A Practical Guide to Splines, chapter IV, in the form with
//! the second derivatives M_i at the knots as unknowns:
//!
//! h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (d_i - d_{i-1})
//!
//! Symbols: h_i = t_{i+1} - t_i, d_i = (y_{i+1} - y_i)/h_i. End rows: M = 0
//! (natural) or 2 h_0 M_0 + h_0 M_1 = 6 (d_0 - rate) (clamped; mirrored at the end).

use super::validate::{all_finite, finite, increasing};
use super::{Sample, TimeFunctionError};

/// What the spline does at its two ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// A twice continuously differentiable cubic spline; beyond its ends the end values are held.
#[derive(Clone, Debug, PartialEq)]
pub struct SplineTable {
    times: Vec<f64>,
    values: Vec<f64>,
    /// Second derivatives at the knots.
    moments: Vec<f64>,
}

impl SplineTable {
    /// Spline through (times (s), values), at least two points with increasing times.
    pub fn new(times: Vec<f64>, values: Vec<f64>, ends: SplineEnds) -> Result<Self, TimeFunctionError> {
        check_table(&times, &values)?;
        if let SplineEnds::Clamped { start_rate, end_rate } = ends {
            finite("table start rate", start_rate)?;
            finite("table end rate", end_rate)?;
        }
        let moments = solve_moments(&times, &values, ends);
        // Finite entries can still overflow in the divided differences.
        all_finite("table second derivatives", &moments)?;
        Ok(Self { times, values, moments })
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
        let later = self.times.partition_point(|knot| *knot <= t);
        self.interval(later.clamp(1, self.times.len() - 1) - 1, t)
    }

    /// The cubic between knots i and i+1.
    fn interval(&self, i: usize, t: f64) -> Sample {
        let h = self.times[i + 1] - self.times[i];
        let (a, b) = ((self.times[i + 1] - t) / h, (t - self.times[i]) / h);
        let (y0, y1) = (self.values[i], self.values[i + 1]);
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

fn check_table(times: &[f64], values: &[f64]) -> Result<(), TimeFunctionError> {
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
