//! Control laws in Python: called at every sample of a run, with the interpreter attached.
//!
//! An exception cannot leave the stepping loop; it waits in [`FAULT`] of the thread
//! that runs, and the watcher of the run stops after the step and takes it.

use flexura::control::{Callback, Law};
use numpy::{AllowTypeChange, PyArray1, PyArrayLike1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    static FAULT: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// The exception of a law on this thread, if one waits.
pub fn take_fault() -> Option<PyErr> {
    FAULT.with_borrow_mut(Option::take)
}

/// The law `function(time, errors, memory)`, which returns one number per actuator.
pub fn callback(function: Py<PyAny>) -> Callback {
    let law = move |time: f64, errors: &[f64], memory: &mut [f64], outputs: &mut [f64]| {
        if let Err(fault) = Python::attach(|py| call(py, &function, time, errors, memory, outputs)) {
            outputs.fill(0.0);
            FAULT.with_borrow_mut(|slot| {
                slot.get_or_insert(fault);
            });
        }
        // The exception stops the run, with its traceback.
        Ok(())
    };
    let law: Arc<Law> = Arc::new(law);
    Callback(law)
}

fn call(
    py: Python<'_>,
    function: &Py<PyAny>,
    time: f64,
    errors: &[f64],
    memory: &mut [f64],
    outputs: &mut [f64],
) -> PyResult<()> {
    let kept = PyArray1::from_slice(py, memory);
    let answer = function.bind(py).call1((time, PyArray1::from_slice(py, errors), &kept))?;
    if let ([output], Ok(value)) = (&mut *outputs, answer.extract::<f64>()) {
        *output = value;
    } else {
        let values: PyArrayLike1<'_, f64, AllowTypeChange> = answer.extract()?;
        let values = values.as_array();
        if values.len() != outputs.len() {
            let text =
                format!("a control law returned {} values for {} actuators", values.len(), outputs.len());
            return Err(PyValueError::new_err(text));
        }
        outputs.iter_mut().zip(values).for_each(|(output, value)| *output = *value);
    }
    if !outputs.iter().all(|value| value.is_finite()) {
        return Err(PyValueError::new_err(format!("a control law returned {outputs:?} at t = {time} s")));
    }
    let kept = kept.readonly();
    memory.iter_mut().zip(kept.as_array()).for_each(|(slot, value)| *slot = *value);
    Ok(())
}
