//! Gradients of whole runs: the derivative of one number of a run over everything it depends on, whatever the number of parameters.
//!
//! A run is kept as a list of operations and some of its states (`trace.rs`). Backwards, every step is repeated from its start
//! and its adjoint taken (`step.rs`), every stage of explicit ones by one solve with the mass matrix and one sweep over inverse dynamics
//! (`evaluation.rs`), implicit ones by their transposed tangent (`implicit_step.rs`). Model numbers enter through the constants of evaluations (`influence.rs`), so that the cost does not depend on
//! the number of parameters. The steps are those of the simulation, accepted ones where their length is controlled (implicit ones of one length are not
//! split at contacts, as a run splits them); the derivative is that of the discrete run, the lengths of its steps held.
//!
//! How inverse dynamics is reversed was a choice. A sweep written by hand would stand beside every joint, element, tyre, controller
//! and level of inertia a second time; dual numbers cost a run per few parameters; a tape of every evaluation costs ten to thirty. So the code
//! that simulates is written down once per way through its branches and becomes a program that runs forwards and backwards (`program.rs`,
//! `replay.rs`); the tape finds the ways, takes what cannot be written down, and judges every recording (`recordings.rs`, `taping.rs`). What a
//! gradient cost is counted and timed ([`Cost`]). Offline work: allocates.
//!
//! Typeset: book/src/theory/adjoint.md (AD.1) to (AD.13).

mod backward;
mod closed_end;
mod closed_stage;
mod closed_start;
mod cost;
mod coupled;
mod direct;
mod drives;
mod evaluation;
mod forward;
mod implicit_step;
mod influence;
mod loops;
mod objective;
mod program;
mod radau_step;
mod recordings;
mod refusal;
mod replay;
mod slopes;
mod step;
mod sweep;
mod taping;
mod trace;
mod twist_chart;

pub use cost::Cost;
pub use objective::{Objective, Term};

use super::sensitivity::{Parameter, SensitivityError};
use crate::build::Built;
use crate::error::SimulationError;
use crate::model::Model;
use crate::model::channel::Channel;
use crate::model::description::SimulationDescription;
use crate::simulate::Input;
use crate::state::State;
use step::Step;
use taping::Taping;
use trace::Trace;

/// Memory for kept states unless told otherwise (bytes).
const STATE_MEMORY: usize = 64 << 20;

/// Why there is no gradient.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GradientError {
    /// What sensitivities do not have either.
    #[error(transparent)]
    Sensitivity(#[from] SensitivityError),
    /// The method of integration.
    #[error(
        "runs by {0} have no gradient yet: use `method = \"rk4\"`, `\"dormand-prince\"`, `\"radau\"`, `\"trapezoidal\"`, `\"generalized-alpha\"` or `\"hht\"` in [simulation]"
    )]
    Method(String),
    /// An event that ends the run.
    #[error(
        "event `{0}` ends the run where it happens, which moves with everything: take `stop` off the event, or end the run before"
    )]
    Event(String),
    /// A sampled controller that measures forces or accelerations.
    #[error(
        "controller `{0}` samples a channel that depends on accelerations, which is not followed backwards yet"
    )]
    Sensor(String),
    /// Closed loops that are not gone back over.
    #[error("closed loops: {0}")]
    Loops(String),
    /// Work of drivers that is not followed.
    #[error(
        "channel `{0}` has the work of drives, whose forces implicit steps of closed loops find apart: not followed backwards yet"
    )]
    Work(String),
    /// A reaction that redundant constraints share.
    #[error(
        "the reaction of joint `{0}` is shared by constraints that say the same, in a way that has no derivative: take another channel, or a joint of fewer rows"
    )]
    Shared(String),
    /// A channel that is no quantity of the model.
    #[error("channel `{0}` is a check of the run and has no gradient; use energy.total or energy.work")]
    Channel(String),
    /// A parameter that changes nothing.
    #[error("parameter `{0}` has no influence: no number of the built model depends on it")]
    NoInfluence(String),
    /// Inputs that do not fit.
    #[error("{0}")]
    Input(String),
    /// Times of rows, a start or weights that do not fit.
    #[error("{0}")]
    Setup(String),
    /// Evaluations go too many ways.
    #[error(
        "evaluations of the run take more than {0} ways through contacts and tables: derivatives over parameters are not followed"
    )]
    Paths(usize),
    /// A parameter turned out to be rough: the way back begins anew.
    #[doc(hidden)]
    #[error("the way back must begin anew")]
    Again,
    /// The order of functions of time is not the one expected: a fault of this program.
    #[error("functions of time are not asked for in the order expected: please report this model")]
    Drives,
    /// The adjoint of an implicit step.
    #[error(
        "the adjoint of the step that ends at {0} s was not solved: its tangent is singular, or nearly so"
    )]
    Adjoint(f64),
    /// Derivatives that overflow, or that a division by zero has left.
    #[error(
        "derivatives of the run are no finite numbers: they grow without bound in a motion that does, or a channel has none where it is zero; take a shorter run or another objective"
    )]
    NotFinite,
    /// A recorded evaluation gives other derivatives than the tape: a fault of this program.
    #[error("a recorded evaluation does not give the derivatives of the tape: please report this model")]
    Recording,
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// What a run is kept for.
#[derive(Clone, Debug, Default)]
pub struct GradientSetup {
    /// Channels of the rows.
    pub channels: Vec<String>,
    /// Instants of the rows (s); absent: those of the output interval. The run ends at the last one.
    pub times: Option<Vec<f64>>,
    /// Inputs that are held from row to row (`JOINT.effort`, `FORCE.scale`, `CONTROLLER.reference`).
    pub inputs: Vec<String>,
    /// Their values, interval after interval; empty: the model's own all along.
    pub held: Vec<f64>,
    /// The state to start from; absent: the model's own, which moves with the parameters.
    pub start: Option<State>,
    /// States kept at most; zero: as many as fit into 64 MB.
    pub checkpoints: usize,
}

