//! Model exchange: the equations of motion at the importer's time and states (`flexura::simulate::Equations`), and what is known of them already.

use flexura::State;
use flexura::analysis::{Along, Partials};
use flexura::model::Model;
use flexura::record::{Channel, Recorder};
use flexura::simulate::{Equations, Input};

/// A state of the importer and what follows from it.
pub struct Evaluation {
    equations: Equations,
    /// Rates of the states.
    rates: Vec<f64>,
    row: Vec<f64>,
    rates_known: bool,
    row_known: bool,
    /// Scratch of derivatives, made when they are first asked for.
    partials: Option<Box<Partials>>,
}

impl Evaluation {
    /// At the start of a model, whose rows have this many channels.
    pub fn new(model: &Model, start: f64, channels: usize, counts_work: bool) -> Self {
        let equations = Equations::new(model, start, counts_work);
        let (rates, row) = (vec![0.0; equations.count()], vec![0.0; channels + 1]);
        Self { equations, rates, row, rates_known: false, row_known: false, partials: None }
    }

    /// Closes loops and samples controllers at the start, where the recorder begins its balance of energies.
    pub fn begin(&mut self, model: &Model, recorder: &mut Recorder) -> Result<(), String> {
        self.equations.begin(model).map_err(|error| error.to_string())?;
        self.outdate();
        recorder.restart();
        self.equations.row(model, recorder, &mut self.row)
    }

    /// Forgets what followed from other inputs.
    pub fn outdate(&mut self) {
        (self.rates_known, self.row_known) = (false, false);
    }

    /// Time (s).
    pub fn time(&self) -> f64 {
        self.equations.time()
    }

    /// Sets the time (s).
    pub fn set_time(&mut self, time: f64) {
        self.equations.set_time(time);
        self.outdate();
    }

    /// The state as the importer has it.
    pub fn state(&self) -> &State {
        self.equations.state()
    }

    /// All states.
    pub fn states(&self) -> Vec<f64> {
        self.equations.values()
    }

    /// Sets all states.
    pub fn set_states(&mut self, states: &[f64]) -> Result<(), String> {
        self.outdate();
        self.equations.set_values(states).map_err(|error| error.to_string())
    }

    /// After a step of the importer.
    pub fn step_completed(&mut self, model: &Model) {
        self.equations.step_completed(model);
    }

    /// Time of the next sample of a controller (s).
    pub fn next_sample(&self, model: &Model) -> Option<f64> {
        self.equations.next_sample(model)
    }

    /// At an event: loops closed, turns counted, controllers sampled whose instant it is; whether states have changed.
    pub fn update(&mut self, model: &Model) -> Result<bool, String> {
        let changed = self.equations.put_back(model).map_err(|error| error.to_string())?;
        self.equations.step_completed(model);
        self.equations.take_samples(model).map_err(|error| error.to_string())?;
        self.outdate();
        Ok(changed)
    }

    /// The derivative of one state.
    pub fn derivative(&mut self, model: &Model, place: usize) -> Result<f64, String> {
        if !self.rates_known {
            self.equations.rates(model, &mut self.rates).map_err(|error| error.to_string())?;
            self.rates_known = true;
        }
        Ok(self.rates[place])
    }

    /// One output.
    pub fn output(&mut self, model: &Model, recorder: &mut Recorder, place: usize) -> Result<f64, String> {
        if !self.row_known {
            self.equations.row(model, recorder, &mut self.row)?;
            self.row_known = true;
        }
        Ok(self.row[place + 1])
    }

    /// The value of a channel by a recorder of its own.
    pub fn measured(&mut self, model: &Model, recorder: &mut Recorder) -> Result<f64, String> {
        let mut row = [0.0; 2];
        self.equations.row(model, recorder, &mut row)?;
        Ok(row[1])
    }

    /// Derivatives of rates and outputs along changes of the states and of inputs; `motions` are places of prescribed coordinates and speeds that are states.
    pub fn partials(
        &mut self,
        model: &Model,
        channels: &[Channel],
        states: &[f64],
        inputs: &[(&Input, f64)],
        motions: &[(usize, usize)],
    ) -> Result<&Partials, String> {
        let partials = self.partials.get_or_insert_with(|| Box::new(Partials::new(model, channels)));
        let state = self.equations.state();
        let (coordinates, rest) = states.split_at(state.q.len());
        let (speeds, controllers) = rest.split_at(state.v.len());
        // Where the work is a state, it is the last one.
        let counts_work = self.equations.counts_work();
        let work = if counts_work { states[states.len() - 1] } else { 0.0 };
        let along = Along { coordinates, speeds, controllers, work, inputs, motions };
        partials.evaluate(model, state, along).map_err(|error| error.to_string())?;
        Ok(&**partials)
    }

    /// Everything that changes, with what the recorder of the outputs remembers.
    pub fn memory(&mut self, recorder: &mut Recorder) -> Vec<u64> {
        self.equations.memory(recorder)
    }

    /// Takes it back.
    pub fn recall(&mut self, recorder: &mut Recorder, memory: &[u64]) -> Result<(), String> {
        self.outdate();
        let taken = self.equations.recall(recorder, memory);
        taken.then_some(()).ok_or_else(|| "the stored state is that of another FMU".into())
    }
}
