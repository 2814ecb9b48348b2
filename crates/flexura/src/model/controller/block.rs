//! Control laws: PID, state space, a function of a channel, a callback of the library's user, and one that a file names.

use crate::model::element::ForceLaw;
use crate::scalar::Scalar;
use std::fmt;
use std::sync::Arc;

/// A control law as a function: (time, errors, memory, outputs). An error ends the run with its text.
pub type Law = dyn Fn(f64, &[f64], &mut [f64], &mut [f64]) -> Result<(), String> + Send + Sync;

/// A law in a file of another program: an FMU. The loader's source makes a callback of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExternalLaw {
    /// File, relative to the folder of the model file.
    pub file: String,
    /// Its inputs, one per sensor; empty for those of the file in their order.
    pub inputs: Vec<String>,
    /// Its outputs, one per actuator; empty for those of the file in their order.
    pub outputs: Vec<String>,
    /// Numbers to set before the start.
    pub parameters: Vec<(String, f64)>,
}

/// A law called at every sample.
#[derive(Clone)]
pub struct Callback(pub Arc<Law>);

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback")
    }
}

/// A control law.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Block {
    /// u = kp e + ki ∫e + kd ė, one sensor and one actuator. Continuous: ė is filtered with the time
    /// constant `filter` (s). Sampled: ė is the backward difference.
    Pid {
        /// kp.
        proportional: f64,
        /// ki (1/s).
        integral: f64,
        /// kd (s).
        derivative: f64,
        /// Time constant of the continuous derivative (s).
        filter: f64,
    },
    /// x' = A x + B e (or xₖ₊₁ = A xₖ + B eₖ when sampled), u = C x + D e; matrices row-major.
    StateSpace {
        /// A.
        a: Vec<f64>,
        /// B.
        b: Vec<f64>,
        /// C.
        c: Vec<f64>,
        /// D.
        d: Vec<f64>,
    },
    /// u = f(sensor − reference), one sensor and one actuator: a force as a function of a channel.
    Function {
        /// f.
        law: ForceLaw,
    },
    /// The user's function, sampled only, with this many remembered values.
    Callback(Callback, usize),
    /// A law in a file of another program; replaced by a callback before validation.
    External(ExternalLaw),
}

/// Row `i` of a row-major matrix with `columns` columns times `x`.
fn row_times<S: Scalar>(matrix: &[f64], i: usize, x: &[S]) -> S {
    let row = &matrix[i * x.len()..(i + 1) * x.len()];
    row.iter().zip(x).fold(S::ZERO, |sum, (&m, &x)| sum + x * m)
}

impl Block {
    /// Number of states for `sensors` sensors.
    pub fn memory(&self) -> usize {
        match self {
            Self::Pid { .. } => 2,
            Self::StateSpace { a, .. } => (a.len() as f64).sqrt().round() as usize,
            Self::Function { .. } => 0,
            Self::Callback(_, memory) => *memory,
            Self::External(_) => 0,
        }
    }

    /// Whether state `index` of the continuous law reaches an output: without gain, the integral and the filter of a
    /// pid controller only watch.
    pub fn state_acts(&self, index: usize) -> bool {
        match self {
            Self::Pid { integral, derivative, filter, .. } => match index {
                0 => *integral != 0.0,
                _ => *derivative != 0.0 && *filter > 0.0,
            },
            _ => true,
        }
    }

    /// Outputs and state rates of the continuous law.
    pub fn continuous<S: Scalar>(&self, error: &[S], x: &[S], outputs: &mut [S], rates: &mut [S]) {
        match self {
            Self::Pid { proportional, integral, derivative, filter } => {
                // x = (∫e, filtered e); ė ≈ (e − x₂)/τ
                let slope = if *filter > 0.0 { (error[0] - x[1]) * (1.0 / filter) } else { S::ZERO };
                outputs[0] = error[0] * *proportional + x[0] * *integral + slope * *derivative;
                rates[0] = error[0];
                rates[1] = slope;
            }
            Self::StateSpace { a, b, c, d } => {
                for (i, output) in outputs.iter_mut().enumerate() {
                    *output = row_times(c, i, x) + row_times(d, i, error);
                }
                for (i, rate) in rates.iter_mut().enumerate() {
                    *rate = row_times(a, i, x) + row_times(b, i, error);
                }
            }
            Self::Function { law } => outputs[0] = law.sample(-error[0]).0,
            Self::Callback(..) | Self::External(_) => outputs.fill(S::ZERO),
        }
    }

    /// Outputs of the sampled law; `memory` moves on by one sample. A callback is not called here: it takes
    /// plain numbers only.
    pub fn sampled<S: Scalar>(&self, interval: f64, error: &[S], memory: &mut [S], outputs: &mut [S]) {
        match self {
            Self::Pid { proportional, integral, derivative, .. } => {
                // memory = (∫e, last e)
                memory[0] += error[0] * interval;
                let slope = (error[0] - memory[1]) * (1.0 / interval);
                outputs[0] = error[0] * *proportional + memory[0] * *integral + slope * *derivative;
                memory[1] = error[0];
            }
            Self::StateSpace { a, b, c, d } => {
                for (i, output) in outputs.iter_mut().enumerate() {
                    *output = row_times(c, i, memory) + row_times(d, i, error);
                }
                // xₖ₊₁ row by row needs all of xₖ: at most a few states, kept on the stack.
                let mut next = [S::ZERO; LARGEST_ORDER];
                for (i, slot) in next.iter_mut().take(memory.len()).enumerate() {
                    *slot = row_times(a, i, memory) + row_times(b, i, error);
                }
                memory.copy_from_slice(&next[..memory.len()]);
            }
            Self::Function { law } => outputs[0] = law.sample(-error[0]).0,
            Self::Callback(..) | Self::External(_) => {}
        }
    }
}

/// Largest order of a sampled state-space block.
pub const LARGEST_ORDER: usize = 64;
