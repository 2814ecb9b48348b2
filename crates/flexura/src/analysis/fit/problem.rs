//! Residuals of a record against a model, and their derivatives, over scaled unknowns: parameters, then the time offset, then biases.

use super::least_squares::Problem;
use super::record::{Curves, Measured};
use super::response::Response;
use super::{Estimate, FitError, FitOptions, FitProgress, NO_INFLUENCE, RANGE};

/// Residuals beyond this share of what a channel does are worth another search.
const POOR: f64 = 0.2;

/// A fit under way.
pub(super) struct Fitting<'a> {
    response: Response<'a>,
    names: Vec<String>,
    measured: &'a Measured,
    /// Rows of the record in use, from its start.
    rows: usize,
    /// Whether the record's clock has an offset, and channels a bias.
    offset: bool,
    bias: bool,
    /// Scale of every unknown: x = unknown / scale.
    scales: Vec<f64>,
    bounds: Vec<(f64, f64)>,
    /// Weights s of the channels, and whether each was given.
    weights: Vec<(f64, bool)>,
    watch: &'a mut dyn FnMut(&FitProgress) -> bool,
    /// Iteration and misfit last told.
    progress: FitProgress,
}

impl<'a> Fitting<'a> {
    pub fn new(
        response: Response<'a>,
        names: &[String],
        measured: &'a Measured,
        options: &FitOptions,
        watch: &'a mut dyn FnMut(&FitProgress) -> bool,
    ) -> Result<Self, FitError> {
        for (name, ..) in &options.bounds {
            if !names.contains(name) {
                return Err(FitError::Parameter(format!(
                    "bounds are given for `{name}`, which is not fitted"
                )));
            }
        }
        let (mut scales, mut bounds) = (Vec::new(), Vec::new());
        for (name, &value) in names.iter().zip(&response.start) {
            let given =
                options.bounds.iter().find(|(bound, ..)| bound == name).map(|(_, low, high)| (*low, *high));
            let (low, high) = given.unwrap_or_else(|| usual_bounds(value));
            if !(low < high && (low..=high).contains(&value)) {
                let text = format!(
                    "parameter `{name}`: the file's {value:e} does not lie between {low:e} and {high:e}"
                );
                return Err(FitError::Parameter(text));
            }
            let wide = high - low;
            let scale = if value != 0.0 {
                value.abs()
            } else if wide.is_finite() {
                wide
            } else {
                1.0
            };
            scales.push(scale);
            bounds.push((low / scale, high / scale));
        }
        let spreads: Vec<f64> = (0..measured.channels.len()).map(|k| measured.spread(k)).collect();
        if options.time_offset > 0.0 {
            scales.push(options.time_offset);
            bounds.push((-1.0, 1.0));
        }
        if options.bias {
            scales.extend(spreads.iter().map(|spread| spread.max(f64::MIN_POSITIVE)));
            bounds.resize(scales.len(), (f64::NEG_INFINITY, f64::INFINITY));
        }
        let mut weights = Vec::new();
        for (name, spread) in measured.channels.iter().zip(spreads) {
            let given = options.noise.iter().find(|(channel, _)| channel == name).map(|(_, noise)| *noise);
            if given.is_some_and(|noise| !(noise.is_finite() && noise > 0.0)) {
                return Err(FitError::Channel(format!("the noise of `{name}` must be a positive number")));
            }
            weights.push((given.unwrap_or(if spread > 0.0 { spread } else { 1.0 }), given.is_some()));
        }
        if let Some((name, _)) = options.noise.iter().find(|(name, _)| !measured.channels.contains(name)) {
            return Err(FitError::Channel(format!(
                "noise is given for `{name}`, which is no channel of the fit"
            )));
        }
        let rows = measured.times.len();
        let progress = FitProgress { iteration: 0, runs: 0, misfit: f64::NAN };
        let (offset, bias, names) = (options.time_offset > 0.0, options.bias, names.to_vec());
        Ok(Self { response, names, measured, rows, offset, bias, scales, bounds, weights, watch, progress })
    }

    /// Unknowns as the file has them.
    pub fn start(&self) -> Vec<f64> {
        let numbers = self.response.start.iter().zip(&self.scales).map(|(value, scale)| value / scale);
        let mut x: Vec<f64> = numbers.collect();
        x.resize(self.scales.len(), 0.0);
        x
    }

