//! Contents of the extension `flexura._flexura`: conversions between Python and the engine, nothing else.
//!
//! What users see is in `python/flexura`. Every function here takes and returns plain
//! values, arrays and dictionaries; long ones let the interpreter go while they compute.

mod analysis;
mod array;
mod batch;
mod error;
mod evaluate;
mod exchange;
mod fatigue;
mod fit;
mod gradient;
mod inverse;
mod law;
mod model;
mod motion;
mod part;
mod patience;
mod ranks;
mod result;
mod robot;
mod rollout;
mod rollout_case;
mod rollout_device;
mod run;
mod scratch;
mod settings;
mod simulation_keys;
mod simulator;
mod text;

use pyo3::prelude::*;

/// Puts classes and functions into the extension module, all but the command line, which the wheel adds.
pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::PyModel>()?;
    module.add_class::<simulator::PySimulator>()?;
    module.add_function(wrap_pyfunction!(batch::step_all, module)?)?;
    module.add_function(wrap_pyfunction!(text::set_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(text::set_simulation, module)?)?;
    module.add_function(wrap_pyfunction!(run::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(ranks::leave_mpi, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::rollout, module)?)?;
    module.add_function(wrap_pyfunction!(result::open_result, module)?)?;
    module.add_function(wrap_pyfunction!(result::write_result, module)?)?;
    module.add_function(wrap_pyfunction!(result::saved_page, module)?)?;
    module.add_function(wrap_pyfunction!(fatigue::rainflow, module)?)?;
    module.add_function(wrap_pyfunction!(fatigue::fatigue_damage, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::static_equilibrium, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::linearize, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::rotor_modes, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::sensitivity, module)?)?;
    module.add_function(wrap_pyfunction!(fit::fit, module)?)?;
    module.add_function(wrap_pyfunction!(gradient::gradient_plan, module)?)?;
    module.add_function(wrap_pyfunction!(gradient::kept_runs, module)?)?;
    module.add_function(wrap_pyfunction!(robot::import_robot, module)?)?;
    module.add_function(wrap_pyfunction!(exchange::export_body, module)?)?;
    module.add_function(wrap_pyfunction!(exchange::modelica_record, module)?)?;
    module.add_function(wrap_pyfunction!(part::reduce_part, module)?)
}
