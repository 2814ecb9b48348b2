//! Long computations that cannot be asked to stop: Ctrl-C leaves them behind.

use crate::law::take_fault;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Time between two looks at signals and calls of the progress bar.
pub const PATIENCE: Duration = Duration::from_millis(100);
/// As much as a main thread has.
const STACK: usize = 8 << 20;

/// Computes on a thread of its own while this one, detached, looks at signals. After Ctrl-C the
/// thread goes on unheard and ends by itself. An exception of a control law on it is passed on.
pub fn patiently<T: Send + 'static>(
    py: Python<'_>,
    compute: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let work = move || {
        let found = compute();
        // Nobody listens after Ctrl-C.
        let _ = sender.send((found, take_fault()));
    };
    let spawned = thread::Builder::new().name("flexura".into()).stack_size(STACK).spawn(work);
    spawned.map_err(|fault| PyOSError::new_err(format!("no thread to compute on: {fault}")))?;
    py.detach(move || {
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok((found, None)) => return Ok(found),
                Ok((_, Some(fault))) => return Err(fault),
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the computation broke off: please report this"));
                }
            }
        }
    })
}
