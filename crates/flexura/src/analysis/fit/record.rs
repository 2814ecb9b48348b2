//! A measured record, and a model's rows brought to its instants.
//!
//! Between rows of a run, values follow the cubic of Hermite with rates of fourth order (`time_function/derivative.rs`): with four rows per
//! instant of the record its error is far below what any sensor resolves.

use super::FitError;
use crate::time_function::rates_of_samples;

/// What was measured: rows over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Instants, increasing (s).
    pub times: Vec<f64>,
    /// Channels of the model that the columns are.
    pub channels: Vec<String>,
    /// Values, row after row.
    pub values: Vec<f64>,
}

impl Measured {
    /// Refuses what no fit could use; `unknowns` are to be found, instants may move by `shift` (s) and must stay in the run.
    pub(super) fn check(
        &self,
        unknowns: usize,
        shift: f64,
        (start, end): (f64, f64),
    ) -> Result<(), FitError> {
        let (rows, columns) = (self.times.len(), self.channels.len());
        if columns == 0 || self.values.len() != rows * columns {
            let text = format!("{} values for {rows} rows of {columns} channels", self.values.len());
            return Err(FitError::Data(text));
        }
        for (row, time) in self.times.iter().enumerate() {
            if !time.is_finite() {
                return Err(FitError::Data(format!("row {}: the time is {time}", row + 1)));
            }
            if row > 0 && *time <= self.times[row - 1] {
                let text = format!(
                    "row {}: {time} s does not follow {} s: times must increase",
                    row + 1,
                    self.times[row - 1]
                );
                return Err(FitError::Data(text));
            }
        }
        if let Some(place) = self.values.iter().position(|value| !value.is_finite()) {
            let (row, channel) = (place / columns + 1, &self.channels[place % columns]);
            let text = format!(
                "row {row}: `{channel}` is {}: take rows without a value out of the record",
                self.values[place]
            );
            return Err(FitError::Data(text));
        }
        if rows * columns <= unknowns || rows < 4 {
            let text = format!("{rows} rows of {columns} channels are too few for {unknowns} unknowns");
            return Err(FitError::Data(text));
        }
        let (first, last) = (self.times[0], self.times[rows - 1]);
        let slack = 1e-9 * (end - start);
        if first < start - slack || last > end + slack {
            let text = format!(
                "the record goes from {first} s to {last} s, the run from {start} s to {end} s: give the run another end, or the record another start"
            );
            return Err(FitError::Data(text));
        }
        if shift > 0.5 * (last - first) {
            let text = format!("a time offset of up to {shift} s is more than half of the record");
            return Err(FitError::Data(text));
        }
        Ok(())
    }

    /// Usual distance of two instants (s).
    pub(super) fn spacing(&self) -> f64 {
        let mut list: Vec<f64> = self.times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        list.sort_by(f64::total_cmp);
        list[list.len() / 2]
    }

    /// Root of the mean square of a column about its mean.
    pub(super) fn spread(&self, column: usize) -> f64 {
        let values = || self.values.iter().skip(column).step_by(self.channels.len());
        let count = self.times.len() as f64;
        let mean = values().sum::<f64>() / count;
        (values().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count).sqrt()
    }
}

/// Columns over evenly spaced times, which can be asked for in between.
pub(super) struct Curves {
    times: Vec<f64>,
    columns: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Curves {
    /// Curves through `values` (row after row of `width` columns) at `times`; `None` where they are not finite or too few.
    pub fn new(times: &[f64], values: &[f64], width: usize) -> Option<Self> {
        let column = |k: usize| -> Option<(Vec<f64>, Vec<f64>)> {
            let list: Vec<f64> = values.iter().skip(k).step_by(width).copied().collect();
            let rates = rates_of_samples(times, &list).ok()?;
            Some((list, rates))
        };
        let columns = (0..width).map(column).collect::<Option<_>>()?;
        Some(Self { times: times.to_vec(), columns })
    }

    /// Value and rate of a column at `time`, held beyond the ends.
    pub fn at(&self, column: usize, time: f64) -> [f64; 2] {
        let (values, rates) = &self.columns[column];
        let last = self.times.len() - 1;
        let time = time.clamp(self.times[0], self.times[last]);
        let k = self.times.partition_point(|t| *t <= time).clamp(1, last) - 1;
        let h = self.times[k + 1] - self.times[k];
        let s = (time - self.times[k]) / h;
        let (a, b, da, db) = (values[k], values[k + 1], h * rates[k], h * rates[k + 1]);
        let (s2, s3) = (s * s, s * s * s);
        let value = a * (2.0 * s3 - 3.0 * s2 + 1.0)
            + b * (3.0 * s2 - 2.0 * s3)
            + da * (s3 - 2.0 * s2 + s)
            + db * (s3 - s2);
        let rate =
            (6.0 * (b - a) * (s - s2) + da * (3.0 * s2 - 4.0 * s + 1.0) + db * (3.0 * s2 - 2.0 * s)) / h;
        [value, rate]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_follow_a_sine_between_its_rows() {
        let times: Vec<f64> = (0..=200).map(|k| 0.01 * f64::from(k)).collect();
        let values: Vec<f64> = times.iter().map(|t| (5.0 * t).sin()).collect();
        let curves = Curves::new(&times, &values, 1).expect("curves");
        for k in 0..400 {
            let t = 0.005 * f64::from(k) + 0.001;
            let [value, rate] = curves.at(0, t);
            assert!((value - (5.0 * t).sin()).abs() < 1e-7, "{t}");
            assert!((rate - 5.0 * (5.0 * t).cos()).abs() < 2e-4, "{t}");
        }
    }
}
