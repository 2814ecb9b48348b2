//! Nonlinear least squares with bounds.
//!
//! Source: Nocedal & Wright, Numerical Optimization, sections 10.3 and 16.7; damping by Nielsen (Damping Parameter in Marquardt's Method,
//! 1999). Minimises ½ rᵀr over l ≤ x ≤ u: of the free unknowns F (those not held at a bound that the gradient pushes against),
//! (JᵀJ + λ D) δ = −Jᵀr with D = diag(JᵀJ), the step is projected onto the bounds and taken if it lowers the sum.
//!
//! Own code: crates with a Levenberg-Marquardt method ask for another version of the matrix library and know no bounds.
//!
//! Symbols: r residuals (m), J = ∂r/∂x (m × n), λ damping. Cost: one J and one solution in n unknowns per iteration, one r per trial.

use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};

/// Relative change of the sum of squares, and of the unknowns, at which the search ends.
const ENOUGH: f64 = 1e-10;
/// Damping at the start.
const DAMPING: f64 = 1e-3;
/// Damping beyond which no step can help.
const STUCK: f64 = 1e12;

/// What is minimised.
pub(super) trait Problem {
    /// Why it cannot be computed.
    type Error;
    /// Residuals at `x`; `None` where the model has none, such as a run that fails.
    fn residuals(&mut self, x: &[f64]) -> Result<Option<Vec<f64>>, Self::Error>;
    /// Derivatives at `x`, row by row.
    fn jacobian(&mut self, x: &[f64]) -> Result<Vec<f64>, Self::Error>;
    /// Told after every iteration: its number and the sum of squares.
    fn look(&mut self, iteration: usize, sum: f64) -> Result<(), Self::Error>;
}

/// Where the search ended.
pub(super) struct Minimum {
    pub x: Vec<f64>,
    pub residuals: Vec<f64>,
    /// Derivatives there, row by row.
    pub jacobian: Vec<f64>,
    pub iterations: usize,
    pub converged: bool,
}

fn sum_of_squares(list: &[f64]) -> f64 {
    list.iter().map(|x| x * x).sum()
}

/// Searches from `start`, which lies within `bounds`, where the residuals are known.
pub(super) fn minimise<P: Problem>(
    problem: &mut P,
    (start, residuals): (Vec<f64>, Vec<f64>),
    bounds: &[(f64, f64)],
    most: usize,
) -> Result<Minimum, P::Error> {
    let n = start.len();
    let (mut x, mut residuals, mut damping, mut growth) = (start, residuals, DAMPING, 2.0);
    let mut jacobian = problem.jacobian(&x)?;
    let mut sum = sum_of_squares(&residuals);
    for iteration in 1..=most {
        problem.look(iteration, sum)?;
        let gradient = gradient(&jacobian, &residuals, n);
        let held = |i: usize| {
            (x[i] <= bounds[i].0 && gradient[i] > 0.0) || (x[i] >= bounds[i].1 && gradient[i] < 0.0)
        };
        let free: Vec<usize> = (0..n).filter(|&i| !held(i)).collect();
        let mut moved = false;
        while !moved && damping < STUCK {
            let Some(step) = damped_step(&jacobian, &gradient, &free, n, damping) else {
                (damping, growth) = (damping * growth, growth * 2.0);
                continue;
            };
            let mut trial = x.clone();
            for (&i, step) in free.iter().zip(&step) {
                trial[i] = (x[i] + step).clamp(bounds[i].0, bounds[i].1);
            }
            let length =
                trial.iter().zip(&x).map(|(a, b)| (a - b).abs() / b.abs().max(1.0)).fold(0.0, f64::max);
            if length < 1e-14 {
                return Ok(Minimum { x, residuals, jacobian, iterations: iteration, converged: true });
            }
            let found = problem.residuals(&trial)?.map(|found| (sum_of_squares(&found), found));
            match found {
                Some((lower, found)) if lower < sum => {
                    let drop = (sum - lower) / sum.max(f64::MIN_POSITIVE);
                    let gain = (sum - lower)
                        / predicted(&jacobian, &residuals, &x, &trial, n).max(f64::MIN_POSITIVE);
                    damping *= (1.0 - (2.0 * gain.min(2.0) - 1.0).powi(3)).max(1.0 / 3.0);
                    (x, residuals, sum, growth, moved) = (trial, found, lower, 2.0, true);
                    jacobian = problem.jacobian(&x)?;
                    if drop < ENOUGH || length < ENOUGH {
                        return Ok(Minimum {
                            x,
                            residuals,
                            jacobian,
                            iterations: iteration,
                            converged: true,
                        });
                    }
                }
                _ => (damping, growth) = (damping * growth, growth * 2.0),
            }
        }
        if !moved {
            // No step lowers the sum: this is as low as numbers can tell.
            return Ok(Minimum { x, residuals, jacobian, iterations: iteration, converged: true });
        }
    }
    Ok(Minimum { x, residuals, jacobian, iterations: most, converged: false })
}

