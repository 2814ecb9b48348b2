//! The smallest value of a smooth function between bounds, from its gradients.
//!
//! Source: the two-loop recursion of limited-memory quasi-Newton steps of Nocedal, Math. Comput. 35 (1980) 773-782, on the variables that are
//! free, and backtracking along the path that is projected onto the bounds, Bertsekas, SIAM J. Control Optim. 20 (1982) 221-246, with the
//! sufficient decrease of Armijo. A variable is held where it is at a bound and the gradient pushes outwards. Trials take values alone;
//! a gradient is asked for once per iteration. Cost besides the function: O(pairs × variables). Offline: allocates.

/// Pairs of steps and changes of the gradient that are remembered.
const PAIRS: usize = 12;
/// Share of the decrease that the gradient promises which a step must reach.
const ENOUGH: f64 = 1e-4;
/// Trials of a step at most, each shorter than the one before.
const TRIALS: usize = 25;
/// Length of the first step, in units of the variables.
const FIRST: f64 = 0.1;
/// Decrease relative to the value that a step along the gradient would have to promise for its failure to mean something: less is rounding.
const ROUNDING: f64 = 1e-9;
/// Decrease of the value, relative to it, that counts as none; so many of them in a row end the search.
const STILL: (f64, usize) = (1e-12, 3);

/// A function with bounds; values that are none are taken as infinitely large.
pub(super) trait Function {
    /// Why a gradient may fail.
    type Error;
    /// The value at `x`.
    fn value(&mut self, x: &[f64]) -> f64;
    /// The gradient at `x`.
    fn gradient(&mut self, x: &[f64]) -> Result<Vec<f64>, Self::Error>;
    /// Called after every iteration with its number and the value; false ends the search.
    fn goes_on(&mut self, iteration: usize, value: f64) -> bool;
}

/// Where a search has ended.
#[derive(Clone, Debug)]
pub(super) struct Minimum {
    pub x: Vec<f64>,
    pub value: f64,
    pub gradient: Vec<f64>,
    pub iterations: usize,
    /// Whether it ended by itself.
    pub converged: bool,
    /// Whether it was told to end.
    pub stopped: bool,
}

/// The smallest value from `start` on, until the projected gradient has fallen to `tolerance` times that at the start.
pub(super) fn minimise<F: Function>(
    function: &mut F,
    start: &[f64],
    bounds: &[(f64, f64)],
    (iterations, tolerance): (usize, f64),
) -> Result<Minimum, F::Error> {
    let clamp = |x: f64, i: usize| x.clamp(bounds[i].0, bounds[i].1);
    let mut x: Vec<f64> = start.iter().enumerate().map(|(i, &value)| clamp(value, i)).collect();
    let mut value = function.value(&x);
    let mut gradient = function.gradient(&x)?;
    let held = |x: &[f64], g: &[f64], i: usize| {
        x[i] <= bounds[i].0 && g[i] > 0.0 || x[i] >= bounds[i].1 && g[i] < 0.0
    };
    let outward = |x: &[f64], g: &[f64]| -> f64 {
        (0..x.len()).filter(|&i| !held(x, g, i)).map(|i| g[i].abs()).fold(0.0, f64::max)
    };
    let goal = tolerance * outward(&x, &gradient);
    let mut memory = Memory::default();
    let mut still = 0;
    let ended = |x: Vec<f64>, value, gradient, iterations, converged, stopped| Minimum {
        x,
        value,
        gradient,
        iterations,
        converged,
        stopped,
    };
    for iteration in 0..iterations {
        if outward(&x, &gradient) <= goal || still >= STILL.1 {
            return Ok(ended(x, value, gradient, iteration, true, false));
        }
        let free: Vec<bool> = (0..x.len()).map(|i| !held(&x, &gradient, i)).collect();
        let mut found = Err(0.0);
        // Where what is remembered leads nowhere, the gradient alone is tried.
        for _ in 0..2 {
            let direction = memory.direction(&gradient, &free);
            found = search(function, (&x, value, &gradient), &direction, &clamp);
            if found.is_ok() || memory.pairs.is_empty() {
                break;
            }
            memory = Memory::default();
        }
        let (next, lower) = match found {
            Ok(found) => found,
            // No step along the gradient lowers the value: it is its rounding that is left, or the gradient is not that of the value.
            Err(promised) => {
                let rounding = promised <= ROUNDING * value.abs();
                return Ok(ended(x, value, gradient, iteration, rounding, false));
            }
        };
        still = if value - lower <= STILL.0 * value.abs() { still + 1 } else { 0 };
        let slope = function.gradient(&next)?;
        memory.remember(&x, &next, &gradient, &slope);
        (x, value, gradient) = (next, lower, slope);
        if !function.goes_on(iteration + 1, value) {
            return Ok(ended(x, value, gradient, iteration + 1, false, true));
        }
    }
    Ok(ended(x, value, gradient, iterations, false, false))
}

