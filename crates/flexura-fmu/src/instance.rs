//! One instance of an FMU: a model with other numbers, inputs and a run in pieces.
//!
//! Co-simulation advances the run of the file's own method (`flexura::simulate::Pieces`). Where a communication point lies on the grid of rows
//! of the file, to rounding, that instant is taken, so that an importer who steps as the file does has the rows of `flexura run`.

use crate::exchange::Evaluation;
use crate::snapshot::Snapshot;
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

/// Times closer than this share of a step are one instant.
const SAME_INSTANT: f64 = 1e-9;

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
}

/// A model, its settings and channels, from the resources.
struct Made {
    model: Model,
    settings: SimulationDescription,
    interface: Interface,
    recorder: Recorder,
}

/// Builds the model of a text; parts lie in the resources.
fn make(text: &str, resources: &Path) -> Result<Made, String> {
    let choices = std::fs::read_to_string(resources.join(CHOICES_FILE)).map_err(|error| error.to_string())?;
    let (inputs, outputs, exchange) =
        choices_from(&choices).ok_or("the list of inputs and outputs is damaged")?;
    let file = resources.join(MODEL_FILE).display().to_string();
    let parsed = check_with(text, &file, &PartSource::default()).map_err(|errors| errors.to_string())?;
    let description = parsed.description;
    let settings = description.simulation.clone();
    let model = build(description).map_err(|error| {
        error.diagnostics.iter().map(|found| found.to_string()).collect::<Vec<_>>().join("\n")
    })?;
    let model = model.model;
    let interface = Interface::new(text, &model, (&inputs, &outputs), exchange)?;
    let names: Vec<String> = interface.outputs.iter().map(|channel| channel.name.clone()).collect();
    let recorder = Recorder::new(&model, &names).map_err(|error| error.to_string())?;
    Ok(Made { model, settings, interface, recorder })
}

impl Instance {
    /// An instance of the FMU whose resources lie in a folder; `given` is the token of its description.
    pub fn new(resources: &Path, given: &str, mode: Mode) -> Result<Self, String> {
        let path = resources.join(MODEL_FILE);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let Made { model, settings, interface, recorder } = make(&text, resources)?;
        if token(&text, &interface) != given {
            return Err("the token of the description is not that of the resources".into());
        }
        if mode == Mode::Exchange && interface.states == 0 {
            return Err("this FMU is for co-simulation only".into());
        }
        let inputs = interface.inputs.iter().map(|input| input.start).collect();
        let evaluation = Evaluation::new(&model, settings.start, recorder.channels().len());
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
        self.phase = Phase::Initializing;
        self.outdated = true;
        Ok(())
    }

    /// Ends initialisation.
    pub fn exit_initialization(&mut self) -> Result<(), String> {
        self.settle()?;
        self.phase = Phase::Running;
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
        let start = self.settings.start;
        let made = make(&text, &self.resources)?;
        if made.interface.variables.len() != self.interface.variables.len() {
            return Err("with these numbers the model has other variables".into());
        }
        (self.model, self.settings, self.recorder) = (made.model, made.settings, made.recorder);
        self.settings.start = start;
        Ok(())
    }

    /// Brings the start of the run up to date with numbers and inputs.
    fn settle(&mut self) -> Result<(), String> {
        if self.phase == Phase::Running || !self.outdated {
            return Ok(());
        }
        self.rebuild()?;
        self.hand_over_inputs();
        let start = self.settings.start;
        self.evaluation = Evaluation::new(&self.model, start, self.recorder.channels().len());
        if self.mode == Mode::CoSimulation {
            let state = State::initial(&self.model, start);
            let begun = Pieces::begin(&self.model, &self.settings, state, &mut self.recorder);
            self.pieces = begun.map_err(|error| error.to_string())?;
        }
        (self.outdated, self.jumped) = (false, false);
        Ok(())
    }

    fn hand_over_inputs(&mut self) {
        for (input, &value) in self.interface.inputs.iter().zip(&self.inputs) {
            input.set(&mut self.model, self.settings.start, value);
        }
        self.evaluation.outdate();
    }

    /// Values of variables by reference.
    pub fn get(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), String> {
        self.settle()?;
        for (&reference, slot) in references.iter().zip(values) {
            *slot = self.value(reference as usize)?;
        }
        Ok(())
    }

    fn value(&mut self, reference: usize) -> Result<f64, String> {
        let face = &self.interface;
        let (parameters, outputs, states) = (face.first_parameter(), face.first_output(), face.first_state());
        let Some(variable) = face.variables.get(reference) else {
            return Err(format!("no variable has the reference {reference}"));
        };
        match variable.causality {
            Causality::Independent => Ok(self.time()),
            Causality::Input => Ok(self.inputs[reference - 1]),
            Causality::Parameter => {
                let start = variable.start.unwrap_or(0.0);
                Ok(self.numbers.get(&(reference - parameters)).copied().unwrap_or(start))
            }
            Causality::Output if self.phase == Phase::Instantiated => {
                Err("outputs are known from initialisation on".into())
            }
            Causality::Output => {
                let place = reference - outputs;
                match self.mode {
                    Mode::CoSimulation => Ok(self.pieces.row()[place + 1]),
                    Mode::Exchange => self.evaluation.output(&self.model, &mut self.recorder, place),
                }
            }
            Causality::State => Ok(self.evaluation.state(reference - states)),
            Causality::Derivative(place) => self.evaluation.derivative(&self.model, place),
        }
    }

