//! Projection of velocities and accelerations onto the constraints.
//!
//! Source: Lugrís et al. 2007, eq. 39 (second line corrected): the nearest rates, in
//! the metric W of the tangent, that satisfy the constraint derivatives. With the
//! factorised A = W + α̂ Φ_q*Φ_q of the step a pass solves A Δ = −α̂ Φ_q* Φ̇(x) and
//! reduces the violation by about the penalty; repeating it is the multiplier
//! iteration of that minimisation. Forces act along the Jacobian of the factors,
//! the violation is that of the present one.

use super::build::GlobalModel;
use super::integrator::GlobalIntegrator;
use crate::error::DynamicsError;

/// Violation of rates (or accelerations) that ends the passes, and its part per unit of what moves.
const SETTLED: (f64, f64) = (1e-13, 1e-13);
/// Most passes: at singular positions some directions cannot be corrected.
const LARGEST_PASSES: usize = 30;

impl GlobalIntegrator {
    /// Projects rates (`level` 1) or accelerations (`level` 2); returns the number of solutions.
    pub(super) fn project(
        &mut self,
        global: &GlobalModel,
        x: &mut [f64],
        level: usize,
        iterated: bool,
    ) -> Result<usize, DynamicsError> {
        let size = x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut before = self.violate(global, x, level);
        if !before.is_finite() {
            return Err(DynamicsError::NewtonFailed);
        }
        let passes = if iterated { LARGEST_PASSES } else { 1 };
        for pass in 0..passes {
            if before <= SETTLED.0 + SETTLED.1 * size {
                return Ok(pass);
            }
            self.right.fill(0.0);
            let (violation, penalty) = (&self.violation, self.penalty);
            global.add_reactions(&self.held, |i| penalty * violation[i], &mut self.right);
            self.factor.solve(&global.pattern, &mut self.right);
            let after = self.shift(global, x, 1.0);
            if !after.is_finite() {
                return Err(DynamicsError::NewtonFailed);
            }
            // At rounding, or in a direction that the constraints do not reach, passes change nothing.
            if after >= before {
                self.shift(global, x, -1.0);
                return Ok(pass + 1);
            }
            before = after;
        }
        Ok(passes)
    }

    /// Fills `violation` for the rates or accelerations `x`; its size.
    fn violate(&mut self, global: &GlobalModel, x: &[f64], level: usize) -> f64 {
        for i in 0..self.violation.len() {
            let equation = &self.at.equations[i];
            let wanted = if level == 1 { equation.drift } else { equation.bias };
            self.violation[i] = self.at.row_times(global, i, x) + wanted;
        }
        self.violated()
    }

    /// Adds `factor` times the solution in `right` to `x` and to what the constraints see of it; the size of the
    /// violation.
    fn shift(&mut self, global: &GlobalModel, x: &mut [f64], factor: f64) -> f64 {
        for (x, change) in x.iter_mut().zip(&self.right) {
            *x += factor * change;
        }
        for i in 0..self.violation.len() {
            self.violation[i] += factor * self.at.row_times(global, i, &self.right);
        }
        self.violated()
    }

    /// Root of the sum of squares, which every pass shrinks; what is not a number stays one.
    fn violated(&self) -> f64 {
        self.violation.iter().map(|x| x * x).sum::<f64>().sqrt()
    }
}
