//! The two matrices of the transformed Newton iteration and their solutions.
//!
//! With the Jacobian J of dy/dt and the step h: E₁ = γ/h − J and E₂ = (α + iβ)/h − J (Hairer & Wanner, Solving ODE II,
//! equation IV.8.14). Cost 10/3 n³ operations to factorise, 10 n² to solve.

use super::coefficients::{ALPHA, BETA, GAMMA};
use crate::integrate::lu::{complex_lu_in_place, complex_lu_solve, lu_in_place, lu_solve};

/// LU factors of E₁ and E₂.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    size: usize,
    real: Vec<f64>,
    complex: (Vec<f64>, Vec<f64>),
    real_pivots: Vec<usize>,
    complex_pivots: Vec<usize>,
}

impl Factors {
    pub fn new(size: usize) -> Self {
        let zero = vec![0.0; size * size];
        Self {
            size,
            complex: (zero.clone(), zero.clone()),
            real: zero,
            real_pivots: vec![0; size],
            complex_pivots: vec![0; size],
        }
    }

    /// Factorises both matrices for the step `h`; false if one is singular.
    pub fn factorize(&mut self, jacobian: &[f64], h: f64) -> bool {
        let n = self.size;
        let (re, im) = (&mut self.complex.0, &mut self.complex.1);
        for (k, value) in jacobian.iter().enumerate() {
            self.real[k] = -value;
            re[k] = -value;
        }
        im.fill(0.0);
        for i in 0..n {
            self.real[i * n + i] += GAMMA / h;
            re[i * n + i] += ALPHA / h;
            im[i * n + i] = BETA / h;
        }
        lu_in_place(&mut self.real, n, &mut self.real_pivots)
            && complex_lu_in_place((re, im), n, &mut self.complex_pivots)
    }

    /// `b` = E₁⁻¹ `b`.
    pub fn solve_real(&self, b: &mut [f64]) {
        lu_solve(&self.real, self.size, &self.real_pivots, b);
    }

    /// `b` + i `c` = E₂⁻¹ (`b` + i `c`).
    pub fn solve_complex(&self, b: &mut [f64], c: &mut [f64]) {
        let matrix = (&self.complex.0[..], &self.complex.1[..]);
        complex_lu_solve(matrix, self.size, &self.complex_pivots, (b, c));
    }
}
