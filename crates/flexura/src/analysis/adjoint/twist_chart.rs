//! Derivatives of coordinates moved by a body twist, q₁ = q₀ exp δ, over δ and q₀.
//!
//! Coordinates of a joint depend on the twist of that joint alone, modal coordinates on their own: with the k-th direction of every joint
//! seeded at once, one evaluation in dual numbers has all columns. Cost: one such evaluation, then O(n) per product.

use crate::model::Model;
use crate::motion::retract::move_by_twist;
use crate::scalar::{Dual, Scalar, Taped, with_tape};

/// Freedoms of a joint at most.
const FREEDOMS: usize = 6;

/// ∂q₁/∂δ at one step.
#[derive(Clone, Debug, Default)]
pub(super) struct TwistChart {
    /// Rows of the coordinates, over the freedoms of their joint; modal coordinates have the unit in the first place.
    columns: Vec<[f64; FREEDOMS]>,
}

impl TwistChart {
    pub fn new(model: &Model, start_q: &[f64], twist: &[f64]) -> Self {
        let start: Vec<Dual<FREEDOMS>> = start_q.iter().map(|&x| Dual::from_f64(x)).collect();
        let mut step: Vec<Dual<FREEDOMS>> = twist.iter().map(|&x| Dual::from_f64(x)).collect();
        for part in &model.layout.bodies {
            part.modal_v().for_each(|i| step[i].eps[0] = 1.0);
            part.joint_v().enumerate().for_each(|(k, i)| step[i].eps[k] = 1.0);
        }
        let mut q = vec![Dual::ZERO; start.len()];
        move_by_twist(model, &start, &step, &mut q);
        Self { columns: q.iter().map(|x| x.eps).collect() }
    }

    /// (∂q₁/∂δ)ᵀ of derivatives over q₁.
    pub fn over_twist(&self, model: &Model, end_q: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; model.speed_count()];
        for part in &model.layout.bodies {
            for (i, j) in part.modal_v().zip(part.modal_q()) {
                out[i] = self.columns[j][0] * end_q[j];
            }
            for (k, i) in part.joint_v().enumerate() {
                out[i] = part.joint_q().map(|j| self.columns[j][k] * end_q[j]).sum();
            }
        }
        out
    }

    /// Derivatives over q₁ that a change along δ sees as `twist`, for a chart without a twist, whose columns are orthogonal.
    pub fn lift(&self, model: &Model, twist: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.columns.len()];
        for part in &model.layout.bodies {
            for (i, j) in part.modal_v().zip(part.modal_q()) {
                out[j] = twist[i] / self.columns[j][0];
            }
            for (k, i) in part.joint_v().enumerate() {
                let size: f64 = part.joint_q().map(|j| self.columns[j][k] * self.columns[j][k]).sum();
                part.joint_q().for_each(|j| out[j] += self.columns[j][k] * twist[i] / size);
            }
        }
        out
    }

    /// Derivatives over δ; those over q₀ go to `start`.
    pub fn pull_back(
        model: &Model,
        floor: usize,
        (start_q, twist): (&[f64], &[f64]),
        end_q: &[f64],
        start: &mut [f64],
    ) -> Vec<f64> {
        with_tape(|tape| tape.rewind(floor));
        let from: Vec<Taped> = start_q.iter().map(|&x| Taped::leaf(x)).collect();
        let step: Vec<Taped> = twist.iter().map(|&x| Taped::leaf(x)).collect();
        let mut q = vec![Taped::ZERO; from.len()];
        move_by_twist(model, &from, &step, &mut q);
        with_tape(|tape| {
            tape.reverse(floor, q.into_iter().zip(end_q.iter().copied()));
            start.iter_mut().zip(&from).for_each(|(slot, leaf)| *slot = tape.adjoint(*leaf));
            step.iter().map(|leaf| tape.adjoint(*leaf)).collect()
        })
    }
}
