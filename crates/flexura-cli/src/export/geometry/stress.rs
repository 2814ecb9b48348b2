//! Stresses and strains of points, from rows per mode.

use super::BodyMesh;
use std::f64::consts::TAU;

/// Numbers of a stress row of beams and of surfaces (book/src/result_file.md).
const BEAM_ROWS: usize = 4;
const SURFACE_ROWS: usize = 6;

impl BodyMesh {
    /// Von Mises' stress of node `n`, at (y, z) of its section if it is a beam (Pa).
    pub(super) fn stress_at(&self, n: usize, eta: &[f64], y: f64, z: f64) -> f64 {
        let (sums, per_mode) = self.rows_at(&self.stress, n, eta);
        if per_mode == BEAM_ROWS {
            let (sigma, tau) = fibre(&sums, y, z);
            return (sigma * sigma + 3.0 * tau * tau).sqrt();
        }
        let [x, y, z, xy, yz, zx] = sums;
        let normal = (x - y).powi(2) + (y - z).powi(2) + (z - x).powi(2);
        (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
    }

    /// Principal strain of largest magnitude of node `n`, at (y, z) of its section if it is a beam.
    pub(super) fn strain_at(&self, n: usize, eta: &[f64], y: f64, z: f64) -> f64 {
        if let (Some(moduli), true) = (self.moduli, self.strain.is_empty()) {
            let (sums, _) = self.rows_at(&self.stress, n, eta);
            let (sigma, tau) = fibre(&sums, y, z);
            return fibre_strain(sigma, tau, moduli);
        }
        let ([x, y, z, xy, yz, zx], _) = self.rows_at(&self.strain, n, eta);
        largest_principal([x, y, z, 0.5 * xy, 0.5 * yz, 0.5 * zx])
    }

    /// Sums of the rows of node `n` over the modes, and numbers per row; zero for points of solids, not a number where
    /// a surface has none: beams beside the plates of a part, whose stresses are not in the file.
    fn rows_at(&self, rows: &[f64], n: usize, eta: &[f64]) -> ([f64; 6], usize) {
        let mut sums = [0.0; 6];
        let per_mode = rows.len() / (self.modes * self.stressed).max(1);
        if n >= self.stressed {
            return (sums, per_mode);
        }
        let mut of_node = rows.iter().skip(n * self.modes * per_mode).take(self.modes * per_mode);
        if per_mode == SURFACE_ROWS && of_node.all(|row| *row == 0.0) {
            return ([f64::NAN; 6], per_mode);
        }
        for (r, q) in eta.iter().enumerate() {
            let at = (n * self.modes + r) * per_mode;
            for (sum, row) in sums.iter_mut().zip(rows.iter().skip(at).take(per_mode)) {
                *sum += q * row;
            }
        }
        (sums, per_mode)
    }
}

/// Normal and shear stress of a beam's fibre at (y, z) (Pa).
fn fibre(sums: &[f64; 6], y: f64, z: f64) -> (f64, f64) {
    (sums[0] - y * sums[1] - z * sums[2], sums[3] * y.hypot(z))
}

/// Principal strain of largest magnitude of a fibre: ε = σ/E along it, −νε across it, γ = τ/G.
fn fibre_strain(sigma: f64, tau: f64, [young, shear]: [f64; 2]) -> f64 {
    let (strain, poisson, half) = (sigma / young, young / (2.0 * shear) - 1.0, 0.5 * tau / shear);
    let (mean, radius) = (0.5 * (1.0 - poisson) * strain, (0.5 * (1.0 + poisson) * strain).hypot(half));
    (mean + radius).abs().max((mean - radius).abs())
}

/// Eigenvalue of largest magnitude of the symmetric tensor xx, yy, zz, xy, yz, zx.
///
/// Cardano's formula in its trigonometric form: with the mean m and deviator D, λ = m + 2p cos(φ + 2πk/3), p² = D:D/6,
/// cos 3φ = det D / (2p³).
fn largest_principal([xx, yy, zz, xy, yz, zx]: [f64; 6]) -> f64 {
    let mean = (xx + yy + zz) / 3.0;
    let (a, b, c) = (xx - mean, yy - mean, zz - mean);
    let p = ((a * a + b * b + c * c + 2.0 * (xy * xy + yz * yz + zx * zx)) / 6.0).sqrt();
    if p == 0.0 {
        return mean.abs();
    }
    let determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx);
    let angle = (determinant / (2.0 * p * p * p)).clamp(-1.0, 1.0).acos() / 3.0;
    let most = mean + 2.0 * p * angle.cos();
    let least = mean + 2.0 * p * (angle + TAU / 3.0).cos();
    most.abs().max(least.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_strains_are_eigenvalues() {
        assert_eq!(largest_principal([0.0; 6]), 0.0);
        assert_eq!(largest_principal([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]), 2.0);
        for (tensor, expected) in [
            // Along an axis, pure shear, and a plane state: (a+b)/2 ± √(((a−b)/2)² + s²) and the third axis.
            ([3.0, -1.0, -1.0, 0.0, 0.0, 0.0], 3.0),
            ([0.0, 0.0, 0.0, 0.0, 4.0, 0.0], 4.0),
            ([1.0, -3.0, 0.5, 2.0, 0.0, 0.0], 1.0 + 8.0f64.sqrt()),
            ([-7.0, 0.5, 1.0, 0.0, 0.0, 0.0], 7.0),
        ] {
            let found = largest_principal(tensor);
            assert!((found - expected).abs() < 1e-12 * expected, "{tensor:?}: {found} against {expected}");
        }
        // A fibre pulled, and one twisted: ε = σ/E, γ/2.
        assert!((fibre_strain(70e6, 0.0, [70e9, 26e9]) - 1e-3).abs() < 1e-15);
        assert!((fibre_strain(0.0, 26e6, [70e9, 26e9]) - 0.5e-3).abs() < 1e-15);
    }
}
