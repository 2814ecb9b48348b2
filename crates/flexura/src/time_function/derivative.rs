//! Rates of sampled values at their own instants.
//!
//! Source: de Boor, A Practical Guide to Splines, chapters IV and V: the slopes of a cubic spline at its knots are of fourth
//! order on even instants, one order better than between them, where its ends know their slope. Those come from the
//! polynomial of fifth degree through the six outermost points (fewer where there are fewer). Rates of rates are found
//! by the same rule from the rates, not from the second derivatives of one spline, which are of second order only.
//!
//! Cost: linear in the number of instants.

use super::{SplineEnds, SplineTable, TimeFunctionError};

/// Points through which the polynomial at an end goes.
const END_POINTS: usize = 6;

/// Rates of `values` at `times` (s), at least two increasing instants [unit of the values per s].
#[doc(hidden)]
pub fn rates_of_samples(times: &[f64], values: &[f64]) -> Result<Vec<f64>, TimeFunctionError> {
    super::spline::check_table(times, values)?;
    let points = || times.iter().copied().zip(values.iter().copied());
    let start_rate = end_slope(points().take(END_POINTS));
    let end_rate = end_slope(points().rev().take(END_POINTS));
    let ends = SplineEnds::Clamped { start_rate, end_rate };
    let spline = SplineTable::new(times.to_vec(), values.to_vec(), ends)?;
    let last = times.len() - 1;
    Ok(times.iter().enumerate().map(|(i, &t)| spline.sample(t, i == last).rate).collect())
}

/// Slope at the first of `points` of the polynomial through all of them, by Newton's divided differences.
fn end_slope(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (times, mut differences): (Vec<f64>, Vec<f64>) = points.unzip();
    let (mut slope, mut product) = (0.0, 1.0);
    for order in 1..times.len() {
        for i in 0..times.len() - order {
            differences[i] = (differences[i + 1] - differences[i]) / (times[i + order] - times[i]);
        }
        // p'(t₀) = Σ f[t₀ … t_k] Π (t₀ − t_j), j = 1 … k − 1
        slope += differences[0] * product;
        product *= times[0] - times[order];
    }
    slope
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest error of the rates and of their rates over sin(3 t), uneven instants where `wave` is not zero.
    fn errors(points: usize, wave: f64) -> [f64; 2] {
        let at = |i: usize| {
            let s = i as f64 / (points - 1) as f64;
            s + wave * (std::f64::consts::TAU * s).sin()
        };
        let times: Vec<f64> = (0..points).map(at).collect();
        let values: Vec<f64> = times.iter().map(|t| (3.0 * t).sin()).collect();
        let rates = rates_of_samples(&times, &values).expect("a table");
        let seconds = rates_of_samples(&times, &rates).expect("a table");
        let largest = |found: &[f64], exact: &dyn Fn(f64) -> f64| {
            found.iter().zip(&times).map(|(x, &t)| (x - exact(t)).abs()).fold(0.0, f64::max)
        };
        [largest(&rates, &|t| 3.0 * (3.0 * t).cos()), largest(&seconds, &|t| -9.0 * (3.0 * t).sin())]
    }

    /// Order four for rates and three for their rates, where the ends decide; instants that spread smoothly do no harm.
    #[test]
    fn rates_converge_with_their_order() {
        for (wave, orders) in [(0.0, [3.9, 2.9]), (0.05, [3.9, 2.9])] {
            let (coarse, fine) = (errors(161, wave), errors(321, wave));
            for i in 0..2 {
                let order = (coarse[i] / fine[i]).log2();
                assert!(order > orders[i], "wave {wave}, rate {i}: order {order} ({coarse:?}, {fine:?})");
            }
        }
    }

    /// A cubic is its own spline, and the polynomial at the ends is exact: nothing but rounding is left.
    #[test]
    fn rates_of_a_cubic_are_exact() {
        let times: Vec<f64> = (0..9).map(|i| 0.1 * f64::from(i * i)).collect();
        let values: Vec<f64> = times.iter().map(|t| 1.0 - t + t.powi(3)).collect();
        for (rate, t) in rates_of_samples(&times, &values).expect("a table").iter().zip(&times) {
            assert!((rate - (3.0 * t * t - 1.0)).abs() < 1e-9, "{rate} at {t}");
        }
        assert!(
            rates_of_samples(&[0.0], &[1.0]).is_err() && rates_of_samples(&[0.0, 0.0], &[1.0, 2.0]).is_err()
        );
    }
}
