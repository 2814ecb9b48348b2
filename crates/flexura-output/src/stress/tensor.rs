//! Measures of a stress tensor given by xx, yy, zz, xy, yz, zx.
//!
//! Principal stresses by the trigonometric solution of the characteristic equation (O. K. Smith, "Eigenvalues of a
//! symmetric 3 × 3 matrix", 1961). The signed von Mises stress has the sign of the principal stress of the largest
//! magnitude: tension counts as positive, and a cycle from tension to compression has its full range. In pure shear both
//! are equal; the sign is that of the largest shear then, so that a reversal of the stress always reverses the sign.

use std::f64::consts::TAU;

/// Share of the difference of first and third principal stress up to which their magnitudes are equal.
const SHEAR_ALONE: f64 = 1e-6;

/// Von Mises' stress.
pub fn von_mises(stress: &[f64; 6]) -> f64 {
    let [xx, yy, zz, xy, yz, zx] = *stress;
    let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
    (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
}

/// Principal stresses, the largest first.
pub fn principal(stress: &[f64; 6]) -> [f64; 3] {
    let [xx, yy, zz, xy, yz, zx] = *stress;
    let mean = (xx + yy + zz) / 3.0;
    let (a, b, c) = (xx - mean, yy - mean, zz - mean);
    let size = ((a * a + b * b + c * c + 2.0 * (xy * xy + yz * yz + zx * zx)) / 6.0).sqrt();
    if size <= f64::EPSILON * mean.abs() || size == 0.0 {
        return [mean; 3];
    }
    let [a, b, c, d, e, f] = [a, b, c, xy, yz, zx].map(|part| part / size);
    let half = (a * (b * c - e * e) - d * (d * c - e * f) + f * (d * e - b * f)) / 2.0;
    let angle = half.clamp(-1.0, 1.0).acos() / 3.0;
    let first = mean + 2.0 * size * angle.cos();
    let third = mean + 2.0 * size * (angle + TAU / 3.0).cos();
    [first, 3.0 * mean - first - third, third]
}

/// Von Mises' stress with the sign of the principal stress of the largest magnitude.
pub fn signed_von_mises(stress: &[f64; 6]) -> f64 {
    let [first, _, third] = principal(stress);
    let lead = first + third;
    let size = von_mises(stress);
    if lead.abs() > SHEAR_ALONE * (first - third) {
        return size.copysign(lead);
    }
    let larger = |a: f64, b: &f64| if b.abs() > a.abs() { *b } else { a };
    size.copysign(stress[3..].iter().chain(&stress[..3]).fold(0.0, larger))
}

/// Normal stress on the plane of a unit normal.
pub fn on_plane(stress: &[f64; 6], normal: &[f64; 3]) -> f64 {
    let ([xx, yy, zz, xy, yz, zx], [x, y, z]) = (*stress, *normal);
    xx * x * x + yy * y * y + zz * z * z + 2.0 * (xy * x * y + yz * y * z + zx * z * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} against {b}");
    }

    #[test]
    fn known_tensors() {
        // Uniaxial, pure shear, hydrostatic.
        close(von_mises(&[5.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 5.0);
        close(von_mises(&[0.0, 0.0, 0.0, 0.0, 2.0, 0.0]), 12.0_f64.sqrt());
        close(von_mises(&[3.0, 3.0, 3.0, 0.0, 0.0, 0.0]), 0.0);
        assert_eq!(principal(&[3.0, 3.0, 3.0, 0.0, 0.0, 0.0]), [3.0; 3]);
        for (found, expected) in principal(&[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]).into_iter().zip([2.0, 0.0, -2.0])
        {
            close(found, expected);
        }
        // [[2, 1, 0], [1, 2, 0], [0, 0, -5]] has 3, 1, -5.
        let stress = [2.0, 2.0, -5.0, 1.0, 0.0, 0.0];
        for (found, expected) in principal(&stress).into_iter().zip([3.0, 1.0, -5.0]) {
            close(found, expected);
        }
        assert!(signed_von_mises(&stress) < 0.0 && signed_von_mises(&stress.map(|s| -s)) > 0.0);
        let shear = [0.0, 0.0, 0.0, 0.0, -3.0, 0.0];
        assert!(signed_von_mises(&shear) < 0.0 && signed_von_mises(&shear.map(|s| -s)) > 0.0);
        assert_eq!(signed_von_mises(&[0.0; 6]), 0.0);
    }

    /// Trace, sum of squares and determinant of a full tensor are those of its principal stresses.
    #[test]
    fn invariants_agree() {
        let s @ [xx, yy, zz, xy, yz, zx] = [120.0, -35.0, 60.0, 44.0, -18.0, 27.0];
        let [a, b, c] = principal(&s);
        close(a + b + c, xx + yy + zz);
        close(
            a * a + b * b + c * c,
            s[..3].iter().map(|n| n * n).sum::<f64>() + 2.0 * s[3..].iter().map(|t| t * t).sum::<f64>(),
        );
        close(a * b * c, xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx));
        assert!(a >= b && b >= c);
        let turned = (0.5 * ((a - b).powi(2) + (b - c).powi(2) + (c - a).powi(2))).sqrt();
        close(von_mises(&s), turned);
        // No plane has more than the first nor less than the third.
        let normal = [0.6, 0.0, 0.8];
        let on = on_plane(&s, &normal);
        close(on, 120.0 * 0.36 + 60.0 * 0.64 + 2.0 * 27.0 * 0.48);
        assert!(on <= a && on >= c);
    }
}
