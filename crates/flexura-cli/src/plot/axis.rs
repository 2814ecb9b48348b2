//! Axes: ranges with some air, round ticks, a common power of ten.

/// One axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Value at the low end.
    pub low: f64,
    /// Value at the high end.
    pub high: f64,
    /// Tick values.
    pub ticks: Vec<f64>,
    /// Power of ten taken out of the tick labels.
    pub exponent: i32,
    /// Whether the axis is logarithmic; `low` and `high` are then logarithms.
    pub logarithmic: bool,
    /// Whether ticks of a logarithmic axis are written out.
    pub plain: bool,
}

impl Axis {
    /// A linear axis over `values` with `air` (a share of the range) at both ends, about `count` ticks.
    pub fn linear(values: impl Iterator<Item = f64>, air: f64, count: f64) -> Self {
        let (mut low, mut high) = extremes(values);
        // Rounding noise of a constant is no range to draw.
        if high - low <= 1e-12 * low.abs().max(high.abs()) {
            let half = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
            let middle = 0.5 * (low + high);
            (low, high) = (middle - half, middle + half);
        }
        let pad = air * (high - low);
        (low, high) = (low - pad, high + pad);
        let step = nice_step((high - low) / count);
        let first = (low / step - 1e-9).ceil();
        let number = ((high / step + 1e-9).floor() - first).max(0.0) as usize;
        let ticks = (0..=number).map(|k| (first + k as f64) * step).collect();
        Self {
            low,
            high,
            ticks,
            exponent: exponent(low.abs().max(high.abs())),
            logarithmic: false,
            plain: true,
        }
    }

    /// A logarithmic axis over the positive `values`.
    pub fn logarithmic(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = extremes(values.filter(|value| *value > 0.0).map(f64::log10));
        // Sixteen decades are all that double precision resolves.
        let (low, high) = ((low.max(high - 16.0)).floor(), high.ceil());
        let high = if high > low { high } else { low + 1.0 };
        let every = (((high - low) / 6.0).ceil() as i32).max(1);
        let decades = (low as i32..=high as i32).filter(|k| (k - low as i32) % every == 0);
        let ticks = decades.map(|k| 10f64.powi(k)).collect();
        Self { low, high, ticks, exponent: 0, logarithmic: true, plain: false }
    }

    /// A logarithmic axis that ends where the positive `values` do.
    pub fn decades(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = extremes(values.filter(|value| *value > 0.0).map(f64::log10));
        let high = if high > low { high } else { low + 1.0 };
        // A few decades have room for 2 and 5.
        let steps: &[f64] = if high - low <= 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decades = low.floor() as i32..=high.ceil() as i32;
        let ticks = decades.flat_map(|k| steps.iter().map(move |step| step * 10f64.powi(k)));
        let inside = ticks.filter(|tick| (low - 1e-9..=high + 1e-9).contains(&tick.log10()));
        Self { low, high, ticks: inside.collect(), exponent: 0, logarithmic: true, plain: true }
    }

    /// Share of the axis, 0 at the low end; `None` for what cannot be drawn.
    pub fn place(&self, value: f64) -> Option<f64> {
        let value = if self.logarithmic { value.log10() } else { value };
        let share = (value - self.low) / (self.high - self.low);
        share.is_finite().then_some(share)
    }

    /// Label of a tick.
    pub fn label(&self, tick: f64) -> String {
        if self.logarithmic && self.plain && (1e-3..1e5).contains(&tick) {
            return format!("{}", (tick * 1e6).round() / 1e6);
        }
        if self.logarithmic {
            return format!("10{}", superscript(tick.log10().round() as i32));
        }
        let step = if self.ticks.len() > 1 { self.ticks[1] - self.ticks[0] } else { 1.0 };
        let scale = 10f64.powi(-self.exponent);
        let digits = (-(step * scale).log10() - 1e-9).ceil().clamp(0.0, 9.0) as usize;
        let text = format!("{:.digits$}", tick * scale);
        // No sign on a zero; a true minus sign elsewhere.
        if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
            return text.trim_start_matches('-').into();
        }
        text.replace('-', "−")
    }

    /// The power of ten as a factor for the label of the axis.
    pub fn factor(&self) -> String {
        if self.exponent == 0 { String::new() } else { format!("10{} ", superscript(self.exponent)) }
    }
}

fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low <= high { (low, high) } else { (0.0, 0.0) }
}

/// A power of ten in steps of three, for numbers that are awkward to write out.
fn exponent(largest: f64) -> i32 {
    if largest == 0.0 || (1e-2..1e4).contains(&largest) {
        return 0;
    }
    3 * (largest.log10() / 3.0).floor() as i32
}

/// The nearest of 1, 2 and 5 times a power of ten.
fn nice_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let factor = match rough / power {
        r if r < 1.5 => 1.0,
        r if r < 3.5 => 2.0,
        r if r < 7.5 => 5.0,
        _ => 10.0,
    };
    factor * power
}

fn superscript(number: i32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().chars().map(|c| c.to_digit(10).map_or('⁻', |d| digits[d as usize])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        for (low, high) in [(0.0, 1.0), (-3.2e-7, 8.1e-7), (1e5, 1.3e5), (-17.0, 250.0), (3.0, 3.0)] {
            let axis = Axis::linear([low, high].into_iter(), 0.05, 5.0);
            assert!(axis.ticks.len() >= 3 && axis.ticks.len() <= 9, "{axis:?}");
            assert!(axis.ticks.iter().all(|t| (axis.low - 1e-12..=axis.high + 1e-12).contains(t)));
            let labels: std::collections::BTreeSet<String> =
                axis.ticks.iter().map(|&tick| axis.label(tick)).collect();
            assert_eq!(labels.len(), axis.ticks.len(), "labels tell ticks apart: {labels:?}");
        }
    }

    #[test]
    fn labels_read_as_written_in_papers() {
        let axis = Axis::linear([-2e-3, 2e-3].into_iter(), 0.0, 4.0);
        assert_eq!(axis.factor(), "10⁻³ ");
        let labels: Vec<String> = axis.ticks.iter().map(|&tick| axis.label(tick)).collect();
        assert_eq!(labels, ["−2", "−1", "0", "1", "2"]);
        let axis = Axis::logarithmic([1e-3, 0.0, 50.0].into_iter());
        assert_eq!(axis.label(axis.ticks[0]), "10⁻³");
        assert_eq!(axis.place(0.0), None);
    }
}
