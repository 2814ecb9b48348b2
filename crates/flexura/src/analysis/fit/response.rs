//! What a model answers at given numbers of its file: channels over time, and their derivatives.
//!
//! Derivatives are those of `analysis/sensitivity` where the file's method is followed by it as it is. Implicit, energy-preserving and
//! global steps, closed loops, laws that have no derivative and parameters that move break points take central differences of
//! runs instead: (y(p + h) − y(p − h))/2h.

use super::FitError;
use crate::analysis::sensitivity::{Parameter, sensitivity};
use crate::build::Built;
use crate::error::SimulationError;
use crate::file::{BodySource, build_text_with, find_parameter, set_parameter};
use crate::model::description::MethodDescription;
use crate::simulate::Simulation;

/// Steps of differences over a number: steps of one length leave no noise, adaptive ones that of their tolerance.
const DIFFERENCE: [f64; 2] = [1e-4, 1e-3];

/// A model file whose numbers are varied.
pub(super) struct Response<'a> {
    text: &'a str,
    file_name: &'a str,
    source: &'a dyn BodySource,
    /// Full paths of the numbers.
    pub paths: Vec<String>,
    /// Their values in the file.
    pub start: Vec<f64>,
    channels: &'a [String],
    /// End of the runs and interval of their rows (s).
    pub grid: (f64, f64),
    /// Whether the engine's own derivatives are taken.
    pub exact: bool,
    /// Runs so far, those of derivatives included.
    pub runs: usize,
}

/// Rows of a run in the order of the asked channels.
pub(super) struct Rows {
    pub times: Vec<f64>,
    pub values: Vec<f64>,
}

impl<'a> Response<'a> {
    /// The model of `text`, whose numbers at `paths` are varied.
    pub fn new(
        (text, file_name): (&'a str, &'a str),
        source: &'a dyn BodySource,
        paths: &[String],
        channels: &'a [String],
    ) -> Result<Self, FitError> {
        let mut found = Vec::new();
        for path in paths {
            let number = find_parameter(text, path)
                .map_err(|error| FitError::Parameter(format!("parameter {error}")))?;
            if found.iter().any(|(known, _): &(String, f64)| *known == number.path) {
                return Err(FitError::Parameter(format!("parameter `{path}` is named twice")));
            }
            found.push((number.path, number.value));
        }
        let (paths, start) = found.into_iter().unzip();
        Ok(Self { text, file_name, source, paths, start, channels, grid: (0.0, 0.0), exact: true, runs: 0 })
    }

    /// The text with other numbers.
    pub fn text_at(&self, values: &[f64]) -> Result<String, FitError> {
        let mut text = self.text.to_owned();
        for (path, value) in self.paths.iter().zip(values) {
            text = set_parameter(&text, path, &format!("{value:?}"))
                .map_err(|error| FitError::Parameter(error.to_string()))?;
        }
        Ok(text)
    }

    /// The model with other numbers; rows on the grid.
    pub fn built_at(&self, values: &[f64]) -> Result<Built, FitError> {
        let text = self.text_at(values)?;
        let loaded = build_text_with(&text, self.file_name, self.source);
        let mut built = loaded.map_err(|errors| FitError::Model(errors.to_string()))?.built;
        let simulation = &mut built.description.simulation;
        if self.grid.1 > 0.0 {
            (simulation.end, simulation.output_interval) = self.grid;
        }
        // Events are no part of the comparison: a run goes on to its end.
        simulation.events.clear();
        Ok(built)
    }

