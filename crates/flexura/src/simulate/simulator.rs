//! A run that is stepped from outside: inputs in, values out, as controllers, optimisers and learners need it.
//!
//! It owns its model, whose inputs it sets ([`Input`]), and a run in pieces ([`Pieces`]). Steps are counted from the last instant that
//! was asked for otherwise: the n-th ends at anchor + n Δt, as the n-th row of a run does.

use super::{Input, PieceEnd, Pieces, Simulation, inputs_of, no_input};
use crate::checkpoint::Checkpoint;
use crate::error::SimulationError;
use crate::integrate::StepStatistics;
use crate::model::Model;
use crate::model::description::SimulationDescription;
use crate::record::{Channel, Recorder, matches_pattern};
use crate::state::State;
use crate::workspace::Workspace;

/// A run that is stepped from outside.
///
/// ```
/// use flexura::model::description::*;
/// use flexura::simulate::Simulation;
///
/// let built = Description::new("drop").body(BodyDescription::point_mass("stone", 2.0))
///     .joint(JointDescription::new("fall", JointKindDescription::Translational, ["ground.origin", "stone.origin"]))
///     .build()?;
/// let mut lift = Simulation::of(&built).channels(["fall.z"]).simulator(&["fall.effort.*"], 0.1)?;
/// lift.set("fall.effort.3", 2.0 * 9.81)?; // held against gravity
/// lift.step()?;
/// assert!(lift.values()[0].abs() < 1e-12);
/// lift.set("fall.effort.3", 0.0)?;
/// lift.advance_to(0.6)?;
/// assert!((lift.values()[0] + 0.5 * 9.81 * 0.25).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulator {
    model: Model,
    settings: SimulationDescription,
    recorder: Recorder,
    pieces: Pieces,
    inputs: Vec<Input>,
    values: Vec<f64>,
    /// Motions of the inputs that are accelerations, as the file has them.
    own_motions: Vec<Option<[f64; 4]>>,
    jumped: bool,
    interval: f64,
    anchor: f64,
    count: u64,
    work: Option<Box<Workspace>>,
}

/// Everything of a [`Simulator`] that changes, its method apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// The memory of the run.
    pub checkpoint: Checkpoint,
    /// The last row: time, then every channel.
    pub row: Vec<f64>,
    /// Values of the inputs.
    pub inputs: Vec<f64>,
    /// Instant (s), position, speed and acceleration of every input that is an acceleration.
    pub motions: Vec<[f64; 4]>,
    /// Start of the run (s), from which samples of controllers are counted.
    pub start: f64,
    /// Instant from which steps are counted (s), and how many there were.
    pub steps: (f64, u64),
    /// Whether inputs were set that no step has seen.
    pub jumped: bool,
}

impl Simulation<'_> {
    /// The run as one that is stepped by `interval` (s), with the inputs that match `patterns`.
    pub fn simulator<T: AsRef<str>>(
        self,
        patterns: &[T],
        interval: f64,
    ) -> Result<Simulator, SimulationError> {
        let mut model = self.built.model.clone();
        let possible = inputs_of(&model);
        for pattern in patterns.iter().map(AsRef::as_ref).filter(|pattern| *pattern != "*") {
            if !possible.iter().any(|input| matches_pattern(pattern, &input.name)) {
                return Err(SimulationError::Channel(no_input(&model, pattern)));
            }
        }
        let wanted = |input: &Input| patterns.iter().any(|word| matches_pattern(word.as_ref(), &input.name));
        let inputs: Vec<Input> = possible.into_iter().filter(wanted).collect();
        check_interval(interval)?;
        let own_motions = inputs.iter().map(|input| input.motion(&model)).collect();
        let start = self.settings.start;
        for input in inputs.iter().filter(|input| !input.is_motion()) {
            input.set(&mut model, start, input.start);
        }
        let mut recorder = Recorder::new(&model, &self.channels)?;
        let state = match self.start {
            None => State::initial(&model, start),
            Some(super::Start::State(state)) => state,
            Some(super::Start::Checkpoint(_)) => {
                let text = "a simulator begins at a state; restore what it has saved itself".to_string();
                return Err(SimulationError::Settings(text));
            }
        };
        let pieces = Pieces::begin(&model, &self.settings, state, &mut recorder)?;
        let values = inputs.iter().map(|input| input.start).collect();
        let (anchor, settings) = (pieces.time(), self.settings);
        let (jumped, count, work) = (false, 0, None);
        Ok(Simulator {
            model,
            settings,
            recorder,
            pieces,
            inputs,
            values,
            own_motions,
            jumped,
            interval,
            anchor,
            count,
            work,
        })
    }
}

