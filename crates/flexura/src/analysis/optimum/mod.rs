//! Numbers of a model file and inputs over time that make one number of a run smallest.
//!
//! Unknowns are numbers p of the file and values u of inputs that are held from row to row, each in units of its own: what it starts at,
//! or the width of its bounds. Values come from runs, gradients from ways back (`analysis/adjoint`), so that the cost hardly depends on how
//! many unknowns there are; the search is `projected.rs`. A trial whose model cannot be built or whose run fails is taken back.
//!
//! Book: book/src/optimizing.md.

mod projected;

use super::adjoint::{GradientError, GradientSetup, KeptRun, Objective};
use super::sensitivity::Parameter;
use crate::build::Built;
use crate::file::{BodySource, build_text_with, find_parameter, set_parameter};
use crate::model::description::MethodDescription;
use projected::{Function, minimise};

/// A number of the file that is not zero may change by this factor where no bounds are given.
const RANGE: f64 = 1e3;

/// What is asked of a search besides its objective.
#[derive(Clone, Debug)]
pub struct OptimumOptions {
    /// Numbers of the file to find.
    pub parameters: Vec<String>,
    /// Inputs to find, one value per interval between rows.
    pub inputs: Vec<String>,
    /// Bounds of parameters and inputs, by the names they are given by.
    pub bounds: Vec<(String, f64, f64)>,
    /// Instants of the rows (s); absent: those of the output interval.
    pub times: Option<Vec<f64>>,
    /// End of the run instead of the file's (s).
    pub end: Option<f64>,
    /// Method instead of the file's.
    pub method: Option<MethodDescription>,
    /// Iterations at most.
    pub iterations: usize,
    /// Share of the first gradient at which the search ends.
    pub tolerance: f64,
}

impl Default for OptimumOptions {
    fn default() -> Self {
        Self {
            parameters: Vec::new(),
            inputs: Vec::new(),
            bounds: Vec::new(),
            times: None,
            end: None,
            method: None,
            iterations: 100,
            tolerance: 1e-6,
        }
    }
}

/// An unknown that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Name, as it was given.
    pub name: String,
    /// Value before.
    pub start: f64,
    /// Value found.
    pub value: f64,
    /// Derivative of the objective that is left.
    pub derivative: f64,
    /// Whether it lies at a bound.
    pub at_bound: bool,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimumProgress {
    /// Iterations so far.
    pub iteration: usize,
    /// Runs so far.
    pub runs: usize,
    /// The objective.
    pub value: f64,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// Numbers of the file.
    pub parameters: Vec<Found>,
    /// Instants at which the intervals of the inputs begin (s).
    pub times: Vec<f64>,
    /// Values of the inputs, interval after interval.
    pub inputs: Vec<f64>,
    /// Values of inputs that lie at a bound.
    pub inputs_at_bounds: usize,
    /// The objective before.
    pub before: f64,
    /// The objective found.
    pub value: f64,
    /// Text of the model file with the numbers found.
    pub text: String,
    /// Iterations.
    pub iterations: usize,
    /// Runs, those of gradients included.
    pub runs: usize,
    /// Ways back.
    pub gradients: usize,
    /// Whether the search came to an end by itself.
    pub converged: bool,
    /// One-sided elements that opened or closed in a run that was gone back over.
    pub touched: Vec<String>,
}

/// Why there is no optimum.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptimumError {
    /// No unknowns, bounds that do not fit.
    #[error("{0}")]
    Setup(String),
    /// The model cannot be built as it is.
    #[error("{0}")]
    Model(String),
    /// The first run, or a gradient.
    #[error(transparent)]
    Gradient(#[from] GradientError),
    /// Told to end.
    #[error("cancelled after {0} iterations")]
    Cancelled(usize),
}

