//! Finite rotations: exponential, its Jacobians, quaternions (w, x, y, z).
//!
//! With θ the rotation vector and x = t² = |θ|²:
//! `exp(θ~) = 1 + a θ~ + b θ~²`, left Jacobian `Jl = 1 + b θ~ + c θ~²`,
//! a = sin t / t, b = (1 − cos t)/t², c = (t − sin t)/t³. For x < 1 everything
//! follows without cancellation from two series, d = (½ − b)/x and e = (⅙ − c)/x,
//! so that values and derivatives are exact to rounding near zero.

use super::three::{Matrix3, Vector3, cross, dot, scale};
use crate::scalar::Scalar;

/// The coefficients of the exponential map and its Jacobian.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct ExpCoefficients<S> {
    /// sin t / t.
    pub a: S,
    /// (1 − cos t) / t².
    pub b: S,
    /// (t − sin t) / t³.
    pub c: S,
    /// (½ − b) / t².
    pub d: S,
    /// (⅙ − c) / t².
    pub e: S,
}

/// Terms of the series that suffice for x < 1, and for x < [`SMALL`].
const TERMS: usize = 10;
const FEW_TERMS: usize = 6;
const SMALL: f64 = 1.0 / 16.0;

/// (−1)^k / (2k + first)!.
const fn alternating(first: u32) -> [f64; TERMS] {
    let mut coefficients = [0.0; TERMS];
    let (mut factorial, mut n) = (1.0, 1);
    while n <= first {
        factorial *= n as f64;
        n += 1;
    }
    let mut k = 0;
    while k < TERMS {
        coefficients[k] = if k % 2 == 0 { 1.0 / factorial } else { -1.0 / factorial };
        factorial *= n as f64 * (n + 1) as f64;
        n += 2;
        k += 1;
    }
    coefficients
}

const SERIES_D: [f64; TERMS] = alternating(4);
const SERIES_E: [f64; TERMS] = alternating(5);

/// d and e from their first `N` terms.
#[inline(always)]
fn tails<S: Scalar, const N: usize>(x: S) -> (S, S) {
    let (mut d, mut e) = (S::from_f64(SERIES_D[N - 1]), S::from_f64(SERIES_E[N - 1]));
    for k in (0..N - 1).rev() {
        d = d * x + S::from_f64(SERIES_D[k]);
        e = e * x + S::from_f64(SERIES_E[k]);
    }
    (d, e)
}

/// All coefficients at x = |θ|².
#[inline]
#[doc(hidden)]
pub fn exp_coefficients<S: Scalar>(x: S) -> ExpCoefficients<S> {
    let (half, sixth) = (S::from_f64(0.5), S::from_f64(1.0 / 6.0));
    if x.below(1.0) {
        let (d, e) = if x.below(SMALL) { tails::<S, FEW_TERMS>(x) } else { tails::<S, TERMS>(x) };
        let c = sixth - x * e;
        ExpCoefficients { a: S::ONE - x * c, b: half - x * d, c, d, e }
    } else {
        let t = x.sqrt();
        let (sin, cos) = t.sin_cos();
        let (b, c) = ((S::ONE - cos) / x, (t - sin) / (x * t));
        ExpCoefficients { a: sin / t, b, c, d: (half - b) / x, e: (sixth - c) / x }
    }
}

/// db/dx and dc/dx at x = |θ|², from a/2 = b + x db/dx and b = 3c + 2x dc/dx.
#[inline]
pub(crate) fn left_jacobian_coefficient_rates<S: Scalar>(x: S, e: &ExpCoefficients<S>) -> (S, S) {
    if x.below(1.0) {
        (e.d - e.c * 0.5, (e.e * 3.0 - e.d) * 0.5)
    } else {
        let half = S::from_f64(0.5) / x;
        ((e.a - e.b * 2.0) * half, (e.b - e.c * 3.0) * half)
    }
}

/// exp(θ~).
#[doc(hidden)]
pub fn rotation_exp<S: Scalar>(theta: &Vector3<S>) -> Matrix3<S> {
    let e = exp_coefficients(dot(theta, theta));
    rotation_from(theta, e.a, e.b)
}