/// Refuses lengths that are none.
fn check_interval(interval: f64) -> Result<(), SimulationError> {
    if interval.is_finite() && interval > 0.0 {
        return Ok(());
    }
    Err(SimulationError::Settings(format!("a step of {interval} s: give a positive number of seconds")))
}

impl Simulator {
    /// The model, with the inputs of the last step.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The settings: method, formulation, events.
    pub fn settings(&self) -> &SimulationDescription {
        &self.settings
    }

    /// The inputs, in their order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Their values, in the same order.
    pub fn input_values(&self) -> &[f64] {
        &self.values
    }

    /// The channels, in the order of the values.
    pub fn channels(&self) -> &[Channel] {
        self.recorder.channels()
    }

    /// Values of the channels at the present time.
    pub fn values(&self) -> &[f64] {
        &self.pieces.row()[1..]
    }

    /// Time reached (s).
    pub fn time(&self) -> f64 {
        self.pieces.time()
    }

    /// Length of a step of [`Simulator::step`] (s).
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// Other steps from now on (s).
    pub fn set_interval(&mut self, interval: f64) -> Result<(), SimulationError> {
        check_interval(interval)?;
        self.interval = interval;
        (self.anchor, self.count) = (self.time(), 0);
        Ok(())
    }

    /// Counters of the integrator's steps since the last start.
    pub fn statistics(&self) -> StepStatistics {
        self.pieces.statistics()
    }

    /// The state reached.
    pub fn state(&mut self) -> Result<&State, SimulationError> {
        self.pieces.state(&self.model, &self.settings, &mut self.recorder)
    }

    /// Place of the input called `name`.
    pub fn input(&self, name: &str) -> Result<usize, SimulationError> {
        let found = self.inputs.iter().position(|input| input.name == name);
        found.ok_or_else(|| {
            let possible = inputs_of(&self.model).iter().any(|input| input.name == name);
            let words = format!(
                "`{name}` is an input of the model, but not of this simulator: name it when it is made"
            );
            SimulationError::Channel(if possible { words } else { no_input(&self.model, name) })
        })
    }

