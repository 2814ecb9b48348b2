//! Controllers in the loop: measuring and driving.

use super::resolve::is_kinematic;
use super::{Actuator, Controller};
use crate::force::body::add_body_load;
use crate::force::coupler::evaluate_coupler;
use crate::force::element::{add_actuator, evaluate_element};
use crate::measure::{Cache, Snapshot};
use crate::model::Model;
use crate::model::channel::Source;
use crate::motion::observe::{frame_motion, inertial_velocity};
use crate::scalar::Scalar;
use crate::spatial::quaternion_from_matrix;
use crate::state::State;
use crate::workspace::Workspace;

/// Most sensors, actuators and states of one controller handled on the stack.
pub(crate) const LARGEST_PORTS: usize = 64;

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
            let value = limited(work.control.outputs[index], controller.limit);
            work.control.outputs[index] = value;
            drive(model, state, work, *actuator, value);
        }
    }
}

/// `value` held within ± `limit`.
pub(crate) fn limited<S: Scalar>(value: S, limit: f64) -> S {
    if value.below(-limit) {
        return S::from_f64(-limit);
    }
    if value.above(limit) { S::from_f64(limit) } else { value }
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
            let (motion, force) = (&work.motion, &model.forces[index]);
            let power = match model.frames[force.frame.0].body {
                Some(body) => {
                    let mut felt = work.load.of_body(model, body.0);
                    crate::force::applied::add_force(model, motion, force, value, &mut felt)
                }
                None => S::ZERO,
            };
            work.load.force_power[index] += power;
            work.load.force_scale[index] += value;
            work.power.forces += power;
        }
        Actuator::Load(index) => {
            let (motion, body_load) = (&work.motion, &model.loads[index]);
            let mut felt = work.load.of_body(model, body_load.body.0);
            let power = add_body_load(model, state, motion, body_load, value, &mut felt);
            work.load.body_power[index] += power;
            work.load.body_scale[index] += value;
            work.power.forces += power;
        }
        Actuator::Element(index) => {
            work.power.elements += add_actuator(model, state, &work.motion, index, value, &mut work.load);
            work.load.element_input[index] += value;
        }
    }
}

/// reference(t) − sensor for every sensor of `controller`.
pub(crate) fn measure_errors<'a, S: Scalar>(
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
        let wanted = reference.sample_side(state.time, state.side).value;
        let seen = match &snapshot {
            Some(snapshot) => snapshot.value(*source, &mut cache),
            None => measure(model, state, work, *source),
        };
        errors[i] = S::sampled(wanted) - seen;
    }
    &errors[..count]
}

/// A channel that needs no accelerations.
fn measure<S: Scalar>(model: &Model, state: &State<S>, work: &Workspace<S>, source: Source) -> S {
    let poses = &work.motion.poses;
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
            let (alpha, chidot) = (&work.accelerations.acceleration, &work.accelerations.chidot);
            let m = frame_motion(model, state, &work.motion, alpha, chidot, &model.frames[f]);
            let (omega, v) = (crate::spatial::angular(&m.velocity), crate::spatial::linear(&m.velocity));
            pose_value(usize::from(i), &m.position, &quaternion_from_matrix(&m.rotation), &omega, &v)
        }
        Source::Element(e, _) => evaluate_element(model, state, &work.motion, &model.elements[e]).0.measure,
        Source::Coupler(c, _) => evaluate_coupler(model, state, &work.motion, &model.couplers[c]).deflection,
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
