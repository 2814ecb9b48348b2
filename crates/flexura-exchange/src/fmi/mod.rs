//! FMI, the Functional Mock-up Interface: models as FMUs of version 2.0 and 3.0, and FMUs of others as controllers (`import`).
//!
//! Source: Functional Mock-up Interface 2.0.4 and 3.0.1 (fmi-standard.org). An FMU is an archive with a description in XML, a shared
//! library per platform, and resources. The library (`crates/flexura-fmu`) is the same for every model: it reads model file,
//! parts and the list of inputs and outputs from the resources. What both sides must agree on stands here: which variables there
//! are, and under which references (`interface.rs`). How a value reaches the model is the engine's (`flexura::simulate::Input`).

mod archive;
mod describe;
mod import;
mod interface;
mod terminals;
mod xml;

pub use archive::{Contents, FmuOptions, contents, pack, platform_folder};
pub use describe::{describe, token};
pub use import::open_law;
pub use interface::{Causality, Interface, Variable, choices_from, choices_text};

/// Version of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0.
    Two,
    /// FMI 3.0.
    Three,
}

/// Name of the model file in the resources.
pub const MODEL_FILE: &str = "model.toml";
/// Name of the list of inputs and outputs in the resources.
pub const CHOICES_FILE: &str = "interface.toml";
