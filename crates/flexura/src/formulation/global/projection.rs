//! Projection of velocities and accelerations onto the constraints.
//!
//! Source: Lugrís et al. 2007, eq. 39 (second line corrected): the nearest rates, in
//! the metric W of the tangent, that satisfy the constraint derivatives. With
//! W (x* − x) = Φ_q*σ the multipliers σ are found by the same iteration as those of
//! the positions; one pass without them leaves a residual of about 1/penalty. The
//! factorised matrix of the step serves unchanged, with the Jacobian it was formed with.

use super::build::GlobalModel;
use super::integrator::GlobalIntegrator;
use crate::error::DynamicsError;

/// Change relative to the largest rate below which the projection ends.
const MET: f64 = 1e-12;
/// Most solutions.
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
        self.star.copy_from_slice(x);
        self.shadow.fill(0.0);
        let passes = if iterated { LARGEST_PASSES } else { 1 };
        for pass in 0..passes {
            self.right.fill(0.0);
            if pass > 0 {
                for (star, x) in self.star.iter_mut().zip(&*x) {
                    *star -= x;
                }
                let weighted = &self.tangent.weighted;
                global.pattern.multiply_add(weighted, &self.star, &mut self.product, &mut self.right);
                for (star, x) in self.star.iter_mut().zip(&*x) {
                    *star += x;
                }
            }
            for i in 0..self.violation.len() {
                let equation = &self.at.equations[i];
                let wanted = if level == 1 { equation.drift } else { equation.bias };
                self.violation[i] = self.at.row_times(global, i, x) + wanted;
            }
            let (shadow, violation, penalty) = (&self.shadow, &self.violation, self.penalty);
            if pass > 0 {
                global.add_reactions(&self.at.jacobian, |i| shadow[i], &mut self.right);
            }
            global.add_reactions(&self.held, |i| penalty * violation[i], &mut self.right);
            self.factor.solve(&global.pattern, &mut self.right);
            let (mut change, mut size) = (0.0_f64, 1.0_f64);
            for (x, step) in x.iter_mut().zip(&self.right) {
                *x += step;
                size = size.max(x.abs());
                change = if step.is_finite() { change.max(step.abs()) } else { f64::INFINITY };
            }
            if !change.is_finite() {
                return Err(DynamicsError::NewtonFailed);
            }
            if change <= MET * size {
                return Ok(pass + 1);
            }
            for i in 0..self.shadow.len() {
                let reached = self.violation[i] + global.row_times(&self.held, i, &self.right);
                self.shadow[i] += self.penalty * reached;
            }
        }
        Ok(passes)
    }
}
