//! One instance of an FMU: a model with other numbers, inputs and a run in pieces.
//!
//! Co-simulation advances the run of the file's own method (`flexura::simulate::Pieces`). Where a communication point lies on the grid of rows
//! of the file, to rounding, that instant is taken, so that an importer who steps as the file does has the rows of `flexura run`.

mod derivatives;
mod events;
mod stepping;
mod stored;
mod values;

use crate::exchange::Evaluation;
use flexura::Model;
use flexura::State;
use flexura::build::build;
use flexura::file::{check_with, set_parameter};
use flexura::model::description::SimulationDescription;
use flexura::record::Recorder;
use flexura::simulate::Pieces;
use flexura_exchange::fmi::{CHOICES_FILE, Causality, Interface, MODEL_FILE, choices_from, token};
use flexura_fem::PartSource;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How an instance is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The importer integrates.
    Exchange,
    /// The FMU integrates.
    CoSimulation,
}

/// What has been asked for so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Instantiated,
    Initializing,
    Running,
}

/// One instance of an FMU.
pub struct Instance {
    mode: Mode,
    resources: PathBuf,
    text: String,
    /// Other numbers, by place among the parameters.
    numbers: BTreeMap<usize, f64>,
    interface: Interface,
    model: Model,
    settings: SimulationDescription,
    recorder: Recorder,
    inputs: Vec<f64>,
    /// Whether inputs changed since the last step.
    jumped: bool,
    /// Whether numbers changed since the model was built.
    outdated: bool,
    phase: Phase,
    pieces: Pieces,
    evaluation: Evaluation,
    indicators: events::Indicators,
}

/// A model, its settings and channels, from the resources.
struct Made {
    model: Model,
    settings: SimulationDescription,
    interface: Interface,
    recorder: Recorder,
    indicators: events::Indicators,
}

/// Builds the model of a text; parts lie in the resources.
fn make(text: &str, resources: &Path) -> Result<Made, String> {
    let choices = std::fs::read_to_string(resources.join(CHOICES_FILE)).map_err(|error| error.to_string())?;
    let (inputs, outputs, exchange) =
        choices_from(&choices).ok_or("the list of inputs and outputs is damaged")?;
    let file = resources.join(MODEL_FILE).display().to_string();
    let parsed = check_with(text, &file, &PartSource::default()).map_err(|errors| errors.to_string())?;
    let description = parsed.description;
    let built = build(description).map_err(|error| {
        error.diagnostics.iter().map(|found| found.to_string()).collect::<Vec<_>>().join("\n")
    })?;
    // As they were settled: an automatic algorithm is one by now, the one that a run takes.
    let (settings, model) = (built.description.simulation, built.model);
    let events = if exchange { &settings.events[..] } else { &[] };
    let interface = Interface::new(text, &model, (&inputs, &outputs), exchange.then_some(events))?;
    let names: Vec<String> = interface.outputs.iter().map(|channel| channel.name.clone()).collect();
    let recorder = Recorder::new(&model, &names).map_err(|error| error.to_string())?;
    let indicators = events::Indicators::new(&model, &interface.events)?;
    Ok(Made { model, settings, interface, recorder, indicators })
}

impl Instance {
    /// An instance of the FMU whose resources lie in a folder; `given` is the token of its description.
    pub fn new(resources: &Path, given: &str, mode: Mode) -> Result<Self, String> {
        let path = resources.join(MODEL_FILE);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let Made { model, settings, interface, recorder, indicators } = make(&text, resources)?;
        if token(&text, &interface) != given {
            return Err("the token of the description is not that of the resources".into());
        }
        if mode == Mode::Exchange && interface.states == 0 {
            return Err("this FMU is for co-simulation only".into());
        }
        let inputs = interface.inputs.iter().map(|input| input.start).collect();
        let counts_work = interface.counts_work;
        let evaluation = Evaluation::new(&model, settings.start, recorder.channels().len(), counts_work);
        Ok(Self {
            mode,
            resources: resources.to_path_buf(),
            text,
            numbers: BTreeMap::new(),
            interface,
            model,
            settings,
            recorder,
            inputs,
            jumped: false,
            outdated: false,
            phase: Phase::Instantiated,
            pieces: Pieces::default(),
            evaluation,
            indicators,
        })
    }

    /// Everything as it was after instantiation.
    pub fn reset(&mut self) -> Result<(), String> {
        let given = token(&self.text, &self.interface);
        *self = Self::new(&self.resources.clone(), &given, self.mode)?;
        Ok(())
    }

    /// Begins initialisation at `start` (s), up to `stop` where it is known.
    pub fn enter_initialization(&mut self, start: f64, stop: Option<f64>) -> Result<(), String> {
        if !start.is_finite() || stop.is_some_and(|stop| stop < start) {
            return Err(format!("the run cannot begin at {start} s"));
        }
        self.rebuild()?;
        self.settings.start = start;
        // Where the importer's run ends the steps of `flexura run` with this end would end as well.
        self.settings.end = stop.unwrap_or(self.settings.end);
        self.phase = Phase::Initializing;
        self.outdated = true;
        Ok(())
    }

    /// Ends initialisation.
    pub fn exit_initialization(&mut self) -> Result<(), String> {
        self.settle()?;
        self.phase = Phase::Running;
        if self.mode == Mode::Exchange {
            self.look_at_events()?;
        }
        Ok(())
    }