/// Jᵀr.
fn gradient(jacobian: &[f64], residuals: &[f64], n: usize) -> Vec<f64> {
    let mut out = vec![0.0; n];
    for (row, r) in jacobian.chunks_exact(n).zip(residuals) {
        out.iter_mut().zip(row).for_each(|(sum, j)| *sum += j * r);
    }
    out
}

/// The step of the free unknowns; `None` where the damped matrix is not positive definite.
fn damped_step(
    jacobian: &[f64],
    gradient: &[f64],
    free: &[usize],
    n: usize,
    damping: f64,
) -> Option<Vec<f64>> {
    let k = free.len();
    let mut matrix = vec![0.0; k * k];
    for row in jacobian.chunks_exact(n) {
        for (a, &i) in free.iter().enumerate() {
            for (b, &j) in free.iter().enumerate().take(a + 1) {
                matrix[a * k + b] += row[i] * row[j];
            }
        }
    }
    let largest = (0..k).map(|a| matrix[a * k + a]).fold(0.0, f64::max);
    for a in 0..k {
        for b in 0..a {
            matrix[b * k + a] = matrix[a * k + b];
        }
        // A column of zeros must not make the matrix singular.
        matrix[a * k + a] += damping * matrix[a * k + a].max(1e-12 * largest);
    }
    cholesky_in_place(&mut matrix, k).ok()?;
    let mut step: Vec<f64> = free.iter().map(|&i| -gradient[i]).collect();
    solve_lower(&matrix, k, &mut step);
    solve_lower_transposed(&matrix, k, &mut step);
    step.iter().all(|x| x.is_finite()).then_some(step)
}

/// How much the linear model lowers the sum of squares on the way from `x` to `trial`.
fn predicted(jacobian: &[f64], residuals: &[f64], x: &[f64], trial: &[f64], n: usize) -> f64 {
    let step: Vec<f64> = trial.iter().zip(x).map(|(a, b)| a - b).collect();
    let linear = jacobian.chunks_exact(n).zip(residuals).map(|(row, r)| {
        let moved = r + row.iter().zip(&step).map(|(j, d)| j * d).sum::<f64>();
        r * r - moved * moved
    });
    linear.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley: r = (10 (y − x²), 1 − x).
    struct Valley;

    impl Problem for Valley {
        type Error = ();
        fn residuals(&mut self, x: &[f64]) -> Result<Option<Vec<f64>>, ()> {
            Ok(Some(vec![10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]]))
        }
        fn jacobian(&mut self, x: &[f64]) -> Result<Vec<f64>, ()> {
            Ok(vec![-20.0 * x[0], 10.0, -1.0, 0.0])
        }
        fn look(&mut self, _: usize, _: f64) -> Result<(), ()> {
            Ok(())
        }
    }

    fn found(bounds: [(f64, f64); 2]) -> Minimum {
        let start = vec![-1.2, 1.0];
        let residuals = Valley.residuals(&start).expect("residuals").expect("residuals");
        minimise(&mut Valley, (start, residuals), &bounds, 200).expect("a minimum")
    }

    #[test]
    fn the_bottom_of_a_curved_valley_is_found() {
        let free = (f64::NEG_INFINITY, f64::INFINITY);
        let minimum = found([free, free]);
        assert!(minimum.converged);
        assert!((minimum.x[0] - 1.0).abs() < 1e-9 && (minimum.x[1] - 1.0).abs() < 1e-9, "{:?}", minimum.x);
    }

    #[test]
    fn bounds_hold_where_the_bottom_lies_beyond_them() {
        // With x ≤ 0.5 the lowest point is x = 0.5, y = 0.25.
        let minimum = found([(-2.0, 0.5), (f64::NEG_INFINITY, f64::INFINITY)]);
        assert!((minimum.x[0] - 0.5).abs() < 1e-12 && (minimum.x[1] - 0.25).abs() < 1e-8, "{:?}", minimum.x);
    }
}
