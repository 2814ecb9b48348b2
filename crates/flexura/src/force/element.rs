//! Force elements on the frames and joint coordinates of a model.
//!
//! The inertial frame is the common basis of both frames. Where the rule of a
//! body is `frozen`, its points stay undeformed in the dynamics, but a spring
//! that did not feel the deflection would be of no use: there the element sees
//! the deformed pose, and its wrench acts at the undeformed point.

use crate::force::applied::apply_wrench;
use crate::force::coupler::{add_coupler, evaluate_coupler};
use crate::model::element::{Element, ElementForce};
use crate::model::{Frame, Model};
use crate::motion::Motion;
use crate::motion::frame_state::{frame_state, point_of};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, Vector3, lift3, matrix_vector, rotate_back6, shift_force};
use crate::state::{Felt, Load, State};

/// What `element` does at `state`, and the wrench on its first frame, inertial components.
pub fn evaluate_element<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    element: &Element,
) -> (ElementForce<S>, Spatial<S>) {
    let [first, second] = element.frames;
    let first = frame_state(model, state, motion, &model.frames[first.0]);
    let second = frame_state(model, state, motion, &model.frames[second.0]);
    let force = element.kind.evaluate(&first, &second);
    (force, force.on_first(&first, &second))
}

/// Adds all elements to `load`; returns the power of what they do not store (W).
pub(crate) fn add_elements<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    load: &mut Load<S>,
) -> S {
    let mut power = S::ZERO;
    for (index, element) in model.elements.iter().enumerate() {
        if let Some(effort) = element.kind.effort() {
            let effort = S::sampled(effort.sample_side(state.time, state.side).value);
            load.element_input[index] = effort;
            load.element_power[index] = add_actuator(model, state, motion, index, effort, load);
            power += load.element_power[index];
            continue;
        }
        let (force, on_first) = evaluate_element(model, state, motion, element);
        add_wrench(model, motion, &model.frames[element.frames[0].0], &on_first, load);
        add_wrench(model, motion, &model.frames[element.frames[1].0], &force.wrench, load);
        load.element_power[index] = force.power;
        power += force.power;
    }
    add_couplers(model, state, motion, load, power)
}

/// Adds all couplers to `load`; returns `power` (W) with theirs.
fn add_couplers<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    load: &mut Load<S>,
    mut power: S,
) -> S {
    for (index, coupler) in model.couplers.iter().enumerate() {
        load.coupler_power[index] = add_coupler(model, state, motion, coupler, load);
        power += load.coupler_power[index];
    }
    power
}

/// Adds actuator `index` with an effort; returns its power (W).
pub(crate) fn add_actuator<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    index: usize,
    effort: S,
    load: &mut Load<S>,
) -> S {
    let element = &model.elements[index];
    let (force, on_first) = evaluate_element(model, state, motion, element);
    let frames = element.frames.map(|id| &model.frames[id.0]);
    add_wrench(model, motion, frames[0], &on_first.map(|x| x * effort), load);
    add_wrench(model, motion, frames[1], &force.wrench.map(|x| x * effort), load);
    force.power * effort
}

/// Adds a wrench in inertial components at the origin of `frame`.
pub(crate) fn add_wrench<S: Scalar>(
    model: &Model,
    motion: &Motion<S>,
    frame: &Frame,
    wrench: &Spatial<S>,
    load: &mut Load<S>,
) {
    if let Some(body) = frame.body {
        add_to_body(model, motion, frame, wrench, &mut load.of_body(model, body.0));
    }
}

/// The same to what the body of `frame` feels; nothing on the ground.
pub(crate) fn add_to_body<S: Scalar>(
    model: &Model,
    motion: &Motion<S>,
    frame: &Frame,
    wrench: &Spatial<S>,
    felt: &mut Felt<'_, S>,
) {
    let (kin, poses) = (&motion.kinematics, &motion.poses);
    let Some(body) = frame.body else { return };
    let (k, index) = (body.0, frame.mount.attachment);
    let point = point_of(model, kin, k, index);
    let arm: Vector3<S> = matrix_vector(&point.rotation, &lift3(&frame.mount.position));
    let in_body = rotate_back6(&poses.rotation[k], wrench);
    apply_wrench(model, motion, k, index, &shift_force(&arm, &in_body), felt);
}

/// Energy stored in all elements (J).
pub(crate) fn element_energy<S: Scalar>(model: &Model, state: &State<S>, motion: &Motion<S>) -> S {
    let mut sum = S::ZERO;
    for element in &model.elements {
        sum += evaluate_element(model, state, motion, element).0.energy;
    }
    for coupler in &model.couplers {
        sum += evaluate_coupler(model, state, motion, coupler).energy;
    }
    sum
}
