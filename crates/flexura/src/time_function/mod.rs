//! Functions of time for prescribed motions and loads.
//!
//! Source of the cycloidal law: Norton, Cam Design, chapter 2 (a smooth rise with
//! zero rate and acceleration at both ends), which drives the panels of Richard (2012), eqs 71-72; polynomials in
//! pieces drive the arm of Mukherjee & Anderson eqs 92-93. Symbols: t time (s), s dimensionless
//! time of a rise. The unit of the value is that of the quantity prescribed.
//!
//! An integrator steps exactly onto the break points. The step that ends there
//! needs the left limit (`sample_before`), the step that starts there the right
//! limit (`sample`); elsewhere the two agree.

mod derivative;
mod error;
mod spline;
mod validate;

pub use derivative::rates_of_samples;
pub use error::TimeFunctionError;
pub use spline::{Interpolation, SplineEnds, SplineTable};

use std::f64::consts::TAU;

/// A scalar function of time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TimeFunction {
    /// The same value at all times.
    Constant(f64),
    /// Sum of c_i t^i with t in s.
    Polynomial {
        /// Coefficients c in ascending order [unit per s^i].
        coefficients: Vec<f64>,
    },
    /// offset + amplitude sin(angular_frequency t + phase).
    Harmonic {
        /// Mean value.
        offset: f64,
        /// Amplitude.
        amplitude: f64,
        /// Angular frequency (rad/s).
        angular_frequency: f64,
        /// Phase at t = 0 (rad).
        phase: f64,
    },
    /// Rise from + (to - from)(s - sin(2 pi s)/(2 pi)), s = (t - start)/duration, held before and after.
    Cycloidal {
        /// Value before the rise.
        from: f64,
        /// Value after the rise.
        to: f64,
        /// Start of the rise (s).
        start: f64,
        /// Duration of the rise (s).
        duration: f64,
    },
    /// Cubic spline; beyond its ends the end values are held with zero rate.
    Table(SplineTable),
    /// value + rate τ + ½ acceleration τ², τ = t − start: a motion that goes on from an instant.
    Quadratic {
        /// Instant of value and rate (s).
        start: f64,
        /// Value there.
        value: f64,
        /// First derivative there (unit/s).
        rate: f64,
        /// Second derivative (unit/s²).
        acceleration: f64,
    },
    /// Different functions in adjoining intervals, each of the absolute time t.
    Piecewise {
        /// Ends of the intervals (s), increasing.
        breaks: Vec<f64>,
        /// One function more than there are breaks.
        pieces: Vec<TimeFunction>,
    },
}

/// From which side an instant is seen, where a function of time breaks there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// From the left: the end of what came up to the instant.
    Before,
    /// From the right: the start of what follows it.
    #[default]
    After,
}

/// Value and derivatives of a function of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Value, in the unit of the quantity prescribed.
    pub value: f64,
    /// First derivative (unit/s).
    pub rate: f64,
    /// Second derivative [unit/s2].
    pub acceleration: f64,
}

impl Sample {
    /// A value at rest.
    fn held(value: f64) -> Self {
        Self { value, ..Self::default() }
    }
}

impl TimeFunction {
    /// Value and exact derivatives at t (s); at a break point the limit from the right.
    pub fn sample(&self, t: f64) -> Sample {
        self.sample_side(t, Side::After)
    }

    /// Value and exact derivatives at t (s); at a break point the limit from the left.
    pub fn sample_before(&self, t: f64) -> Sample {
        self.sample_side(t, Side::Before)
    }

