//! Constraint Jacobian by recursion: a unit reaction on both frames is carried
//! inward to the ground; what it does on each speed is the row of J (the
//! transposed of JPL 90-26 eq. 9.2, and Cuadrado et al. 2007 eq. 34). Cost of a
//! row: the depth of the two frames.

use super::Closure;
use crate::algorithm::kinematics::{Kinematics, referred_influence};
use crate::algorithm::observe::Poses;
use crate::algorithm::transfer::{carrier, force_to_parent};
use crate::model::{Frame, Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, dot6, lift3, matrix_vector, rotate_back6, shift_force};

/// Share of a row's size before its two sides cancel below which what is left is rounding.
const CANCELLED: f64 = 1e-12;

/// Fills J for the unit wrenches of all rows.
pub(super) fn fill_jacobian<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    poses: &Poses<S>,
    closure: &mut Closure<S>,
) {
    let speeds = model.speed_count();
    closure.jacobian.fill(S::ZERO);
    for joint in &model.loops {
        for index in joint.row_range() {
            let row = &mut closure.jacobian[index * speeds..(index + 1) * speeds];
            let [on_second, on_first] = &closure.wrenches[index];
            add_generalized(model, kin, poses, &model.frames[joint.frames[1].0], on_second, row);
            let size = row.iter().fold(0.0, |best: f64, x| best.max(x.value().abs()));
            add_generalized(model, kin, poses, &model.frames[joint.frames[0].0], on_first, row);
            clear_rounding(row, &model.prescribed, CANCELLED * size);
        }
    }
}

/// Sets a row to zero whose free entries are all below `limit`: both sides of the joint move together, and
/// what the cancellation leaves would be taken for a direction of its own.
fn clear_rounding<S: Scalar>(row: &mut [S], prescribed: &[bool], limit: f64) {
    let free = || row.iter().zip(prescribed).filter(|(_, prescribed)| !**prescribed);
    if free().all(|(x, _)| x.value().abs() <= limit) {
        for (x, _) in row.iter_mut().zip(prescribed).filter(|(_, prescribed)| !**prescribed) {
            *x = S::ZERO;
        }
    }
}

/// Adds the generalised forces of a wrench (inertial components, at the origin of `frame`) to `row`.
pub(crate) fn add_generalized<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    poses: &Poses<S>,
    frame: &Frame,
    wrench: &Spatial<S>,
    row: &mut [S],
) {
    let Some(body) = frame.body else { return };
    let (mut k, index) = (body.0, frame.mount.attachment);
    let point = &kin.attachments[layout_of(model, k).attachment + index].state;
    let arm = matrix_vector(&point.rotation, &lift3(&frame.mount.position));
    let at_point = shift_force(&arm, &rotate_back6(&poses.rotation[k], wrench));
    for (r, column) in referred_influence(model, kin, k, index).iter().enumerate() {
        row[layout_of(model, k).v + r] += dot6(column, &at_point);
    }
    let mut force = shift_force(&point.position, &at_point);
    loop {
        let part = layout_of(model, k);
        for (slot, column) in row[part.joint_v()].iter_mut().zip(&kin.subspace[part.joint()]) {
            *slot += dot6(column, &force);
        }
        let Some(carrier) = carrier(model, kin, k) else { return };
        let modal = layout_of(model, carrier.body).modal_v();
        let mut on_parent = [S::ZERO; 6];
        force_to_parent(kin, &carrier, k, &force, &mut on_parent, &mut row[modal]);
        (k, force) = (carrier.body, on_parent);
    }
}
