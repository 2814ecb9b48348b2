//! The differential-algebraic equations solved for accelerations and multipliers.
//!
//! Source: Richard (2012), eqs 18-20, 46 and 67 with 70. M̂ is factorised (Cholesky), the rows reflected on it, (Φ_q M̂⁻¹ Φ_qᵀ) λ = Λ − Φ_q M̂⁻¹ Q, with
//! pivoting, because spatial loops have dependent rows. Prescribed accelerations go to the right side. Cost O(𝒩³).

use super::Equations;
use crate::algorithm::composite_body::singular;
use crate::error::DynamicsError;
use crate::linear::{PivotedCholesky, cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::Model;

/// Pivots of the scaled reflected mass below this are dependent constraints.
const DEPENDENT: f64 = 1e-11;

/// Scratch and factors.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    /// Speeds that are not prescribed.
    free: Vec<usize>,
    factor: Vec<f64>,
    /// M̂⁻¹ Φ_qᵀ over free speeds, one row per constraint.
    responses: Vec<f64>,
    reflected: Vec<f64>,
    pivoted: PivotedCholesky,
    open: Vec<f64>,
}

impl Solver {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
        let (f, rows) = (free.len(), model.constraint_count());
        Self {
            factor: vec![0.0; f * f],
            responses: vec![0.0; rows * f],
            reflected: vec![0.0; rows * rows],
            pivoted: PivotedCholesky::new(rows),
            open: vec![0.0; f],
            free,
        }
    }

    /// Factorises M̂ of the free speeds and what it reflects on the constraints.
    pub fn factorize(&mut self, model: &Model, equations: &Equations) -> Result<(), DynamicsError> {
        let (n, f, rows) = (equations.speeds, self.free.len(), equations.rows());
        for (a, &i) in self.free.iter().enumerate() {
            for (b, &j) in self.free.iter().enumerate() {
                self.factor[a * f + b] = equations.mass[i * n + j];
            }
        }
        cholesky_in_place(&mut self.factor, f).map_err(|pivot| singular(model, self.free[pivot]))?;
        for r in 0..rows {
            let out = &mut self.responses[r * f..(r + 1) * f];
            for (slot, &i) in out.iter_mut().zip(&self.free) {
                *slot = equations.jacobian[r * n + i];
            }
            solve_lower(&self.factor, f, out);
            solve_lower_transposed(&self.factor, f, out);
        }
        for r in 0..rows {
            for s in 0..rows {
                self.reflected[r * rows + s] = self.along(equations, r, &self.responses[s * f..(s + 1) * f]);
            }
        }
        self.pivoted.factorize(&self.reflected, DEPENDENT);
        Ok(())
    }

    /// Φ_q of row `r` times a vector over free speeds.
    fn along(&self, equations: &Equations, r: usize, values: &[f64]) -> f64 {
        let row = &equations.jacobian[r * equations.speeds..];
        self.free.iter().zip(values).map(|(&i, x)| row[i] * x).sum()
    }

    /// Accelerations and multipliers with the last factors; prescribed accelerations are kept.
    pub fn solve(&mut self, equations: &Equations, accelerations: &mut [f64], multipliers: &mut [f64]) {
        let (n, f) = (equations.speeds, self.free.len());
        let given = |i: usize| if equations.prescribed[i] { equations.given[i] } else { 0.0 };
        let known = |row: &[f64]| -> f64 { (0..n).map(|j| row[j] * given(j)).sum() };
        for (slot, &i) in self.open.iter_mut().zip(&self.free) {
            *slot = equations.force[i] - known(&equations.mass[i * n..(i + 1) * n]);
        }
        solve_lower(&self.factor, f, &mut self.open);
        solve_lower_transposed(&self.factor, f, &mut self.open);
        for (r, slot) in multipliers.iter_mut().enumerate() {
            let row = &equations.jacobian[r * n..(r + 1) * n];
            *slot = equations.right[r] - known(row) - self.along(equations, r, &self.open);
        }
        self.pivoted.solve(multipliers);
        for (i, slot) in accelerations.iter_mut().enumerate() {
            *slot = given(i);
        }
        for (a, &i) in self.free.iter().enumerate() {
            let reactions: f64 =
                multipliers.iter().enumerate().map(|(r, x)| self.responses[r * f + a] * x).sum();
            accelerations[i] = self.open[a] + reactions;
        }
    }

    /// Shortest change of the coordinates, in the metric of the masses, that takes `wrong` off the rows; into `change` over all speeds.
    /// `wrong` is overwritten by the multipliers.
    pub fn close(&mut self, wrong: &mut [f64], change: &mut [f64]) {
        self.pivoted.solve(wrong);
        change.fill(0.0);
        let f = self.free.len();
        for (r, multiplier) in wrong.iter().enumerate() {
            for (a, &i) in self.free.iter().enumerate() {
                change[i] -= self.responses[r * f + a] * multiplier;
            }
        }
    }
}