    /// Sets an input from now on.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), SimulationError> {
        self.set_at(self.input(name)?, value)
    }

    /// Sets the input at `place` from now on.
    pub fn set_at(&mut self, place: usize, value: f64) -> Result<(), SimulationError> {
        let Some((slot, input)) = self.values.get_mut(place).zip(self.inputs.get(place)) else {
            return Err(SimulationError::Channel(format!("there is no input number {place}")));
        };
        if !value.is_finite() {
            return Err(SimulationError::Channel(format!("input `{}` cannot be {value}", input.name)));
        }
        if *slot != value {
            (*slot, self.jumped) = (value, true);
        }
        Ok(())
    }

    /// One step of [`Simulator::interval`].
    pub fn step(&mut self) -> Result<PieceEnd, SimulationError> {
        self.step_watched(&mut || true)
    }

    /// Like [`Simulator::step`]; `watch` is asked after every step of the integrator whether to go on.
    pub fn step_watched(&mut self, watch: &mut dyn FnMut() -> bool) -> Result<PieceEnd, SimulationError> {
        let end = self.anchor + self.interval * (self.count + 1) as f64;
        let done = self.go(end, watch)?;
        if done.stopped_by.is_none() && !done.cancelled {
            self.count += 1;
        } else {
            (self.anchor, self.count) = (self.time(), 0);
        }
        Ok(done)
    }

    /// Advances to `time` (s), from which steps are then counted.
    pub fn advance_to(&mut self, time: f64) -> Result<PieceEnd, SimulationError> {
        self.advance_watched(time, &mut || true)
    }

    /// Like [`Simulator::advance_to`]; `watch` is asked after every step of the integrator whether to go on.
    pub fn advance_watched(
        &mut self,
        time: f64,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<PieceEnd, SimulationError> {
        let now = self.time();
        if !(time.is_finite() && time >= now) {
            let text =
                format!("the run is at {now} s and cannot go to {time} s: restore or reset to go back");
            return Err(SimulationError::Settings(text));
        }
        let done = self.go(time, watch)?;
        (self.anchor, self.count) = (self.time(), 0);
        Ok(done)
    }

    fn go(&mut self, end: f64, watch: &mut dyn FnMut() -> bool) -> Result<PieceEnd, SimulationError> {
        let (now, jumped) = (self.time(), std::mem::take(&mut self.jumped));
        if jumped {
            for (input, &value) in self.inputs.iter().zip(&self.values) {
                input.set(&mut self.model, now, value);
            }
        }
        self.pieces.advance_watched(&self.model, &self.settings, (end, jumped), &mut self.recorder, watch)
    }

    /// Begins anew at `state`, whose time is the start, with inputs as in the file.
    pub fn reset(&mut self, state: Option<State>) -> Result<(), SimulationError> {
        for ((input, value), motion) in self.inputs.iter().zip(&mut self.values).zip(&self.own_motions) {
            *value = input.start;
            match motion {
                Some(motion) => input.set_motion(&mut self.model, *motion),
                None => input.set(&mut self.model, self.settings.start, input.start),
            }
        }
        let mut settings = self.settings.clone();
        let state = state.unwrap_or_else(|| State::initial(&self.model, settings.start));
        settings.start = state.time;
        self.pieces = Pieces::begin(&self.model, &settings, state, &mut self.recorder)?;
        self.settings = settings;
        (self.anchor, self.count, self.jumped) = (self.time(), 0, false);
        Ok(())
    }

    /// A copy of all that changes.
    pub fn save(&self) -> Saved {
        Saved {
            checkpoint: self.pieces.checkpoint().clone(),
            row: self.pieces.row().to_vec(),
            inputs: self.values.clone(),
            motions: self.inputs.iter().filter_map(|input| input.motion(&self.model)).collect(),
            start: self.settings.start,
            steps: (self.anchor, self.count),
            jumped: self.jumped,
        }
    }

    /// Takes a copy back: what follows has the same bits again.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), SimulationError> {
        let motions = self.inputs.iter().filter(|input| input.is_motion()).count();
        let sizes = (saved.row.len(), saved.inputs.len(), saved.motions.len());
        if sizes != (self.pieces.row().len(), self.inputs.len(), motions) {
            let text = "it was saved with other channels or inputs".to_string();
            return Err(SimulationError::Checkpoint(text));
        }
        let mut pieces = Pieces::at(saved.checkpoint.clone(), saved.row.clone());
        let settings = SimulationDescription { start: saved.start, ..self.settings.clone() };
        let mut moved = saved.motions.iter();
        for (input, &value) in self.inputs.iter().zip(&saved.inputs) {
            match input.is_motion().then(|| moved.next()).flatten() {
                Some(motion) => input.set_motion(&mut self.model, *motion),
                None => input.set(&mut self.model, saved.start, value),
            }
        }
        pieces.state(&self.model, &settings, &mut self.recorder)?;
        (self.pieces, self.settings) = (pieces, settings);
        self.values.clone_from(&saved.inputs);
        (self.anchor, self.count) = saved.steps;
        self.jumped = saved.jumped;
        Ok(())
    }

    /// Goes on with the method, formulation, algorithm and step of other settings; events and start stay as they are.
    pub fn change(&mut self, new: &SimulationDescription) -> Result<(), SimulationError> {
        let new = SimulationDescription {
            start: self.settings.start,
            events: self.settings.events.clone(),
            ..new.clone()
        };
        self.pieces.change(&self.model, (&self.settings, &new), &mut self.recorder)?;
        self.settings = new;
        Ok(())
    }

    /// Fills `row` (time first) with the channels of another recorder at the present state, with the inputs last stepped with. Work and
    /// balance of energies count from the start: only the simulator's own channels know them.
    pub fn measure(&mut self, recorder: &mut Recorder, row: &mut [f64]) -> Result<(), SimulationError> {
        let mut work = self.work.take().unwrap_or_else(|| Box::new(Workspace::new(&self.model)));
        let state = self.pieces.state(&self.model, &self.settings, &mut self.recorder)?;
        let sampled = recorder.sample(&self.model, state, 0.0, &mut work, row);
        self.work = Some(work);
        sampled
    }
}