/// Makes `objective` smallest over the unknowns of `options`; `watch` may end the search.
pub fn optimum(
    (text, file_name): (&str, &str),
    bodies: &dyn BodySource,
    objective: &Objective,
    options: &OptimumOptions,
    watch: &mut dyn FnMut(&OptimumProgress) -> bool,
) -> Result<Optimum, OptimumError> {
    let mut search = Search::new((text, file_name), bodies, objective, options, watch)?;
    let start = search.start.clone();
    let scaled: Vec<f64> = start.iter().zip(&search.scales).map(|(x, scale)| x / scale).collect();
    let limits: Vec<(f64, f64)> = search
        .bounds
        .iter()
        .zip(&search.scales)
        .map(|((low, high), scale)| (low / scale, high / scale))
        .collect();
    // What stops the first run stops the search, with its own words.
    let before = search.run(&start, false)?.0;
    let minimum = minimise(&mut search, &scaled, &limits, (options.iterations, options.tolerance))?;
    if minimum.stopped {
        return Err(OptimumError::Cancelled(minimum.iterations));
    }
    let values: Vec<f64> = search.unscaled(&minimum.x);
    let count = options.parameters.len();
    let at_bound = |i: usize| minimum.x[i] <= limits[i].0 || minimum.x[i] >= limits[i].1;
    let parameters = options.parameters.iter().enumerate().map(|(i, name)| Found {
        name: name.clone(),
        start: start[i],
        value: values[i],
        derivative: minimum.gradient[i] / search.scales[i],
        at_bound: at_bound(i),
    });
    Ok(Optimum {
        parameters: parameters.collect(),
        times: search.times.clone(),
        inputs: values[count..].to_vec(),
        inputs_at_bounds: (count..values.len()).filter(|&i| at_bound(i)).count(),
        before,
        value: minimum.value,
        text: search.text_at(&values[..count])?,
        iterations: minimum.iterations,
        runs: search.runs,
        gradients: search.gradients,
        converged: minimum.converged,
        touched: search.touched,
    })
}

/// A search under way.
struct Search<'a> {
    text: &'a str,
    file_name: &'a str,
    bodies: &'a dyn BodySource,
    objective: &'a Objective,
    options: &'a OptimumOptions,
    watch: &'a mut dyn FnMut(&OptimumProgress) -> bool,
    /// Parameters, then inputs interval after interval: first values, bounds, units.
    start: Vec<f64>,
    bounds: Vec<(f64, f64)>,
    scales: Vec<f64>,
    times: Vec<f64>,
    runs: usize,
    gradients: usize,
    touched: Vec<String>,
}

