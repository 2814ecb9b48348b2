//! The simulation in dual numbers, with the parameter directions added at every stage.
//!
//! A plain step decides the length; the same step is then taken in dual numbers
//! with the explicit tableau of the method. The value parts of both agree to
//! rounding. Rows are on the output grid, where every step ends.

use super::stencil::Stencil;
use super::{Number, SensitivityError, WIDTH};
use crate::algorithm::energy::energy;
use crate::build::Built;
use crate::error::SimulationError;
use crate::integrate::{
    DORMAND_PRINCE_NODES, DORMAND_PRINCE_STAGES, Flow, Integrator, increment_rates, place,
};
use crate::measure::Snapshot;
use crate::model::Model;
use crate::model::description::{MethodDescription, SimulationDescription};
use crate::record::{Channel, Source};
use crate::scalar::Scalar;
use crate::simulate::break_points;
use crate::simulate::{sample, sample_with};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Nodes and stage weights of an explicit method; the last row of weights gives the result.
pub(in crate::analysis) type Tableau = (&'static [f64], &'static [&'static [f64]]);

pub(in crate::analysis) const RK4: Tableau = (
    &[0.0, 0.5, 0.5, 1.0],
    &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0], &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0]],
);
pub(in crate::analysis) const DORMAND_PRINCE: Tableau =
    (DORMAND_PRINCE_NODES.split_at(6).0, &DORMAND_PRINCE_STAGES);

pub(super) struct DualRun<'a> {
    model: &'a Model,
    settings: SimulationDescription,
    pub stencils: Vec<Stencil>,
    channels: &'a [Channel],
    /// State with its derivatives; prescribed coordinates have none.
    state: State<Number>,
    work_done: Number,
    first_energy: Option<Number>,
    work: Workspace<Number>,
    /// Values of `state`, and a copy that prescribed motions may change.
    plain: State,
    scratch: State,
    plain_work: Workspace,
    sample_work: Workspace,
    integrator: Integrator,
    /// Controllers: next sample as a multiple of the sample time.
    next_sample: Vec<u64>,
    pub times: Vec<f64>,
    /// Channels of all rows with derivatives.
    pub rows: Vec<Number>,
}

impl<'a> DualRun<'a> {
    /// The method followed; where it stands in for the one `given`, both.
    pub fn method_in_words(&self, given: &MethodDescription) -> String {
        let own = &self.settings.method;
        let tolerance = match own {
            MethodDescription::DormandPrince { relative_tolerance, .. } => {
                format!(" (relative tolerance {relative_tolerance:e})")
            }
            _ => String::new(),
        };
        let instead = if own == given { String::new() } else { format!(" in place of {}", given.words()) };
        format!("{}{tolerance}{instead}", own.words())
    }

    /// A run by the model's own method where it has a tableau, or by Dormand-Prince, with `tolerance` if given.
    pub fn new(
        built: &'a Built,
        mut stencils: Vec<Stencil>,
        channels: &'a [Channel],
        tolerance: Option<f64>,
    ) -> Result<Self, SensitivityError> {
        let (model, mut settings) = (&built.model, built.description.simulation.clone());
        let followed = matches!(
            settings.method,
            MethodDescription::Rk4 { .. } | MethodDescription::DormandPrince { .. }
        );
        if !followed || tolerance.is_some() {
            let relative = tolerance.unwrap_or(1e-9);
            settings.method = MethodDescription::DormandPrince {
                relative_tolerance: relative,
                absolute_tolerance: 0.01 * relative,
                initial_step: 0.0,
                largest_step: f64::INFINITY,
            };
        }
        let plain = State::initial(model, settings.start);
        let state = initial_state(model, &plain, &mut stencils)?;
        Ok(Self {
            model,
            integrator: Integrator::new(model, &settings.method),
            settings,
            stencils,
            channels,
            state,
            work_done: Number::ZERO,
            first_energy: None,
            work: Workspace::new(model),
            scratch: plain.clone(),
            plain,
            plain_work: Workspace::new(model),
            sample_work: Workspace::new(model),
            next_sample: vec![0; model.controllers.len()],
            times: Vec::new(),
            rows: Vec::new(),
        })
    }