/// A point along the projected path with enough decrease, and its value; otherwise the decrease that its whole length promised.
fn search<F: Function>(
    function: &mut F,
    (x, value, gradient): (&[f64], f64, &[f64]),
    direction: &[f64],
    clamp: &dyn Fn(f64, usize) -> f64,
) -> Result<(Vec<f64>, f64), f64> {
    let (mut length, mut whole) = (1.0, 0.0);
    for _ in 0..TRIALS {
        let next: Vec<f64> = (0..x.len()).map(|i| clamp(x[i] + length * direction[i], i)).collect();
        let promised: f64 = (0..x.len()).map(|i| gradient[i] * (next[i] - x[i])).sum();
        if length == 1.0 {
            whole = -promised;
        }
        if promised >= 0.0 {
            return Err(whole);
        }
        let found = function.value(&next);
        if found <= value + ENOUGH * promised {
            return Ok((next, found));
        }
        // The parabola through value, slope and trial; a value that is none says nothing but "too far".
        let curved = found - value - promised;
        let shorter = if curved.is_finite() { -0.5 * promised / curved } else { 0.1 };
        length *= shorter.clamp(0.1, 0.5);
    }
    Err(whole)
}

/// Steps and changes of the gradient.
#[derive(Default)]
struct Memory {
    pairs: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Memory {
    fn remember(&mut self, x: &[f64], next: &[f64], gradient: &[f64], slope: &[f64]) {
        let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
        let (step, change) = (difference(next, x), difference(slope, gradient));
        // Only what bends upwards says something about a minimum.
        if dot(&step, &change) > 1e-10 * (dot(&step, &step) * dot(&change, &change)).sqrt() {
            if self.pairs.len() == PAIRS {
                self.pairs.remove(0);
            }
            self.pairs.push((step, change));
        }
    }

    /// The quasi-Newton step over the variables that are free.
    fn direction(&self, gradient: &[f64], free: &[bool]) -> Vec<f64> {
        let on = |list: &[f64]| -> Vec<f64> {
            list.iter().zip(free).map(|(&x, &free)| if free { x } else { 0.0 }).collect()
        };
        let mut left = on(gradient);
        let kept: Vec<(Vec<f64>, Vec<f64>, f64)> = self
            .pairs
            .iter()
            .map(|(step, change)| (on(step), on(change)))
            .map(|(step, change)| {
                let curvature = dot(&step, &change);
                (step, change, curvature)
            })
            .filter(|(_, _, curvature)| *curvature > 0.0)
            .collect();
        let mut shares = Vec::with_capacity(kept.len());
        for (step, change, curvature) in kept.iter().rev() {
            let share = dot(step, &left) / curvature;
            left.iter_mut().zip(change).for_each(|(slot, y)| *slot -= share * y);
            shares.push(share);
        }
        let scale = match kept.last() {
            Some((_, change, curvature)) => curvature / dot(change, change),
            None => FIRST / left.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs())),
        };
        left.iter_mut().for_each(|slot| *slot *= scale);
        for ((step, change, curvature), share) in kept.iter().zip(shares.iter().rev()) {
            let other = dot(change, &left) / curvature;
            left.iter_mut().zip(step).for_each(|(slot, s)| *slot += (share - other) * s);
        }
        left.iter().map(|x| -x).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Valley {
        values: usize,
        gradients: usize,
    }

