//! Reactions of tree joints from the cutset equations of the graph.
//!
//! Source: Richard (2012), eqs 5, 6 and 9. The fundamental cutset of a tree joint
//! separates what it carries from the rest: the joint force balances the inertial
//! and applied forces of the bodies carried and the reactions of the chords that
//! cross the cut (chords with both ends on one side cancel).

use super::bias::BiasMotion;
use crate::constraint::loop_motion;
use crate::model::Model;
use crate::motion::pair::unit_wrenches;
use crate::spatial::{Spatial, add6, rotate_back6, rotate6, scale6, shift_force, sub, sub6};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;

/// Force that each tree joint exerts on the body it carries, at that body's frame in its components
/// (N m, N), for accelerations and multipliers found before.
pub fn joint_forces(
    model: &Model,
    state: &State,
    accelerations: &[f64],
    multipliers: &[f64],
) -> Vec<Spatial> {
    let mut state = state.clone();
    let mut work = Workspace::new(model);
    apply_prescribed(model, &mut state, Some(&mut work.load));
    work.kinematics(model, &state);
    work.poses(model, &state);
    work.loads(model, &state);
    let mut forces = needed_forces(model, &state, &work, accelerations);
    add_chords(model, &state, &work, multipliers, &mut forces);
    // Cutsets: what a joint carries, outermost first.
    for k in (0..model.body_count()).rev() {
        let Some(parent) = model.joints[k].parent else { continue };
        let arm = sub(&work.motion.poses.position[k], &work.motion.poses.position[parent]);
        let carried = shift_force(&arm, &forces[k]);
        forces[parent] = add6(&forces[parent], &carried);
    }
    let turned =
        forces.iter().enumerate().map(|(k, force)| rotate_back6(&work.motion.poses.rotation[k], force));
    turned.collect()
}

/// M α + b − applied wrench of every body at its frame, inertial components.
fn needed_forces(model: &Model, state: &State, work: &Workspace, accelerations: &[f64]) -> Vec<Spatial> {
    let (poses, inertias) = (&work.motion.poses, &work.inertias);
    let referred = referred_accelerations(model, state, work, accelerations);
    let mut list = Vec::with_capacity(model.body_count());
    for (k, part) in model.layout.bodies.iter().enumerate() {
        let alpha = rotate_back6(&poses.rotation[k], &referred[k]);
        let mut force = sub6(&inertias.rigid[k].apply(&alpha), &work.load.wrench[k]);
        force = add6(&force, &inertias.bias_rigid[k]);
        for (column, &x) in inertias.coupling[part.modal()].iter().zip(&accelerations[part.modal_v()]) {
            force = add6(&force, &scale6(x, column));
        }
        list.push(rotate6(&poses.rotation[k], &force));
    }
    list
}

/// Subtracts what the chords exert on the bodies they hold.
fn add_chords(model: &Model, state: &State, work: &Workspace, multipliers: &[f64], forces: &mut [Spatial]) {
    for joint in &model.loops {
        let (frames, relative) = loop_motion(model, state, work, joint);
        for (row, index) in joint.rows.iter().zip(joint.row_range()) {
            let gradient = row.shape.evaluate(&relative, &[0.0; 3]).gradient;
            let wrenches = unit_wrenches(&frames, &gradient);
            for side in 0..2 {
                let frame = &model.frames[joint.frames[side].0];
                let Some(body) = frame.body else { continue };
                let arm = sub(&frames[side].position, &work.motion.poses.position[body.0]);
                let wrench = scale6(multipliers[index], &shift_force(&arm, &wrenches[1 - side]));
                forces[body.0] = sub6(&forces[body.0], &wrench);
            }
        }
    }
}

/// α_R of every body for the accelerations of all speeds, inertial components with −g.
fn referred_accelerations(
    model: &Model,
    state: &State,
    work: &Workspace,
    accelerations: &[f64],
) -> Vec<Spatial> {
    let mut bias = BiasMotion::new(model);
    bias.evaluate(model, state);
    let mut list = bias.acceleration;
    let mut partials = vec![[0.0; 6]; model.speed_count()];
    for (k, alpha) in list.iter_mut().enumerate() {
        work.motion.body_jacobian(model, k, &mut partials);
        for (column, &x) in partials.iter().zip(accelerations) {
            *alpha = add6(alpha, &scale6(x, column));
        }
    }
    list
}
