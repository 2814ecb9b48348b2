//! Motion of a frame as the equations of motion see it: from the points that the recursions carry.
//!
//! For frames that joints or elements use. Others, and those of bodies with the rule `frozen`, stay undeformed here; what users see
//! ([`Motion::frame`], [`super::observe`]) is deformed.

use super::Motion;
use super::kinematics::referred_influence;
use super::observe::FrameMotion;
use crate::model::{Frame, FrameId, Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, add, add6, angular, cross, join, lift_matrix, lift3, matrix_product, matrix_vector, rotate6,
    scale6, shift_motion,
};

/// Accelerations of a motion: of the bodies (hinge-referred, −g at the base) and of the speeds.
pub(crate) type GivenAccelerations<'a, S> = (&'a [Spatial<S>], &'a [S]);

impl<S: Scalar> Motion<S> {
    /// [`Motion::attached_frame`] of the two frames of a joint, each written where it stands: `map` over the pair would move both through memory.
    #[inline(always)]
    pub(crate) fn attached_pair(
        &self,
        model: &Model,
        [first, second]: [FrameId; 2],
        accelerations: Option<GivenAccelerations<'_, S>>,
    ) -> [FrameMotion<S>; 2] {
        let frame = |id: FrameId| self.attached_frame(model, &model.frames[id.0], accelerations);
        [frame(first), frame(second)]
    }

    /// Motion of a `frame` that joints or elements use, inertial components; its acceleration is zero where none are given.
    pub(crate) fn attached_frame(
        &self,
        model: &Model,
        frame: &Frame,
        accelerations: Option<GivenAccelerations<'_, S>>,
    ) -> FrameMotion<S> {
        let (kin, poses) = (&self.kinematics, &self.poses);
        let Some(body) = frame.body else {
            let (rotation, position) = (lift_matrix(&frame.mount.rotation), lift3(&frame.mount.position));
            return FrameMotion { rotation, position, velocity: [S::ZERO; 6], acceleration: [S::ZERO; 6] };
        };
        let (k, index) = (body.0, frame.mount.attachment);
        let point = &kin.attachments[layout_of(model, k).attachment + index];
        let world = &poses.rotation[k];
        let arm = matrix_vector(&point.state.rotation, &lift3(&frame.mount.position));
        let in_body = add(&point.state.position, &arm);
        let rotation = matrix_product(&point.state.rotation, &lift_matrix(&frame.mount.rotation));
        let at_point = add6(&shift_motion(&point.state.position, &poses.velocity[k]), &point.state.rate);
        let acceleration = accelerations.map_or([S::ZERO; 6], |(bodies, chidot)| {
            let mut sum = add6(&shift_motion(&point.state.position, &bodies[k]), &point.bias);
            let modal = &chidot[layout_of(model, k).modal_v()];
            for (column, &x) in referred_influence(model, kin, k, index).iter().zip(modal) {
                sum = add6(&sum, &scale6(x, column));
            }
            let spin = angular(&at_point);
            let centripetal = join(&[S::ZERO; 3], &cross(&spin, &cross(&spin, &arm)));
            let mut in_world = rotate6(world, &add6(&shift_motion(&arm, &sum), &centripetal));
            // Gravity was modelled as an acceleration of the base: takes it out again.
            for i in 0..3 {
                in_world[3 + i] += S::from_f64(model.gravity[i]);
            }
            in_world
        });
        FrameMotion {
            rotation: matrix_product(world, &rotation),
            position: add(&poses.position[k], &matrix_vector(world, &in_body)),
            velocity: rotate6(world, &shift_motion(&arm, &at_point)),
            acceleration,
        }
    }
}
