//! Values between rows: interpolation, extremes, tables of references.

use crate::context::Fault;

/// The larger of two errors; what is not a number is the largest and stays.
pub fn keep_worst(worst: f64, error: f64) -> f64 {
    if error <= worst || worst.is_nan() { worst } else { error }
}

/// A function known at rising abscissae.
#[derive(Clone, Debug, Default)]
pub struct Sampled {
    /// Abscissae.
    pub x: Vec<f64>,
    /// Values.
    pub y: Vec<f64>,
}

impl Sampled {
    /// The value at `x` by the parabola through the three nearest rows; the end values outside.
    pub fn at(&self, x: f64) -> f64 {
        let n = self.x.len();
        if n < 3 {
            return self.y.last().copied().unwrap_or(f64::NAN);
        }
        let x = x.clamp(self.x[0], self.x[n - 1]);
        let near = self.x.partition_point(|&a| a < x).clamp(1, n - 1);
        let middle = if near + 1 < n { near } else { n - 2 };
        let i = [middle - 1, middle, middle + 1];
        let weight = |a: usize, b: usize, c: usize| {
            (x - self.x[b]) * (x - self.x[c]) / ((self.x[a] - self.x[b]) * (self.x[a] - self.x[c]))
        };
        weight(i[0], i[1], i[2]) * self.y[i[0]]
            + weight(i[1], i[0], i[2]) * self.y[i[1]]
            + weight(i[2], i[0], i[1]) * self.y[i[2]]
    }

    /// Place and value of the largest row, of the parabola through it and its neighbours; not numbers if a row has none.
    pub fn maximum(&self) -> (f64, f64) {
        if self.y.iter().any(|y| y.is_nan()) {
            return (f64::NAN, f64::NAN);
        }
        let rows = self.y.iter().enumerate();
        let Some((i, _)) = rows.max_by(|a, b| a.1.total_cmp(b.1)) else { return (f64::NAN, f64::NAN) };
        self.vertex(i)
    }

    /// Place and value of the smallest row in the same way.
    pub fn minimum(&self) -> (f64, f64) {
        let negative = Self { x: self.x.clone(), y: self.y.iter().map(|y| -y).collect() };
        let (x, y) = negative.maximum();
        (x, -y)
    }

    fn vertex(&self, i: usize) -> (f64, f64) {
        if i == 0 || i + 1 >= self.x.len() {
            return (self.x[i], self.y[i]);
        }
        let (a, b) = (self.x[i] - self.x[i - 1], self.x[i + 1] - self.x[i]);
        let (left, right) = ((self.y[i] - self.y[i - 1]) / a, (self.y[i + 1] - self.y[i]) / b);
        let bend = (right - left) / (a + b);
        if bend == 0.0 {
            return (self.x[i], self.y[i]);
        }
        let slope = (left * b + right * a) / (a + b);
        let shift = (-slope / (2.0 * bend)).clamp(-a, b);
        (self.x[i] + shift, self.y[i] + shift * (slope + bend * shift))
    }

    /// The part between two abscissae.
    pub fn between(&self, low: f64, high: f64) -> Self {
        let rows = self.x.iter().zip(&self.y).filter(|(x, _)| (low..=high).contains(*x));
        let (x, y) = rows.unzip();
        Self { x, y }
    }

    /// Largest difference to `other` at its abscissae; not a number where there is nothing to compare.
    pub fn distance(&self, other: &Self) -> f64 {
        if other.x.is_empty() {
            return f64::NAN;
        }
        let gaps = other.x.iter().zip(&other.y).map(|(&x, y)| (self.at(x) - y).abs());
        gaps.fold(0.0, keep_worst)
    }

    /// Largest minus smallest value; not a number where there is none.
    pub fn range(&self) -> f64 {
        if self.y.is_empty() {
            return f64::NAN;
        }
        let high = self.y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        high - self.y.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Columns of a table of numbers with one heading line and `#` comments; the first is the abscissa.
pub struct Table {
    heads: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Table {
    /// Reads comma-separated text that belongs to the program.
    pub fn new(text: &str) -> Result<Self, Fault> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let heads: Vec<String> =
            lines.next().unwrap_or_default().split(',').map(|head| head.trim().to_string()).collect();
        let mut columns = vec![Vec::new(); heads.len()];
        for line in lines {
            for (column, cell) in columns.iter_mut().zip(line.split(',')) {
                let value = cell.trim().parse().map_err(|_| Fault(format!("`{cell}` is no number")))?;
                column.push(value);
            }
        }
        Ok(Self { heads, columns })
    }

    /// The column called `name` over the first one.
    pub fn column(&self, name: &str) -> Result<Sampled, Fault> {
        let at = self.heads.iter().position(|head| head == name);
        let at = at.ok_or_else(|| Fault(format!("the reference has no column `{name}`")))?;
        Ok(Sampled { x: self.columns[0].clone(), y: self.columns[at].clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parabolas_are_met_between_rows() {
        let x: Vec<f64> = (0..11).map(|i| 0.1 * i as f64).collect();
        let f = |x: f64| 3.0 - (x - 0.537).powi(2);
        let sampled = Sampled { y: x.iter().map(|&x| f(x)).collect(), x };
        for x in [0.0, 0.033, 0.5, 0.77, 1.0] {
            assert!((sampled.at(x) - f(x)).abs() < 1e-13);
        }
        let (at, top) = sampled.maximum();
        assert!((at - 0.537).abs() < 1e-12 && (top - 3.0).abs() < 1e-13);
        assert_eq!(sampled.minimum().0, 0.0);
    }

    /// Wherever it stands, and whatever its sign.
    #[test]
    fn what_is_no_number_is_not_lost() {
        let x = vec![0.0, 1.0, 2.0, 3.0, 4.0];
        let whole = Sampled { x: x.clone(), y: vec![0.0; 5] };
        for (place, nan) in (0..5).flat_map(|place| [(place, f64::NAN), (place, -f64::NAN)]) {
            let mut torn = whole.clone();
            torn.y[place] = nan;
            assert!(whole.distance(&torn).is_nan() && torn.distance(&whole).is_nan(), "{place}");
            assert!(torn.maximum().1.is_nan() && torn.minimum().1.is_nan(), "{place}");
        }
    }

    /// A comparison over no rows must not look like agreement.
    #[test]
    fn nothing_is_no_agreement() {
        let (some, none) = (Sampled { x: vec![0.0, 1.0, 2.0], y: vec![1.0; 3] }, Sampled::default());
        assert!(some.distance(&none).is_nan() && none.distance(&some).is_nan());
        assert!(
            none.range().is_nan() && none.maximum().1.is_nan() && some.between(5.0, 6.0).range().is_nan()
        );
    }
}
