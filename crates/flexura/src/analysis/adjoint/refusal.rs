//! Which runs can be gone back over; what cannot is refused by name.

use super::GradientError;
use crate::analysis::sensitivity::{DORMAND_PRINCE, RK4, Tableau, one_sided, refuse_callbacks};
use crate::build::Built;
use crate::constraint::nonholonomic::refusal as nonholonomic_refusal;
use crate::control::is_kinematic;
use crate::integrate::{AlphaCoefficients, RadauOptions, loops_jump};
use crate::model::Model;
use crate::model::channel::{Channel, Source};
use crate::model::closure::LoopJoint;
use crate::model::description::{MethodDescription, ProjectionChoice, SimulationDescription};
use crate::simulate::break_points;

/// The energy balance: a difference to the start of the run.
const BALANCE: Source = Source::Energy(7);
/// Work done since the start of the run.
const WORK: Source = Source::Energy(6);

/// Methods that can be gone back over.
pub(super) enum Method {
    Explicit(Tableau),
    Radau(RadauOptions),
    Alpha(AlphaCoefficients),
}

/// Refuses what cannot be gone back over; the method.
pub(super) fn refuse(built: &Built) -> Result<Method, GradientError> {
    let (model, settings) = (&built.model, &built.description.simulation);
    refuse_callbacks(model)?;
    refuse_loops(model, settings)?;
    one_sided(model)?;
    if let Some(event) = settings.events.iter().find(|event| event.stop) {
        return Err(GradientError::Event(event.name.clone()));
    }
    let deep = |source: &Source| !is_kinematic(*source);
    let sampled = model.controllers.iter().filter(|controller| controller.is_sampled());
    if let Some(controller) = sampled.into_iter().find(|controller| controller.sensors.iter().any(deep)) {
        return Err(GradientError::Sensor(controller.name.clone()));
    }
    match settings.method {
        MethodDescription::Rk4 { .. } => Ok(Method::Explicit(RK4)),
        MethodDescription::DormandPrince { .. } => Ok(Method::Explicit(DORMAND_PRINCE)),
        MethodDescription::Radau { relative_tolerance, absolute_tolerance, initial_step, largest_step } => {
            Ok(Method::Radau(RadauOptions {
                relative_tolerance,
                absolute_tolerance,
                initial_step,
                largest_step,
            }))
        }
        MethodDescription::Implicit { damping, .. } => Ok(Method::Alpha(AlphaCoefficients::of(damping))),
        ref other => Err(GradientError::Method(other.words().into())),
    }
}

/// Closed loops that are not gone back over.
fn refuse_loops(model: &Model, settings: &SimulationDescription) -> Result<(), GradientError> {
    if model.loops.is_empty() {
        return Ok(());
    }
    let refused = |text: String| Err(GradientError::Loops(text));
    if let Some(cause) = nonholonomic_refusal(model, "gradients do") {
        return refused(cause);
    }
    let driven = |joint: &&LoopJoint| joint.rows.iter().any(|row| row.driver.is_some());
    if let Some(joint) = model.loops.iter().find(driven) {
        return refused(format!(
            "joint `{}` closes a loop and is driven, which is not followed backwards yet: let another joint be cut (`cut` in [graph])",
            joint.name
        ));
    }
    let implicit = matches!(settings.method, MethodDescription::Implicit { .. });
    if implicit && !matches!(settings.constraints.projections, None | Some(ProjectionChoice::Iterated)) {
        return refused("steps are gone back over with complete projections: take `projections` off".into());
    }
    if implicit && break_points(model, settings).into_iter().any(|time| loops_jump(model, time)) {
        return refused(
            "a drive jumps to another speed within the run, and speeds of the loops with it".into(),
        );
    }
    Ok(())
}

/// Refuses channels that are not followed in runs by `method`.
pub(super) fn refuse_channels(
    model: &Model,
    method: &Method,
    channels: &[Channel],
) -> Result<(), GradientError> {
    if let Some(balance) = channels.iter().find(|channel| channel.source == BALANCE) {
        return Err(GradientError::Channel(balance.name.clone()));
    }
    let apart = matches!(method, Method::Alpha(_)) && !model.loops.is_empty();
    let work = channels.iter().find(|channel| channel.source == WORK);
    match work.filter(|_| apart && model.prescribed.contains(&true)) {
        Some(work) => Err(GradientError::Work(work.name.clone())),
        None => Ok(()),
    }
}
