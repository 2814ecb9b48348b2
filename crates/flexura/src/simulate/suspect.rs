//! Where to look after a step that failed without naming anything.
//!
//! A step shrinks below rounding, or Newton's method fails, where some coordinate runs away: stiff against the step, near
//! a singular position, or driven by an input that grows. The coordinate with the largest acceleration before the step
//! is the first to look at, and the loops through its joint. A mass that is not positive has one of three causes, and
//! the state before the step tells which: bodies bent too far, a step that went too far, or the model itself.

use crate::error::{DynamicsError, SimulationError};
use crate::linear_range::linear_range_warnings;
use crate::model::Model;
use crate::prescribe::apply_prescribed;
use crate::state::State;
use crate::workspace::{Workspace, evaluate};

/// The error with the fastest coordinate of `state`, the start of the step, where its cause names no item itself.
#[cold]
pub(super) fn name(
    error: SimulationError,
    model: &Model,
    state: &State,
    work: &mut Workspace,
) -> SimulationError {
    match error {
        SimulationError::Dynamics {
            time,
            cause: cause @ (DynamicsError::NewtonFailed | DynamicsError::StepTooSmall),
            near: None,
        } => SimulationError::Dynamics { time, cause, near: fastest(model, state, work) },
        SimulationError::Dynamics { time, cause, near: None } if is_inertia(&cause) => {
            let near = Some(lost_inertia(&cause, model, state, work));
            SimulationError::Dynamics { time, cause, near }
        }
        other => other,
    }
}

fn is_inertia(cause: &DynamicsError) -> bool {
    use DynamicsError::{InertiaLost, ModalMassLost, SingularJoint};
    matches!(cause, ModalMassLost { .. } | InertiaLost { .. } | SingularJoint { .. })
}

/// Why a mass is not positive at `state` or in a step from there, and what to do.
#[cold]
pub fn lost_inertia(cause: &DynamicsError, model: &Model, state: &State, work: &mut Workspace) -> String {
    if !is_inertia(cause) {
        return String::new();
    }
    if let Some(bent) = linear_range_warnings(model, state).first() {
        return format!(
            "body `{}` is deformed beyond the linear limit (mode {}): use level = \"full\" or more segments, or check \
             stiffness and loads",
            bent.body, bent.mode
        );
    }
    let mut state = state.clone();
    apply_prescribed(model, &mut state, Some(&mut work.load));
    if evaluate(model, &state, work).is_ok() {
        return "the state before the step is sound and bodies are hardly deformed: the step is too large, or forces \
                out of balance throw bodies far in one step; take a smaller step, error control, or start from the \
                equilibrium"
            .into();
    }
    match cause {
        DynamicsError::ModalMassLost { .. } => {
            "no body is deformed: masses, inertias and modes of the body make no positive mass; check them"
        }
        _ => {
            "no body is deformed: give the body mass and inertia about every direction that the joint leaves free (a beam: \
             `rotary`), or prescribe or remove the direction"
        }
    }
    .into()
}

/// Words about the largest acceleration at `state`.
fn fastest(model: &Model, state: &State, work: &mut Workspace) -> Option<String> {
    let mut state = state.clone();
    apply_prescribed(model, &mut state, Some(&mut work.load));
    evaluate(model, &state, work).ok()?;
    let accelerations = &work.articulated.chidot;
    let index = (0..accelerations.len()).max_by(|&a, &b| {
        let size = |i: usize| accelerations[i].abs();
        size(a).total_cmp(&size(b))
    })?;
    let value = accelerations[index].abs();
    let body = model.layout.bodies.partition_point(|part| part.v <= index).checked_sub(1)?;
    let (part, joint) = (&model.layout.bodies[body], &model.joints[body]);
    let carried = &model.bodies[body].name;
    if index - part.v < part.modes {
        let mode = index - part.v + 1;
        return Some(format!(
            "just before, mode {mode} of body `{carried}` has the largest acceleration ({value:.2e} 1/s²)"
        ));
    }
    let through = model.loops.iter().find(|chord| chord.members.contains(&joint.name));
    let around =
        through.map_or(String::new(), |chord| format!(", in the loop closed by joint `{}`", chord.name));
    Some(format!(
        "just before, joint `{}` (body `{carried}`) has the largest acceleration ({value:.2e} m/s² or rad/s²){around}",
        joint.name
    ))
}