    /// Rosenbrock's valley in pairs of variables.
    impl Function for Valley {
        type Error = ();
        fn value(&mut self, x: &[f64]) -> f64 {
            self.values += 1;
            let pair = |p: &[f64]| (1.0 - p[0]).powi(2) + 100.0 * (p[1] - p[0] * p[0]).powi(2);
            // Far away there is nothing.
            if x[0] < -3.0 { f64::NAN } else { x.chunks(2).map(pair).sum() }
        }
        fn gradient(&mut self, x: &[f64]) -> Result<Vec<f64>, ()> {
            self.gradients += 1;
            let pair = |p: &[f64]| {
                let off = p[1] - p[0] * p[0];
                [-2.0 * (1.0 - p[0]) - 400.0 * p[0] * off, 200.0 * off]
            };
            Ok(x.chunks(2).flat_map(pair).collect())
        }
        fn goes_on(&mut self, _: usize, _: f64) -> bool {
            true
        }
    }

    fn found(start: &[f64], bounds: &[(f64, f64)]) -> (Minimum, Valley) {
        let mut valley = Valley { values: 0, gradients: 0 };
        let minimum = minimise(&mut valley, start, bounds, (200, 1e-10)).expect("no errors");
        (minimum, valley)
    }

    #[test]
    fn a_bent_valley_is_followed_to_its_end() {
        let wide = [(f64::NEG_INFINITY, f64::INFINITY); 6];
        let (minimum, cost) = found(&[-1.2, 1.0, -0.5, 2.0, 1.5, 0.0], &wide);
        assert!(minimum.converged && minimum.value < 1e-15, "{minimum:?}");
        assert!(minimum.x.iter().all(|x| (x - 1.0).abs() < 1e-7), "{minimum:?}");
        assert!(cost.values < 150 && cost.gradients < 100, "{} {}", cost.values, cost.gradients);
    }

    #[test]
    fn bounds_hold_and_the_rest_is_smallest_there() {
        let bounds = [(-5.0, 0.5), (-5.0, 5.0), (-5.0, 5.0), (1.44, 5.0)];
        let (minimum, _) = found(&[-1.2, 1.0, -1.0, 4.0], &bounds);
        // At x₀ = ½ the other is x₀²; x₃ = 1.44 leaves x₂ with a root of its own slope.
        assert!(
            minimum.converged && minimum.x[0] == 0.5 && (minimum.x[1] - 0.25).abs() < 1e-7,
            "{minimum:?}"
        );
        let root = minimum.x[2];
        assert!(minimum.x[3] == 1.44, "{minimum:?}");
        assert!((-2.0 * (1.0 - root) - 400.0 * root * (1.44 - root * root)).abs() < 1e-5, "{minimum:?}");
    }

    /// A parabola whose gradient points the wrong way.
    struct Wrong;

    impl Function for Wrong {
        type Error = ();

        fn value(&mut self, x: &[f64]) -> f64 {
            x[0] * x[0]
        }

        fn gradient(&mut self, x: &[f64]) -> Result<Vec<f64>, ()> {
            Ok(vec![-2.0 * x[0]])
        }

        fn goes_on(&mut self, _: usize, _: f64) -> bool {
            true
        }
    }

    #[test]
    fn a_wrong_gradient_is_no_end() {
        let minimum = minimise(&mut Wrong, &[1.0], &[(f64::NEG_INFINITY, f64::INFINITY)], (50, 1e-8));
        let minimum = minimum.expect("a gradient");
        assert!(!minimum.converged && minimum.value == 1.0, "{minimum:?}");
    }
}
