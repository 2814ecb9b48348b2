//! Controllers: from measured channels to efforts and forces.
//!
//! A controller reads the error e = reference(t) − sensor of each of its sensors
//! and drives its actuators, either continuously (its states are integrated with
//! the motion) or at a fixed sample rate (outputs are held between samples). All
//! its states live in [`crate::State::z`]: continuous ones, or the memory of a
//! sampled one followed by its held outputs.

mod block;
mod evaluate;
mod resolve;

pub use block::{Block, Callback, Law};
pub use evaluate::{ControlWork, apply, sample};
pub(crate) use evaluate::{drive, sample_with};
pub(crate) use resolve::{actuator, resolve};

use crate::record::Source;
use crate::time_function::TimeFunction;

/// What a controller drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
