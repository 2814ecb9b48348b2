//! Force tables: the natural cubic spline through points, or cubics or lines that stay between them, with its integral.
//!
//! The curve of [`crate::time_function::SplineTable`] is kept as values and
//! slopes on both sides of the knots (Hermite form, the same cubic), so that force and energy
//! need no search beyond that of the interval. Beyond the ends the force goes on
//! along the tangent: a spring does not lose its stiffness there.

use crate::scalar::Scalar;
use crate::time_function::{Interpolation, SplineEnds, SplineTable, TimeFunction};

/// Why a table is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ForceTableError {
    /// Fewer than two points.
    #[error("a table needs at least 2 points, but has {0}")]
    TooFew(usize),
    /// Deflections and forces do not pair up.
    #[error("the table has {deflections} deflections, but {forces} forces")]
    SizesDiffer {
        /// Number of deflections.
        deflections: usize,
        /// Number of forces.
        forces: usize,
    },
    /// A deflection is not larger than the one before.
    #[error("the deflections do not increase: number {number} is {value}, after {previous}")]
    NotIncreasing {
        /// Which, counted from one.
        number: usize,
        /// The deflection.
        value: f64,
        /// The one before.
        previous: f64,
    },
    /// A number, or a slope between two points, is not finite.
    #[error("the table has numbers that are not finite, or too large to interpolate")]
    NotFinite,
}

/// One point of the spline.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    x: f64,
    force: f64,
    /// Slopes before and after it; they differ where lines meet.
    slopes: [f64; 2],
    energy: f64,
}

/// A curve through points (deflection, force), at least two.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceTable {
    knots: Vec<Knot>,
}

impl ForceTable {
    /// The spline through the given points; deflections increase.
    pub fn new(deflections: &[f64], forces: &[f64]) -> Result<Self, ForceTableError> {
        Self::interpolated(deflections, forces, Interpolation::Spline)
    }

    /// The table through the given points with a choice of interpolation; deflections increase.
    pub fn interpolated(
        deflections: &[f64],
        forces: &[f64],
        interpolation: Interpolation,
    ) -> Result<Self, ForceTableError> {
        check(deflections, forces)?;
        let (x, f) = (deflections.to_vec(), forces.to_vec());
        let curve = SplineTable::interpolated(x, f, interpolation, SplineEnds::Natural);
        let curve = TimeFunction::Table(curve.map_err(|_| ForceTableError::NotFinite)?);
        let last = deflections.len() - 1;
        // Beyond its ends the curve is held; the force goes on along the tangent.
        let slopes = |k: usize, x: f64| {
            let (before, after) = (curve.sample_before(x).rate, curve.sample(x).rate);
            [if k == 0 { after } else { before }, if k == last { before } else { after }]
        };
        let points = deflections.iter().zip(forces).enumerate();
        let knots = points.map(|(k, (&x, &force))| Knot { x, force, slopes: slopes(k, x), energy: 0.0 });
        let mut table = Self { knots: knots.collect() };
        for k in 1..table.knots.len() {
            table.knots[k].energy = table.interval(k - 1, table.knots[k].x).1;
        }
        // Energy counts from zero deflection, wherever the table starts.
        let (_, zero) = table.sample(0.0);
        table.knots.iter_mut().for_each(|knot| knot.energy -= zero);
        let finite =
            |knot: &Knot| knot.slopes.iter().all(|slope| slope.is_finite()) && knot.energy.is_finite();
        if table.knots.iter().all(finite) { Ok(table) } else { Err(ForceTableError::NotFinite) }
    }

