//! Flexura: flexible multibody dynamics.
//!
//! One immutable [`Model`] from one [`model::description::Description`], plain
//! [`State`], preallocated [`Workspace`], and recursive algorithms as free
//! functions. Units are SI throughout.
//!
//! Load a file, simulate, read a channel:
//!
//! ```no_run
//! let system = flexura::load("models/pendulum.toml")?.built;
//! let result = system.simulate()?;
//! println!("{:?}", result.channel("hinge.angle")?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same without files: see [`model::description::Description::new`]. One
//! evaluation of the equations of motion:
//!
//! ```
//! use flexura::model::description::*;
//! use flexura::{evaluate, State, Workspace};
//!
//! let model = Description::new("drop").body(BodyDescription::point_mass("stone", 2.0))
//!     .joint(JointDescription::new("fall", JointKindDescription::Translational, ["ground.origin", "stone.origin"]))
//!     .build()?.model;
//! let (state, mut work) = (State::initial(&model, 0.0), Workspace::new(&model));
//! evaluate(&model, &state, &mut work)?;
//! assert!((work.accelerations.chidot[2] + 9.81).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What this documentation lists is for users and keeps its meaning from version to version. Other public items are hidden from it
//! (`#[doc(hidden)]`): only crates, tests and benches of Flexura itself reach them, and they may change at any time.

pub mod algorithm;
pub mod analysis;
pub mod beam;
pub mod build;
pub mod checkpoint;
pub mod constraint;
pub mod control;
pub mod diagnostic;
#[doc(hidden)]
pub mod division;
mod dynamics;
mod error;
pub mod file;
#[doc(hidden)]
pub mod force;
pub mod formulation;
pub mod graph;
pub mod integrate;
#[doc(hidden)]
pub mod linear;
mod linear_range;
pub mod lower;
mod measure;
pub mod model;
pub mod motion;
pub mod picture;
pub mod ranks;
pub mod record;
pub mod scalar;
pub mod simulate;
pub mod spatial;
pub mod state;
pub mod time_function;
pub mod truncation;
mod workspace;

pub use build::build;
pub use dynamics::{AlgorithmChoice, AlgorithmWork, choose_algorithm, evaluate};
pub use error::{DynamicsError, SimulationError, SinkError};
pub use file::{load_model as load, load_model_with as load_with};
pub use model::Model;
pub use record::{Recorder, Recording};
pub use simulate::Simulation;
pub use state::{Load, State};
pub use workspace::Workspace;
