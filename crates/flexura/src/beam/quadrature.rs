//! Gauss-Legendre quadrature on an interval, in one or several equal panels.
//!
//! Source: Abramowitz & Stegun, 25.4.29-30 (nodes, weights and remainder),
//! 22.16.6 (starting values); nodes by Newton's method on P_m.
//! Symbols: m points per panel, P_m Legendre polynomial, w weights.
//!
//! Rule for the number of points (`order_for`): products of two shapes of phase k
//! over the interval contain e^{2ikx/L} and e^{-2kx/L}. The remainder of m points
//! for these is at most about pi (k/2)^{2m} / (2m)!; m is the smallest number
//! for which this is below 1e-16, plus 2 for a factor x^2 (inertia), plus the highest
//! polynomial degree. Fewer points are needed this way than with many panels;
//! panels are used only when k exceeds 100 rad per panel.

use std::f64::consts::PI;

/// Points and weights on an interval.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(hidden)]
pub struct Quadrature {
    /// Points in ascending order (m).
    pub points: Vec<f64>,
    /// Weight of each point; their sum is the length of the interval (m).
    pub weights: Vec<f64>,
}

impl Quadrature {
    /// Pairs of point and weight (m, m).
    pub fn iter(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.points.iter().copied().zip(self.weights.iter().copied())
    }

    /// Integral of a function over the interval, in the unit of the function times m.
    pub fn integrate(&self, mut function: impl FnMut(f64) -> f64) -> f64 {
        self.iter().map(|(x, weight)| weight * function(x)).sum()
    }
}

/// Largest phase per panel (rad) before the interval is split.
const PHASE_PER_PANEL: f64 = 100.0;

/// Points per panel and panels that integrate products of two shapes to 1e-13.
///
/// `phase` is the largest phase of the shapes over the interval (rad) and
/// `degree` the highest degree of the polynomial shapes.
pub(crate) fn order_for(phase: f64, degree: usize) -> (usize, usize) {
    let panels = (phase / PHASE_PER_PANEL).ceil().max(1.0);
    let half = phase / panels / 2.0;
    let mut points = 0;
    let mut remainder = PI;
    // The terms grow until 2m passes k/2 and then fall for good.
    while remainder > 1e-16 {
        points += 1;
        let even = 2.0 * points as f64;
        remainder *= half * half / (even * (even - 1.0));
    }
    (points + degree + 2, panels as usize)
}

/// Gauss-Legendre rule with `order` points on [start, end]; empty for order 0.
pub(crate) fn gauss_legendre(order: usize, start: f64, end: f64) -> Quadrature {
    composite(order, 1, start, end)
}

/// Gauss-Legendre rule with `order` points on each of `panels` equal parts of [start, end].
pub fn composite(order: usize, panels: usize, start: f64, end: f64) -> Quadrature {
    let reference: Vec<(f64, f64)> = (0..order).map(|i| node(order, i)).collect();
    let half = (end - start) / (2.0 * panels as f64);
    let mut rule = Quadrature::default();
    for panel in 0..panels {
        let middle = start + half * (2 * panel + 1) as f64;
        for (x, weight) in &reference {
            rule.points.push(middle + half * x);
            rule.weights.push(half * weight);
        }
    }
    rule
}

/// Node number i (ascending) and its weight on [-1, 1].
fn node(order: usize, i: usize) -> (f64, f64) {
    // Nodes of the lower half mirror those of the upper half exactly.
    if 2 * i + 1 < order {
        let (x, weight) = node(order, order - 1 - i);
        return (-x, weight);
    }
    let m = order as f64;
    let from_top = (order - i) as f64;
    let mut x = if 2 * i + 1 == order { 0.0 } else { (PI * (from_top - 0.25) / (m + 0.5)).cos() };
    for _ in 0..20 {
        let (value, derivative) = legendre(order, x);
        let step = value / derivative;
        x -= step;
        if step.abs() <= f64::EPSILON {
            break;
        }
    }
    let (_, derivative) = legendre(order, x);
    (x, 2.0 / ((1.0 - x * x) * derivative * derivative))
}

/// P_m(x) and its derivative by the three-term recurrence, |x| < 1.
fn legendre(order: usize, x: f64) -> (f64, f64) {
    let (mut previous, mut current) = (0.0, 1.0);
    for j in 0..order {
        let j = j as f64;
        let next = ((2.0 * j + 1.0) * x * current - j * previous) / (j + 1.0);
        previous = current;
        current = next;
    }
    let derivative = order as f64 * (x * current - previous) / (x * x - 1.0);
    (current, derivative)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_for_polynomials_up_to_twice_the_order_less_one() {
        for order in [1, 2, 3, 5, 12, 40] {
            let rule = gauss_legendre(order, 0.0, 1.0);
            for power in 0..2 * order as i32 {
                let exact = 1.0 / f64::from(power + 1);
                assert!((rule.integrate(|x| x.powi(power)) - exact).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn two_point_rule_is_the_textbook_one() {
        let rule = gauss_legendre(2, -1.0, 1.0);
        assert!((rule.points[1] - 1.0 / 3f64.sqrt()).abs() < 1e-15);
        assert!((rule.weights[0] - 1.0).abs() < 1e-15);
        assert_eq!(rule.points[0], -rule.points[1]);
    }

    #[test]
    fn the_rule_integrates_products_of_oscillations() {
        for phase in [0.5, 2.0, 11.0, 30.0, 95.0, 250.0] {
            let (order, panels) = order_for(phase, 0);
            let rule = composite(order, panels, 0.0, 1.0);
            let exact = 0.5 - (2.0 * phase).sin() / (4.0 * phase);
            let sine = rule.integrate(|x| (phase * x).sin().powi(2));
            assert!((sine - exact).abs() < 1e-13 * exact.max(0.1), "{phase}");
            let decay = rule.integrate(|x| (-2.0 * phase * x).exp());
            let exact = (1.0 - (-2.0 * phase).exp()) / (2.0 * phase);
            assert!((decay - exact).abs() < 1e-13 * exact, "{phase}: {decay}");
        }
    }

    #[test]
    fn panels_add_up_and_ascend() {
        let rule = composite(4, 3, 1.0, 4.0);
        assert_eq!(rule.points.len(), 12);
        assert!(rule.points.is_sorted());
        assert!((rule.weights.iter().sum::<f64>() - 3.0).abs() < 1e-14);
    }
}
