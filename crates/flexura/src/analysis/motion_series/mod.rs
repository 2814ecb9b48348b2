//! A motion given by columns of numbers over time: coordinates, and speeds and accelerations where they are given.
//!
//! What is not given is differentiated (`time_function/derivative.rs`): speeds from coordinates, accelerations from speeds.
//! Turns and places of free bodies: `turning`.

mod turning;

use super::AnalysisError;
use crate::model::Model;
use crate::model::channel::{Source, all_channels};
use crate::model::joint::JointKind;
use crate::model::words::nearest;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::rates_of_samples;
use std::collections::BTreeMap;

/// A column, and the rates of its values.
type Column = Vec<f64>;

/// Coordinates, speeds and accelerations of a model over time.
#[derive(Clone, Debug)]
pub struct MotionSeries {
    times: Vec<f64>,
    q: BTreeMap<usize, Column>,
    v: BTreeMap<usize, Column>,
    a: BTreeMap<usize, Column>,
    held: Vec<String>,
    coordinates: Vec<String>,
    speeds: Vec<String>,
}

impl MotionSeries {
    /// The motion of `model` with `columns` named like channels at `times` (s). Other channels of the model are passed over,
    /// unknown names refused. Modes may have `BODY.eta_acceleration.N` besides.
    pub fn new(
        model: &Model,
        times: Vec<f64>,
        columns: Vec<(String, Vec<f64>)>,
    ) -> Result<Self, AnalysisError> {
        let (mut coordinates, mut speeds) =
            (vec![String::new(); model.coordinate_count()], vec![String::new(); model.speed_count()]);
        let mut known = BTreeMap::new();
        for channel in all_channels(model) {
            match channel.source {
                Source::Coordinate(i) => coordinates[i].clone_from(&channel.name),
                Source::Speed(i) => speeds[i].clone_from(&channel.name),
                _ => {}
            }
            known.insert(channel.name, channel.source);
        }
        for (speed, label) in super::speed_labels(model).into_iter().enumerate().filter(|(_, l)| l.modal) {
            known.insert(label.acceleration, Source::Acceleration(speed));
        }
        let mut series = Self {
            times,
            q: BTreeMap::new(),
            v: BTreeMap::new(),
            a: BTreeMap::new(),
            held: Vec::new(),
            coordinates,
            speeds,
        };
        series.check_times()?;
        for (name, values) in columns {
            series.take(&known, name, values)?;
        }
        series.complete(model)?;
        Ok(series)
    }

    /// Number of instants.
    pub fn rows(&self) -> usize {
        self.times.len()
    }

    /// Instants (s).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Coordinates without a column, which stay as the model has them at the start, at rest.
    pub fn held(&self) -> &[String] {
        &self.held
    }

    /// Fills `state` and `accelerations` with instant `row`. What has no column stays at rest where the model starts, or follows
    /// its prescribed motion.
    pub fn fill(&self, model: &Model, row: usize, state: &mut State, accelerations: &mut [f64]) {
        state.time = self.times[row];
        let mut load = crate::state::Load::new(model);
        let write = |columns: &BTreeMap<usize, Column>, out: &mut [f64]| {
            for (&index, column) in columns {
                out[index] = column[row];
            }
        };
        state.v.fill(0.0);
        // A prescribed place is seen from the turned body: the turn must be there before it.
        write(&self.q, &mut state.q);
        write(&self.v, &mut state.v);
        apply_prescribed(model, state, Some(&mut load));
        accelerations.copy_from_slice(&load.acceleration);
        write(&self.q, &mut state.q);
        write(&self.v, &mut state.v);
        write(&self.a, accelerations);
    }

    fn check_times(&self) -> Result<(), AnalysisError> {
        let wrong = self
            .times
            .windows(2)
            .position(|pair| pair[0].partial_cmp(&pair[1]) != Some(std::cmp::Ordering::Less));
        match wrong {
            _ if self.times.is_empty() => Err(AnalysisError::Name("the motion has no rows".into())),
            Some(row) => Err(AnalysisError::Name(format!(
                "times must increase, but after {} s in row {} comes {} s",
                self.times[row],
                row + 1,
                self.times[row + 1]
            ))),
            None => Ok(()),
        }
    }

