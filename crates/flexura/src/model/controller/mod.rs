//! Controllers of a model: what they read, their law, what they drive. Evaluated in `crate::control`.

mod block;

pub(crate) use block::LARGEST_ORDER;
pub use block::{Block, Callback, ExternalLaw, Law};

use super::channel::Source;
use crate::time_function::TimeFunction;

/// What a controller drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Actuator {
    /// The effort on a speed.
    Effort(usize),
    /// The scale of an applied force, added to its own.
    Force(usize),
    /// The scale of a load spread over a body, added to its own.
    Load(usize),
    /// The effort of an actuator between frames, added to its own.
    Element(usize),
}

/// One controller of a model.
#[derive(Clone, Debug)]
pub struct Controller {
    /// Name.
    pub name: String,
    /// Law.
    pub block: Block,
    /// Measured channels.
    pub sensors: Vec<Source>,
    /// Wanted value of each sensor.
    pub references: Vec<TimeFunction>,
    /// Driven inputs.
    pub actuators: Vec<Actuator>,
    /// Largest magnitude of an output (N, N m, 1).
    pub limit: f64,
    /// Time between samples (s); zero acts continuously.
    pub sample_time: f64,
    /// First entry in the controller states.
    pub first: usize,
    /// Number of continuous states or of remembered values.
    pub memory: usize,
    /// First entry in the outputs of all controllers.
    pub first_output: usize,
}

impl Controller {
    /// Whether outputs are held between samples.
    pub fn is_sampled(&self) -> bool {
        self.sample_time > 0.0
    }

    /// Number of entries in the controller states.
    pub fn state_count(&self) -> usize {
        self.memory + if self.is_sampled() { self.actuators.len() } else { 0 }
    }
}
