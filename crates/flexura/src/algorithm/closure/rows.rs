//! Constraint rows at one instant: values, derivatives and unit reactions.
//!
//! The derivatives are those of the motion the workspace holds: with the
//! accelerations of the opened tree, Φ̈ is what the closure forces must cancel.
//!
//! Typeset: book/src/theory/loops.md (LO.3), (LO.4).

use super::Closure;
use crate::algorithm::body_inertia::BodyInertias;
use crate::force::element::add_wrench;
use crate::model::Model;
use crate::model::closure::{LoopJoint, Row, RowValue, Target};
use crate::motion::Motion;
use crate::motion::observe::FrameMotion;
use crate::motion::pair::{relative_motion, unit_wrenches};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, scale6};
use crate::state::Load;
use crate::time_function::Side;

/// What a row must equal at `time`.
pub(crate) fn target(joint: &LoopJoint, row: &Row, time: f64, side: Side) -> Target {
    let motion = row.driver.and_then(|index| joint.coordinates[index].motion.as_ref());
    motion.map_or([0.0; 3], |motion| {
        let sample = motion.sample_side(time, side);
        [sample.value, sample.rate, sample.acceleration]
    })
}

/// Calls `take` with index, value and unit wrenches of the chosen rows of `joint`, between the motions of its frames; drivers are
/// taken from `side` of `time`. The one place where rows are evaluated.
#[inline(always)]
pub(crate) fn evaluate_rows<S: Scalar>(
    joint: &LoopJoint,
    chosen: impl Iterator<Item = usize>,
    frames: &[FrameMotion<S>; 2],
    time: f64,
    side: Side,
    mut take: impl FnMut(usize, &RowValue<S>, &[Spatial<S>; 2]),
) {
    let relative = relative_motion(&frames[0], &frames[1]);
    for r in chosen {
        let row = &joint.rows[r];
        let value = row.shape.evaluate(&relative, &target(joint, row, time, side));
        take(joint.first_row + r, &value, &unit_wrenches(frames, &value.gradient));
    }
}

/// Values that all rows must have at `time`.
pub(crate) fn constraint_targets(model: &Model, time: f64, side: Side, out: &mut [f64]) {
    for joint in &model.loops {
        for (row, index) in joint.rows.iter().zip(joint.row_range()) {
            out[index] = target(joint, row, time, side)[0];
        }
    }
}

/// Σ λ × rate of the target over driven rows (W).
pub(crate) fn driver_power<S: Scalar>(model: &Model, time: f64, side: Side, multipliers: &[S]) -> S {
    let joints = model.loops.iter().map(|joint| driving_power(joint, time, side, multipliers));
    joints.fold(S::ZERO, |sum, power| sum + power)
}

/// The same of one joint (W); `multipliers` are those of all rows.
pub(crate) fn driving_power<S: Scalar>(joint: &LoopJoint, time: f64, side: Side, multipliers: &[S]) -> S {
    let mut power = S::ZERO;
    for (row, index) in joint.rows.iter().zip(joint.row_range()) {
        if row.driver.is_some() {
            power += multipliers[index] * target(joint, row, time, side)[1];
        }
    }
    power
}

/// Reaction of a loop joint on its second and first frame, inertial components.
pub(crate) fn reaction<S: Scalar>(closure: &Closure<S>, joint: &LoopJoint) -> [Spatial<S>; 2] {
    [0, 1].map(|side| reaction_on(closure, joint, side))
}

/// The same on the second frame (`side` 0) or on the first.
pub(crate) fn reaction_on<S: Scalar>(closure: &Closure<S>, joint: &LoopJoint, side: usize) -> Spatial<S> {
    let mut sum = [S::ZERO; 6];
    for index in joint.row_range() {
        sum = add6(&sum, &scale6(closure.multipliers[index], &closure.wrenches[index][side]));
    }
    sum
}

/// Adds the reactions of all loop joints to the loads.
fn add_reactions<S: Scalar>(model: &Model, motion: &Motion<S>, closure: &Closure<S>, load: &mut Load<S>) {
    for joint in &model.loops {
        let [on_second, on_first] = reaction(closure, joint);
        add_wrench(model, motion, &model.frames[joint.frames[1].0], &on_second, load);
        add_wrench(model, motion, &model.frames[joint.frames[0].0], &on_first, load);
    }
}

/// What the closure reads and writes of an evaluation.
pub struct LoopParts<'a, S = f64> {
    /// Motion of the bodies.
    pub motion: &'a Motion<S>,
    /// Mass blocks.
    pub inertias: &'a BodyInertias<S>,
    /// Loads, to which reactions are added.
    pub load: &'a mut Load<S>,
    /// Rows and multipliers.
    pub closure: &'a mut Closure<S>,
}

/// Adds the reactions of the multipliers found to the loads.
pub(crate) fn apply_reactions<S: Scalar>(
    model: &Model,
    (time, side): (f64, Side),
    work: &mut LoopParts<'_, S>,
) {
    find_driver_power(model, (time, side), work.closure);
    add_reactions(model, work.motion, work.closure, work.load);
}

/// Power of the drivers of loop-closing joints for the multipliers found.
pub(crate) fn find_driver_power<S: Scalar>(
    model: &Model,
    (time, side): (f64, Side),
    closure: &mut Closure<S>,
) {
    closure.driver_power = driver_power(model, time, side, &closure.multipliers);
}