/// 1 + a θ~ + b θ~².
#[inline(always)]
pub(crate) fn rotation_from<S: Scalar>(t: &Vector3<S>, a: S, b: S) -> Matrix3<S> {
    let at = scale(a, t);
    let bt = scale(b, t);
    let (xx, yy, zz) = (bt[0] * t[0], bt[1] * t[1], bt[2] * t[2]);
    let (xy, xz, yz) = (bt[0] * t[1], bt[0] * t[2], bt[1] * t[2]);
    [
        [S::ONE - (yy + zz), xy - at[2], xz + at[1]],
        [xy + at[2], S::ONE - (xx + zz), yz - at[0]],
        [xz - at[1], yz + at[0], S::ONE - (xx + yy)],
    ]
}

/// Inverse right Jacobian applied to ω: the rate of θ when `R = R₀ exp(θ~)` and
/// ω is the body-fixed angular velocity: θ' = ω + ½ θ×ω + k θ×(θ×ω).
pub(crate) fn right_jacobian_inverse<S: Scalar>(theta: &Vector3<S>, omega: &Vector3<S>) -> Vector3<S> {
    let x = dot(theta, theta);
    let e = exp_coefficients(x);
    // k = (1 − (a/2)/b)/x; for small x the series 1/12 + x/720 + x²/30240 + …
    let k = if x.below(0.04) {
        const SERIES: [f64; 6] = [
            1.0 / 12.0,
            1.0 / 720.0,
            1.0 / 30240.0,
            1.0 / 1209600.0,
            1.0 / 47900160.0,
            691.0 / 1307674368000.0,
        ];
        SERIES.iter().rev().fold(S::ZERO, |sum, &c| sum * x + S::from_f64(c))
    } else {
        (S::ONE - e.a * 0.5 / e.b) / x
    };
    let first = cross(theta, omega);
    let second = cross(theta, &first);
    std::array::from_fn(|i| omega[i] + first[i] * 0.5 + k * second[i])
}

/// Rotation matrix of a quaternion; the quaternion need not be exactly unit.
pub fn matrix_from_quaternion<S: Scalar>(q: &[S; 4]) -> Matrix3<S> {
    let n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let two = S::from_f64(2.0) / n;
    let [w, x, y, z] = *q;
    let (xs, ys, zs) = (x * two, y * two, z * two);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    let (xx, xy, xz) = (x * xs, x * ys, x * zs);
    let (yy, yz, zz) = (y * ys, y * zs, z * zs);
    [
        [S::ONE - (yy + zz), xy - wz, xz + wy],
        [xy + wz, S::ONE - (xx + zz), yz - wx],
        [xz - wy, yz + wx, S::ONE - (xx + yy)],
    ]
}

/// Quaternion of a rotation vector.
pub fn quaternion_exp<S: Scalar>(theta: &Vector3<S>) -> [S; 4] {
    let half = scale(S::from_f64(0.5), theta);
    let x = dot(&half, &half);
    let e = exp_coefficients(x);
    [S::ONE - x * e.b, e.a * half[0], e.a * half[1], e.a * half[2]]
}

/// Rotation vector (|θ| ≤ π) of a unit quaternion.
pub(crate) fn quaternion_log<S: Scalar>(q: &[S; 4]) -> Vector3<S> {
    let flip = if q[0].below(0.0) { -S::ONE } else { S::ONE };
    let w = flip * q[0];
    let v = [flip * q[1], flip * q[2], flip * q[3]];
    let s2 = dot(&v, &v);
    // 2 atan(s/w)/s; near zero expand in (s/w)² to keep derivatives finite.
    let factor = if s2.below(1e-6) {
        let r = s2 / (w * w);
        let tail = [1.0, -1.0 / 3.0, 1.0 / 5.0, -1.0 / 7.0].iter().rev();
        tail.fold(S::ZERO, |sum, &c| sum * r + S::from_f64(c)) * 2.0 / w
    } else {
        let s = s2.sqrt();
        s.atan2(w) * 2.0 / s
    };
    scale(factor, &v)
}

