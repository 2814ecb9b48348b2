//! Numbers of a model file fitted to a measured record: least squares with bounds, intervals, and what the data do not see.
//!
//! Unknowns are numbers p of the file, on wish the offset τ of the record's clock and a constant bias b_j of every channel. Residuals of row i
//! and channel j are (y_j(t_i + τ; p) + b_j − d_ij)/s_j. The weights s_j are the noise that is given; else a first search takes the
//! spread of each channel and a second one the residuals that the first has left (`least_squares.rs`, `statistics.rs`).
//!
//! Book: book/src/fitting.md.

mod least_squares;
mod problem;
mod record;
mod response;
mod statistics;

pub use record::Measured;

use crate::error::SimulationError;
use crate::file::BodySource;
use crate::record::Recorder;
use least_squares::{Minimum, minimise};
use problem::Fitting;
use response::Response;
use statistics::{interval_factor, statistics};

/// Rows of a run per instant of the record.
const ROWS_PER_INSTANT: f64 = 4.0;
/// Rows of a run at most.
const MOST_ROWS: f64 = 2e5;
/// A number of the file that is not zero may change by this factor where no bounds are given.
const RANGE: f64 = 1e3;
/// Into how many parts a record is cut, the first of which is fitted, one search after the other.
const PARTS: [usize; 4] = [16, 8, 4, 2];
/// Derivatives smaller than this share of the data have no influence.
const NO_INFLUENCE: f64 = 1e-9;

/// What is asked of a fit besides its parameters.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// Bounds of parameters, by the names they are given by.
    pub bounds: Vec<(String, f64, f64)>,
    /// Largest offset between the clocks of record and model (s); zero: none is looked for.
    pub time_offset: f64,
    /// Whether every channel may have a constant bias.
    pub bias: bool,
    /// Standard deviations of channels, where they are known.
    pub noise: Vec<(String, f64)>,
    /// Iterations of each search at most.
    pub iterations: usize,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// End of the run instead of the file's (s).
    pub end: Option<f64>,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            bounds: Vec::new(),
            time_offset: 0.0,
            bias: false,
            noise: Vec::new(),
            iterations: 50,
            confidence: 0.95,
            end: None,
        }
    }
}

/// An unknown that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Name: that of the parameter, `time offset`, or `CHANNEL bias`.
    pub name: String,
    /// Value before.
    pub start: f64,
    /// Value found.
    pub value: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Interval of the confidence asked for.
    pub interval: (f64, f64),
    /// Whether it lies at a bound.
    pub at_bound: bool,
}

/// A combination of unknowns that the data do not see.
#[derive(Clone, Debug, PartialEq)]
pub struct Unseen {
    /// Names and weights of those that take part; weights are of changes relative to their scales.
    pub weights: Vec<(String, f64)>,
    /// Relative change along it that the noise allows.
    pub deviation: f64,
}

/// How far a fit has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitProgress {
    /// Iterations so far.
    pub iteration: usize,
    /// Runs so far.
    pub runs: usize,
    /// Root of the mean square of the weighted residuals.
    pub misfit: f64,
}

/// What a fit has found.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Unknowns.
    pub estimates: Vec<Estimate>,
    /// Correlations of the unknowns, row by row.
    pub correlations: Vec<f64>,
    /// Singular values of the scaled derivatives over their largest.
    pub singular_values: Vec<f64>,
    /// What the data do not see.
    pub unseen: Vec<Unseen>,
    /// Root of the mean square of the residuals of every channel, in its unit.
    pub residuals: Vec<f64>,
    /// The same before the fit.
    pub residuals_before: Vec<f64>,
    /// Channels of which a fifth or more is left: a local minimum, or a model that cannot be right.
    pub poor: Vec<String>,
    /// The fitted model at the instants of the record, row after row, bias included.
    pub curves: Vec<f64>,
    /// Text of the model file with the numbers found.
    pub text: String,
    /// Iterations of both searches.
    pub iterations: usize,
    /// Runs, those for derivatives included.
    pub runs: usize,
    /// Whether the search came to an end by itself.
    pub converged: bool,
    /// How derivatives were found.
    pub route: &'static str,
}

/// Why there is no fit.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The record cannot be used.
    #[error("the record: {0}")]
    Data(String),
    /// A parameter is unknown, named twice, out of its bounds or without influence.
    #[error("{0}")]
    Parameter(String),
    /// A channel is unknown.
    #[error("{0}")]
    Channel(String),
    /// The model of the file cannot be built.
    #[error("{0}")]
    Model(String),
    /// The model of the file cannot be run.
    #[error(transparent)]
    Simulation(SimulationError),
    /// The one who watches had enough.
    #[error("the fit was stopped after {0} runs")]
    Cancelled(usize),
}

