//! Why a device could not do what it was asked.

use flexura::lower::Refusal;

/// Failure of a device or of a run on it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// No device of the kind.
    #[error("no CUDA device: {0}")]
    NoDevice(String),
    /// The program was built without it.
    #[error(
        "this program was built without the emulated device (feature `emulation` of the crate flexura-gpu)"
    )]
    NoEmulation,
    /// The model holds items that devices cannot run.
    #[error("the model cannot run on a device:\n{}", list(.0))]
    Refused(Vec<Refusal>),
    /// A method that devices do not have.
    #[error("method {0} runs on the processor only; devices have `rk4` and `dormand-prince`")]
    Method(String),
    /// States for another number of systems than there are.
    #[error("{given} states for {systems} systems")]
    Count {
        /// States given.
        given: usize,
        /// Systems.
        systems: usize,
    },
    /// Runs of a batch that do not go together.
    #[error(
        "the runs of a batch must have their rows at the same instants: `end` and `output_interval` may not differ"
    )]
    Rows,
    /// The driver or the compiler of kernels failed.
    #[error("{0}")]
    Driver(String),
    /// Memory of the device is too small.
    #[error(
        "the device has no room for another {needed} bytes ({free} are free); use fewer systems or bodies"
    )]
    Memory {
        /// Bytes needed.
        needed: usize,
        /// Bytes free.
        free: usize,
    },
    /// A mass matrix was singular, or a state no longer finite.
    #[error("system {system}: the equations of motion are singular at {body} (t = {time} s)")]
    Singular {
        /// System of a batch; zero for one huge system.
        system: usize,
        /// The body, as the model names it.
        body: String,
        /// When (s).
        time: f64,
    },
    /// Steps became too small.
    #[error(
        "system {system}: steps became too small at t = {time} s; the motion may be singular or too stiff for an explicit method"
    )]
    StepTooSmall {
        /// System of a batch; zero for one huge system.
        system: usize,
        /// When (s).
        time: f64,
    },
}

fn list(refusals: &[Refusal]) -> String {
    let lines: Vec<String> = refusals.iter().map(|refusal| format!("  {refusal}")).collect();
    lines.join("\n")
}