/// Product of quaternions p q (first q, then p).
pub fn quaternion_product<S: Scalar>(p: &[S; 4], q: &[S; 4]) -> [S; 4] {
    [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    ]
}

/// Unit quaternion (w ≥ 0) of a rotation matrix (Shepperd's method).
pub fn quaternion_from_matrix<S: Scalar>(r: &Matrix3<S>) -> [S; 4] {
    let trace = r[0][0] + r[1][1] + r[2][2];
    let candidates = [trace, r[0][0], r[1][1], r[2][2]];
    let best = (0..4).fold(0, |b, i| if candidates[i].exceeds(candidates[b]) { i } else { b });
    let mut q = [S::ZERO; 4];
    if best == 0 {
        let s = (S::ONE + trace).sqrt() * 2.0;
        q = [s * 0.25, (r[2][1] - r[1][2]) / s, (r[0][2] - r[2][0]) / s, (r[1][0] - r[0][1]) / s];
    } else {
        let i = best - 1;
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let s = (S::ONE + r[i][i] - r[j][j] - r[k][k]).sqrt() * 2.0;
        q[0] = (r[k][j] - r[j][k]) / s;
        q[i + 1] = s * 0.25;
        q[j + 1] = (r[j][i] + r[i][j]) / s;
        q[k + 1] = (r[k][i] + r[i][k]) / s;
    }
    if q[0].below(0.0) { q.map(|v| -v) } else { q }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dual;
    use crate::spatial::matrix_product_transposed;

    #[test]
    fn coefficients_join_at_the_series_limit() {
        for x in [0.062_499_9, 0.062_500_1, 0.999_999_9, 1.000_000_1_f64] {
            let e = exp_coefficients(x);
            let t = x.sqrt();
            assert!((e.a - t.sin() / t).abs() < 1e-15);
            assert!((e.b - (1.0 - t.cos()) / x).abs() < 1e-15);
            assert!((e.c - (t - t.sin()) / (x * t)).abs() < 1e-15);
            let (db, dc) = left_jacobian_coefficient_rates(x, &e);
            let d = exp_coefficients(Dual::<1>::new(x, [1.0]));
            assert!((db - d.b.eps[0]).abs() < 1e-14 && (dc - d.c.eps[0]).abs() < 1e-14);
        }
    }

    #[test]
    fn quaternion_and_matrix_agree() {
        for theta in [[0.3, -0.2, 0.9], [2.0, 1.5, -1.0], [1e-9, 2e-9, 0.0], [0.0, 3.1, 0.2]] {
            let r = rotation_exp(&theta);
            let q = quaternion_exp(&theta);
            let s = matrix_from_quaternion(&q);
            let back = quaternion_log(&quaternion_from_matrix(&r));
            let unit = matrix_product_transposed(&r, &rotation_exp(&back));
            for i in 0..3 {
                for j in 0..3 {
                    assert!((r[i][j] - s[i][j]).abs() < 1e-14);
                    assert!((unit[i][j] - f64::from(u8::from(i == j))).abs() < 1e-14);
                }
            }
        }
    }

    /// d/dt exp(θ(t)) = exp(θ) ω~ with θ' = Jr⁻¹ ω, checked by dual numbers.
    #[test]
    fn right_jacobian_inverse_is_the_rate_of_the_rotation_vector() {
        for theta in [[0.3, -0.2, 0.1], [0.05, 0.01, -0.02], [1.2, 0.4, 0.8]] {
            let omega = [0.5, 1.1, -0.7];
            let rate = right_jacobian_inverse(&theta, &omega);
            let moving: Vector3<Dual<1>> = std::array::from_fn(|i| Dual::new(theta[i], [rate[i]]));
            let r = rotation_exp(&moving);
            let value = rotation_exp(&theta);
            let expected = crate::spatial::matrix_product(&value, &crate::spatial::skew(&omega));
            for i in 0..3 {
                for j in 0..3 {
                    assert!((r[i][j].eps[0] - expected[i][j]).abs() < 1e-13);
                }
            }
        }
    }
}
