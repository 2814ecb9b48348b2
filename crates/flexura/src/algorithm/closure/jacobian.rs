//! Constraint Jacobian by recursion: a unit reaction on both frames is carried
//! inward to the ground; what it does on each speed is the row of J (the
//! transposed of JPL 90-26 eq. 9.2, and Cuadrado et al. 2007 eq. 34). Cost of a
//! row: the depth of the two frames.

use super::Closure;
use crate::algorithm::transfer::{carrier, force_to_parent};
use crate::model::{Frame, Model, layout_of};
use crate::motion::kinematics::{Kinematics, referred_influence};
use crate::motion::observe::Poses;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, dot6, lift3, matrix_vector, rotate_back6, shift_force};

/// Share of a row's size before its two sides cancel below which what is left is rounding.
const CANCELLED: f64 = 1e-12;

/// Fills J for the unit wrenches of all rows.
pub(crate) fn fill_jacobian<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    poses: &Poses<S>,
    closure: &mut Closure<S>,
) {
    for (joint, chord) in model.loops.iter().zip(&closure.structure.chords) {
        for index in joint.row_range() {
            let row = closure.jacobian.row_mut(index);
            row.fill(S::ZERO);
            let mut size = 0.0_f64;
            // Wrenches are given for the second frame first.
            for (side, wrench) in [1, 0].into_iter().zip(&closure.wrenches[index]) {
                let frame = &model.frames[joint.frames[side].0];
                if let Some(from) = chord.branch[side] {
                    add_generalized(
                        model,
                        kin,
                        poses,
                        frame,
                        wrench,
                        &closure.structure.place,
                        &mut row[from..],
                    );
                }
                if side == 1 {
                    size = row.iter().fold(0.0, |best: f64, x| best.max(x.value().abs()));
                }
            }
            clear_rounding(row, &chord.columns, &model.prescribed, CANCELLED * size);
        }
    }
}

/// Sets a row to zero whose free entries are all below `limit`: both sides of the joint move together, and
/// what the cancellation leaves would be taken for a direction of its own.
fn clear_rounding<S: Scalar>(row: &mut [S], columns: &[usize], prescribed: &[bool], limit: f64) {
    let free = |speed: &usize| !prescribed[*speed];
    let mut pairs = row.iter().zip(columns).filter(|(_, speed)| free(speed));
    if pairs.all(|(x, _)| x.value().abs() <= limit) {
        for (x, _) in row.iter_mut().zip(columns).filter(|(_, speed)| free(speed)) {
            *x = S::ZERO;
        }
    }
}

/// Adds the generalised forces of a wrench (inertial components, at the origin of `frame`) to `row`, in which the
/// speeds of a body begin at its `place`.
fn add_generalized<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    poses: &Poses<S>,
    frame: &Frame,
    wrench: &Spatial<S>,
    place: &[usize],
    row: &mut [S],
) {
    let Some(body) = frame.body else { return };
    let (mut k, index) = (body.0, frame.mount.attachment);
    let point = &kin.attachments[layout_of(model, k).attachment + index].state;
    let arm = matrix_vector(&point.rotation, &lift3(&frame.mount.position));
    let at_point = shift_force(&arm, &rotate_back6(&poses.rotation[k], wrench));
    for (r, column) in referred_influence(model, kin, k, index).iter().enumerate() {
        row[place[k] + r] += dot6(column, &at_point);
    }
    let mut force = shift_force(&point.position, &at_point);
    loop {
        let part = layout_of(model, k);
        for (slot, column) in row[place[k] + part.modes..].iter_mut().zip(&kin.subspace[part.joint()]) {
            *slot += dot6(column, &force);
        }
        let Some(carrier) = carrier(model, kin, k) else { return };
        let modal = place[carrier.body]..place[carrier.body] + layout_of(model, carrier.body).modes;
        let mut on_parent = [S::ZERO; 6];
        force_to_parent(kin, &carrier, k, &force, &mut on_parent, &mut row[modal]);
        (k, force) = (carrier.body, on_parent);
    }
}
