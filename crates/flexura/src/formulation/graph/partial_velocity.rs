//! Partial velocities: how every body and frame moves with each branch coordinate.
//!
//! Source: Richard (2012), eqs 12, 14 and 36 and McPhee (1998). The circuit of a
//! body runs from the ground over the branches of the tree that carry it; each
//! branch on it adds columns: joint axes turn and shift all that lies beyond, and
//! so do the modes of flexible arms it passes through. Everything is in inertial
//! components, so that a column is carried on by a shift alone. Velocities of
//! bodies are referred to their hinges, as their mass blocks are.

use crate::model::{Frame, Model, layout_of};
use crate::motion::kinematics::{Kinematics, referred_influence};
use crate::motion::observe::Poses;
use crate::spatial::{Spatial, Vector3, add, matrix_vector, rotate6, shift_motion, sub};
use crate::workspace::Workspace;

/// Columns over all speeds, inertial components, at the point asked for last.
pub(super) struct Partials {
    pub columns: Vec<Spatial>,
}

impl Partials {
    pub fn new(model: &Model) -> Self {
        Self { columns: vec![[0.0; 6]; model.speed_count()] }
    }

    /// Columns of body `k` at its frame, referred to the hinge.
    pub fn of_body(&mut self, model: &Model, kin: &Kinematics, poses: &Poses, k: usize) {
        self.columns.fill([0.0; 6]);
        let point = poses.position[k];
        self.add_branches(model, kin, poses, k, &point);
    }

    /// Columns of a named frame at its origin; the ground has none.
    pub fn of_frame(&mut self, model: &Model, work: &Workspace, frame: &Frame) {
        self.columns.fill([0.0; 6]);
        let Some(body) = frame.body else { return };
        let (k, index) = (body.0, frame.mount.attachment);
        let (kin, poses) = (&work.kinematics, &work.poses);
        let attached = &kin.attachments[layout_of(model, k).attachment + index].state;
        let world = &poses.rotation[k];
        let at = add(&poses.position[k], &matrix_vector(world, &attached.position));
        let arm = matrix_vector(world, &matrix_vector(&attached.rotation, &frame.mount.position));
        let point = add(&at, &arm);
        self.add_modes(model, kin, poses, k, index, &at, &point);
        self.add_branches(model, kin, poses, k, &point);
    }

    /// Columns of the joints from body `k` to the ground, and of the modes of the bodies between.
    fn add_branches(
        &mut self,
        model: &Model,
        kin: &Kinematics,
        poses: &Poses,
        mut k: usize,
        point: &Vector3,
    ) {
        loop {
            let (part, joint) = (layout_of(model, k), &model.joints[k]);
            let arm = sub(point, &poses.position[k]);
            for (i, column) in kin.subspace[part.joint()].iter().enumerate() {
                let twist = rotate6(&poses.rotation[k], column);
                self.columns[part.v + part.modes + i] = shift_motion(&arm, &twist);
            }
            let Some(parent) = joint.parent else { return };
            let index = joint.outer.attachment;
            let attached = &kin.attachments[layout_of(model, parent).attachment + index].state;
            let carried = matrix_vector(&poses.rotation[parent], &attached.position);
            let at = if index == 0 { poses.position[parent] } else { add(&poses.position[parent], &carried) };
            self.add_modes(model, kin, poses, parent, index, &at, point);
            k = parent;
        }
    }

    /// Columns of the modes of body `k`, which move its attachment `index` at `at`, seen at `point`.
    #[allow(clippy::too_many_arguments)]
    fn add_modes(
        &mut self,
        model: &Model,
        kin: &Kinematics,
        poses: &Poses,
        k: usize,
        index: usize,
        at: &Vector3,
        point: &Vector3,
    ) {
        let arm = sub(point, at);
        for (r, column) in referred_influence(model, kin, k, index).iter().enumerate() {
            let twist = rotate6(&poses.rotation[k], column);
            self.columns[layout_of(model, k).v + r] = shift_motion(&arm, &twist);
        }
    }
}