impl<'a> Search<'a> {
    fn new(
        (text, file_name): (&'a str, &'a str),
        bodies: &'a dyn BodySource,
        objective: &'a Objective,
        options: &'a OptimumOptions,
        watch: &'a mut dyn FnMut(&OptimumProgress) -> bool,
    ) -> Result<Self, OptimumError> {
        let names: Vec<&String> = options.parameters.iter().chain(&options.inputs).collect();
        if names.is_empty() {
            return Err(OptimumError::Setup("give parameters or inputs to find".into()));
        }
        if let Some((i, name)) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
            return Err(OptimumError::Setup(format!("unknown {} is `{name}` once more", i + 1)));
        }
        if let Some((name, ..)) = options.bounds.iter().find(|(name, ..)| !names.contains(&name)) {
            let text = format!("bounds of `{name}`, which is not among the parameters and inputs to find");
            return Err(OptimumError::Setup(text));
        }
        let bounded: Vec<&String> = options.bounds.iter().map(|(name, ..)| name).collect();
        if let Some((_, name)) = bounded.iter().enumerate().find(|(i, name)| bounded[..*i].contains(name)) {
            return Err(OptimumError::Setup(format!("bounds of `{name}` are given twice")));
        }
        let mut search = Self {
            text,
            file_name,
            bodies,
            objective,
            options,
            watch,
            start: Vec::new(),
            bounds: Vec::new(),
            scales: Vec::new(),
            times: Vec::new(),
            runs: 0,
            gradients: 0,
            touched: Vec::new(),
        };
        for path in &options.parameters {
            let found = find_parameter(text, path)
                .map_err(|fault| OptimumError::Setup(format!("parameter {fault}")))?;
            let wide = match found.value {
                0.0 => (f64::NEG_INFINITY, f64::INFINITY),
                value if value > 0.0 => (value / RANGE, value * RANGE),
                value => (value * RANGE, value / RANGE),
            };
            search.unknown(path, found.value, wide)?;
        }
        let built = search.built(text)?;
        let setup = search.setup();
        let settings = &built.description.simulation;
        let times = setup.row_times(settings)?;
        let count = times.iter().filter(|&&time| time > settings.start).count();
        search.times = std::iter::once(settings.start)
            .chain(times.iter().copied().filter(|&time| time > settings.start))
            .take(count)
            .collect();
        let known = setup.own_inputs(&built.model)?;
        for _ in 0..count {
            for input in &known {
                search.unknown(&input.name, input.start, (f64::NEG_INFINITY, f64::INFINITY))?;
            }
        }
        Ok(search)
    }

    /// Enters an unknown with its bounds, those given or `wide`.
    fn unknown(&mut self, name: &str, value: f64, wide: (f64, f64)) -> Result<(), OptimumError> {
        let given = self.options.bounds.iter().find(|(bounded, ..)| bounded == name);
        let (low, high) = given.map_or(wide, |&(_, low, high)| (low, high));
        if low.is_nan() || high.is_nan() || low >= high || !(low..=high).contains(&value) {
            let text = format!("`{name}` is {value}, which does not lie between its bounds {low} and {high}");
            return Err(OptimumError::Setup(text));
        }
        let width = if given.is_some() && (high - low).is_finite() { high - low } else { 0.0 };
        let scale = [value.abs(), width, 1.0].into_iter().find(|scale| *scale > 0.0).unwrap_or(1.0);
        self.start.push(value);
        self.bounds.push((low, high));
        self.scales.push(scale);
        Ok(())
    }

    fn unscaled(&self, x: &[f64]) -> Vec<f64> {
        let inside = |((x, scale), (low, high)): ((&f64, &f64), &(f64, f64))| (x * scale).clamp(*low, *high);
        x.iter().zip(&self.scales).zip(&self.bounds).map(inside).collect()
    }

    /// What a run is kept for, without values of inputs.
    fn setup(&self) -> GradientSetup {
        let channels = self.objective.terms.iter().map(|(_, channel, _)| channel.clone()).collect();
        let (times, inputs) = (self.options.times.clone(), self.options.inputs.clone());
        GradientSetup { channels, times, inputs, ..GradientSetup::default() }
    }

    fn text_at(&self, values: &[f64]) -> Result<String, OptimumError> {
        let mut text = self.text.to_owned();
        for (path, value) in self.options.parameters.iter().zip(values) {
            text = set_parameter(&text, path, &format!("{value:?}"))
                .map_err(|fault| OptimumError::Setup(format!("parameter {fault}")))?;
        }
        Ok(text)
    }

    fn built(&self, text: &str) -> Result<Built, OptimumError> {
        let loaded = build_text_with(text, self.file_name, self.bodies);
        let mut built = loaded.map_err(|errors| OptimumError::Model(errors.to_string()))?.built;
        let settings = &mut built.description.simulation;
        settings.end = self.options.end.unwrap_or(settings.end);
        if let Some(method) = &self.options.method {
            settings.method = method.clone();
        }
        Ok(built)
    }

    /// The objective at `values`, and with `back` its gradient.
    fn run(&mut self, values: &[f64], back: bool) -> Result<(f64, Vec<f64>), OptimumError> {
        self.runs += 1;
        let count = self.options.parameters.len();
        let text = self.text_at(&values[..count])?;
        let built = self.built(&text)?;
        let setup = GradientSetup { held: values[count..].to_vec(), ..self.setup() };
        let followed = if back { self.options.parameters.as_slice() } else { &[] };
        let named = |path: &String| Parameter::of_file_with(&text, self.file_name, path, self.bodies);
        let list = followed.iter().map(named).collect::<Result<Vec<_>, _>>().map_err(GradientError::from)?;
        let mut run = KeptRun::new(&built, &list, &setup)?;
        if !back {
            return Ok((run.value(self.objective)?, Vec::new()));
        }
        self.gradients += 1;
        let (value, found) = run.gradient(self.objective)?;
        for name in run.touched() {
            if !self.touched.contains(name) {
                self.touched.push(name.clone());
            }
        }
        Ok((value, found.parameters.into_iter().chain(found.inputs).collect()))
    }
}

impl Function for Search<'_> {
    type Error = OptimumError;

    fn value(&mut self, x: &[f64]) -> f64 {
        let values = self.unscaled(x);
        self.run(&values, false).map_or(f64::NAN, |(value, _)| value)
    }

    fn gradient(&mut self, x: &[f64]) -> Result<Vec<f64>, OptimumError> {
        let values = self.unscaled(x);
        let (_, found) = self.run(&values, true)?;
        Ok(found.iter().zip(&self.scales).map(|(slope, scale)| slope * scale).collect())
    }

    fn goes_on(&mut self, iteration: usize, value: f64) -> bool {
        (self.watch)(&OptimumProgress { iteration, runs: self.runs, value })
    }
}