    /// Sets variables by reference.
    pub fn set(&mut self, references: &[u32], values: &[f64]) -> Result<(), String> {
        for (&reference, &value) in references.iter().zip(values) {
            let reference = reference as usize;
            let Some(variable) = self.interface.variables.get(reference) else {
                return Err(format!("no variable has the reference {reference}"));
            };
            if !value.is_finite() {
                return Err(format!("`{}` cannot be {value}", variable.name));
            }
            match variable.causality {
                Causality::Input => {
                    if self.inputs[reference - 1] != value {
                        self.inputs[reference - 1] = value;
                        (self.jumped, self.outdated) = (true, true);
                    }
                }
                Causality::Parameter if self.phase != Phase::Running => {
                    self.numbers.insert(reference - self.interface.first_parameter(), value);
                    self.outdated = true;
                }
                Causality::Parameter => {
                    return Err(format!("`{}` is fixed once the run has begun", variable.name));
                }
                _ => return Err(format!("`{}` cannot be set", variable.name)),
            }
        }
        if self.phase == Phase::Running && self.mode == Mode::Exchange && self.jumped {
            self.hand_over_inputs();
            self.jumped = false;
        }
        Ok(())
    }

    /// The present time (s).
    pub fn time(&self) -> f64 {
        match (self.mode, self.phase) {
            (_, Phase::Instantiated) => self.settings.start,
            (Mode::CoSimulation, _) => self.pieces.time(),
            (Mode::Exchange, _) => self.evaluation.time(),
        }
    }

    /// Advances from `now` by `step` (s); the event that stopped the run, if one did.
    pub fn do_step(&mut self, now: f64, step: f64) -> Result<Option<String>, String> {
        if self.phase != Phase::Running || self.mode != Mode::CoSimulation {
            return Err("steps are taken in co-simulation, after initialisation".into());
        }
        let reached = self.pieces.time();
        if (now - reached).abs() > SAME_INSTANT * step.abs().max(now.abs()) {
            return Err(format!("the step begins at {now} s, but the run is at {reached} s"));
        }
        if !(step.is_finite() && step > 0.0) {
            return Err(format!("a step of {step} s"));
        }
        let end = self.on_grid(now + step, step);
        if self.jumped {
            self.hand_over_inputs();
        }
        let jumped = std::mem::take(&mut self.jumped);
        let (model, settings) = (&self.model, &self.settings);
        let gone = self.pieces.advance(model, settings, end, jumped, &mut self.recorder);
        gone.map(|end| end.stopped_by).map_err(|error| error.to_string())
    }

    /// The instant on the grid of rows that `time` means, where it means one.
    fn on_grid(&self, time: f64, step: f64) -> f64 {
        let interval = self.settings.output_interval;
        if interval <= 0.0 {
            return time;
        }
        let near = self.settings.start + interval * ((time - self.settings.start) / interval).round();
        if (near - time).abs() <= SAME_INSTANT * step { near } else { time }
    }

    /// A copy of everything that changes.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            running: self.phase as u64,
            start: self.settings.start,
            numbers: self.numbers.clone(),
            inputs: self.inputs.clone(),
            jumped: self.jumped,
            pieces: self.pieces.clone(),
            time: self.evaluation.time(),
            states: self.evaluation.states(),
        }
    }

    /// Takes a copy back.
    pub fn restore(&mut self, from: &Snapshot) -> Result<(), String> {
        let sizes = (from.inputs.len(), from.states.len());
        if sizes != (self.inputs.len(), self.evaluation.states().len()) {
            return Err("the stored state is that of another FMU".into());
        }
        let rebuilt = self.numbers != from.numbers;
        self.numbers.clone_from(&from.numbers);
        self.settings.start = from.start;
        if rebuilt {
            let given = token(&self.text, &self.interface);
            let fresh = Self::new(&self.resources.clone(), &given, self.mode)?;
            (self.model, self.settings, self.recorder) = (fresh.model, fresh.settings, fresh.recorder);
            self.settings.start = from.start;
            self.rebuild()?;
        }
        self.inputs.clone_from(&from.inputs);
        self.pieces = from.pieces.clone();
        self.evaluation.set_time(from.time);
        self.evaluation.set_states(&from.states);
        self.hand_over_inputs();
        self.jumped = from.jumped;
        self.phase = match from.running {
            0 => Phase::Instantiated,
            1 => Phase::Initializing,
            _ => Phase::Running,
        };
        self.outdated = self.phase == Phase::Initializing;
        Ok(())
    }

    /// The next instant at which a function of time of the model is not smooth (s).
    pub fn next_event(&self) -> Option<f64> {
        let now = self.time();
        let breaks = flexura::simulate::break_points(&self.model, &self.settings);
        breaks.into_iter().find(|&at| at > now && at < self.settings.end)
    }

    /// Number of continuous states.
    pub fn state_count(&self) -> usize {
        self.interface.states
    }

    /// Sets the time of model exchange (s).
    pub fn set_time(&mut self, time: f64) -> Result<(), String> {
        if !time.is_finite() {
            return Err(format!("time cannot be {time}"));
        }
        self.evaluation.set_time(time);
        Ok(())
    }

    /// Sets the continuous states.
    pub fn set_states(&mut self, states: &[f64]) -> Result<(), String> {
        if states.len() != self.interface.states || states.iter().any(|x| !x.is_finite()) {
            return Err(format!("{} finite states are expected", self.interface.states));
        }
        self.evaluation.set_states(states);
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
