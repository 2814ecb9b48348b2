//! Eigenvalues and mode shapes of a linearised system.
//!
//! Eigenvalues of the real matrix A by `hessenberg_qr`; shapes by inverse iteration with a complex LU
//! factorisation.

use super::AnalysisError;
use super::linearize::LinearSystem;
use nalgebra::{Complex, DMatrix, DVector};

/// One mode of a linear system.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Real part of the eigenvalue (1/s).
    pub real: f64,
    /// Imaginary part of the eigenvalue (rad/s); not negative.
    pub imaginary: f64,
    /// Shape over the coordinate states: (real, imaginary), largest entry 1.
    pub shape: Vec<(f64, f64)>,
}

impl Mode {
    /// Undamped natural frequency |λ| (rad/s).
    pub fn frequency(&self) -> f64 {
        self.real.hypot(self.imaginary)
    }

    /// Fraction of critical damping, −Re λ / |λ|; zero for a rigid-body mode.
    pub fn damping_ratio(&self) -> f64 {
        let size = self.frequency();
        if size == 0.0 { 0.0 } else { -self.real / size }
    }
}

/// All eigenvalues of the row-major `n × n` matrix `a`, sorted by size.
pub fn eigenvalues(a: &[f64], n: usize) -> Result<Vec<(f64, f64)>, AnalysisError> {
    if a.iter().any(|x| !x.is_finite()) {
        return Err(AnalysisError::NotFinite);
    }
    let values = crate::linear::general_eigenvalues(DMatrix::from_row_slice(n, n, a))
        .ok_or(AnalysisError::Eigenvalues)?;
    let mut list: Vec<(f64, f64)> = values.iter().map(|z| (z.re, z.im)).collect();
    list.sort_by(|x, y| x.0.hypot(x.1).total_cmp(&y.0.hypot(y.1)).then(y.1.total_cmp(&x.1)));
    Ok(list)
}

/// Modes with non-negative imaginary part, slowest first, with their shapes.
pub fn modes(system: &LinearSystem) -> Result<Vec<Mode>, AnalysisError> {
    let n = system.states.len();
    let all = eigenvalues(&system.a, n)?;
    let scale = all.iter().fold(0.0_f64, |m, z| m.max(z.0.hypot(z.1)));
    let upper = all.into_iter().filter(|z| z.1 >= 0.0);
    Ok(upper
        .map(|(real, imaginary)| {
            let shape = shape(system, Complex::new(real, imaginary), scale);
            Mode { real, imaginary, shape }
        })
        .collect())
}

/// Eigenvector of A at `value`, coordinate half only, normalised to a largest entry of one.
fn shape(system: &LinearSystem, value: Complex<f64>, scale: f64) -> Vec<(f64, f64)> {
    let n = system.states.len();
    // A shift slightly off the eigenvalue keeps the matrix invertible.
    let shift = value + Complex::new(1e-9, 0.7e-9) * scale.max(1e-12);
    let matrix = DMatrix::from_fn(n, n, |i, j| {
        let diagonal = if i == j { shift } else { Complex::new(0.0, 0.0) };
        Complex::new(system.a[i * n + j], 0.0) - diagonal
    });
    let factor = matrix.lu();
    // A start vector with parts along everything, the same in every run.
    let mut x =
        DVector::from_fn(n, |i, _| Complex::new(1.0 + 0.3 * ((i * 7) % 5) as f64, 0.1 * (i % 3) as f64));
    for _ in 0..4 {
        if let Some(next) = factor.solve(&x) {
            let size = next.norm();
            if !size.is_finite() || size == 0.0 {
                break;
            }
            x = next / Complex::new(size, 0.0);
        }
    }
    let half = system.speeds.len();
    let largest = (0..half)
        .fold(Complex::new(0.0, 0.0), |m: Complex<f64>, i| if x[i].norm() > m.norm() { x[i] } else { m });
    let unit = if largest.norm() > 0.0 { Complex::new(1.0, 0.0) / largest } else { Complex::new(1.0, 0.0) };
    (0..half)
        .map(|i| {
            let z = x[i] * unit;
            (z.re, z.im)
        })
        .collect()
}
