//! Where to look after a step that failed without naming anything.
//!
//! A step shrinks below rounding, or Newton's method fails, where some coordinate runs away: stiff against the step, near
//! a singular position, or driven by an input that grows. The coordinate with the largest acceleration before the step
//! is the first to look at, and the loops through its joint. A mass that is not positive has one of three causes, and
//! the state before the step tells which: bodies bent too far, a step that went too far, or the model itself.

use crate::algorithm::composite_body::{CompositeBody, mass_matrix};
use crate::dynamics::evaluate;
use crate::error::{DynamicsError, SimulationError};
use crate::linear::symmetric_part;
use crate::linear_range::linear_range_warnings;
use crate::model::Model;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;
use nalgebra::DMatrix;

/// Share of the undeformed mass below which accelerations are those of a mass that is lost.
const VANISHED: f64 = 1e-3;

/// The error with what is known of its cause at `state`, the start of the step: the fastest coordinate, or why a mass is
/// not positive. Errors that name an item themselves stay as they are.
#[cold]
#[doc(hidden)]
pub fn explained(
    error: SimulationError,
    model: &Model,
    state: &State,
    work: &mut Workspace,
) -> SimulationError {
    // Other ranks would have to evaluate with this one, and may have another error.
    if work.share().is_some() {
        return error;
    }
    match error {
        SimulationError::Dynamics {
            time,
            cause: cause @ (DynamicsError::NewtonFailed | DynamicsError::StepTooSmall),
            near: None,
        } => match vanished_mass(model, state, work) {
            // Accelerations without bound for want of mass look like a stiff motion, and are none.
            Some((cause, near)) => SimulationError::Dynamics { time, cause, near: Some(near) },
            None => SimulationError::Dynamics { time, cause, near: fastest(model, state, work) },
        },
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

/// A direction in which the mass has all but vanished against that of the undeformed bodies, in words.
fn vanished_mass(model: &Model, state: &State, work: &mut Workspace) -> Option<(DynamicsError, String)> {
    let mut straight = state.clone();
    model.layout.bodies.iter().for_each(|part| straight.q[part.modal_q()].fill(0.0));
    let before = mass(model, &straight, work)?.cholesky()?;
    let half = before.l_dirty().solve_lower_triangular(&mass(model, state, work)?)?;
    let scaled = before.l_dirty().solve_lower_triangular(&half.transpose())?;
    let (values, vectors) = symmetric_part(&scaled)?;
    let smallest = values.imin();
    if values[smallest] > VANISHED {
        return None;
    }
    let direction = before.l_dirty().tr_solve_lower_triangular(&vectors.column(smallest))?;
    let modal = |body: usize| model.layout.bodies[body].modal_v();
    let modes =
        (0..model.body_count()).flat_map(|body| modal(body).enumerate().map(move |(r, i)| (body, r, i)));
    let (body, mode, _) = modes.max_by(|a, b| direction[a.2].abs().total_cmp(&direction[b.2].abs()))?;
    let (body, mode) = (model.bodies[body].name.clone(), mode + 1);
    let near = format!(
        "{:.0e} of the undeformed mass is left: the inertia of the body does not hold at this deformation; use level = \"full\" or \
         more segments",
        values[smallest].max(0.0)
    );
    Some((DynamicsError::ModalMassLost { body, mode }, near))
}

/// The mass matrix; `None` where it is too large.
fn mass(model: &Model, state: &State, work: &mut Workspace) -> Option<DMatrix<f64>> {
    work.kinematics(model, state);
    let mut full = CompositeBody::new(model).ok()?;
    mass_matrix(model, &work.motion.kinematics, &work.inertias, &mut full);
    let n = model.speed_count();
    Some(DMatrix::from_row_slice(n, n, &full.mass))
}

/// Words about the largest acceleration at `state`.
fn fastest(model: &Model, state: &State, work: &mut Workspace) -> Option<String> {
    let mut state = state.clone();
    apply_prescribed(model, &mut state, Some(&mut work.load));
    evaluate(model, &state, work).ok()?;
    let accelerations = &work.accelerations.chidot;
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