    /// Runs to the end and keeps a row at every output time.
    pub fn record_all(&mut self) -> Result<(), SensitivityError> {
        let breaks = break_points(self.model, &self.settings);
        let mut next_break = 0;
        let (start, end, interval) = (self.settings.start, self.settings.end, self.settings.output_interval);
        self.sample_controllers()?;
        self.record()?;
        let mut next_row = 1u64;
        while self.state.time < end {
            let row = if interval > 0.0 { start + interval * next_row as f64 } else { end };
            // Rounding of the grid must not leave a sliver before the end.
            let row = if row > end - 1e-9 * interval { end } else { row };
            let limit = breaks[next_break];
            let sample =
                (0..self.next_sample.len()).map(|i| self.sample_due(i)).fold(f64::INFINITY, f64::min);
            self.step(limit.min(row).min(sample))?;
            if self.state.time >= limit && limit < end {
                next_break += 1;
                self.integrator.restart();
            }
            // A row at a sample shows what was held before it, as in a run.
            if self.state.time >= row || interval <= 0.0 {
                next_row += 1;
                self.record()?;
            }
            self.sample_controllers()?;
        }
        Ok(())
    }

    /// One step of the method, then the same step with derivatives.
    fn step(&mut self, limit: f64) -> Result<(), SensitivityError> {
        let start = self.state.time;
        self.integrator.step(self.model, &mut self.plain, &mut self.plain_work, limit)?;
        let (end, h) = (self.plain.time, self.plain.time - start);
        let (nodes, weights) = match self.settings.method {
            MethodDescription::Rk4 { .. } => RK4,
            _ => DORMAND_PRINCE,
        };
        let first = self.initial_vector();
        let origin = self.state.q.clone();
        let mut stages: Vec<Vec<Number>> = Vec::with_capacity(nodes.len());
        for (node, weights) in nodes.iter().zip(weights) {
            let y = combine(&first, &stages, weights, h);
            let (time, side) =
                if *node == 1.0 { (end, Side::Before) } else { (start + node * h, Side::After) };
            self.set(time, side, &origin, &y);
            stages.push(self.rate(&y)?);
        }
        let y = combine(&first, &stages, weights[nodes.len()], h);
        self.set(end, Side::After, &origin, &y);
        self.work_done = y[y.len() - 1];
        // The steps of the plain run are only a measure of the length: both follow one path.
        let values = |from: &[Number], to: &mut [f64]| to.iter_mut().zip(from).for_each(|(a, b)| *a = b.re);
        values(&self.state.q, &mut self.plain.q);
        values(&self.state.v, &mut self.plain.v);
        values(&self.state.z, &mut self.plain.z);
        apply_prescribed(self.model, &mut self.plain, None);
        self.hold_prescribed();
        Ok(())
    }

    /// Increments (zero), speeds, controller states and work at the start of a step.
    fn initial_vector(&self) -> Vec<Number> {
        let mut y = vec![Number::ZERO; Flow::size(self.model)];
        let n = self.state.v.len();
        y[n..2 * n].copy_from_slice(&self.state.v);
        let last = y.len() - 1;
        y[2 * n..last].copy_from_slice(&self.state.z);
        y[last] = self.work_done;
        y
    }

    fn set(&mut self, time: f64, side: Side, origin: &[Number], y: &[Number]) {
        (self.state.time, self.state.side) = (time, side);
        place(self.model, origin, y, &mut self.state);
    }

