//! Sampled controllers: new outputs at their instants.

use crate::control::{Block, Callback, Controller, LARGEST_PORTS, is_kinematic, measure_errors};
use crate::dynamics::evaluate;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::scalar::Scalar;
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Samples the controllers for which `due` holds: new memory and held outputs in `state.z`.
///
/// Accelerations and forces are measured with the outputs held until now.
pub fn sample(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
    due: impl Fn(usize) -> bool,
) -> Result<(), DynamicsError> {
    state.side = Side::After;
    crate::state::prescribe::apply_prescribed(model, state, Some(&mut work.load));
    sample_with(model, state, work, due, |law, time, errors, memory, outputs| {
        (law.0)(time, errors, memory, outputs)
    })
}

/// Like [`sample`] in any number type; `call` stands for the user's function.
pub(crate) fn sample_with<S: Scalar>(
    model: &Model,
    state: &mut State<S>,
    work: &mut Workspace<S>,
    due: impl Fn(usize) -> bool,
    call: impl Fn(&Callback, f64, &[S], &mut [S], &mut [S]) -> Result<(), String>,
) -> Result<(), DynamicsError> {
    state.side = Side::After;
    let deep = |controller: &Controller| controller.sensors.iter().any(|&source| !is_kinematic(source));
    let full = model.controllers.iter().enumerate().any(|(i, c)| c.is_sampled() && due(i) && deep(c));
    if full {
        evaluate(model, state, work)?;
        work.reactions(model);
    } else {
        work.kinematics(model, state);
    }
    work.poses(model, state);
    for (index, controller) in model.controllers.iter().enumerate() {
        if !controller.is_sampled() || !due(index) {
            continue;
        }
        let mut errors = [S::ZERO; LARGEST_PORTS];
        let errors = measure_errors(model, state, work, controller, &mut errors);
        let z = &mut state.z[controller.first..controller.first + controller.state_count()];
        let (memory, outputs) = z.split_at_mut(controller.memory);
        match &controller.block {
            Block::Callback(law, _) => {
                let called = call(law, state.time, errors, memory, outputs);
                called.map_err(|cause| DynamicsError::Law { controller: controller.name.clone(), cause })?;
            }
            block => block.sampled(controller.sample_time, errors, memory, outputs),
        }
    }
    Ok(())
}
