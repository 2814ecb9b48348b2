//! A step of given length with its stages at rounding, and its matrix transposed, for those who go back over it.
//!
//! Newton's iteration goes on where that of a run ends. The adjoint of the stages has the matrix (I − h A⊗J)ᵀ, with J that of each stage;
//! with J at the start it is solved by the transformation of `newton.rs`: for x = T⁻ᵀu and s = Tᵀr
//!
//! (γ/h − Jᵀ) u₁ = γ/h s₁,  ((α + iβ)/h − Jᵀ)(u₂ − iu₃) = (α s₂ + β s₃ + i(β s₂ − α s₃))/h
//!
//! Cost: the matrices of a step twice. Offline: allocates.
//!
//! Typeset: book/src/theory/adjoint.md (AD.13).

use super::coefficients::{ALPHA, BETA, GAMMA, T, T_INVERSE};
use super::factors::Factors;
use super::newton::{Ending, Interval};
use super::{Radau5, too_large};
use crate::error::{DynamicsError, SimulationError};
use crate::integrate::Flow;
use crate::model::Model;
use crate::workspace::Workspace;

/// Share of the tolerance that stages may leave: rounding, for usual tolerances.
pub(crate) const SETTLED: f64 = 1e-7;
/// Iterations of ten corrections at most.
const ROUNDS: usize = 5;

impl Radau5 {
    /// The step from where `flow` begins to `end`: increments of its stages, and factors of its matrix transposed.
    pub(crate) fn stages_to(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        end: f64,
    ) -> Result<(&[Vec<f64>; 3], Factors), SimulationError> {
        let start = flow.start_time();
        let fail = |error| SimulationError::dynamics(end, error);
        if !self.fits() {
            return Err(fail(too_large(self.slope.len())));
        }
        let at = Interval { start, end, h: end - start };
        flow.rate_at_start(model, work, &mut self.slope)?;
        self.statistics.evaluations += 1 + self.jacobian.form(model, flow, work, &self.slope)?;
        let mut transposed = Factors::new(self.slope.len());
        let turned = turned(&self.jacobian.matrix, self.slope.len());
        if !self.factors.factorize(&self.jacobian.matrix, at.h) || !transposed.factorize(&turned, at.h) {
            return Err(fail(DynamicsError::NewtonFailed));
        }
        self.weigh(model, flow, at.h);
        self.newton.stages.iter_mut().for_each(|stage| stage.fill(0.0));
        for round in 0..ROUNDS {
            let (newton, evaluations) = (&mut self.newton, &mut self.statistics.evaluations);
            let (factors, weights) = (&self.factors, &self.weights);
            match newton.solve(model, flow, work, at, factors, weights, SETTLED, evaluations) {
                Ending::Converged(1) => break,
                Ending::Slow(_) if round == 0 => return Err(fail(DynamicsError::NewtonFailed)),
                Ending::Converged(_) | Ending::Slow(_) => {}
                Ending::Fault(error) => return Err(error),
            }
        }
        Ok((&self.newton.stages, transposed))
    }
}

impl Factors {
    /// `x` = (I − h Aᵀ⊗Jᵀ)⁻¹ `x`, stage after stage, with the factors of Jᵀ for `h`.
    pub(crate) fn solve_stages_transposed(&self, h: f64, x: &mut [f64]) {
        let n = x.len() / 3;
        let sum = |weights: [f64; 3], x: &[f64], i: usize| {
            weights[0] * x[i] + weights[1] * x[n + i] + weights[2] * x[2 * n + i]
        };
        let column = |matrix: &[[f64; 3]; 3], k: usize| [matrix[0][k], matrix[1][k], matrix[2][k]];
        let [mut u1, mut u2, mut u3] = [(); 3].map(|()| vec![0.0; n]);
        for i in 0..n {
            let s = [0, 1, 2].map(|k| sum(column(&T, k), x, i) / h);
            (u1[i], u2[i], u3[i]) = (GAMMA * s[0], ALPHA * s[1] + BETA * s[2], BETA * s[1] - ALPHA * s[2]);
        }
        self.solve_real(&mut u1);
        self.solve_complex(&mut u2, &mut u3);
        for i in 0..n {
            let u = [u1[i], u2[i], -u3[i]];
            for stage in 0..3 {
                let weights = column(&T_INVERSE, stage);
                x[stage * n + i] = weights[0] * u[0] + weights[1] * u[1] + weights[2] * u[2];
            }
        }
    }
}

/// The transposed of a square matrix.
fn turned(matrix: &[f64], n: usize) -> Vec<f64> {
    let mut out = vec![0.0; n * n];
    for (k, &x) in matrix.iter().enumerate() {
        out[(k % n) * n + k / n] = x;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::coefficients::butcher;
    use super::*;

    #[test]
    fn the_matrix_of_the_stages_is_solved_transposed() {
        const N: usize = 4;
        let jacobian: Vec<f64> = (0..N * N).map(|k| (k as f64 * k as f64 * 0.7).sin() * 3.0).collect();
        let h = 0.3;
        let mut factors = Factors::new(N);
        assert!(factors.factorize(&turned(&jacobian, N), h));
        let right: Vec<f64> = (0..3 * N).map(|i| (i as f64 * 1.3).cos()).collect();
        let mut x = right.clone();
        factors.solve_stages_transposed(h, &mut x);
        let a = butcher();
        for (stage, i) in (0..3).flat_map(|stage| (0..N).map(move |i| (stage, i))) {
            let coupled: f64 = (0..3)
                .flat_map(|other| (0..N).map(move |j| (other, j)))
                .map(|(other, j)| a[other][stage] * jacobian[j * N + i] * x[other * N + j])
                .sum();
            let found = x[stage * N + i] - h * coupled;
            assert!((found - right[stage * N + i]).abs() < 1e-12, "{found} {}", right[stage * N + i]);
        }
    }
}
