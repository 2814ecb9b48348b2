//! Many simulators stepped together, on all cores; each has the bits it would have alone.

use crate::simulator::{PySimulator, refused};
use flexura::SimulationError;
use flexura::simulate::{PieceEnd, Simulator};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// One step of every simulator on `threads` threads, after setting its inputs; what went wrong, one entry each.
#[pyfunction]
pub fn step_all<'py>(
    py: Python<'py>,
    mut simulators: Vec<PyRefMut<'py, PySimulator>>,
    inputs: PyReadonlyArray2<'py, f64>,
    threads: usize,
) -> PyResult<Vec<Option<Py<PyAny>>>> {
    let inputs = inputs.as_array();
    let count = simulators.len();
    if inputs.nrows() != count {
        let text = format!("inputs have {} rows for {count} simulators", inputs.nrows());
        return Err(PyValueError::new_err(text));
    }
    for (simulator, row) in simulators.iter_mut().zip(inputs.rows()) {
        let engine = &mut simulator.engine;
        if row.len() != engine.inputs().len() {
            let text =
                format!("inputs have {} columns, the simulators {} inputs", row.len(), engine.inputs().len());
            return Err(PyValueError::new_err(text));
        }
        for (place, &value) in row.iter().enumerate() {
            engine.set_at(place, value).map_err(|error| refused(&error))?;
        }
    }
    let mut engines: Vec<&mut Simulator> =
        simulators.iter_mut().map(|simulator| &mut simulator.engine).collect();
    let share = count.div_ceil(threads.max(1)).max(1);
    let mut ends: Vec<Result<PieceEnd, SimulationError>> = Vec::with_capacity(count);
    py.detach(|| {
        let one = |engine: &mut &mut Simulator| engine.step();
        if count <= share {
            ends.extend(engines.iter_mut().map(one));
            return;
        }
        std::thread::scope(|scope| {
            let workers: Vec<_> = engines
                .chunks_mut(share)
                .map(|part| {
                    scope.spawn(move || part.iter_mut().map(|engine| engine.step()).collect::<Vec<_>>())
                })
                .collect();
            for worker in workers {
                match worker.join() {
                    Ok(part) => ends.extend(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
    });
    py.check_signals()?;
    let settled = simulators.iter_mut().zip(ends).map(|(simulator, end)| {
        let settled = simulator.settle(py, end).or_else(|fault| simulator.show(py).and(Err(fault)));
        Ok(settled.err().map(|fault| fault.into_value(py).into_any()))
    });
    settled.collect()
}
