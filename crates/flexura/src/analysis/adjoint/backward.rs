//! The way back: operations in reverse, from the last kept state to the first.

use super::closed_start::put_back;
use super::evaluation::{Place, Pulled};
use super::forward::evaluate_row;
use super::step::Step;
use super::trace::{Operation, Point};
use super::{Gradient, GradientError, KeptRun};
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::error::SimulationError;
use crate::integrate::Flow;
use crate::model::Model;
use crate::model::joint::JointKind;
use crate::motion::retract::retract;
use crate::scalar::{Scalar, Taped, with_tape};
use crate::simulate::sample;
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;
use std::time::Instant;

impl KeptRun<'_> {
    /// The gradient of the weighted sum of all rows.
    pub(super) fn back(&mut self, weights: &[f64]) -> Result<Gradient, GradientError> {
        let (began, built) = (Instant::now(), self.taping.cost.model_seconds);
        let mut found = self.once(weights);
        while matches!(found, Err(GradientError::Again)) {
            found = self.once(weights);
        }
        let models = self.taping.cost.model_seconds - built;
        self.cost.backward_seconds += began.elapsed().as_secs_f64() - models;
        found
    }

    /// One way back.
    fn once(&mut self, weights: &[f64]) -> Result<Gradient, GradientError> {
        self.taping.begin(&self.model)?;
        if let Step::Implicit(step) = &mut self.step {
            step.begin();
        }
        let size = Flow::size(&self.model);
        let mut bar = Pulled::new(&self.model, size);
        let mut work = Workspace::with_route(&self.model, FlexibleRoute::Direct);
        for index in (0..self.trace.kept.len()).rev() {
            let points = self.repeat(index, &mut work)?;
            let range = self.trace.segment(index);
            for (place, point) in range.rev().zip(points.into_iter().rev()) {
                self.reverse(place, point, weights, &mut bar, &mut work)?;
            }
        }
        if let Some(idle) = self.taping.idle() {
            return Err(GradientError::NoInfluence(idle.into()));
        }
        self.at_start(bar)
    }

    /// States before every operation of a segment.
    fn repeat(&mut self, index: usize, work: &mut Workspace) -> Result<Vec<Point>, GradientError> {
        let range = self.trace.segment(index);
        let mut point = self.trace.kept[index].clone();
        let mut points = Vec::with_capacity(range.len());
        self.set_inputs(self.interval_before(range.start), point.state.time);
        for place in range.clone() {
            points.push(point.clone());
            if place + 1 < range.end {
                self.advance(place, &mut point, work)?;
            }
        }
        self.cost.segment_bytes = self.cost.segment_bytes.max(points.len() * point.bytes());
        Ok(points)
    }

    /// The interval whose inputs act before operation `place`.
    fn interval_before(&self, place: usize) -> usize {
        if self.inputs.is_empty() {
            return 0;
        }
        let set = self.trace.operations[..place].iter().rev().find_map(|operation| match operation {
            Operation::Inputs(interval) => Some(*interval),
            _ => None,
        });
        set.unwrap_or(0)
    }

    /// Does operation `place` once more.
    fn advance(
        &mut self,
        place: usize,
        point: &mut Point,
        work: &mut Workspace,
    ) -> Result<(), GradientError> {
        match &self.trace.operations[place] {
            Operation::Row(_) => {}
            &Operation::Inputs(interval) => self.set_inputs(interval, point.state.time),
            &Operation::Step(time, anew) => {
                self.cost.repeated_steps += 1;
                self.repeat_step(point, (time, anew))?;
            }
            Operation::Sample(due) => {
                let time = point.state.time;
                sample(&self.model, &mut point.state, work, |i| due[i])
                    .map_err(|error| SimulationError::dynamics(time, error))?;
            }
        }
        Ok(())
    }

    fn repeat_step(&mut self, point: &mut Point, (time, anew): (f64, bool)) -> Result<(), GradientError> {
        let side = if time >= self.settings.end { Side::Before } else { Side::After };
        self.cost.backward += match &mut self.step {
            Step::Staged(step) => {
                step.repeat(&self.model, point, (time, side))?;
                step.evaluations()
            }
            Step::Implicit(step) => step.repeat(&self.model, point, (time, side, anew))?,
        };
        Ok(())
    }

    fn set_inputs(&mut self, interval: usize, time: f64) {
        let values = &self.held[interval * self.inputs.len()..];
        for (input, &value) in self.inputs.iter().zip(values) {
            input.set(&mut self.model, time, value);
        }
        self.taping.set_inputs(&self.model, interval, &self.inputs, values, time);
    }

    /// Derivatives `bar` over the state after operation `place` become those over `point`, the state before it.
    fn reverse(
        &mut self,
        place: usize,
        mut point: Point,
        weights: &[f64],
        bar: &mut Pulled,
        work: &mut Workspace,
    ) -> Result<(), GradientError> {
        match &self.trace.operations[place] {
            &Operation::Step(time, anew) => {
                let state = point.state.clone();
                self.repeat_step(&mut point, (time, anew))?;
                match &mut self.step {
                    Step::Staged(step) => step.reverse(&self.model, &state, bar, &mut self.taping),
                    Step::Implicit(step) => step.reverse(&self.model, (&state, anew), bar, &mut self.taping),
                }
            }
            &Operation::Row(number) => self.reverse_row(number, &point, weights, bar, work),
            Operation::Sample(due) => {
                let n = self.model.speed_count();
                let memory = 2 * n..bar.y.len() - 1;
                let seeds = bar.y[memory.clone()].to_vec();
                bar.y[memory].fill(0.0);
                let y = vector_at(&self.model, &point);
                let instant = (point.state.time, Side::After);
                let (turns, start_q) = (&point.state.turns, &point.state.q);
                let at = Place { instant, turns, start_q, y: &y };
                self.taping.samples(&self.model, at, due, &seeds, bar)
            }
            &Operation::Inputs(interval) => {
                // Before it, the inputs of the interval before acted.
                self.set_inputs(interval.saturating_sub(1), point.state.time);
                Ok(())
            }
        }
    }

    fn reverse_row(
        &mut self,
        number: usize,
        point: &Point,
        weights: &[f64],
        bar: &mut Pulled,
        work: &mut Workspace,
    ) -> Result<(), GradientError> {
        let count = self.channels.len();
        let row = &weights[number * count..(number + 1) * count];
        if row.iter().all(|weight| *weight == 0.0) {
            return Ok(());
        }
        self.cost.backward += 1;
        evaluate_row(&self.model, &point.state, work)?;
        let y = vector_at(&self.model, point);
        let instant = (point.state.time, point.state.side);
        let at = Place { instant, turns: &point.state.turns, start_q: &point.state.q, y: &y };
        let mut found = work.accelerations.chidot.clone();
        found.extend(&work.closure.multipliers);
        self.taping.channels((&self.model, &self.channels), at, (&found, work), row, bar)
    }

    /// Derivatives over the initial state `bar` as a gradient.
    fn at_start(&mut self, mut bar: Pulled) -> Result<Gradient, GradientError> {
        let n = self.model.speed_count();
        let start: Vec<f64> = bar.start_q.iter().chain(&bar.y[n..2 * n]).copied().collect();
        if !self.model.loops.is_empty() {
            put_back(&self.model, &self.start, &mut bar, &mut self.taping, !self.own_start)?;
        }
        let parameters = self.taping.parameters(self.own_start.then_some(&start))?;
        let all = start.iter().chain(&bar.y).chain(&parameters).chain(&self.taping.inputs);
        if !all.into_iter().all(|derivative| derivative.is_finite()) {
            return Err(GradientError::NotFinite);
        }
        Ok(Gradient {
            parameters,
            position: along_speeds(&self.model, &self.start, &bar.start_q),
            coordinates: across_quaternions(&self.model, &self.start, &bar.start_q),
            speed: bar.y[n..2 * n].to_vec(),
            controller: bar.y[2 * n..bar.y.len() - 1].to_vec(),
            inputs: self.taping.inputs.clone(),
        })
    }
}

