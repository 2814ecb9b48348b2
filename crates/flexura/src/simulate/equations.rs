//! The equations of motion for the integrator of somebody else, as model exchange asks for them.
//!
//! Continuous states are the coordinates q and the speeds v of the tree in the order of the engine, the states x of controllers that act continuously, and the work
//! done W where it is asked for:
//!
//! q̇ = ½ q ∘ ω for quaternions, R v for the places of free joints, v elsewhere; v̇ from M v̇ + J*λ = f with Φ̈ = 0; ẋ by the law; Ẇ the power.
//!
//! All of it is taken at P(q, v): quaternions of unit length, prescribed coordinates where they are to be, and closed loops put back on Φ = 0 and Φ̇ = 0 the shortest
//! way in the metric of the masses (book/src/theory/loops.md (LO.6)). On the constraints P changes nothing, so that the motion itself solves these equations, and no term pulls
//! towards them. An error e of the integrator across Φ stays as it is, for q̇ is a speed along the constraints; across Φ̇ it leads to one of e v² t at most.
//!
//! Samples of controllers are instants, start + k T, at which what they hold changes at once. Whole turns of joints that close loops are counted from one completed step to the
//! next; at events states become P of themselves. Cost: one evaluation, and for loops one projection.

use super::sampling::sample;
use crate::checkpoint::Tape;
use crate::constraint::project;
use crate::dynamics::evaluate;
use crate::error::DynamicsError;
use crate::integrate::follow_turns;
use crate::model::Model;
use crate::model::joint::JointKind;
use crate::motion::retract::coordinate_rates;
use crate::record::Recorder;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;

/// Share of a sample time within which an integrator that was to stop at a sample has stopped there.
const SAME_SAMPLE: f64 = 1e-9;

/// Roundings of the time itself that it may be off by, where they are more: late times have few digits behind the point.
const TIME_ROUNDINGS: f64 = 4.0;

/// Another number of values than there are states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given} values of states are given, {expected} are expected")]
pub struct WrongCount {
    /// Number of values.
    pub given: usize,
    /// Number of states.
    pub expected: usize,
}

/// States of somebody else's integrator and what follows from them.
#[derive(Debug)]
pub struct Equations {
    state: State,
    /// Work done since the start (J).
    work_done: f64,
    counts_work: bool,
    /// P of the state.
    placed: State,
    work: Workspace,
    /// Places of continuous states among those of all controllers.
    continuous: Vec<usize>,
    start: f64,
    /// Next sample of each controller, as a multiple of its sample time.
    next_sample: Vec<u64>,
}

impl Equations {
    /// At the initial values of `model`; the work is a state where it is wanted.
    pub fn new(model: &Model, start: f64, counts_work: bool) -> Self {
        let state = State::initial(model, start);
        Self {
            placed: state.clone(),
            state,
            work_done: 0.0,
            counts_work,
            work: Workspace::new(model),
            continuous: continuous_states(model).map(|(_, _, place)| place).collect(),
            start,
            next_sample: vec![0; model.controllers.len()],
        }
    }

    /// Closes loops and samples controllers at the start.
    pub fn begin(&mut self, model: &Model) -> Result<(), DynamicsError> {
        self.put_back(model)?;
        self.step_completed(model);
        self.take_samples(model).map(|_| ())
    }

    /// Time (s).
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Sets the time (s).
    pub fn set_time(&mut self, time: f64) {
        self.state.time = time;
    }

    /// Coordinates, speeds, continuous states of controllers, work.
    pub fn values(&self) -> Vec<f64> {
        let (state, work) = (&self.state, self.counts_work.then_some(self.work_done));
        let held = self.continuous.iter().map(|&place| state.z[place]);
        state.q.iter().chain(&state.v).copied().chain(held).chain(work).collect()
    }

    /// Number of these.
    pub fn count(&self) -> usize {
        self.state.q.len() + self.state.v.len() + self.continuous.len() + usize::from(self.counts_work)
    }

    /// Whether the work done is one of them, the last.
    pub fn counts_work(&self) -> bool {
        self.counts_work
    }

    /// Sets all of them, in that order.
    pub fn set_values(&mut self, values: &[f64]) -> Result<(), WrongCount> {
        let (given, expected) = (values.len(), self.count());
        if given != expected {
            return Err(WrongCount { given, expected });
        }
        let (q, rest) = values.split_at(self.state.q.len());
        let (v, rest) = rest.split_at(self.state.v.len());
        self.state.q.copy_from_slice(q);
        self.state.v.copy_from_slice(v);
        for (&place, &value) in self.continuous.iter().zip(rest) {
            self.state.z[place] = value;
        }
        if self.counts_work {
            self.work_done = values[given - 1];
        }
        Ok(())
    }

