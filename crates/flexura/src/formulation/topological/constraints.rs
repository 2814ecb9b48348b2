//! Constraint rows of all loops from the kinematics of the opened tree.
//!
//! Φ, Φ̇ and Φ̈ with the unit reactions of every row, as in
//! `algorithm::closure`, but from the attachment states that the kinematics pass
//! already holds, for any accelerations and in any number type: the exact
//! tangent differentiates them. Cost O(rows).

use crate::algorithm::closure::target;
use crate::force::element::add_wrench;
use crate::model::{Frame, FrameId, Model, layout_of};
use crate::motion::kinematics::{Kinematics, referred_influence};
use crate::motion::observe::{FrameMotion, Poses};
use crate::motion::pair::{relative_motion, unit_wrenches};
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, add, add6, angular, cross, join, lift_matrix, lift3, matrix_product, matrix_vector, rotate6,
    scale6, shift_motion,
};
use crate::state::Load;

/// Constraint rows at one instant.
#[derive(Clone, Debug)]
pub(crate) struct Constraints<S = f64> {
    /// Φ of every row (m, rad or cosine).
    pub residual: Vec<S>,
    /// Φ̇ of every row.
    pub rate: Vec<S>,
    /// Φ̈ of every row, where accelerations were given.
    pub acceleration: Vec<S>,
    /// Unit reaction of every row on the second and on the first frame, inertial components.
    pub wrenches: Vec<[Spatial<S>; 2]>,
    /// Rows of each loop that are evaluated: all, unless some were found to move nothing.
    active: Vec<Vec<usize>>,
}

/// Accelerations of a motion: of the bodies (hinge-referred, −g at the base) and of the speeds.
pub(crate) type Accelerations<'a, S> = (&'a [Spatial<S>], &'a [S]);

impl<S: Scalar> Constraints<S> {
    /// Rows of `model`.
    pub fn new(model: &Model) -> Self {
        let rows = model.constraint_count();
        let zero = vec![S::ZERO; rows];
        Self {
            residual: zero.clone(),
            rate: zero.clone(),
            acceleration: zero,
            wrenches: vec![[[S::ZERO; 6]; 2]; rows],
            active: model.loops.iter().map(|joint| (0..joint.rows.len()).collect()).collect(),
        }
    }

    /// Evaluates only the given rows of each loop from now on; the others stay as they are.
    pub fn keep(&mut self, active: impl Iterator<Item = Vec<usize>>) {
        self.active = active.collect();
    }

    /// Evaluates all rows at `time`; `before` takes drivers from the left at a break point.
    pub fn evaluate(
        &mut self,
        model: &Model,
        time: f64,
        before: bool,
        kin: &Kinematics<S>,
        poses: &Poses<S>,
        accelerations: Option<Accelerations<'_, S>>,
    ) {
        for (joint, active) in model.loops.iter().zip(&self.active) {
            let motion = |id: FrameId| frame_motion(model, kin, poses, &model.frames[id.0], accelerations);
            let frames = [motion(joint.frames[0]), motion(joint.frames[1])];
            let relative = relative_motion(&frames[0], &frames[1]);
            for (row, index) in active.iter().map(|&r| (&joint.rows[r], joint.first_row + r)) {
                let value = row.shape.evaluate(&relative, &target(joint, row, time, before));
                self.residual[index] = value.value;
                self.rate[index] = value.rate;
                self.acceleration[index] = value.acceleration;
                self.wrenches[index] = unit_wrenches(&frames, &value.gradient);
            }
        }
    }

    /// Adds the reactions with coefficients `force(row)` along the unit reactions to `load`.
    pub fn react(
        &self,
        model: &Model,
        kin: &Kinematics<S>,
        poses: &Poses<S>,
        force: impl Fn(usize) -> S,
        load: &mut Load<S>,
    ) {
        for (joint, active) in model.loops.iter().zip(&self.active) {
            let mut sum = [[S::ZERO; 6]; 2];
            for index in active.iter().map(|r| joint.first_row + r) {
                let size = force(index);
                for side in 0..2 {
                    sum[side] = add6(&sum[side], &scale6(size, &self.wrenches[index][side]));
                }
            }
            add_wrench(model, kin, poses, &model.frames[joint.frames[1].0], &sum[0], load);
            add_wrench(model, kin, poses, &model.frames[joint.frames[0].0], &sum[1], load);
        }
    }
}

/// Motion of `frame`, inertial components.
fn frame_motion<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    poses: &Poses<S>,
    frame: &Frame,
    accelerations: Option<Accelerations<'_, S>>,
) -> FrameMotion<S> {
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