    /// The points (deflection, force) given.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.knots.iter().map(|knot| (knot.x, knot.force))
    }

    /// The knots: deflection, force, slopes before and after.
    pub(crate) fn knots(&self) -> impl Iterator<Item = [f64; 4]> + '_ {
        self.knots.iter().map(|knot| [knot.x, knot.force, knot.slopes[0], knot.slopes[1]])
    }

    /// Least and largest force between the points, where they leave the range of those given by more than a tenth of it.
    pub fn overshoot(&self) -> Option<(f64, f64)> {
        const PARTS: usize = 16;
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let wider = |(a, b): (f64, f64), x: f64| (a.min(x), b.max(x));
        let given = self.points().map(|(_, force)| force).fold(none, wider);
        let mut met = given;
        for pair in self.knots.windows(2) {
            let h = (pair[1].x - pair[0].x) / PARTS as f64;
            met = (1..PARTS).map(|k| self.sample(pair[0].x + h * k as f64).0).fold(met, wider);
        }
        let room = 0.1 * (given.1 - given.0);
        (met.0 < given.0 - room || met.1 > given.1 + room).then_some(met)
    }

    /// Force and energy at deflection `x`.
    pub fn sample<S: Scalar>(&self, x: S) -> (S, S) {
        let last = self.knots.len() - 1;
        if x.below(self.knots[0].x) {
            return straight(&self.knots[0], x);
        }
        if x.at_least(self.knots[last].x) {
            return straight(&self.knots[last], x);
        }
        // Clamping gives a NaN an interval too, so that NaN comes out.
        let later = self.knots.partition_point(|knot| x.at_least(knot.x)).clamp(1, last);
        self.interval(later - 1, x)
    }

    /// The cubic between knots i and i + 1, f₀ + h s₀ t + a t² + b t³, and its integral.
    fn interval<S: Scalar>(&self, i: usize, x: S) -> (S, S) {
        let (from, to) = (&self.knots[i], &self.knots[i + 1]);
        let h = to.x - from.x;
        let t = (x - S::from_f64(from.x)) * (1.0 / h);
        let rise = to.force - from.force;
        let [start, end] = [h * from.slopes[1], h * to.slopes[0]];
        let a = 3.0 * rise - (2.0 * start + end);
        let b = start + end - 2.0 * rise;
        let c = S::from_f64;
        let force = c(from.force) + t * (c(start) + t * (c(a) + t * b));
        let area = t * (c(from.force) + t * (c(0.5 * start) + t * (c(a / 3.0) + t * (0.25 * b))));
        (force, c(from.energy) + area * h)
    }
}

fn straight<S: Scalar>(knot: &Knot, x: S) -> (S, S) {
    let beyond = x - S::from_f64(knot.x);
    // At the first and the last point both slopes are the same.
    let force = S::from_f64(knot.force) + beyond * knot.slopes[0];
    let mean = S::from_f64(knot.force) + beyond * (0.5 * knot.slopes[0]);
    (force, S::from_f64(knot.energy) + mean * beyond)
}

fn check(deflections: &[f64], forces: &[f64]) -> Result<(), ForceTableError> {
    let (n, m) = (deflections.len(), forces.len());
    if n != m {
        return Err(ForceTableError::SizesDiffer { deflections: n, forces: m });
    }
    if n < 2 {
        return Err(ForceTableError::TooFew(n));
    }
    if deflections.iter().chain(forces).any(|x| !x.is_finite()) {
        return Err(ForceTableError::NotFinite);
    }
    match deflections.windows(2).position(|pair| pair[1] <= pair[0]) {
        Some(k) => Err(ForceTableError::NotIncreasing {
            number: k + 2,
            value: deflections[k + 1],
            previous: deflections[k],
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dual;

    #[test]
    fn force_is_the_slope_of_the_energy_and_meets_the_points() {
        let (x, f) = ([-0.2, -0.05, 0.1, 0.3], [-50.0, -8.0, 12.0, 90.0]);
        let table = ForceTable::new(&x, &f).unwrap();
        for (x, f) in x.iter().zip(f) {
            assert!((table.sample(*x).0 - f).abs() < 1e-12);
        }
        for x in [-0.5, -0.2, -0.1, 0.0, 0.05, 0.2, 0.3, 0.6] {
            let (force, energy) = table.sample(Dual::<1>::new(x, [1.0]));
            assert!((force.re - energy.eps[0]).abs() < 1e-12, "{x}");
        }
        assert!(table.sample(0.0).1.abs() < 1e-15);
    }

    #[test]
    fn bad_tables_are_refused() {
        assert_eq!(ForceTable::new(&[0.0], &[1.0]), Err(ForceTableError::TooFew(1)));
        assert!(matches!(
            ForceTable::new(&[0.0, 0.0], &[1.0, 2.0]),
            Err(ForceTableError::NotIncreasing { .. })
        ));
        assert!(matches!(ForceTable::new(&[0.0, 1.0], &[1.0]), Err(ForceTableError::SizesDiffer { .. })));
        assert_eq!(ForceTable::new(&[0.0, 1.0], &[1.0, f64::NAN]), Err(ForceTableError::NotFinite));
    }
}