    /// Rates of (increments, speeds, controller states, work) at `self.state`.
    fn rate(&mut self, y: &[Number]) -> Result<Vec<Number>, SensitivityError> {
        self.evaluate()?;
        let n = self.state.v.len();
        let mut rate = vec![Number::ZERO; y.len()];
        increment_rates(self.model, &self.state, y, &mut rate[..n]);
        rate[n..2 * n].copy_from_slice(&self.work.accelerations.chidot);
        let last = rate.len() - 1;
        rate[2 * n..last].copy_from_slice(&self.work.control.rates);
        rate[last] = self.work.power.total() + driver_power(&self.state, &self.work);
        let (plain, scratch) = (&self.scratch.clone(), &mut self.scratch);
        for (c, stencil) in self.stencils.iter_mut().enumerate() {
            let found = stencil.differentiate(last + 1 - n, |model, work, out| {
                evaluate_plain(model, work, plain, scratch)?;
                out[..n].copy_from_slice(&work.accelerations.chidot);
                out[n..last - n].copy_from_slice(&work.control.rates);
                out[last - n] = work.power.total() + driver_power(scratch, work);
                Ok(())
            })?;
            for (slot, value) in rate[n..].iter_mut().zip(found) {
                slot.eps[c] += value;
            }
        }
        Ok(rate)
    }

    /// Evaluates the equations of motion at `self.state`, whose values go to `self.scratch`.
    fn evaluate(&mut self) -> Result<(), SensitivityError> {
        let (model, time) = (self.model, self.state.time);
        self.scratch.set_instant(time, self.state.side);
        let values = |from: &[Number], to: &mut [f64]| to.iter_mut().zip(from).for_each(|(a, b)| *a = b.re);
        values(&self.state.q, &mut self.scratch.q);
        values(&self.state.v, &mut self.scratch.v);
        values(&self.state.z, &mut self.scratch.z);
        // Speeds of a prescribed position turn with the body, and so do their derivatives.
        let load = Some(&mut self.work.load);
        apply_prescribed(model, &mut self.scratch, None);
        apply_prescribed(model, &mut self.state, load);
        crate::dynamics::evaluate(model, &self.state, &mut self.work)
            .map_err(|error| SimulationError::dynamics(time, error))?;
        Ok(())
    }

    /// Prescribed coordinates at the present time.
    fn hold_prescribed(&mut self) {
        apply_prescribed(self.model, &mut self.state, None);
    }

    /// Adds a row of channels with their derivatives.
    fn record(&mut self) -> Result<(), SensitivityError> {
        self.evaluate()?;
        let reactions = self.channels.iter().any(|c| matches!(c.source, Source::Reaction(..)));
        self.work.poses(self.model, &self.state);
        if reactions {
            self.work.reactions(self.model);
        }
        let mut row = vec![Number::ZERO; self.channels.len() + 1];
        let (model, channels) = (self.model, self.channels);
        // The first total energy is needed before it is known: the last entry of the row carries it.
        let first = self.first_energy.unwrap_or(Number::ZERO);
        let snapshot = Snapshot::new(model, &self.state, &self.work, self.work_done, first);
        snapshot.fill(channels, &mut row);
        row[channels.len()] = total_energy(model, &self.state, &self.work);
        let (plain, scratch) = (&self.scratch.clone(), &mut self.scratch);
        for (c, stencil) in self.stencils.iter_mut().enumerate() {
            let (work_done, first) = (self.work_done.re, first.re);
            let found = stencil.differentiate(channels.len() + 1, |model, work, out| {
                evaluate_plain(model, work, plain, scratch)?;
                work.poses(model, scratch);
                if reactions {
                    work.reactions(model);
                }
                Snapshot::new(model, scratch, work, work_done, first).fill(channels, out);
                out[channels.len()] = total_energy(model, scratch, work);
                Ok(())
            })?;
            for (slot, value) in row.iter_mut().zip(found) {
                slot.eps[c] += value;
            }
        }
        let total = row.pop().unwrap_or(Number::ZERO);
        if self.first_energy.is_none() {
            self.first_energy = Some(total);
            // The balance is zero at the start by definition.
            let balance = channels.iter().position(|channel| channel.source == Source::Energy(7));
            if let Some(index) = balance {
                row[index] = Number::ZERO;
            }
        }
        self.times.push(self.state.time);
        self.rows.extend(row);
        Ok(())
    }

