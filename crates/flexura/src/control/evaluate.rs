//! Controllers in the loop: measuring, driving, sampling.

use super::resolve::is_kinematic;
use super::{Actuator, Block, Callback, Controller};
use crate::algorithm::observe::{frame_motion, inertial_velocity};
use crate::body_loads::add_body_load;
use crate::coupler_loads::evaluate_coupler;
use crate::element_loads::{add_actuator, evaluate_element};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::record::Source;
use crate::record::snapshot::{Cache, Snapshot};
use crate::scalar::Scalar;
use crate::spatial::quaternion_from_matrix;
use crate::state::State;
use crate::workspace::{Workspace, evaluate};

/// Most sensors, actuators and states of one controller handled on the stack.
pub const LARGEST_PORTS: usize = 64;

/// Outputs and state rates of all controllers.
#[derive(Clone, Debug)]
pub struct ControlWork<S = f64> {
    /// Outputs, controller after controller.
    pub outputs: Vec<S>,
    /// Rates of [`State::z`]; zero for sampled controllers.
    pub rates: Vec<S>,
}

impl<S: Scalar> ControlWork<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let outputs = model.controllers.iter().map(|c| c.actuators.len()).sum();
        Self { outputs: vec![S::ZERO; outputs], rates: vec![S::ZERO; model.controller_states] }
    }
}

/// Adds the outputs of all controllers to the load; after kinematics, poses and other loads.
pub fn apply<S: Scalar>(model: &Model, state: &State<S>, work: &mut Workspace<S>) {
    for controller in &model.controllers {
        let z = &state.z[controller.first..controller.first + controller.state_count()];
        let outputs = controller.first_output..controller.first_output + controller.actuators.len();
        if controller.is_sampled() {
            work.control.outputs[outputs.clone()].copy_from_slice(&z[controller.memory..]);
        } else {
            let mut errors = [S::ZERO; LARGEST_PORTS];
            let errors = measure_errors(model, state, work, controller, &mut errors);
            let rates = controller.first..controller.first + controller.memory;
            let control = &mut work.control;
            controller.block.continuous(
                errors,
                z,
                &mut control.outputs[outputs.clone()],
                &mut control.rates[rates],
            );
        }
        for (index, actuator) in outputs.zip(&controller.actuators) {
            let value = clamp(work.control.outputs[index], controller.limit);
            work.control.outputs[index] = value;
            drive(model, state, work, *actuator, value);
        }
    }
}

fn clamp<S: Scalar>(value: S, limit: f64) -> S {
    if value.value().abs() <= limit {
        return value;
    }
    S::from_f64(limit.copysign(value.value()))
}

/// Adds `value` to what `actuator` drives.
pub(crate) fn drive<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut Workspace<S>,
    actuator: Actuator,
    value: S,
) {
    match actuator {
        Actuator::Effort(speed) => {
            work.load.generalized[speed] += value;
            work.power.efforts += value * state.v[speed];
        }
        Actuator::Force(index) => {
            let (kin, poses) = (&work.kinematics, &work.poses);
            let power =
                crate::loads::add_force(model, kin, poses, &model.forces[index], value, &mut work.load);
            work.load.force_power[index] += power;
            work.load.force_scale[index] += value;
            work.power.forces += power;
        }
        Actuator::Load(index) => {
            let (kin, poses, body_load) = (&work.kinematics, &work.poses, &model.loads[index]);
            let power = add_body_load(model, state, kin, poses, body_load, value, &mut work.load);
            work.load.body_power[index] += power;
            work.load.body_scale[index] += value;
            work.power.forces += power;
        }
        Actuator::Element(index) => {
            let (kin, poses) = (&work.kinematics, &work.poses);
            work.power.elements += add_actuator(model, state, kin, poses, index, value, &mut work.load);
            work.load.element_input[index] += value;
        }
    }
}

/// reference(t) − sensor for every sensor of `controller`.
fn measure_errors<'a, S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &Workspace<S>,
    controller: &Controller,
    errors: &'a mut [S; LARGEST_PORTS],
) -> &'a [S] {
    let count = controller.sensors.len();
    let deep = controller.sensors.iter().any(|&source| !is_kinematic(source));
    let snapshot = deep.then(|| Snapshot::new(model, state, work, S::ZERO, S::ZERO));
    let mut cache = Cache::default();
    for (i, (source, reference)) in controller.sensors.iter().zip(&controller.references).enumerate() {
        let wanted = reference.sample_side(state.time, work.load.before).value;
        let seen = match &snapshot {
            Some(snapshot) => snapshot.value(*source, &mut cache),
            None => measure(model, state, work, *source),
        };
        errors[i] = S::from_f64(wanted) - seen;
    }
    &errors[..count]
}

/// A channel that needs no accelerations.
fn measure<S: Scalar>(model: &Model, state: &State<S>, work: &Workspace<S>, source: Source) -> S {
    let poses = &work.poses;
    match source {
        Source::Coordinate(i) => state.q[i],
        Source::Speed(i) => state.v[i],
        Source::Body(k, i) => {
            let (omega, v) = inertial_velocity(poses, k);
            pose_value(
                usize::from(i),
                &poses.position[k],
                &quaternion_from_matrix(&poses.rotation[k]),
                &omega,
                &v,
            )
        }
        Source::Frame(f, i) => {
            // Only the pose and velocity are used: whatever accelerations are there will do.
            let (alpha, chidot) = (&work.articulated.acceleration, &work.articulated.chidot);
            let m = frame_motion(model, state, &work.kinematics, poses, alpha, chidot, &model.frames[f]);
            let (omega, v) = (crate::spatial::angular(&m.velocity), crate::spatial::linear(&m.velocity));
            pose_value(usize::from(i), &m.position, &quaternion_from_matrix(&m.rotation), &omega, &v)
        }
        Source::Element(e, _) => {
            evaluate_element(model, state, &work.kinematics, poses, &model.elements[e]).0.measure
        }
        Source::Coupler(c, _) => {
            evaluate_coupler(model, state, &work.kinematics, poses, &model.couplers[c]).deflection
        }
        // Refused when the model is built.
        _ => S::ZERO,
    }
}

fn pose_value<S: Scalar>(i: usize, position: &[S; 3], q: &[S; 4], omega: &[S; 3], v: &[S; 3]) -> S {
    match i {
        0..=2 => position[i],
        3..=6 => q[i - 3],
        7..=9 => omega[i - 7],
        10..=12 => v[i - 10],
        _ => S::ZERO,
    }
}

/// Samples the controllers for which `due` holds: new memory and held outputs in `state.z`.
///
/// Accelerations and forces are measured with the outputs held until now.
pub fn sample(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
    due: impl Fn(usize) -> bool,
) -> Result<(), DynamicsError> {
    work.load.before = false;
    crate::prescribe::apply_prescribed(model, state, Some(&mut work.load));
    sample_with(model, state, work, due, |law, time, errors, memory, outputs| {
        (law.0)(time, errors, memory, outputs);
    })
}

/// Like [`sample`] in any number type; `call` stands for the user's function.
pub(crate) fn sample_with<S: Scalar>(
    model: &Model,
    state: &mut State<S>,
    work: &mut Workspace<S>,
    due: impl Fn(usize) -> bool,
    call: impl Fn(&Callback, f64, &[S], &mut [S], &mut [S]),
) -> Result<(), DynamicsError> {
    work.load.before = false;
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
            Block::Callback(law, _) => call(law, state.time, errors, memory, outputs),
            block => block.sampled(controller.sample_time, errors, memory, outputs),
        }
    }
    Ok(())
}
