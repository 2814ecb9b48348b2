//! Dynamic relaxation: lets the system fall towards an equilibrium.
//!
//! Source: kinetic damping (Cundall 1976; Barnes, Computers & Structures 30 (1988)
//! 685-695). The motion starts at rest; whenever the kinetic energy has passed a
//! peak, all free speeds are set to zero there: near a peak the potential energy
//! is lowest. From each peak Newton's method is tried; it ends the search where it
//! converges to an equilibrium that the stiffness holds (no negative eigenvalue of
//! its symmetric part), while Newton alone may end in one that is not stable.
//! Functions of time keep their values (prescribed motions their speeds) at the
//! start. The falling is integrated implicitly, with strong damping of high
//! frequencies and loose steps: the path does not matter.

use super::AnalysisError;
use super::equilibrium::{Equilibrium, EquilibriumOptions, newton, unstable_coordinates};
use crate::algorithm::energy::energy;
use crate::integrate::Integrator;
use crate::model::Model;
use crate::model::description::{DampingChoice, MethodDescription};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::TimeFunction;
use crate::workspace::Workspace;

/// Relative error of a step; the path is not of interest.
const TOLERANCE: f64 = 1e-3;
/// First step (s); the error control finds its own.
const FIRST_STEP: f64 = 1e-4;
/// Steps between two peaks before Newton is tried anyway.
const LONGEST_FALL: usize = 2000;

/// The equilibrium that `start` falls into, with at most `options.relaxations` stops.
pub(super) fn relax(
    model: &Model,
    start: &State,
    options: &EquilibriumOptions,
) -> Result<Equilibrium, AnalysisError> {
    let frozen = frozen(model, start.time);
    let mut work = Workspace::new(&frozen);
    let mut state = start.clone();
    let attempt = EquilibriumOptions { iterations: options.iterations.min(12), ..*options };
    let (mut iterations, mut last) = (0, None);
    for _ in 0..options.relaxations {
        fall(&frozen, &mut state, &mut work)?;
        stop(&frozen, &mut state);
        let mut trial = State { time: start.time, ..state.clone() };
        apply_prescribed(model, &mut trial, None);
        match newton(model, &trial, &attempt) {
            Ok(found) if unstable_coordinates(model, &found.state).is_empty() => {
                return Ok(Equilibrium { iterations: iterations + found.iterations, ..found });
            }
            Ok(found) => iterations += found.iterations,
            Err(error) => {
                iterations += attempt.iterations;
                last = Some(error);
            }
        }
    }
    Err(last.unwrap_or(AnalysisError::NoEquilibrium { residual: f64::NAN, iterations, unheld: Vec::new() }))
}

/// Moves until the kinetic energy of the free speeds has passed a peak; leaves the state at the peak.
fn fall(model: &Model, state: &mut State, work: &mut Workspace) -> Result<(), AnalysisError> {
    let method = MethodDescription::Implicit {
        damping: DampingChoice::SpectralRadius(0.0),
        step: FIRST_STEP,
        tolerance: TOLERANCE,
    };
    let mut integrator = Integrator::new(model, &method);
    let mut before = 0.0;
    for _ in 0..LONGEST_FALL {
        let earlier = state.clone();
        integrator.step(model, state, work, f64::INFINITY).map_err(|error| match error {
            crate::error::SimulationError::Dynamics { cause, .. } => AnalysisError::Dynamics(cause),
            other => AnalysisError::Name(other.to_string()),
        })?;
        let kinetic = free_kinetic_energy(model, state, work);
        if kinetic < before {
            *state = earlier;
            return Ok(());
        }
        before = kinetic;
    }
    Ok(())
}

/// ½ v*Mv of the free speeds alone (J).
fn free_kinetic_energy(model: &Model, state: &State, work: &mut Workspace) -> f64 {
    let mut free = state.clone();
    zero_prescribed(model, &mut free);
    work.kinematics(model, &free);
    work.poses(model, &free);
    energy(model, &free, &work.motion, &work.inertias).kinetic
}

fn zero_prescribed(model: &Model, state: &mut State) {
    let speeds = state.v.iter_mut().zip(&model.prescribed);
    speeds.filter(|(_, prescribed)| **prescribed).for_each(|(speed, _)| *speed = 0.0);
}

/// Takes all free speeds away.
fn stop(model: &Model, state: &mut State) {
    let speeds = state.v.iter_mut().zip(&model.prescribed);
    speeds.filter(|(_, prescribed)| !**prescribed).for_each(|(speed, _)| *speed = 0.0);
}

/// The model with every function of time held at its value at `time`, motions at their speeds.
fn frozen(model: &Model, time: f64) -> Model {
    let mut copy = model.clone();
    let hold = |function: &mut TimeFunction| *function = TimeFunction::Constant(function.sample(time).value);
    for coordinate in copy.joints.iter_mut().flat_map(|joint| &mut joint.coordinates) {
        coordinate.effort.iter_mut().for_each(hold);
        if let Some(motion) = &mut coordinate.motion {
            let now = motion.sample(time);
            *motion = TimeFunction::Polynomial { coefficients: vec![now.value - now.rate * time, now.rate] };
        }
    }
    copy.forces.iter_mut().filter_map(|force| force.scale.as_mut()).for_each(hold);
    copy.loads.iter_mut().filter_map(|load| load.scale.as_mut()).for_each(hold);
    copy.controllers.iter_mut().flat_map(|controller| &mut controller.references).for_each(hold);
    for element in &mut copy.elements {
        if let crate::model::element::ElementKind::Actuator(actuator) = &mut element.kind {
            hold(&mut actuator.effort);
        }
    }
    copy
}
