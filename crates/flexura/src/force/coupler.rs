//! Couplers on their two coordinates, in the tree or measured between the frames of a joint that closes a loop.
//!
//! The effort e acts by −c e on a speed of the tree; on a measured coordinate it is a wrench along the gradient of the
//! measure, as the effort of the joint itself would be, so that a gear is the same in every choice of coordinates.

use crate::force::element::add_wrench;
use crate::force::loop_joint::{frames_of, measured};
use crate::model::Model;
use crate::model::element::{CouplerEnd, CouplerForce, CouplerLink};
use crate::motion::Motion;
use crate::motion::pair::unit_wrenches;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, scale6};
use crate::state::Load;
use crate::state::State;

/// What a coupler does at `state`.
pub(crate) fn evaluate_coupler<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    coupler: &CouplerLink,
) -> CouplerForce<S> {
    let seen = coupler.ends.map(|end| match end {
        CouplerEnd::Tree { coordinate, speed } => [state.q[coordinate], state.v[speed]],
        CouplerEnd::Loop { joint, index } => {
            let joint = &model.loops[joint];
            let frames = frames_of(model, state, motion, joint);
            let row = measured(state, &frames, joint, index);
            row.map_or([S::ZERO; 2], |row| [row.value, row.rate])
        }
    });
    coupler.law.evaluate([seen[0][0], seen[1][0]], [seen[0][1], seen[1][1]])
}

/// Adds a coupler to `load`; returns its power (W).
pub(crate) fn add_coupler<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    coupler: &CouplerLink,
    load: &mut Load<S>,
) -> S {
    let force = evaluate_coupler(model, state, motion, coupler);
    for (end, &factor) in coupler.ends.iter().zip(&coupler.law.factors) {
        let effort = force.effort * factor;
        match *end {
            CouplerEnd::Tree { speed, .. } => load.generalized[speed] -= effort,
            CouplerEnd::Loop { joint, .. } => {
                let joint = &model.loops[joint];
                let Some(unit) = unit_wrenches_of(model, state, motion, *end) else { continue };
                for (frame, wrench) in [joint.frames[1], joint.frames[0]].iter().zip(&unit) {
                    add_wrench(model, motion, &model.frames[frame.0], &scale6(-effort, wrench), load);
                }
            }
        }
    }
    force.power
}

/// Wrenches on the second and first frame of a joint that closes a loop for a unit effort along the coordinate of `end`.
pub(crate) fn unit_wrenches_of<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    end: CouplerEnd,
) -> Option<[Spatial<S>; 2]> {
    let CouplerEnd::Loop { joint, index } = end else { return None };
    let joint = &model.loops[joint];
    let frames = frames_of(model, state, motion, joint);
    let row = measured(state, &frames, joint, index)?;
    Some(unit_wrenches(&frames, &row.gradient))
}

/// Wrench of all couplers on the second frame of loop joint `l`, inertial components.
pub(crate) fn wrench_at_loop<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    l: usize,
) -> Spatial<S> {
    let mut sum = [S::ZERO; 6];
    for coupler in &model.couplers {
        for (end, &factor) in coupler.ends.iter().zip(&coupler.law.factors) {
            let CouplerEnd::Loop { joint, index } = *end else { continue };
            if joint != l {
                continue;
            }
            let effort = evaluate_coupler(model, state, motion, coupler).effort * factor;
            let frames = frames_of(model, state, motion, &model.loops[l]);
            if let Some(row) = measured(state, &frames, &model.loops[l], index) {
                sum = add6(&sum, &scale6(-effort, &unit_wrenches(&frames, &row.gradient)[0]));
            }
        }
    }
    sum
}