    /// Puts a column where it belongs.
    fn take(
        &mut self,
        known: &BTreeMap<String, Source>,
        name: String,
        values: Column,
    ) -> Result<(), AnalysisError> {
        let Some(&source) = known.get(&name) else {
            let near = nearest(&name, known.keys().map(String::as_str));
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(AnalysisError::Name(format!("the model has no channel `{name}`{hint}")));
        };
        let (columns, index) = match source {
            Source::Coordinate(i) => (&mut self.q, i),
            Source::Speed(i) => (&mut self.v, i),
            Source::Acceleration(i) => (&mut self.a, i),
            _ => return Ok(()),
        };
        if values.len() != self.times.len() {
            let (found, needed) = (values.len(), self.times.len());
            return Err(AnalysisError::Name(format!("`{name}` has {found} values at {needed} instants")));
        }
        if let Some(row) = values.iter().position(|value| !value.is_finite()) {
            let text = format!("`{name}` is {} in row {}: give finite numbers", values[row], row + 1);
            return Err(AnalysisError::Name(text));
        }
        if columns.insert(index, values).is_some() {
            return Err(AnalysisError::Name(format!("there are two columns `{name}`")));
        }
        Ok(())
    }

    /// Finds all speeds and accelerations that are not given.
    fn complete(&mut self, model: &Model) -> Result<(), AnalysisError> {
        for (k, part) in model.layout.bodies.iter().enumerate() {
            for mode in 0..part.modes {
                self.complete_number(model, part.q + mode, part.v + mode)?;
            }
            let (q, v) = (part.joint_q().start, part.joint_v().start);
            match model.joints[k].joint.kind {
                JointKind::Spherical => self.complete_turn(model, q, v, part.joint_v)?,
                JointKind::Free => {
                    self.complete_turn(model, q, v, part.joint_v)?;
                    self.complete_place(model, q, v)?;
                }
                _ => (0..part.joint_v).try_for_each(|i| self.complete_number(model, q + i, v + i))?,
            }
        }
        Ok(())
    }

    fn rates(&self, name: &str, values: &[f64]) -> Result<Column, AnalysisError> {
        rates_of_samples(&self.times, values)
            .map_err(|error| AnalysisError::Name(format!("`{name}` cannot be differentiated: {error}")))
    }

    /// Acceleration of a speed that has a column.
    fn complete_acceleration(&mut self, v: usize) -> Result<(), AnalysisError> {
        if let (Some(speeds), false) = (self.v.get(&v), self.a.contains_key(&v)) {
            let rates = self.rates(&self.speeds[v], speeds)?;
            self.a.insert(v, rates);
        }
        Ok(())
    }

    /// A coordinate whose rate is its speed.
    fn complete_number(&mut self, model: &Model, q: usize, v: usize) -> Result<(), AnalysisError> {
        let Some(values) = self.q.get(&q) else {
            self.without_coordinates(&[q], &[v])?;
            if !model.prescribed[v] {
                self.held.push(self.coordinates[q].clone());
            }
            return Ok(());
        };
        if !self.v.contains_key(&v) {
            let rates = self.rates(&self.coordinates[q], values)?;
            self.v.insert(v, rates);
        }
        self.complete_acceleration(v)
    }

    /// Refuses speeds and accelerations whose coordinates are not given.
    fn without_coordinates(&self, q: &[usize], v: &[usize]) -> Result<(), AnalysisError> {
        match v.iter().find(|v| self.v.contains_key(v) || self.a.contains_key(v)) {
            Some(&v) => Err(AnalysisError::Name(format!(
                "there is a column about `{}`, but none for the coordinate `{}`",
                self.speeds[v], self.coordinates[q[0]]
            ))),
            None => Ok(()),
        }
    }

    /// Whether all of a group of coordinates, none, or (refused) some have columns.
    fn all_or_none(
        &self,
        columns: &BTreeMap<usize, Column>,
        names: &[String],
        group: &[usize],
    ) -> Result<bool, AnalysisError> {
        let (there, missing): (Vec<usize>, Vec<usize>) = group.iter().partition(|i| columns.contains_key(i));
        match (there.first(), missing.first()) {
            (Some(&a), Some(&b)) => {
                let text =
                    format!("`{}` has a column, but `{}`, which belongs to it, has none", names[a], names[b]);
                Err(AnalysisError::Name(text))
            }
            (there, _) => Ok(there.is_some()),
        }
    }
}
