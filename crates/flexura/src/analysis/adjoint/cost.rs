//! What a gradient has cost: evaluations, memory, time.

use std::fmt;

/// Cost of a kept run and of all ways back over it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Cost {
    /// Steps of the run.
    pub steps: usize,
    /// Evaluations of the equations of motion in the run itself.
    pub forward: usize,
    /// Steps repeated because their states were not kept.
    pub repeated_steps: usize,
    /// Plain evaluations going backwards, repeated steps included.
    pub backward: usize,
    /// Evaluations on the tape.
    pub tapes: usize,
    /// Models built at shifted values of parameters.
    pub models: usize,
    /// Parameters that were followed by shifted models at every evaluation.
    pub direct: usize,
    /// Ways through evaluations that were prepared.
    pub paths: usize,
    /// Largest estimate of the relative error of the models' derivatives.
    pub model_error: f64,
    /// States kept at most, and memory of them, of the list of operations, of the states between two of them, of the tape (bytes).
    pub states: usize,
    /// Memory of the states kept (bytes).
    pub state_bytes: usize,
    /// Memory of the list of operations (bytes).
    pub operation_bytes: usize,
    /// Memory of the states between two of those kept (bytes).
    pub segment_bytes: usize,
    /// Memory of the tape (bytes).
    pub tape_bytes: usize,
    /// Time of the run (s).
    pub forward_seconds: f64,
    /// Time of shifted models (s).
    pub model_seconds: f64,
    /// Time of the ways back (s).
    pub backward_seconds: f64,
}

impl Cost {
    /// Takes over what is counted with the tape.
    pub(super) fn add_taping(&mut self, other: &Self) {
        (self.tapes, self.models, self.paths) = (other.tapes, other.models, other.paths);
        self.direct = other.direct;
        (self.model_error, self.tape_bytes) = (other.model_error, other.tape_bytes);
        self.model_seconds = other.model_seconds;
    }

    /// Time of run and ways back in units of the run; models built for parameters are not counted.
    pub fn runs(&self) -> f64 {
        1.0 + self.backward_seconds / self.forward_seconds.max(f64::MIN_POSITIVE)
    }

    /// Memory of everything kept (bytes).
    pub fn bytes(&self) -> usize {
        self.state_bytes + self.operation_bytes + self.segment_bytes + self.tape_bytes
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = |bytes: usize| bytes as f64 / 1e6;
        write!(
            f,
            "{} steps, {:.1} runs ({:.3} s forwards, {:.3} s backwards, {} steps repeated), memory {:.2} MB ({} states kept {:.2} MB, \
             operations {:.2} MB, between states {:.2} MB, tape {:.2} MB)",
            self.steps,
            self.runs(),
            self.forward_seconds,
            self.backward_seconds,
            self.repeated_steps,
            megabytes(self.bytes()),
            self.states,
            megabytes(self.state_bytes),
            megabytes(self.operation_bytes),
            megabytes(self.segment_bytes),
            megabytes(self.tape_bytes),
        )?;
        if self.models > 0 {
            write!(f, ", {} models built in {:.3} s", self.models, self.model_seconds)?;
        }
        if self.direct > 0 {
            write!(f, ", {} parameters by shifted models at every evaluation", self.direct)?;
        }
        Ok(())
    }
}
