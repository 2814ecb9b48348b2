//! Model exchange: the equations of motion at the importer's time and states.
//!
//! States are the coordinates q and the speeds v of the tree, in the order of the engine. v̇ are the accelerations; q̇ is ½ q ∘ ω for quaternions, R v for
//! the places of free joints, v elsewhere (`flexura::motion::retract`). The norm of a quaternion is not a state of the motion: rotations
//! are taken of q brought to unit length.

use flexura::analysis::{Along, Partials};
use flexura::model::Model;
use flexura::model::joint::JointKind;
use flexura::motion::retract::coordinate_rates;
use flexura::record::{Channel, Recorder};
use flexura::simulate::Input;
use flexura::state::prescribe::apply_prescribed;
use flexura::{State, Workspace, evaluate};

/// A state of the importer and what follows from it.
pub struct Evaluation {
    state: State,
    work: Workspace,
    /// q̇, then v̇.
    rates: Vec<f64>,
    row: Vec<f64>,
    rates_known: bool,
    row_known: bool,
    /// Scratch of derivatives, made when they are first asked for.
    partials: Option<Box<Partials>>,
}

impl Evaluation {
    /// At the start of a model.
    pub fn new(model: &Model, start: f64, channels: usize) -> Self {
        let state = State::initial(model, start);
        let rates = vec![0.0; state.q.len() + state.v.len()];
        let work = Workspace::new(model);
        let row = vec![0.0; channels + 1];
        Self { state, work, rates, row, rates_known: false, row_known: false, partials: None }
    }

    /// Forgets what followed from other inputs.
    pub fn outdate(&mut self) {
        (self.rates_known, self.row_known) = (false, false);
    }

    /// Time (s).
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Sets the time (s).
    pub fn set_time(&mut self, time: f64) {
        self.state.time = time;
        self.outdate();
    }

    /// Coordinates, then speeds.
    pub fn states(&self) -> Vec<f64> {
        self.state.q.iter().chain(&self.state.v).copied().collect()
    }

    /// One of them.
    pub fn state(&self, place: usize) -> f64 {
        let q = self.state.q.len();
        if place < q { self.state.q[place] } else { self.state.v[place - q] }
    }

    /// Sets coordinates and speeds.
    pub fn set_states(&mut self, states: &[f64]) {
        let (q, v) = states.split_at(self.state.q.len().min(states.len()));
        if v.len() == self.state.v.len() {
            self.state.q.copy_from_slice(q);
            self.state.v.copy_from_slice(v);
        }
        self.outdate();
    }

    /// The state with quaternions of unit length and prescribed coordinates where they are to be.
    fn placed(&mut self, model: &Model) -> State {
        let mut state = self.state.clone();
        for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
            if matches!(joint.joint.kind, JointKind::Spherical | JointKind::Free) {
                let turn = &mut state.q[part.joint_q()][..4];
                let norm = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
                turn.iter_mut().for_each(|x| *x /= norm);
            }
        }
        apply_prescribed(model, &mut state, Some(&mut self.work.load));
        state
    }

    /// The derivative of one state.
    pub fn derivative(&mut self, model: &Model, place: usize) -> Result<f64, String> {
        if !self.rates_known {
            let state = self.placed(model);
            evaluate(model, &state, &mut self.work).map_err(|error| error.to_string())?;
            let (positions, speeds) = self.rates.split_at_mut(state.q.len());
            coordinate_rates(model, &state, positions);
            speeds.copy_from_slice(&self.work.accelerations.chidot);
            self.rates_known = true;
        }
        Ok(self.rates[place])
    }

    /// One output.
    pub fn output(&mut self, model: &Model, recorder: &mut Recorder, place: usize) -> Result<f64, String> {
        if !self.row_known {
            let state = self.placed(model);
            recorder
                .sample(model, &state, 0.0, &mut self.work, &mut self.row)
                .map_err(|error| error.to_string())?;
            (self.row_known, self.rates_known) = (true, false);
        }
        Ok(self.row[place + 1])
    }

    /// The value of a channel by a recorder of its own.
    pub fn measured(&mut self, model: &Model, recorder: &mut Recorder) -> Result<f64, String> {
        let state = self.placed(model);
        let mut row = [0.0; 2];
        let sampled = recorder.sample(model, &state, 0.0, &mut self.work, &mut row);
        sampled.map_err(|error| error.to_string())?;
        self.rates_known = false;
        Ok(row[1])
    }

    /// Derivatives of rates and outputs along changes of the states (coordinates, then speeds) and of inputs.
    pub fn partials(
        &mut self,
        model: &Model,
        channels: &[Channel],
        states: &[f64],
        inputs: &[(&Input, f64)],
    ) -> Result<&Partials, String> {
        let partials = self.partials.get_or_insert_with(|| Box::new(Partials::new(model, channels)));
        let (coordinates, speeds) = states.split_at(self.state.q.len());
        let along = Along { coordinates, speeds, inputs };
        partials.evaluate(model, &self.state, along).map_err(|error| error.to_string())?;
        Ok(&**partials)
    }
}