/// Increments (zero), speeds, controller states and work.
fn vector_at(model: &Model, point: &Point) -> Vec<f64> {
    let mut y = vec![0.0; model.speed_count()];
    y.extend(point.state.v.iter().chain(&point.state.z));
    y.push(point.work);
    y
}

/// Derivatives over coordinates without what lies along quaternions: these keep their length.
fn across_quaternions(model: &Model, start: &State, bar: &[f64]) -> Vec<f64> {
    let mut found = bar.to_vec();
    for (joint, part) in model.joints.iter().zip(&model.layout.bodies) {
        if matches!(joint.joint.kind, JointKind::Spherical | JointKind::Free) {
            let first = part.joint_q().start;
            let (unit, along) = (&start.q[first..first + 4], &mut found[first..first + 4]);
            let share: f64 = unit.iter().zip(along.iter()).map(|(x, slope)| x * slope).sum();
            along.iter_mut().zip(unit).for_each(|(slope, x)| *slope -= share * x);
        }
    }
    found
}

/// Derivatives over coordinates as those over displacements along the speeds.
fn along_speeds(model: &Model, start: &State, bar: &[f64]) -> Vec<f64> {
    with_tape(|tape| {
        tape.rewind(0);
        tape.clear();
    });
    let origin: Vec<Taped> = start.q.iter().map(|&x| Taped::plain(x)).collect();
    let step: Vec<Taped> = (0..model.speed_count()).map(|_| Taped::leaf(0.0)).collect();
    let mut q = vec![Taped::ZERO; origin.len()];
    retract(model, &origin, &step, &mut q);
    with_tape(|tape| {
        tape.reverse(0, q.into_iter().zip(bar.iter().copied()));
        step.iter().map(|leaf| tape.adjoint(*leaf)).collect()
    })
}