    /// The model of the numbers set so far.
    fn rebuild(&mut self) -> Result<(), String> {
        if self.numbers.is_empty() {
            return Ok(());
        }
        let mut text = self.text.clone();
        for (&place, &value) in &self.numbers {
            let path = &self.interface.parameters[place];
            text = set_parameter(&text, path, &format!("{value:?}")).map_err(|error| error.to_string())?;
        }
        let (start, end) = (self.settings.start, self.settings.end);
        let made = make(&text, &self.resources)?;
        if made.interface.variables.len() != self.interface.variables.len() {
            return Err("with these numbers the model has other variables".into());
        }
        (self.model, self.settings, self.recorder) = (made.model, made.settings, made.recorder);
        self.indicators = made.indicators;
        self.settings.start = start;
        if self.phase != Phase::Instantiated {
            self.settings.end = end;
        }
        Ok(())
    }

    /// Brings the start of the run up to date with numbers and inputs.
    fn settle(&mut self) -> Result<(), String> {
        if self.phase == Phase::Running || !self.outdated {
            return Ok(());
        }
        self.rebuild()?;
        self.hand_over_inputs();
        let (start, channels) = (self.settings.start, self.recorder.channels().len());
        let counts_work = self.interface.counts_work;
        self.evaluation = Evaluation::new(&self.model, start, channels, counts_work);
        if self.mode == Mode::Exchange {
            self.evaluation.begin(&self.model, &mut self.recorder)?;
            let memory = self.evaluation.memory(&mut self.recorder);
            self.indicators.begin_from(&memory, &mut self.evaluation)?;
        }
        if self.mode == Mode::CoSimulation {
            let state = State::initial(&self.model, start);
            let begun = Pieces::begin(&self.model, &self.settings, state, &mut self.recorder);
            self.pieces = begun.map_err(|error| error.to_string())?;
        }
        (self.outdated, self.jumped) = (false, false);
        Ok(())
    }

    fn hand_over_inputs(&mut self) {
        let running = self.phase == Phase::Running;
        let now = if running { self.time() } else { self.settings.start };
        let integrated = running && self.mode == Mode::Exchange;
        for (input, &value) in self.interface.inputs.iter().zip(&self.inputs) {
            // A motion goes on by itself: told anew without need, it would be rounded anew. One that the importer integrates goes on with his states.
            let goes_on = input.motion(&self.model).is_some_and(|[.., acceleration]| acceleration == value);
            if !(goes_on || integrated && input.is_motion()) {
                input.set(&mut self.model, now, value);
            }
        }
        self.follow_motions();
        self.evaluation.outdate();
    }

    /// In model exchange, motions whose accelerations are inputs go through the importer's states.
    fn follow_motions(&mut self) {
        if self.mode == Mode::Exchange && self.phase == Phase::Running {
            for (input, &value) in self.interface.inputs.iter().zip(&self.inputs) {
                input.follow(&mut self.model, self.evaluation.state(), value);
            }
        }
    }

    /// The present time (s).
    pub fn time(&self) -> f64 {
        match (self.mode, self.phase) {
            (_, Phase::Instantiated) => self.settings.start,
            (Mode::CoSimulation, _) => self.pieces.time(),
            (Mode::Exchange, _) => self.evaluation.time(),
        }
    }

    /// The next instant at which a function of time of the model is not smooth or a controller is sampled (s).
    pub fn next_event(&self) -> Option<f64> {
        let (now, end) = (self.time(), self.settings.end);
        let breaks = flexura::simulate::break_points(&self.model, &self.settings);
        let smooth = breaks.into_iter().find(|&at| at > now && at < end);
        // Samples go on beyond the end that was told: an importer may go on as well.
        smooth.into_iter().chain(self.evaluation.next_sample(&self.model)).min_by(f64::total_cmp)
    }

    /// In event mode of model exchange: controllers are sampled, loops closed; whether states have changed.
    pub fn update(&mut self) -> Result<bool, String> {
        if self.mode != Mode::Exchange {
            return Ok(false);
        }
        self.settle()?;
        self.evaluation.update(&self.model)
    }

    /// Number of continuous states.
    pub fn state_count(&self) -> usize {
        self.interface.states
    }

    /// What each of them comes to.
    pub fn nominals(&self) -> Vec<f64> {
        let states =
            self.interface.variables.iter().filter(|variable| variable.causality == Causality::State);
        states.map(|state| state.nominal.unwrap_or(1.0)).collect()
    }

    /// Sets the time of model exchange (s).
    pub fn set_time(&mut self, time: f64) -> Result<(), String> {
        if !time.is_finite() {
            return Err(format!("time cannot be {time}"));
        }
        self.evaluation.set_time(time);
        self.follow_motions();
        Ok(())
    }

    /// Sets the continuous states.
    pub fn set_states(&mut self, states: &[f64]) -> Result<(), String> {
        if states.len() != self.interface.states || states.iter().any(|x| !x.is_finite()) {
            return Err(format!("{} finite states are expected", self.interface.states));
        }
        self.evaluation.set_states(states)?;
        self.follow_motions();
        Ok(())
    }

    /// The continuous states.
    pub fn states(&mut self) -> Result<Vec<f64>, String> {
        self.settle()?;
        Ok(self.evaluation.states())
    }

    /// Their derivatives.
    pub fn derivatives(&mut self) -> Result<Vec<f64>, String> {
        self.settle()?;
        (0..self.interface.states).map(|place| self.evaluation.derivative(&self.model, place)).collect()
    }
}
