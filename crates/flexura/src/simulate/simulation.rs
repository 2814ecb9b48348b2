//! One run, put together: model, settings, channels, start; then rows to a sink, with somebody watching and keeping.
//!
//! The command line, sweeps, Python and the validation cases all run this way, so that a run means the same everywhere.

use super::remote::{Followed, run_remote};
use super::{Keeper, Outcome, Progress, Remote, Start, run_kept, suspect};
use crate::build::{Built, in_formulation};
use crate::diagnostic::Diagnostic;
use crate::error::SimulationError;
use crate::model::description::{FormulationChoice, SimulationDescription};
use crate::record::{Channel, Recorder, Recording, Sink};
use crate::state::State;
use crate::workspace::Workspace;

/// A run to be, with the settings of its description until told otherwise.
///
/// ```
/// use flexura::model::description::*;
/// use flexura::simulate::Simulation;
///
/// let built = Description::new("drop").body(BodyDescription::point_mass("stone", 2.0))
///     .joint(JointDescription::new("fall", JointKindDescription::Translational, ["ground.origin", "stone.origin"]))
///     .build()?;
/// let result = Simulation::of(&built).end(0.5).channels(["fall.*"]).run()?;
/// assert!((result.last("fall.z")? + 0.5 * 9.81 * 0.25).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    pub(super) built: &'a Built,
    pub(super) settings: SimulationDescription,
    pub(super) channels: Vec<String>,
    picture: bool,
    pub(super) start: Option<Start<'a>>,
}

impl<'a> Simulation<'a> {
    /// A run of `built`.
    pub fn of(built: &'a Built) -> Self {
        let description = &built.description;
        Self {
            built,
            settings: description.simulation.clone(),
            channels: description.output.channels.clone(),
            picture: false,
            start: None,
        }
    }

    /// Other settings: method, span, rows, events.
    pub fn settings(mut self, settings: SimulationDescription) -> Self {
        self.settings = settings;
        self
    }

    /// Until this time (s).
    pub fn end(mut self, end: f64) -> Self {
        self.settings.end = end;
        self
    }

    /// A row every so often (s); zero records every step.
    pub fn rows_every(mut self, interval: f64) -> Self {
        self.settings.output_interval = interval;
        self
    }

    /// In another formulation; refused where it does not fit the method.
    pub fn formulation(mut self, choice: FormulationChoice) -> Result<Self, Box<Diagnostic>> {
        self.settings = in_formulation(&self.built.model, &self.settings, choice)?;
        Ok(self)
    }

    /// Channels to record: names with `*` and `?`.
    pub fn channels<T: Into<String>>(mut self, patterns: impl IntoIterator<Item = T>) -> Self {
        self.channels = patterns.into_iter().map(Into::into).collect();
        self
    }

    /// Whether to record what a viewer needs.
    pub fn picture(mut self, wanted: bool) -> Self {
        self.picture = wanted;
        self
    }

    /// From a state or a checkpoint instead of the described initial values.
    pub fn start(mut self, start: Start<'a>) -> Self {
        self.start = Some(start);
        self
    }

    /// From a state, such as an equilibrium.
    pub fn from_state(self, state: State) -> Self {
        self.start(Start::State(state))
    }

    /// Resolves the channels: what a sink needs to know before the first row.
    pub fn prepare(self) -> Result<Prepared<'a>, SimulationError> {
        let select = if self.picture { Recorder::with_picture } else { Recorder::new };
        let recorder = select(&self.built.model, &self.channels)?;
        Ok(Prepared { simulation: self, recorder })
    }

    /// Runs to the end and keeps all rows in memory.
    pub fn run(self) -> Result<Recording, SimulationError> {
        let mut prepared = self.prepare()?;
        let mut recording = Recording::new(prepared.channels());
        prepared.run(&mut recording, &mut |_| true, &mut ())?;
        Ok(recording)
    }
}

/// A run whose channels are known.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    simulation: Simulation<'a>,
    recorder: Recorder,
}

impl<'a> Prepared<'a> {
    /// Recorded channels, in the order of a row.
    pub fn channels(&self) -> &[Channel] {
        self.recorder.channels()
    }

    /// Settings of the run.
    pub fn settings(&self) -> &SimulationDescription {
        &self.simulation.settings
    }

    /// Begins elsewhere.
    pub fn begin(&mut self, start: Start<'a>) {
        self.simulation.start = Some(start);
    }

    /// Whether a first row can be recorded at `state`; says why not in the words of a run.
    pub fn try_start(&mut self, state: &State) -> Result<(), SimulationError> {
        let model = &self.simulation.built.model;
        let mut row = vec![0.0; self.recorder.channels().len() + 1];
        let mut work = Workspace::new(model);
        let sampled = self.recorder.sample(model, state, 0.0, &mut work, &mut row);
        sampled.map_err(|error| suspect::explained(error, model, state, &mut work))
    }

    /// Runs; rows go to `sink`. `watch` is called after every step and returns whether to go on, `keeper` keeps checkpoints
    /// (`()` keeps none).
    pub fn run(
        &mut self,
        sink: &mut impl Sink,
        watch: &mut impl FnMut(&Progress) -> bool,
        keeper: &mut impl Keeper,
    ) -> Result<Outcome, SimulationError> {
        let (model, settings) = (&self.simulation.built.model, &self.simulation.settings);
        let start = self.simulation.start.clone();
        let start = start.unwrap_or_else(|| Start::State(State::initial(model, settings.start)));
        run_kept(model, settings, start, &mut self.recorder, sink, watch, keeper)
    }

    /// Runs with steps taken by `remote`, such as a device; rows, warnings, audit and checkpoints as by [`Prepared::run`].
    pub fn run_remote(
        &mut self,
        remote: &mut dyn Remote,
        sink: &mut impl Sink,
        watch: &mut impl FnMut(&Progress) -> bool,
        keeper: &mut impl Keeper,
    ) -> Result<Outcome, SimulationError> {
        let followed = match self.simulation.start {
            Some(Start::Checkpoint(checkpoint)) => {
                let (model, settings) = (&self.simulation.built.model, &self.simulation.settings);
                let (followed, memory) =
                    Followed::resumed(model, settings, checkpoint, &mut self.recorder, sink)?;
                if !remote.recall(followed.state(), &memory)? {
                    let text = "the memory of its device does not fit: it is damaged, or of another version of the program";
                    return Err(SimulationError::Checkpoint(text.into()));
                }
                followed
            }
            _ => {
                let followed = self.follow(sink)?;
                remote.begin(followed.state())?;
                followed
            }
        };
        run_remote(followed, remote, watch, keeper)
    }

    /// The run with its steps taken elsewhere, row by row: several runs may go side by side on one device.
    pub fn follow<'b, K: Sink>(&'b mut self, sink: &'b mut K) -> Result<Followed<'b, K>, SimulationError> {
        let (model, settings) = (&self.simulation.built.model, &self.simulation.settings);
        let state = match &self.simulation.start {
            Some(Start::State(state)) => state.clone(),
            Some(Start::Checkpoint(_)) => {
                let text = "runs side by side go on from no checkpoint; run it alone".to_string();
                return Err(SimulationError::Settings(text));
            }
            None => State::initial(model, settings.start),
        };
        Followed::new(model, settings, state, &mut self.recorder, sink)
    }
}
