//! Rainflow counting after ASTM E1049-85 (2017), section 5.4.4.
//!
//! Of the last three turning points, X is the last range and Y the one before. While X ≥ Y: if Y holds the first point of
//! the history, Y is half a cycle and its first point is dropped; otherwise Y is a whole cycle and both its points are
//! dropped. What is left at the end counts as half cycles. Cost O(n): every point is put on the stack and taken off once.

/// Cycles of one range and mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// Largest less smallest value.
    pub range: f64,
    /// Middle between them.
    pub mean: f64,
    /// One half or one.
    pub count: f64,
}

impl Cycle {
    fn of(first: f64, second: f64, count: f64) -> Self {
        Self { range: (second - first).abs(), mean: 0.5 * (first + second), count }
    }
}

/// First value, values where the direction changes, last value; numbers that are none are left out.
pub fn turning_points(series: &[f64]) -> Vec<f64> {
    let mut points: Vec<f64> = Vec::new();
    for value in series.iter().copied().filter(|value| value.is_finite()) {
        match points[..] {
            [.., last] if last == value => {}
            // On in the same direction: the last point was none.
            [.., before, last] if (last > before) == (value > last) => {
                if let Some(end) = points.last_mut() {
                    *end = value;
                }
            }
            _ => points.push(value),
        }
    }
    points
}

/// Cycles of a history, in the order in which they close.
pub fn rainflow(series: &[f64]) -> Vec<Cycle> {
    let mut cycles = Vec::new();
    let mut stack: Vec<f64> = Vec::new();
    for point in turning_points(series) {
        stack.push(point);
        while let [.., first, second, third] = stack[..] {
            if (third - second).abs() < (second - first).abs() {
                break;
            }
            if stack.len() == 3 {
                cycles.push(Cycle::of(first, second, 0.5));
                stack.remove(0);
            } else {
                cycles.push(Cycle::of(first, second, 1.0));
                stack.truncate(stack.len() - 3);
                stack.push(third);
            }
        }
    }
    cycles.extend(stack.windows(2).map(|pair| Cycle::of(pair[0], pair[1], 0.5)));
    cycles
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn counts(series: &[f64]) -> BTreeMap<i64, f64> {
        let mut counts = BTreeMap::new();
        for cycle in rainflow(series) {
            *counts.entry((cycle.range * 1000.0).round() as i64).or_insert(0.0) += cycle.count;
        }
        counts
    }

    /// The standard's own example, ASTM E1049-85 figure 6: −2, 1, −3, 5, −1, 3, −4, 4, −2.
    #[test]
    fn the_example_of_the_standard() {
        let series = [-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0];
        let expected = [(3000, 0.5), (4000, 1.5), (6000, 0.5), (8000, 1.0), (9000, 0.5)];
        assert_eq!(counts(&series), expected.into_iter().collect());
        // Points between the turning points, and points met twice, change nothing.
        let slow: Vec<f64> = series
            .windows(2)
            .flat_map(|pair| (0..5).map(move |k| pair[0] + (pair[1] - pair[0]) * f64::from(k) / 5.0))
            .flat_map(|value| [value, value])
            .chain([-2.0])
            .collect();
        assert_eq!(counts(&slow), counts(&series));
        let means: Vec<f64> = rainflow(&series).iter().map(|cycle| cycle.mean).collect();
        assert_eq!(means, [-0.5, -1.0, 1.0, 1.0, 0.5, 0.0, 1.0]);
    }

    #[test]
    fn histories_without_cycles() {
        assert!(rainflow(&[]).is_empty() && rainflow(&[3.0]).is_empty() && rainflow(&[3.0; 9]).is_empty());
        assert_eq!(rainflow(&[1.0, f64::NAN, 4.0]), [Cycle { range: 3.0, mean: 2.5, count: 0.5 }]);
    }

    /// Counts of an independent program: PyPI `rainflow` 3.2.0, `count_cycles` and `extract_cycles` of the same 400 whole numbers
    /// of a linear congruential generator; counts in bins of 64, the sum of n (range/1000)⁴, the sum of n mean range.
    #[test]
    fn counts_of_another_program() {
        let mut seed = 42_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 54) as f64
        };
        let series: Vec<f64> = (0..400).map(|_| next()).collect();
        assert_eq!(series[..6], [581.0, 230.0, 422.0, 645.0, 696.0, 26.0]);
        let cycles = rainflow(&series);
        let mut bins = [0.0; 16];
        cycles.iter().for_each(|cycle| bins[(cycle.range / 64.0) as usize] += cycle.count);
        let expected = [9.0, 12.0, 7.0, 8.0, 7.0, 11.5, 11.0, 11.5, 9.0, 5.0, 6.0, 8.5, 9.0, 7.0, 9.5, 8.5];
        assert_eq!(bins, expected);
        let fourth: f64 = cycles.iter().map(|cycle| cycle.count * (cycle.range / 1000.0).powi(4)).sum();
        assert!((fourth - 29.5429822266045).abs() < 1e-9, "{fourth}");
        let means: f64 = cycles.iter().map(|cycle| cycle.count * cycle.mean * cycle.range).sum();
        assert_eq!(means, 35_668_927.25);
    }

    /// Sum of counts times ranges of a closed history is half of the way travelled.
    #[test]
    fn nothing_of_the_way_is_lost() {
        let mut seed = 7_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f64 / 1000.0
        };
        let series: Vec<f64> = (0..500).map(|_| next()).collect();
        let way: f64 = series.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum();
        let counted: f64 = rainflow(&series).iter().map(|cycle| 2.0 * cycle.count * cycle.range).sum();
        assert!((way - counted).abs() < 1e-9 * way, "{way} {counted}");
    }
}
