//! The extension `flexura._flexura` of the Python package: what `flexura-py` puts into it, and the command line, because a
//! wheel that is installed brings the program `flexura` as well.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

/// Runs a command line of the program `flexura`; returns its exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| flexura_cli::command(arguments))
}

/// Tells the command and the cache of parts where they live: the interpreter, and this extension's file.
#[pyfunction]
fn lives_in(interpreter: OsString, extension: PathBuf) {
    flexura_cli::called_by(interpreter, &["-m", "flexura"]);
    flexura_fem::source::held_by(extension);
}

/// The extension module.
#[pymodule]
fn _flexura(module: &Bound<'_, PyModule>) -> PyResult<()> {
    flexura_py::fill(module)?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(lives_in, module)?)
}