/// Fits the numbers at `parameters` of a model file to a record; `watch` is asked after every run whether to go on.
pub fn fit(
    (text, file_name): (&str, &str),
    source: &dyn BodySource,
    parameters: &[String],
    measured: &Measured,
    options: &FitOptions,
    watch: &mut dyn FnMut(&FitProgress) -> bool,
) -> Result<Fitted, FitError> {
    if parameters.is_empty() {
        return Err(FitError::Parameter("name at least one parameter".into()));
    }
    if !(options.confidence > 0.0 && options.confidence < 1.0) {
        return Err(FitError::Parameter(format!(
            "a confidence of {}: give a number between 0 and 1",
            options.confidence
        )));
    }
    let mut response = Response::new((text, file_name), source, parameters, &measured.channels)?;
    let built = response.built_at(&response.start)?;
    for name in &measured.channels {
        let one = Recorder::new(&built.model, std::slice::from_ref(name));
        let found = one.map_err(|error| FitError::Channel(error.to_string()))?;
        if found.channels().len() != 1 {
            return Err(FitError::Channel(format!(
                "`{name}` names several channels: name each column by one"
            )));
        }
    }
    let settings = &built.description.simulation;
    let (start, end) = (settings.start, options.end.unwrap_or(settings.end));
    let biases = if options.bias { measured.channels.len() } else { 0 };
    let unknowns = parameters.len() + usize::from(options.time_offset > 0.0) + biases;
    measured.check(unknowns, options.time_offset, (start, end))?;
    let last = measured.times.last().copied().unwrap_or(end);
    let end = end.min(last + options.time_offset.abs()).max(start + measured.spacing());
    let intervals = ((end - start) / measured.spacing() * ROWS_PER_INSTANT).ceil().clamp(4.0, MOST_ROWS);
    response.grid = (end, (end - start) / intervals);
    let mut fitting = Fitting::new(response, parameters, measured, options, watch)?;
    fitting.solve(options)
}

impl Fitting<'_> {
    /// Both searches and what they tell.
    fn solve(&mut self, options: &FitOptions) -> Result<Fitted, FitError> {
        let start = self.start();
        let before = self.first_residuals(&start)?;
        let residuals_before = self.misfits(&before);
        self.check_influence(&start)?;
        let bounds = self.bounds().to_vec();
        let mut found = minimise(self, (start.clone(), before), &bounds, options.iterations)?;
        let mut iterations = found.iterations;
        if !self.poor(&found.residuals).is_empty() {
            let staged = self.in_parts(start, &bounds, options.iterations)?;
            iterations += staged.iterations;
            let sum = |list: &[f64]| list.iter().map(|r| r * r).sum::<f64>();
            if sum(&staged.residuals) < sum(&found.residuals) {
                found = staged;
            }
        }
        if self.reweigh(&found.residuals) {
            let x = found.x;
            let residuals = self.first_residuals(&x)?;
            found = minimise(self, (x, residuals), &bounds, options.iterations)?;
            iterations += found.iterations;
        }
        self.told(found, iterations, residuals_before, options)
    }

    /// The search over longer and longer parts of the record: oscillations that are out of step at its end are in step at its start.
    fn in_parts(&mut self, start: Vec<f64>, bounds: &[(f64, f64)], most: usize) -> Result<Minimum, FitError> {
        let (mut x, mut iterations) = (start, 0);
        for parts in PARTS {
            self.use_part(parts);
            let residuals = self.first_residuals(&x)?;
            let found = minimise(self, (x, residuals), bounds, most)?;
            (x, iterations) = (found.x, iterations + found.iterations);
        }
        self.use_part(1);
        let residuals = self.first_residuals(&x)?;
        let found = minimise(self, (x, residuals), bounds, most)?;
        Ok(Minimum { iterations: iterations + found.iterations, ..found })
    }

    fn told(
        &mut self,
        found: Minimum,
        iterations: usize,
        residuals_before: Vec<f64>,
        options: &FitOptions,
    ) -> Result<Fitted, FitError> {
        let n = found.x.len();
        let told = statistics(&found.jacobian, &found.residuals, n)
            .ok_or_else(|| FitError::Parameter("derivatives at the best fit are not finite".into()))?;
        let factor = interval_factor(options.confidence, found.residuals.len() - n);
        let estimates = self.estimates(&found.x, &told.deviations, factor);
        let unseen = told.unseen.into_iter().map(|(weights, deviation)| {
            let named = estimates.iter().zip(weights).filter(|(_, weight)| weight.abs() > 0.1);
            Unseen {
                weights: named.map(|(estimate, weight)| (estimate.name.clone(), weight)).collect(),
                deviation,
            }
        });
        let unseen = unseen.collect();
        Ok(Fitted {
            correlations: told.correlations,
            singular_values: told.singular_values,
            unseen,
            residuals: self.misfits(&found.residuals),
            poor: self.poor(&found.residuals),
            residuals_before,
            curves: self.curves(&found.residuals),
            text: self.text(&found.x)?,
            iterations,
            runs: self.runs(),
            converged: found.converged,
            route: self.route(),
            estimates,
        })
    }
}