    /// The state as the integrator has it.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// P of the state.
    fn place(&mut self, model: &Model) -> Result<(), DynamicsError> {
        let placed = &mut self.placed;
        placed.copy_from(&self.state);
        for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
            if matches!(joint.joint.kind, JointKind::Spherical | JointKind::Free) {
                let turn = &mut placed.q[part.joint_q()][..4];
                let norm = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
                turn.iter_mut().for_each(|x| *x /= norm);
            }
        }
        apply_prescribed(model, placed, Some(&mut self.work.load));
        if model.loops.is_empty() { Ok(()) } else { project(model, placed, &mut self.work) }
    }

    /// Rates of all states, in their order.
    pub fn rates(&mut self, model: &Model, rates: &mut [f64]) -> Result<(), DynamicsError> {
        self.place(model)?;
        let (state, work) = (&self.placed, &mut self.work);
        evaluate(model, state, work)?;
        let (positions, rest) = rates.split_at_mut(state.q.len());
        let (speeds, rest) = rest.split_at_mut(state.v.len());
        coordinate_rates(model, state, positions);
        speeds.copy_from_slice(&work.accelerations.chidot);
        for (&place, rate) in self.continuous.iter().zip(&mut *rest) {
            *rate = work.control.rates[place];
        }
        if let (true, Some(power)) = (self.counts_work, rest.last_mut()) {
            *power = work.power.total() + work.driver_power(model, state) + work.closure.driver_power;
        }
        Ok(())
    }

    /// The row of a recorder (time first).
    pub fn row(&mut self, model: &Model, recorder: &mut Recorder, row: &mut [f64]) -> Result<(), String> {
        self.place(model).map_err(|error| error.to_string())?;
        let sampled = recorder.sample(model, &self.placed, self.work_done, &mut self.work, row);
        sampled.map_err(|error| error.to_string())
    }

    /// The integrator has completed a step here: turns of joints that close loops are counted on from it.
    pub fn step_completed(&mut self, model: &Model) {
        follow_turns(model, &mut self.state, &mut self.work);
    }

    /// At an event: states with loops become P of them, since the rate of a drive may have jumped; whether any has changed.
    pub fn put_back(&mut self, model: &Model) -> Result<bool, DynamicsError> {
        if model.loops.is_empty() {
            return Ok(false);
        }
        self.place(model)?;
        let changed = self.state.q != self.placed.q || self.state.v != self.placed.v;
        self.state.q.copy_from_slice(&self.placed.q);
        self.state.v.copy_from_slice(&self.placed.v);
        Ok(changed)
    }

    /// Time of the next sample of a controller (s), where there is one.
    pub fn next_sample(&self, model: &Model) -> Option<f64> {
        let due = (0..self.next_sample.len()).filter_map(|index| self.sample_due(model, index));
        due.min_by(f64::total_cmp)
    }

    fn sample_due(&self, model: &Model, index: usize) -> Option<f64> {
        let interval = model.controllers[index].sample_time;
        (interval > 0.0).then(|| self.start + interval * self.next_sample[index] as f64)
    }

    /// Samples the controllers whose instant this is; whether there were any. One that has been passed over is an error.
    pub fn take_samples(&mut self, model: &Model) -> Result<bool, DynamicsError> {
        let now = self.state.time;
        let mut instant = f64::NEG_INFINITY;
        let mut due = vec![false; self.next_sample.len()];
        for (index, (due, controller)) in due.iter_mut().zip(&model.controllers).enumerate() {
            let Some(at) = self.sample_due(model, index) else { continue };
            let near = (SAME_SAMPLE * controller.sample_time).max(TIME_ROUNDINGS * f64::EPSILON * at.abs());
            if now > at + near {
                let cause = format!("its sample at {at} s was passed over: the integrator is at {now} s");
                return Err(DynamicsError::Law { controller: controller.name.clone(), cause });
            }
            *due = now >= at - near;
            instant = if *due { instant.max(at) } else { instant };
        }
        if instant == f64::NEG_INFINITY {
            return Ok(false);
        }
        self.place(model)?;
        // References are those of the instant that was meant, whatever the integrator has made of it.
        self.placed.time = instant;
        sample(model, &mut self.placed, &mut self.work, |index| due[index])?;
        self.state.z.copy_from_slice(&self.placed.z);
        self.next_sample.iter_mut().zip(due).for_each(|(next, due)| *next += u64::from(due));
        Ok(true)
    }

    fn remember(&mut self, recorder: &mut Recorder, tape: &mut Tape) {
        let state = &mut self.state;
        tape.number(&mut state.time);
        for part in [&mut state.q, &mut state.v, &mut state.z] {
            tape.numbers(part);
        }
        state.turns.remember(tape);
        tape.number(&mut self.work_done);
        tape.number(&mut self.start);
        self.next_sample.iter_mut().for_each(|next| tape.count(next));
        recorder.remember(tape);
    }

    /// Everything that changes, with what the recorder of the rows remembers.
    pub fn memory(&mut self, recorder: &mut Recorder) -> Vec<u64> {
        let mut tape = Tape::over(Vec::new());
        self.remember(recorder, &mut tape);
        tape.into_words()
    }

    /// Takes it back; whether it is that of such equations.
    pub fn recall(&mut self, recorder: &mut Recorder, memory: &[u64]) -> bool {
        let mut tape = Tape::of(memory);
        self.remember(recorder, &mut tape);
        tape.used_up()
    }
}

/// Controllers that act continuously: name, number of the state among its own, place among the states of all controllers.
pub fn continuous_states(model: &Model) -> impl Iterator<Item = (&str, usize, usize)> {
    let acting = model.controllers.iter().filter(|controller| !controller.is_sampled());
    acting.flat_map(|found| (0..found.memory).map(move |k| (found.name.as_str(), k, found.first + k)))
}
