//! Why a command failed, with its documented exit code.

use flexura_output::OutputError;
use std::fmt::Display;

/// A failure with a message for people.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something that makes no sense.
    Usage(String),
    /// The model file is wrong; the text holds all findings.
    Model(String),
    /// The simulation could not go on.
    Simulation(String),
    /// Another rank of the run could not go on, and says why; nothing is printed.
    Echo(String),
    /// A file could not be read or written.
    File(String),
    /// A validated quantity is outside its tolerance.
    Verdict(String),
    /// The user interrupted.
    Interrupted(String),
}

impl Failure {
    /// The exit code documented in `--help`.
    pub fn code(&self) -> u8 {
        match self {
            Self::Verdict(_) => 1,
            Self::Usage(_) => 2,
            Self::Model(_) => 3,
            Self::Simulation(_) | Self::Echo(_) => 4,
            Self::File(_) => 5,
            Self::Interrupted(_) => 130,
        }
    }

    /// Prints the message to standard error.
    pub fn report(&self) {
        match self {
            // Model findings already carry `error[code]:` headers.
            Self::Model(text) => eprintln!("{}", text.trim_end()),
            Self::Usage(text) | Self::Simulation(text) | Self::Verdict(text) => eprintln!("error: {text}"),
            Self::File(text) => eprintln!("error: {text}{}", remedy(text)),
            Self::Interrupted(text) => eprintln!("{text}"),
            Self::Echo(_) => {}
        }
    }

    /// A file failure.
    pub fn file(error: impl Display) -> Self {
        Self::File(error.to_string())
    }

    /// A simulation failure.
    pub fn simulation(error: impl Display) -> Self {
        Self::Simulation(error.to_string())
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::OverBudget { .. } => Self::Usage(error.to_string()),
            _ => Self::file(error),
        }
    }
}

/// What to do about refusals of the operating system, which it names by number.
fn remedy(text: &str) -> &'static str {
    let has = |numbers: &[u8]| numbers.iter().any(|number| text.contains(&format!("(os error {number})")));
    if has(&[27]) {
        "\n  = help: the file has reached the largest size allowed (`ulimit -f`, or the file system): raise it or write to \
         another place; what was written before stays readable"
    } else if has(&[28, 122]) {
        "\n  = help: the disk or quota is full: free some space or write to another place; what was written before stays readable"
    } else if has(&[1, 13, 30]) {
        "\n  = help: you may not write or read there: choose another folder or file, or change its permissions"
    } else {
        ""
    }
}
