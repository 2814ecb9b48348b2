//! Constraint rows of all loops from the kinematics of the opened tree.
//!
//! Φ, Φ̇ and Φ̈ with the unit reactions of every row by `algorithm::closure::evaluate_rows`, kept apart from those of the closure: for
//! any accelerations, in any number type (the exact tangent differentiates them), and without rows that move nothing. Cost O(rows).

use crate::algorithm::closure::evaluate_rows;
use crate::force::element::add_wrench;
use crate::model::Model;
use crate::motion::Motion;
use crate::motion::attached::GivenAccelerations;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, scale6};
use crate::state::Load;
use crate::time_function::Side;

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

    /// Evaluates all rows with drivers from `side` of `time`.
    pub fn evaluate(
        &mut self,
        model: &Model,
        (time, side): (f64, Side),
        motion: &Motion<S>,
        accelerations: Option<GivenAccelerations<'_, S>>,
    ) {
        for (joint, active) in model.loops.iter().zip(&self.active) {
            let frames = motion.attached_pair(model, joint.frames, accelerations);
            evaluate_rows(joint, active.iter().copied(), &frames, time, side, |index, value, wrenches| {
                self.residual[index] = value.value;
                self.rate[index] = value.rate;
                self.acceleration[index] = value.acceleration;
                self.wrenches[index] = *wrenches;
            });
        }
    }

    /// Adds the reactions with coefficients `force(row)` along the unit reactions to `load`.
    pub fn react(&self, model: &Model, motion: &Motion<S>, force: impl Fn(usize) -> S, load: &mut Load<S>) {
        for (joint, active) in model.loops.iter().zip(&self.active) {
            let mut sum = [[S::ZERO; 6]; 2];
            for index in active.iter().map(|r| joint.first_row + r) {
                let size = force(index);
                for side in 0..2 {
                    sum[side] = add6(&sum[side], &scale6(size, &self.wrenches[index][side]));
                }
            }
            add_wrench(model, motion, &model.frames[joint.frames[1].0], &sum[0], load);
            add_wrench(model, motion, &model.frames[joint.frames[0].0], &sum[1], load);
        }
    }
}
