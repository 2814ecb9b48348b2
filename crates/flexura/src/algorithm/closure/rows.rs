//! Constraint rows at one instant: values, derivatives and unit reactions.
//!
//! The derivatives are those of the motion the workspace holds: with the
//! accelerations of the opened tree, Φ̈ is what the closure forces must cancel.
//!
//! Typeset: book/src/theory/loops.md (LO.3), (LO.4).

use super::Closure;
use crate::algorithm::kinematics::Kinematics;
use crate::algorithm::observe::{FrameMotion, Poses, frame_motion};
use crate::element_loads::add_wrench;
use crate::load::Load;
use crate::model::Model;
use crate::model::closure::{LoopJoint, RelativeMotion, Row, Target};
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, Vector3, add, add6, angular, cross, join, linear, matrix_product, matrix_vector, negate6, scale,
    scale6, sub, transposed, transposed_matrix_vector,
};
use crate::state::State;
use crate::workspace::Workspace;

/// Pose, velocity and acceleration of frame `second` in frame `first`, from their inertial motions.
#[inline]
pub fn relative_motion<S: Scalar>(first: &FrameMotion<S>, second: &FrameMotion<S>) -> RelativeMotion<S> {
    let back = |v: &Vector3<S>| transposed_matrix_vector(&first.rotation, v);
    let distance = sub(&second.position, &first.position);
    let (w1, w2) = (angular(&first.velocity), angular(&second.velocity));
    let (al1, al2) = (angular(&first.acceleration), angular(&second.acceleration));
    let slide = sub(&sub(&linear(&second.velocity), &linear(&first.velocity)), &cross(&w1, &distance));
    let carried = add(&cross(&al1, &distance), &cross(&w1, &cross(&w1, &distance)));
    let coriolis = scale(S::from_f64(2.0), &cross(&w1, &slide));
    let pull = sub(&linear(&second.acceleration), &linear(&first.acceleration));
    let turn = sub(&sub(&al2, &al1), &cross(&w1, &w2));
    RelativeMotion {
        rotation: matrix_product(&transposed(&first.rotation), &second.rotation),
        position: back(&distance),
        velocity: join(&back(&sub(&w2, &w1)), &back(&slide)),
        acceleration: join(&back(&turn), &back(&sub(&sub(&pull, &carried), &coriolis))),
    }
}

/// Inertial motions of the two frames of a loop joint, and the second in the first.
pub fn loop_motion<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &Workspace<S>,
    joint: &LoopJoint,
) -> ([FrameMotion<S>; 2], RelativeMotion<S>) {
    let motion = |index: usize| {
        frame_motion(
            model,
            state,
            &work.kinematics,
            &work.poses,
            &work.articulated.acceleration,
            &work.articulated.chidot,
            &model.frames[joint.frames[index].0],
        )
    };
    let frames = [motion(0), motion(1)];
    let relative = relative_motion(&frames[0], &frames[1]);
    (frames, relative)
}

/// Unit reaction of a row with `gradient`: wrenches on the second and on the first frame, each at its own
/// origin, inertial components.
#[inline]
pub fn unit_wrenches<S: Scalar>(frames: &[FrameMotion<S>; 2], gradient: &Spatial<S>) -> [Spatial<S>; 2] {
    let turn = |v: &Vector3<S>| matrix_vector(&frames[0].rotation, v);
    let (moment, force) = (turn(&angular(gradient)), turn(&linear(gradient)));
    let distance = sub(&frames[1].position, &frames[0].position);
    let on_first = join(&add(&moment, &cross(&distance, &force)), &force);
    [join(&moment, &force), negate6(&on_first)]
}

/// What a row must equal at `time`.
pub(crate) fn target(joint: &LoopJoint, row: &Row, time: f64, before: bool) -> Target {
    let motion = row.driver.and_then(|index| joint.coordinates[index].motion.as_ref());
    motion.map_or([0.0; 3], |motion| {
        let sample = motion.sample_side(time, before);
        [sample.value, sample.rate, sample.acceleration]
    })
}

/// Values that all rows must have at `time`.
pub(crate) fn constraint_targets(model: &Model, time: f64, before: bool, out: &mut [f64]) {
    for joint in &model.loops {
        for (row, index) in joint.rows.iter().zip(joint.row_range()) {
            out[index] = target(joint, row, time, before)[0];
        }
    }
}

/// Fills Φ, Φ̇, Φ̈ and the unit wrenches of all rows; poses and accelerations must be current.
pub(super) fn evaluate_rows<S: Scalar>(model: &Model, state: &State<S>, work: &mut Workspace<S>) {
    for joint in &model.loops {
        let (frames, relative) = loop_motion(model, state, work, joint);
        for (row, index) in joint.rows.iter().zip(joint.row_range()) {
            let target = target(joint, row, state.time, work.load.before);
            let value = row.shape.evaluate(&relative, &target);
            work.closure.residual[index] = value.value;
            work.closure.rate[index] = value.rate;
            work.closure.acceleration[index] = value.acceleration;
            work.closure.wrenches[index] = unit_wrenches(&frames, &value.gradient);
        }
    }
}

/// Σ λ × rate of the target over driven rows (W).
pub(crate) fn driver_power<S: Scalar>(model: &Model, time: f64, before: bool, multipliers: &[S]) -> S {
    let mut power = S::ZERO;
    for joint in &model.loops {
        for (row, index) in joint.rows.iter().zip(joint.row_range()) {
            if row.driver.is_some() {
                power += multipliers[index] * target(joint, row, time, before)[1];
            }
        }
    }
    power
}

/// Reaction of a loop joint on its second and first frame, inertial components.
pub(crate) fn reaction<S: Scalar>(closure: &Closure<S>, joint: &LoopJoint) -> [Spatial<S>; 2] {
    let mut sum = [[S::ZERO; 6]; 2];
    for index in joint.row_range() {
        for side in 0..2 {
            let part = scale6(closure.multipliers[index], &closure.wrenches[index][side]);
            sum[side] = add6(&sum[side], &part);
        }
    }
    sum
}

/// Adds the reactions of all loop joints to the loads.
pub(super) fn add_reactions<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    poses: &Poses<S>,
    closure: &Closure<S>,
    load: &mut Load<S>,
) {
    for joint in &model.loops {
        let [on_second, on_first] = reaction(closure, joint);
        add_wrench(model, kin, poses, &model.frames[joint.frames[1].0], &on_second, load);
        add_wrench(model, kin, poses, &model.frames[joint.frames[0].0], &on_first, load);
    }
}
