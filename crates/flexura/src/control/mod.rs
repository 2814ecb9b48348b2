//! Controllers: from measured channels to efforts and forces.
//!
//! A controller reads the error e = reference(t) − sensor of each of its sensors
//! and drives its actuators, either continuously (its states are integrated with
//! the motion) or at a fixed sample rate (outputs are held between samples). All
//! its states live in [`crate::State::z`]: continuous ones, or the memory of a
//! sampled one followed by its held outputs.

mod evaluate;
mod resolve;

pub use crate::model::controller::{Actuator, Block, Callback, Controller, ExternalLaw, Law};
pub use crate::state::ControlWork;
pub(crate) use evaluate::LARGEST_PORTS;
pub use evaluate::apply;
pub(crate) use evaluate::{drive, limited, measure_errors};
pub(crate) use resolve::{actuator, is_kinematic, resolve};
