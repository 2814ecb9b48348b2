//! Standard output that a reader may close early.

use crate::Outcome;
use crate::failure::Failure;
use std::io::{ErrorKind, Write, stdout};

/// Prints `text`; a closed pipe (`flexura … | head`) is no failure.
pub fn print(text: &str) -> Outcome {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::File(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