    /// Time of the next sample of controller `i` (s); infinite if it acts continuously.
    fn sample_due(&self, i: usize) -> f64 {
        let interval = self.model.controllers[i].sample_time;
        if interval > 0.0 {
            self.settings.start + interval * self.next_sample[i] as f64
        } else {
            f64::INFINITY
        }
    }

    /// Samples the controllers whose time has come, with derivatives.
    fn sample_controllers(&mut self) -> Result<(), SensitivityError> {
        let time = self.state.time;
        let due: Vec<bool> = (0..self.next_sample.len()).map(|i| time >= self.sample_due(i)).collect();
        if !due.contains(&true) {
            return Ok(());
        }
        let before = self.plain.clone();
        let fault = |error| SimulationError::dynamics(time, error);
        sample_with(self.model, &mut self.state, &mut self.work, |i| due[i], |_, _, _, _, _| Ok(()))
            .map_err(fault)?;
        sample(self.model, &mut self.plain, &mut self.sample_work, |i| due[i]).map_err(fault)?;
        let scratch = &mut self.scratch;
        for (c, stencil) in self.stencils.iter_mut().enumerate() {
            let found = stencil.differentiate(before.z.len(), |model, work, out| {
                scratch.copy_from(&before);
                apply_prescribed(model, scratch, None);
                sample(model, scratch, work, |i| due[i]).map_err(fault)?;
                out.copy_from_slice(&scratch.z);
                Ok(())
            })?;
            for (slot, value) in self.state.z.iter_mut().zip(found) {
                slot.eps[c] += value;
            }
        }
        self.integrator.refresh();
        for (next, due) in self.next_sample.iter_mut().zip(due) {
            *next += u64::from(due);
        }
        Ok(())
    }
}

/// The initial state with its derivatives.
fn initial_state(
    model: &Model,
    plain: &State,
    stencils: &mut [Stencil],
) -> Result<State<Number>, SensitivityError> {
    let mut state = State::<Number>::lift(plain);
    let (n, m) = (plain.q.len(), plain.v.len());
    for (c, stencil) in stencils.iter_mut().enumerate().take(WIDTH) {
        let found = stencil.differentiate(n + m, |model, _, out| {
            let own = State::initial(model, plain.time);
            out[..n].copy_from_slice(&own.q);
            out[n..].copy_from_slice(&own.v);
            Ok(())
        })?;
        for (slot, value) in state.q.iter_mut().chain(&mut state.v).zip(found) {
            slot.eps[c] = *value;
        }
    }
    apply_prescribed(model, &mut state, None);
    Ok(state)
}

/// y₀ + h Σ wᵢ kᵢ.
fn combine(first: &[Number], stages: &[Vec<Number>], weights: &[f64], h: f64) -> Vec<Number> {
    let mut y = first.to_vec();
    for (stage, &weight) in stages.iter().zip(weights) {
        for (slot, &k) in y.iter_mut().zip(stage) {
            *slot += k * (h * weight);
        }
    }
    y
}

fn driver_power<S: Scalar>(state: &State<S>, work: &Workspace<S>) -> S {
    let driving = work.accelerations.driving.iter().zip(&state.v);
    driving.fold(S::ZERO, |sum, (&force, &speed)| sum + force * speed)
}

fn total_energy<S: Scalar>(model: &Model, state: &State<S>, work: &Workspace<S>) -> S {
    energy(model, state, &work.motion, &work.inertias).total()
}

/// Evaluates a shifted model at the values of the state, prescribed coordinates at its own.
fn evaluate_plain(
    model: &Model,
    work: &mut Workspace,
    plain: &State,
    scratch: &mut State,
) -> Result<(), SimulationError> {
    scratch.copy_from(plain);
    apply_prescribed(model, scratch, Some(&mut work.load));
    crate::dynamics::evaluate(model, scratch, work)
        .map_err(|error| SimulationError::dynamics(plain.time, error))
}