    pub fn bounds(&self) -> &[(f64, f64)] {
        &self.bounds
    }

    pub fn runs(&self) -> usize {
        self.response.runs
    }

    pub fn route(&self) -> &'static str {
        self.response.route()
    }

    fn parameters(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.scales).take(self.names.len()).map(|(x, scale)| x * scale).collect()
    }

    /// Time offset (s) and bias of every channel.
    fn clock_and_biases(&self, x: &[f64]) -> (f64, Vec<f64>) {
        let p = self.names.len();
        let shift = if self.offset { x[p] * self.scales[p] } else { 0.0 };
        let first = p + usize::from(self.offset);
        let bias = |k: usize| if self.bias { x[first + k] * self.scales[first + k] } else { 0.0 };
        (shift, (0..self.measured.channels.len()).map(bias).collect())
    }

    /// The text of the model file with the numbers found.
    pub fn text(&self, x: &[f64]) -> Result<String, FitError> {
        self.response.text_at(&self.parameters(x))
    }

    /// Residuals where the model must have them.
    pub fn first_residuals(&mut self, x: &[f64]) -> Result<Vec<f64>, FitError> {
        let values = self.parameters(x);
        let built = self.response.built_at(&values)?;
        let rows = self.response.run(&built)?;
        self.response.runs += 1;
        let curves = Curves::new(&rows.times, &rows.values, self.measured.channels.len());
        let curves =
            curves.ok_or_else(|| FitError::Data("the model of the file gives no finite curves".into()))?;
        Ok(self.against(&curves, x))
    }

    fn against(&self, curves: &Curves, x: &[f64]) -> Vec<f64> {
        let (shift, biases) = self.clock_and_biases(x);
        let width = biases.len();
        let mut out = Vec::with_capacity(self.measured.values.len());
        for (row, time) in self.measured.values.chunks_exact(width).zip(&self.measured.times).take(self.rows)
        {
            for (k, value) in row.iter().enumerate() {
                out.push((curves.at(k, time + shift)[0] + biases[k] - value) / self.weights[k].0);
            }
        }
        out
    }

    /// Root of the mean square of the residuals of every channel, in its unit.
    pub fn misfits(&self, residuals: &[f64]) -> Vec<f64> {
        let width = self.weights.len();
        let rows = self.rows as f64;
        let channel = |k: usize| {
            let squares = residuals.iter().skip(k).step_by(width).map(|r| r * r).sum::<f64>();
            self.weights[k].0 * (squares / rows).sqrt()
        };
        (0..width).map(channel).collect()
    }

    /// The model at the instants of the record.
    pub fn curves(&self, residuals: &[f64]) -> Vec<f64> {
        let width = self.weights.len();
        let weights = (0..residuals.len()).map(|i| self.weights[i % width].0);
        residuals.iter().zip(weights).zip(&self.measured.values).map(|((r, w), d)| r * w + d).collect()
    }

    /// Takes the first of `parts` equal parts of the record, or more where that would be too few rows.
    pub fn use_part(&mut self, parts: usize) {
        let all = self.measured.times.len();
        self.rows = (all / parts).max(4 * self.scales.len()).min(all);
    }

    /// Channels of which much is left: curves that fell out of step, or a model that cannot be right.
    pub fn poor(&self, residuals: &[f64]) -> Vec<String> {
        let left = self.misfits(residuals);
        let names = self.measured.channels.iter().zip(left).enumerate();
        let poor = names.filter(|(k, (_, left))| *left > POOR * self.measured.spread(*k));
        poor.map(|(_, (name, _))| name.clone()).collect()
    }

    /// Weighs channels by what was left of them; whether another search is needed.
    pub fn reweigh(&mut self, residuals: &[f64]) -> bool {
        let left = self.misfits(residuals);
        if self.weights.len() == 1 || self.weights.iter().all(|(_, given)| *given) {
            return false;
        }
        for ((weight, given), left) in self.weights.iter_mut().zip(left) {
            if !*given {
                // A channel that fits to rounding must not outweigh all others.
                *weight = left.max(1e-9 * *weight);
            }
        }
        true
    }

    /// Refuses parameters that change nothing.
    pub fn check_influence(&mut self, x: &[f64]) -> Result<(), FitError> {
        let n = x.len();
        let jacobian = self.jacobian(x)?;
        for (k, name) in self.names.iter().enumerate() {
            let largest = jacobian.iter().skip(k).step_by(n).fold(0.0_f64, |m, j| m.max(j.abs()));
            if largest < NO_INFLUENCE {
                let text = format!(
                    "parameter `{name}` has no influence on {}: leave it out, or add a channel that it moves",
                    self.measured.channels.join(", ")
                );
                return Err(FitError::Parameter(text));
            }
        }
        Ok(())
    }

    /// The unknowns with their intervals.
    pub fn estimates(&self, x: &[f64], deviations: &[f64], factor: f64) -> Vec<Estimate> {
        let offset = self.offset.then(|| "time offset".to_string());
        let bias = |name: &String| format!("{name} bias");
        let biases = self.measured.channels.iter().filter(|_| self.bias).map(bias);
        let names = self.names.iter().cloned().chain(offset).chain(biases);
        let one = |(k, name): (usize, String)| {
            let (value, deviation) = (x[k] * self.scales[k], deviations[k] * self.scales[k]);
            let start = self.response.start.get(k).copied().unwrap_or(0.0);
            let interval = (value - factor * deviation, value + factor * deviation);
            let at_bound = x[k] <= self.bounds[k].0 || x[k] >= self.bounds[k].1;
            Estimate { name, start, value, deviation, interval, at_bound }
        };
        names.enumerate().map(one).collect()
    }

    fn ask(&mut self) -> Result<(), FitError> {
        self.progress.runs = self.response.runs;
        if (self.watch)(&self.progress) { Ok(()) } else { Err(FitError::Cancelled(self.response.runs)) }
    }
}

