//! What crosses a joint: 6-vectors and 6×6 matrices between a body and the
//! attachment point of its parent (Φ(k+1,k) = A(k+1) B(k+1,k), JPL 90-26 eqs 3.16-3.17).
//!
//! Typeset: book/src/theory/inverse_dynamics.md (ID.1), (ID.4).

use crate::model::{Frame, Model, layout_of};
use crate::motion::Motion;
use crate::motion::kinematics::{Kinematics, referred_influence};
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, Vector3, add6, dot6, lift3, matrix_vector, rotate_back6, rotate6, scale6, shift_force,
    shift_motion,
};

/// A parent body with the attachment that carries the child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carrier<'a, S> {
    /// Parent body.
    pub body: usize,
    /// Π' of the attachment; empty when the point does not deform.
    pub influence: &'a [Spatial<S>],
    /// From the parent's reference frame to the attachment point; `None` at the reference frame.
    pub lever: Option<Vector3<S>>,
}

/// The carrier of body `k`, or `None` for the ground.
#[inline(always)]
pub(crate) fn carrier<'a, S: Scalar>(
    model: &Model,
    kin: &'a Kinematics<S>,
    k: usize,
) -> Option<Carrier<'a, S>> {
    let joint = &model.joints[k];
    let body = joint.parent?;
    let index = joint.outer.attachment;
    let influence = referred_influence(model, kin, body, index);
    let slot = layout_of(model, body).attachment + index;
    let lever = (index != 0).then(|| kin.attachments[slot].state.position);
    Some(Carrier { body, influence, lever })
}

/// Motion of the attachment point carried to F_k: α⁺ = phi*(t,k) A* [η̈; α], F_k components.
#[inline(always)]
pub(crate) fn motion_from_parent<S: Scalar>(
    kin: &Kinematics<S>,
    carrier: &Carrier<'_, S>,
    k: usize,
    parent_motion: &Spatial<S>,
    parent_modal: &[S],
) -> Spatial<S> {
    let body = &kin.bodies[k];
    let in_parent = match (&carrier.lever, carrier.influence.is_empty()) {
        // Straight from frame to frame: one shift instead of two.
        (_, true) => shift_motion(&body.from_parent, parent_motion),
        (lever, false) => {
            let mut point = lever.map_or(*parent_motion, |l| shift_motion(&l, parent_motion));
            for (column, &x) in carrier.influence.iter().zip(parent_modal) {
                point = add6(&point, &scale6(x, column));
            }
            shift_motion(&body.from_node, &point)
        }
    };
    rotate_back6(&body.rotation, &in_parent)
}

/// Adds the force of body `k` (at F_k, F_k components) to its parent's rigid and modal rows.
#[inline(always)]
pub(crate) fn force_to_parent<S: Scalar>(
    kin: &Kinematics<S>,
    carrier: &Carrier<'_, S>,
    k: usize,
    force: &Spatial<S>,
    parent_rigid: &mut Spatial<S>,
    parent_modal: &mut [S],
) {
    let body = &kin.bodies[k];
    let turned = rotate6(&body.rotation, force);
    if carrier.influence.is_empty() {
        *parent_rigid = add6(parent_rigid, &shift_force(&body.from_parent, &turned));
        return;
    }
    let at_point = shift_force(&body.from_node, &turned);
    for (column, slot) in carrier.influence.iter().zip(parent_modal) {
        *slot += dot6(column, &at_point);
    }
    let at_frame = carrier.lever.map_or(at_point, |l| shift_force(&l, &at_point));
    *parent_rigid = add6(parent_rigid, &at_frame);
}

/// Adds the generalised forces of a wrench at `frame` (inertial components) to `row`, carried inward along a path: body, place of its
/// first speed in the row, and whether its joint counts, for every step; `path` is asked for the first step, then for the one after each body.
pub(crate) fn carry_inward<S: Scalar>(
    model: &Model,
    motion: &Motion<S>,
    frame: &Frame,
    wrench: &Spatial<S>,
    mut path: impl FnMut(Option<usize>) -> Option<(usize, usize, bool)>,
    row: &mut [S],
) {
    let (kin, poses) = (&motion.kinematics, &motion.poses);
    let Some((mut k, mut place, mut counts)) = path(None) else { return };
    let index = frame.mount.attachment;
    let point = &kin.attachments[layout_of(model, k).attachment + index].state;
    let arm = matrix_vector(&point.rotation, &lift3(&frame.mount.position));
    let at_point = shift_force(&arm, &rotate_back6(&poses.rotation[k], wrench));
    for (slot, column) in row[place..].iter_mut().zip(referred_influence(model, kin, k, index)) {
        *slot += dot6(column, &at_point);
    }
    let mut force = shift_force(&point.position, &at_point);
    while counts {
        let part = layout_of(model, k);
        for (slot, column) in row[place + part.modes..].iter_mut().zip(&kin.subspace[part.joint()]) {
            *slot += dot6(column, &force);
        }
        let (Some(carrier), Some(next)) = (carrier(model, kin, k), path(Some(k))) else { return };
        let modal = &mut row[next.1..next.1 + layout_of(model, next.0).modes];
        let mut on_parent = [S::ZERO; 6];
        force_to_parent(kin, &carrier, k, &force, &mut on_parent, modal);
        (k, place, counts) = next;
        force = on_parent;
    }
}