/// Derivatives of a number of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Gradient {
    /// Over the parameters.
    pub parameters: Vec<f64>,
    /// Over displacements of the initial state along its speeds (m, rad, modal units).
    pub position: Vec<f64>,
    /// Over the initial coordinates as they are stored; zero along quaternions, which keep their length.
    pub coordinates: Vec<f64>,
    /// Over the initial speeds.
    pub speed: Vec<f64>,
    /// Over the initial states of controllers.
    pub controller: Vec<f64>,
    /// Over the inputs, interval after interval.
    pub inputs: Vec<f64>,
}

/// A run that can be gone back over.
pub struct KeptRun<'a> {
    model: Model,
    settings: SimulationDescription,
    channels: Vec<Channel>,
    times: Vec<f64>,
    rows: Vec<f64>,
    inputs: Vec<Input>,
    held: Vec<f64>,
    /// Whether the initial state is the model's own.
    own_start: bool,
    start: State,
    trace: Trace,
    step: Step,
    taping: Taping<'a>,
    cost: Cost,
    touched: Vec<String>,
}

impl<'a> KeptRun<'a> {
    /// Runs `built` and keeps what going back needs.
    pub fn new(
        built: &Built,
        parameters: &'a [Parameter<'a>],
        setup: &GradientSetup,
    ) -> Result<Self, GradientError> {
        forward::run(built, parameters, setup)
    }

    /// Channels of the rows.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Instants of the rows (s).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Values of the channels, row after row.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// Inputs that are held from row to row.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The state that the run began at.
    pub fn start(&self) -> &State {
        &self.start
    }

    /// One-sided elements that opened or closed in the run: the gradient there is that of the steps taken, whose error falls with
    /// the length of the step only.
    pub fn touched(&self) -> &[String] {
        &self.touched
    }

    /// Parameters that the last way back followed by shifted models at every evaluation.
    pub fn followed_by_models(&self) -> impl Iterator<Item = &str> {
        self.taping.followed_by_models()
    }

    /// What the run and the ways back so far have cost.
    pub fn cost(&self) -> Cost {
        let mut cost = self.cost;
        cost.add_taping(&self.taping.cost);
        cost
    }

    /// The gradient of Σ wᵢ rowᵢ, with one weight for every value of [`KeptRun::rows`].
    pub fn pull_back(&mut self, weights: &[f64]) -> Result<Gradient, GradientError> {
        if weights.len() != self.rows.len() {
            let text = format!("{} weights for {} values of rows", weights.len(), self.rows.len());
            return Err(GradientError::Setup(text));
        }
        if weights.iter().any(|weight| !weight.is_finite()) {
            return Err(GradientError::Setup("a weight of a row is no number".into()));
        }
        if weights.iter().all(|weight| *weight == 0.0) {
            // No evaluation would be met, so that no parameter would seem to have an influence.
            return Ok(self.nothing());
        }
        self.back(weights)
    }

    /// The gradient of nothing.
    fn nothing(&self) -> Gradient {
        let (q, v, z) = (self.start.q.len(), self.start.v.len(), self.start.z.len());
        Gradient {
            parameters: vec![0.0; self.taping.parameter_count()],
            position: vec![0.0; v],
            coordinates: vec![0.0; q],
            speed: vec![0.0; v],
            controller: vec![0.0; z],
            inputs: vec![0.0; self.held.len()],
        }
    }

    /// The value of `objective`.
    pub fn value(&self, objective: &Objective) -> Result<f64, GradientError> {
        Ok(objective.of(&self.channels, &self.times, &self.rows)?.0)
    }

    /// Value and gradient of `objective`.
    pub fn gradient(&mut self, objective: &Objective) -> Result<(f64, Gradient), GradientError> {
        let (value, weights) = objective.of(&self.channels, &self.times, &self.rows)?;
        Ok((value, self.pull_back(&weights)?))
    }
}
