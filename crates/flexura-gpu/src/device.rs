//! What a device offers: memory by address, recorded lists of launches, replayed.

use crate::args::{Address, Args, Steps};
use crate::error::DeviceError;
use flexura::lower::{Kernel, Traits};

/// Which device to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// A CUDA device by number.
    Cuda(usize),
    /// The kernels on one thread of the processor, in the same bits.
    Emulated,
}

impl Choice {
    /// By the word of a command line: `cuda`, `cuda:1`, `emulated`.
    pub fn parse(word: &str) -> Option<Self> {
        match word.split_once(':') {
            None if word == "cuda" => Some(Self::Cuda(0)),
            None if word == "emulated" => Some(Self::Emulated),
            Some(("cuda", number)) => number.parse().ok().map(Self::Cuda),
            _ => None,
        }
    }

    /// Opens it for models with the given traits.
    pub(crate) fn open(self, traits: &Traits) -> Result<Box<dyn Device>, DeviceError> {
        match self {
            Self::Cuda(number) => Ok(Box::new(crate::cuda::CudaDevice::open(number, traits)?)),
            #[cfg(feature = "emulation")]
            Self::Emulated => Ok(Box::new(crate::emulation::Emulation::new())),
            #[cfg(not(feature = "emulation"))]
            Self::Emulated => Err(DeviceError::NoEmulation),
        }
    }
}

/// A device as users see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Word of the command line.
    pub word: String,
    /// Name by its maker.
    pub name: String,
    /// Memory (bytes): all and free.
    pub memory: (usize, usize),
    /// Compute capability and number of multiprocessors.
    pub capability: (i32, i32, i32),
}

/// Kernels that steps in time add.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StepKernel {
    Begin,
    Advance,
    Finish,
    Error,
    Settle,
    Judge,
    JudgeAll,
    Tick,
    Standing,
}

/// One call of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    Evaluate { kernel: Kernel, first: usize, count: usize },
    Prescribe { count: usize },
    Step { kernel: StepKernel, stage: usize, count: usize },
}

/// A recorded list of calls.
pub(crate) type Program = usize;

/// Memory and launches of one device.
pub(crate) trait Device {
    fn describe(&self) -> Description;
    fn put_integers(&mut self, data: &[i32]) -> Result<Address, DeviceError>;
    fn put_numbers(&mut self, data: &[f64]) -> Result<Address, DeviceError>;
    fn zeros(&mut self, count: usize) -> Result<Address, DeviceError>;
    fn zero_integers(&mut self, count: usize) -> Result<Address, DeviceError>;
    fn write(&mut self, at: Address, data: &[f64]) -> Result<(), DeviceError>;
    fn read(&mut self, at: Address, out: &mut [f64]) -> Result<(), DeviceError>;
    fn write_integers(&mut self, at: Address, data: &[i32]) -> Result<(), DeviceError>;
    fn read_integers(&mut self, at: Address, out: &mut [i32]) -> Result<(), DeviceError>;
    fn record(&mut self, args: &Args, steps: &Steps, calls: &[Call]) -> Result<Program, DeviceError>;
    fn replay(&mut self, program: Program, times: usize) -> Result<(), DeviceError>;
    /// Milliseconds of `times` replays on the device itself.
    fn time(&mut self, program: Program, times: usize) -> Result<f64, DeviceError>;
}
