//! Pose and velocity of a frame as force elements see it.
//!
//! Where the rule of a body is `frozen`, its points stay undeformed in the dynamics; an element sees the deformed pose.

use super::kinematics::Kinematics;
use crate::model::body::AttachmentState;
use crate::model::element::FrameState;
use crate::model::{Frame, Model, layout_of};
use crate::motion::Motion;
use crate::scalar::Scalar;
use crate::spatial::{add, add6, lift_matrix, lift3, matrix_product, matrix_vector, rotate6, shift_motion};
use crate::state::State;

/// Pose and velocity of `frame` in inertial components, as the elements see it.
pub(crate) fn frame_state<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    frame: &Frame,
) -> FrameState<S> {
    let (kin, poses) = (&motion.kinematics, &motion.poses);
    let Some(body) = frame.body else {
        let (rotation, position) = (lift_matrix(&frame.mount.rotation), lift3(&frame.mount.position));
        return FrameState { rotation, position, velocity: [S::ZERO; 6] };
    };
    let (k, index) = (body.0, frame.mount.attachment);
    let attachment = &model.bodies[k].attachments[index];
    let point = point_of(model, kin, k, index);
    let (turned, place) = if attachment.constant && !attachment.rigid {
        attachment.deformed_frame(&state.q[layout_of(model, k).modal_q()])
    } else {
        (point.rotation, point.position)
    };
    let world = &poses.rotation[k];
    let in_body = add(&place, &matrix_vector(&turned, &lift3(&frame.mount.position)));
    let rotation = matrix_product(&turned, &lift_matrix(&frame.mount.rotation));
    let at_point = add6(&shift_motion(&point.position, &poses.velocity[k]), &point.rate);
    let arm = matrix_vector(&point.rotation, &lift3(&frame.mount.position));
    FrameState {
        rotation: matrix_product(world, &rotation),
        position: add(&poses.position[k], &matrix_vector(world, &in_body)),
        velocity: rotate6(world, &shift_motion(&arm, &at_point)),
    }
}

pub(crate) fn point_of<'a, S: Scalar>(
    model: &Model,
    kin: &'a Kinematics<S>,
    k: usize,
    index: usize,
) -> &'a AttachmentState<S> {
    &kin.attachments[layout_of(model, k).attachment + index].state
}
