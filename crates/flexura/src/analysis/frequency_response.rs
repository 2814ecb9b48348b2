//! Frequency response G(iω) = C (iω − A)⁻¹ B + D of a linear system.
//!
//! Typeset: book/src/theory/linear_analysis.md (LA.6).

use super::linearize::LinearSystem;
use nalgebra::{Complex, DMatrix};

/// G(iω) as (real, imaginary), row-major outputs × inputs; `None` where iω is an eigenvalue.
pub fn frequency_response(system: &LinearSystem, omega: f64) -> Option<Vec<(f64, f64)>> {
    let (n, m, p) = (system.states.len(), system.inputs.len(), system.outputs.len());
    let real = |x: f64| Complex::new(x, 0.0);
    let matrix = DMatrix::from_fn(n, n, |i, j| {
        let diagonal = if i == j { Complex::new(0.0, omega) } else { real(0.0) };
        diagonal - real(system.a[i * n + j])
    });
    let right = DMatrix::from_fn(n, m, |i, j| real(system.b[i * m + j]));
    let x = matrix.lu().solve(&right)?;
    let mut out = Vec::with_capacity(p * m);
    for o in 0..p {
        for j in 0..m {
            let sum =
                (0..n).fold(real(system.d[o * m + j]), |sum, i| sum + real(system.c[o * n + i]) * x[(i, j)]);
            out.push((sum.re, sum.im));
        }
    }
    Some(out)
}
