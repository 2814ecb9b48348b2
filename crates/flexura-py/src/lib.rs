//! The extension `flexura._flexura`: conversions between Python and the engine, nothing else.
//!
//! What users see is in `python/flexura`. Every function here takes and returns plain
//! values, arrays and dictionaries; long ones let the interpreter go while they compute.

mod analysis;
mod array;
mod error;
mod evaluate;
mod law;
mod model;
mod part;
mod patience;
mod result;
mod rollout;
mod run;
mod scratch;
mod settings;
mod text;

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
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::PyModel>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(lives_in, module)?)?;
    module.add_function(wrap_pyfunction!(text::set_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(text::set_simulation, module)?)?;
    module.add_function(wrap_pyfunction!(run::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::rollout, module)?)?;
    module.add_function(wrap_pyfunction!(result::open_result, module)?)?;
    module.add_function(wrap_pyfunction!(result::write_result, module)?)?;
    module.add_function(wrap_pyfunction!(result::saved_page, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::static_equilibrium, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::linearize, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::sensitivity, module)?)?;
    module.add_function(wrap_pyfunction!(part::reduce_part, module)?)
}
