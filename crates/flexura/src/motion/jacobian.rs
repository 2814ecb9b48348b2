//! Jacobians of bodies and frames: partial velocities with every speed of the tree.
//!
//! Source: Richard (2012), eqs 11-12, 14 and 36 and McPhee (1998); Mukherjee & Anderson eqs 25-34. The circuit of a body runs from the ground over the branches of
//! the tree that carry it; each branch on it adds columns: joint axes turn and shift all that lies beyond, and so do the modes of
//! flexible arms it passes through. Everything is in inertial components, so that a column is carried on by a shift alone.
//! Velocities of bodies are referred to their hinges, as their mass blocks are. Cost: the depth of the body.

use super::Motion;
use super::kinematics::{inboard_deforms, referred_influence};
use super::observe::with_influence;
use crate::model::{Frame, Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, Vector3, add, lift3, matrix_vector, rotate6, shift_motion, sub, sub6};
use crate::state::State;

impl<S: Scalar> Motion<S> {
    /// Columns [ω; v] over all speeds of `model` at the origin of `frame`, inertial components; zero for the ground. After
    /// [`Motion::evaluate`] at `state`: the velocity of the frame is Σ columns · v. Seen with the deformation, as in records.
    pub fn frame_jacobian(&self, model: &Model, state: &State<S>, frame: &Frame, columns: &mut [Spatial<S>]) {
        columns.fill([S::ZERO; 6]);
        let Some(body) = frame.body else { return };
        let (k, part) = (body.0, layout_of(model, body.0));
        let (world, inboard) = (&self.poses.rotation[k], &self.kinematics.inboard[part.modal()]);
        let moves = inboard_deforms(model, k);
        let point = with_influence(model, state, k, frame.mount.attachment, |attached, influence| {
            let arm = matrix_vector(&attached.rotation, &lift3(&frame.mount.position));
            let place = add(&attached.position, &arm);
            for r in 0..part.modes {
                let own = influence.get(r).map_or([S::ZERO; 6], |column| shift_motion(&arm, column));
                // Where the inboard point deforms, the body's frame gives way by it.
                let back = if moves { shift_motion(&place, &inboard[r]) } else { [S::ZERO; 6] };
                columns[part.v + r] = rotate6(world, &sub6(&own, &back));
            }
            add(&self.poses.position[k], &matrix_vector(world, &place))
        });
        self.add_branches(model, k, &point, columns);
    }

    /// The same for body `k` at its frame, referred to the hinge.
    pub fn body_jacobian(&self, model: &Model, k: usize, columns: &mut [Spatial<S>]) {
        columns.fill([S::ZERO; 6]);
        self.add_branches(model, k, &self.poses.position[k], columns);
    }

    /// Columns of the joints from body `k` to the ground, and of the modes of the bodies between.
    fn add_branches(&self, model: &Model, mut k: usize, point: &Vector3<S>, columns: &mut [Spatial<S>]) {
        let poses = &self.poses;
        loop {
            let (part, joint) = (layout_of(model, k), &model.joints[k]);
            let arm = sub(point, &poses.position[k]);
            for (i, column) in self.kinematics.subspace[part.joint()].iter().enumerate() {
                let twist = rotate6(&poses.rotation[k], column);
                columns[part.v + part.modes + i] = shift_motion(&arm, &twist);
            }
            let Some(parent) = joint.parent else { return };
            let index = joint.outer.attachment;
            let attached = &self.kinematics.attachments[layout_of(model, parent).attachment + index].state;
            let carried = matrix_vector(&poses.rotation[parent], &attached.position);
            let at = if index == 0 { poses.position[parent] } else { add(&poses.position[parent], &carried) };
            self.add_modes(model, parent, index, &at, point, columns);
            k = parent;
        }
    }

    /// Columns of the modes of body `k`, which move its attachment `index` at `at`, seen at `point`.
    fn add_modes(
        &self,
        model: &Model,
        k: usize,
        index: usize,
        at: &Vector3<S>,
        point: &Vector3<S>,
        columns: &mut [Spatial<S>],
    ) {
        let arm = sub(point, at);
        for (r, column) in referred_influence(model, &self.kinematics, k, index).iter().enumerate() {
            let twist = rotate6(&self.poses.rotation[k], column);
            columns[layout_of(model, k).v + r] = shift_motion(&arm, &twist);
        }
    }
}