    /// Value and exact derivatives at t (s), at a break point from the left or the right.
    pub fn sample_side(&self, t: f64, side: Side) -> Sample {
        let from_left = side == Side::Before;
        match self {
            Self::Constant(value) => Sample::held(*value),
            Self::Polynomial { coefficients } => polynomial(coefficients, t),
            Self::Harmonic { offset, amplitude, angular_frequency, phase } => {
                harmonic(*offset, *amplitude, *angular_frequency, *phase, t)
            }
            Self::Cycloidal { from, to, start, duration } => {
                cycloidal(*from, *to, (t - start) / duration, *duration)
            }
            Self::Table(table) => table.sample(t, from_left),
            Self::Quadratic { start, value, rate, acceleration } => {
                polynomial(&[*value, *rate, 0.5 * acceleration], t - start)
            }
            Self::Piecewise { breaks, pieces } => {
                let index = match from_left {
                    true => breaks.partition_point(|at| *at < t),
                    false => breaks.partition_point(|at| *at <= t),
                };
                // A missing piece is refused by `validate`; here it only must not panic.
                match pieces.get(index).or(pieces.last()) {
                    Some(piece) => piece.sample_side(t, side),
                    None => Sample::default(),
                }
            }
        }
    }

    /// Adds to `out` the instants (s) where the function may not be smooth; `out` ends sorted and without doubles.
    ///
    /// The inner knots of a spline are not among them: it has continuous second
    /// derivatives there.
    pub fn break_points(&self, out: &mut Vec<f64>) {
        self.collect_break_points(f64::NEG_INFINITY, f64::INFINITY, out);
        out.sort_by(f64::total_cmp);
        out.dedup();
    }

    /// Range of a table's interpolation, where it leaves that of the values given: [`SplineTable::overshoot`].
    pub fn overshoot(&self) -> Option<(f64, f64)> {
        match self {
            Self::Table(table) => table.overshoot(),
            Self::Piecewise { pieces, .. } => pieces.iter().find_map(Self::overshoot),
            _ => None,
        }
    }

    /// Break points strictly between two instants, in no order.
    fn collect_break_points(&self, after: f64, before: f64, out: &mut Vec<f64>) {
        let add = |t: f64| {
            if after < t && t < before {
                // Adding zero turns -0 into +0, which the sort would keep apart.
                out.push(t + 0.0);
            }
        };
        match self {
            Self::Constant(_) | Self::Polynomial { .. } | Self::Harmonic { .. } | Self::Quadratic { .. } => {}
            Self::Cycloidal { start, duration, .. } => [*start, start + duration].into_iter().for_each(add),
            Self::Table(table) => table.break_points().for_each(add),
            Self::Piecewise { breaks, pieces } => {
                breaks.iter().copied().for_each(add);
                // Outside its own interval a piece is not seen, nor are its break points.
                for (i, piece) in pieces.iter().enumerate() {
                    let start = i.checked_sub(1).and_then(|left| breaks.get(left));
                    let start = start.map_or(after, |t| t.max(after));
                    let end = breaks.get(i).map_or(before, |t| t.min(before));
                    piece.collect_break_points(start, end, out);
                }
            }
        }
    }
}

/// Horner's scheme with derivatives.
fn polynomial(coefficients: &[f64], t: f64) -> Sample {
    let (mut value, mut rate, mut half_acceleration) = (0.0, 0.0, 0.0);
    for c in coefficients.iter().rev() {
        half_acceleration = half_acceleration * t + rate;
        rate = rate * t + value;
        value = value * t + c;
    }
    Sample { value, rate, acceleration: 2.0 * half_acceleration }
}

fn harmonic(offset: f64, amplitude: f64, omega: f64, phase: f64, t: f64) -> Sample {
    let (sin, cos) = (omega * t + phase).sin_cos();
    Sample {
        value: offset + amplitude * sin,
        rate: amplitude * omega * cos,
        acceleration: -amplitude * omega * omega * sin,
    }
}

fn cycloidal(from: f64, to: f64, s: f64, duration: f64) -> Sample {
    // The law is C2 at both ends, so that left and right limits agree.
    if s <= 0.0 {
        return Sample::held(from);
    }
    if s >= 1.0 {
        return Sample::held(to);
    }
    let rise = to - from;
    let (sin, cos) = (TAU * s).sin_cos();
    Sample {
        value: from + rise * (s - sin / TAU),
        rate: rise / duration * (1.0 - cos),
        acceleration: rise / (duration * duration) * TAU * sin,
    }
}
