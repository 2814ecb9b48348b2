//! All rows at one state: velocity terms, unit forces on the bodies, values.
//!
//! A row needs the motion of its two frames and nothing of other rows, so that joints are evaluated at the same time.
//! Time O(m/p + log m) for m rows on p threads; the bits are those of one thread.

use crate::algorithm::closure::{LoopParts, evaluate_rows};
use crate::algorithm::divide_and_conquer::Par;
use crate::algorithm::divide_and_conquer::parallel::both;
use crate::model::closure::LoopJoint;
use crate::model::{Model, layout_of};
use crate::motion::Motion;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, lift3, matrix_vector, rotate_back6, shift_force};
use crate::state::State;
use std::ops::Range;

/// Joints that one thread takes at a time.
pub(super) const CHUNK: usize = 64;

/// A unit force on a body: at its attachment point, components of the body; number of the point.
type End<S> = (Spatial<S>, usize);

/// Rows of all loops at one state.
#[derive(Clone, Debug)]
pub(in super::super) struct Rows<S> {
    /// Φ̈ without accelerations, velocity terms and drivers; or what else J times the solution must cancel.
    pub(super) bias: Vec<S>,
    /// Unit force on the second and first frame.
    pub(super) ends: Vec<[End<S>; 2]>,
    /// Accelerations of a system at rest.
    pub(super) still: Vec<Spatial<S>>,
    pub(super) still_speeds: Vec<S>,
    pub(super) dependent: Vec<usize>,
}

/// Entries of the rows of consecutive joints.
struct Parts<'a, S> {
    bias: &'a mut [S],
    ends: &'a mut [[End<S>; 2]],
    residual: &'a mut [S],
    rate: &'a mut [S],
    wrenches: &'a mut [[Spatial<S>; 2]],
}

impl<S: Scalar> Rows<S> {
    pub fn new(model: &Model) -> Self {
        let rows = model.constraint_count();
        // Joints that close loops without rows (free ones) are looked at too.
        let closed = !model.loops.is_empty();
        let (bodies, speeds) = if closed { (model.body_count(), model.speed_count()) } else { (0, 0) };
        Self {
            bias: vec![S::ZERO; rows],
            ends: vec![[([S::ZERO; 6], 0); 2]; rows],
            still: vec![[S::ZERO; 6]; bodies],
            still_speeds: vec![S::ZERO; speeds],
            dependent: Vec::with_capacity(rows),
        }
    }

    /// Unit forces and biases at `state`; poses must be current. Leaves Φ and Φ̇ in the workspace.
    pub fn evaluate(&mut self, model: &Model, state: &State<S>, work: &mut LoopParts<'_, S>, par: Par<'_>) {
        let (closure, motion) = (&mut *work.closure, work.motion);
        let parts = Parts {
            bias: &mut self.bias,
            ends: &mut self.ends,
            residual: &mut closure.residual,
            rate: &mut closure.rate,
            wrenches: &mut closure.wrenches,
        };
        let still = (&self.still[..], &self.still_speeds[..]);
        let parallel = par.divides(model) && model.loops.len() > CHUNK;
        par.run(parallel, || fill(model, state, motion, still, 0..model.loops.len(), parts, parallel));
    }

    /// Takes the forces from rows on speeds alone, until rows are evaluated again.
    pub fn release_speeds(&mut self, model: &Model) {
        for joint in model.loops.iter().filter(|joint| joint.kind.is_nonholonomic()) {
            for (row, index) in joint.rows.iter().zip(joint.row_range()) {
                if row.shape.is_on_speeds() {
                    self.bias[index] = S::ZERO;
                    self.ends[index].iter_mut().for_each(|end| end.0 = [S::ZERO; 6]);
                }
            }
        }
    }
}

impl<S: Scalar> Parts<'_, S> {
    /// The entries before `at` and from it on.
    fn split(self, at: usize) -> (Self, Self) {
        let (bias, ends) = (self.bias.split_at_mut(at), self.ends.split_at_mut(at));
        let (residual, rate) = (self.residual.split_at_mut(at), self.rate.split_at_mut(at));
        let wrenches = self.wrenches.split_at_mut(at);
        let near =
            Self { bias: bias.0, ends: ends.0, residual: residual.0, rate: rate.0, wrenches: wrenches.0 };
        let far =
            Self { bias: bias.1, ends: ends.1, residual: residual.1, rate: rate.1, wrenches: wrenches.1 };
        (near, far)
    }
}

/// Fills the rows of `joints`.
fn fill<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    still: (&[Spatial<S>], &[S]),
    joints: Range<usize>,
    mut parts: Parts<'_, S>,
    parallel: bool,
) {
    let first = |joint: usize| model.loops.get(joint).map_or(0, |joint| joint.first_row);
    if joints.len() > CHUNK {
        let middle = joints.start + joints.len() / 2;
        let (near, far) = parts.split(first(middle) - first(joints.start));
        both(
            parallel,
            || fill(model, state, motion, still, joints.start..middle, near, parallel),
            || fill(model, state, motion, still, middle..joints.end, far, parallel),
        );
        return;
    }
    let before = first(joints.start);
    for joint in &model.loops[joints] {
        fill_joint(model, state, motion, still, joint, before, &mut parts);
    }
}

/// Fills the rows of one joint; the first of `parts` is row `before`.
fn fill_joint<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    still: (&[Spatial<S>], &[S]),
    joint: &LoopJoint,
    before: usize,
    parts: &mut Parts<'_, S>,
) {
    let ends = joint.frames.map(|id| &model.frames[id.0]);
    let frames = motion.attached_pair(model, joint.frames, Some(still));
    let instant = (state.time, state.side);
    evaluate_rows(joint, 0..joint.rows.len(), &frames, instant.0, instant.1, |index, value, wrenches| {
        let at = index - before;
        parts.bias[at] = value.acceleration;
        parts.residual[at] = value.value;
        parts.rate[at] = value.rate;
        parts.wrenches[at] = *wrenches;
        for (side, frame) in [ends[1], ends[0]].into_iter().enumerate() {
            let Some(body) = frame.body else { continue };
            let point = frame.mount.attachment;
            let slot = layout_of(model, body.0).attachment + point;
            let turned = &motion.kinematics.attachments[slot].state.rotation;
            let arm = matrix_vector(turned, &lift3(&frame.mount.position));
            let own = rotate_back6(&motion.poses.rotation[body.0], &wrenches[side]);
            parts.ends[at][side] = (shift_force(&arm, &own), point);
        }
    });
}