    /// Rows at `values`; `None` where no model can be built or no run goes to its end.
    pub fn rows(&mut self, values: &[f64]) -> Result<Option<Rows>, FitError> {
        let built = match self.built_at(values) {
            Err(FitError::Model(_)) => return Ok(None),
            other => other?,
        };
        self.runs += 1;
        match self.run(&built) {
            Ok(rows) => Ok(Some(rows).filter(|rows| rows.values.iter().all(|value| value.is_finite()))),
            Err(FitError::Simulation(SimulationError::Dynamics { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// One run of a model.
    pub fn run(&self, built: &Built) -> Result<Rows, FitError> {
        let recording =
            Simulation::of(built).channels(self.channels.to_vec()).run().map_err(FitError::Simulation)?;
        let times = recording.time();
        let mut values = vec![0.0; times.len() * self.channels.len()];
        for (k, name) in self.channels.iter().enumerate() {
            let column = recording.channel(name).map_err(|error| FitError::Channel(error.to_string()))?;
            values
                .iter_mut()
                .skip(k)
                .step_by(self.channels.len())
                .zip(column)
                .for_each(|(slot, value)| *slot = value);
        }
        Ok(Rows { times, values })
    }

    /// Derivatives of the rows at `values`: row after row, channel after channel, one per parameter.
    pub fn derivatives(&mut self, values: &[f64]) -> Result<Vec<f64>, FitError> {
        if self.exact {
            match self.engine_derivatives(values)? {
                Some(found) => return Ok(found),
                None => self.exact = false,
            }
        }
        self.differences(values)
    }

    fn engine_derivatives(&mut self, values: &[f64]) -> Result<Option<Vec<f64>>, FitError> {
        let built = self.built_at(values)?;
        let method = &built.description.simulation.method;
        let followed =
            matches!(method, MethodDescription::Rk4 { .. } | MethodDescription::DormandPrince { .. });
        if !followed {
            return Ok(None);
        }
        let text = self.text_at(values)?;
        let list =
            self.paths.iter().map(|path| Parameter::of_file_with(&text, self.file_name, path, self.source));
        let Ok(list) = list.collect::<Result<Vec<_>, _>>() else { return Ok(None) };
        // What it refuses (loops, contacts, callbacks, moved break points) differences can do.
        let Ok(found) = sensitivity(&built, &list, self.channels) else { return Ok(None) };
        self.runs += 1 + 8 * list.len();
        let order: Vec<usize> = self
            .channels
            .iter()
            .filter_map(|name| found.channels.iter().position(|channel| channel.name == *name))
            .collect();
        let (rows, p) = (found.times.len(), list.len());
        let mut out = Vec::with_capacity(rows * order.len() * p);
        for row in 0..rows {
            for &channel in &order {
                out.extend((0..p).map(|parameter| found.derivative(row, channel, parameter)));
            }
        }
        Ok(Some(out))
    }

    fn differences(&mut self, values: &[f64]) -> Result<Vec<f64>, FitError> {
        let built = self.built_at(values)?;
        let adaptive = match built.description.simulation.method {
            MethodDescription::DormandPrince { .. }
            | MethodDescription::Radau { .. }
            | MethodDescription::Automatic { .. } => true,
            MethodDescription::Implicit { tolerance, .. } => tolerance > 0.0,
            _ => false,
        };
        let p = values.len();
        let mut out = Vec::new();
        for k in 0..p {
            let size = if values[k] != 0.0 { values[k].abs() } else { self.start[k].abs().max(1e-3) };
            let step = DIFFERENCE[usize::from(adaptive)] * size;
            let mut sides = Vec::new();
            for shift in [step, -step] {
                let mut moved = values.to_vec();
                moved[k] += shift;
                let rows = self.rows(&moved)?.ok_or_else(|| {
                    FitError::Parameter(format!(
                        "parameter `{}`: no run at {:e}, beside {:e}",
                        self.paths[k], moved[k], values[k]
                    ))
                })?;
                sides.push(rows.values);
            }
            out.resize(sides[0].len() * p, 0.0);
            for (slot, (up, down)) in out.iter_mut().skip(k).step_by(p).zip(sides[0].iter().zip(&sides[1])) {
                *slot = (up - down) / (2.0 * step);
            }
        }
        Ok(out)
    }

    /// Words for the way derivatives are found.
    pub fn route(&self) -> &'static str {
        if self.exact { "dual numbers" } else { "central differences of runs" }
    }
}