/// A number keeps its sign, and its size within a factor; zero is free.
fn usual_bounds(value: f64) -> (f64, f64) {
    let (near, far) = (value / RANGE, value * RANGE);
    match value {
        value if value > 0.0 => (near, far),
        value if value < 0.0 => (far, near),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

impl Problem for Fitting<'_> {
    type Error = FitError;

    fn residuals(&mut self, x: &[f64]) -> Result<Option<Vec<f64>>, FitError> {
        self.ask()?;
        let values = self.parameters(x);
        let Some(rows) = self.response.rows(&values)? else { return Ok(None) };
        let curves = Curves::new(&rows.times, &rows.values, self.measured.channels.len());
        Ok(curves.map(|curves| self.against(&curves, x)))
    }

    fn jacobian(&mut self, x: &[f64]) -> Result<Vec<f64>, FitError> {
        self.ask()?;
        let values = self.parameters(x);
        let derivatives = self.response.derivatives(&values)?;
        let rows = self.response.rows(&values)?;
        let (p, n, width) = (self.names.len(), x.len(), self.measured.channels.len());
        let wrong = || FitError::Parameter("derivatives at these numbers are not finite".into());
        let rows = rows.ok_or_else(wrong)?;
        let times: Vec<f64> = rows.times.iter().copied().take(derivatives.len() / (width * p)).collect();
        let slopes = Curves::new(&times, &derivatives, width * p).ok_or_else(wrong)?;
        let motion = Curves::new(&rows.times, &rows.values, width).ok_or_else(wrong)?;
        let (shift, _) = self.clock_and_biases(x);
        let mut out = vec![0.0; self.rows * width * n];
        for (place, row) in out.chunks_exact_mut(n).enumerate() {
            let (time, k) = (self.measured.times[place / width] + shift, place % width);
            for j in 0..p {
                row[j] = slopes.at(k * p + j, time)[0] * self.scales[j];
            }
            if self.offset {
                row[p] = motion.at(k, time)[1] * self.scales[p];
            }
            if self.bias {
                let at = p + usize::from(self.offset) + k;
                row[at] = self.scales[at];
            }
            row.iter_mut().for_each(|entry| *entry /= self.weights[k].0);
        }
        Ok(out)
    }

    fn look(&mut self, iteration: usize, sum: f64) -> Result<(), FitError> {
        self.progress.iteration = iteration;
        self.progress.misfit = (sum / (self.rows * self.weights.len()) as f64).sqrt();
        self.ask()
    }
}
