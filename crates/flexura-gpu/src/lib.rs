//! Flexura on devices: one huge system by divide and conquer, or a batch of systems, evaluated and stepped on a GPU.
//!
//! The kernels are written once (`kernels/`). NVRTC compiles them at run time for the device and the model at hand; with the
//! feature `emulation` a C++ compiler builds them for the processor, where they give the same bits. What kernels read
//! comes from `flexura::lower`, which refuses by name what a device cannot run.
//!
//! ```no_run
//! use flexura_gpu::{Choice, Method, System};
//!
//! let built = flexura::load("models/satellite.toml")?.built;
//! let mut system = System::huge(&built.model, Choice::Cuda(0))?;
//! system.set_state(&flexura::State::initial(&built.model, 0.0))?;
//! system.start(Method::DormandPrince { relative: 1e-8, absolute: 1e-10, largest: 0.1, first: 1e-4 }, 0.0)?;
//! system.advance_to(1.0)?;
//! println!("{:?}", system.state()?.q);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod args;
mod batch;
mod cache;
mod cuda;
mod device;
#[cfg(feature = "emulation")]
mod emulation;
mod error;
mod run;
mod steps;
mod system;

pub use batch::{BatchRun, Ended};
pub use cuda::{CudaDevice, cuda_devices};
pub use device::{Choice, Description};
pub use error::DeviceError;
pub use run::{DeviceRun, device_method};
pub use steps::{Method, Progress};
pub use system::{Fetched, System};

/// The kernels as one text.
pub const KERNELS: &str = include_str!(concat!(env!("OUT_DIR"), "/kernels.cpp"));
