//! Symmetric 6×6 spatial matrices (rigid, composite and articulated inertias).
//!
//! Only the 21 independent numbers are stored:
//! `[ A  B ; Bᵀ  C ]` with A and C symmetric (xx, xy, xz, yy, yz, zz).

use super::six::{Spatial, angular, join, linear};
use super::three::{
    Matrix3, Vector3, add, cross, dot, matrix_product, matrix_vector, scale, skew, sub, transposed,
};
use crate::scalar::Scalar;

/// A symmetric spatial matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct SymmetricSpatial<S = f64> {
    /// Angular-angular block A.
    pub angular: [S; 6],
    /// Angular-linear block B.
    pub coupling: Matrix3<S>,
    /// Linear-linear block C.
    pub linear: [S; 6],
}

#[inline(always)]
fn symmetric_vector<S: Scalar>(a: &[S; 6], v: &Vector3<S>) -> Vector3<S> {
    [
        a[0] * v[0] + a[1] * v[1] + a[2] * v[2],
        a[1] * v[0] + a[3] * v[1] + a[4] * v[2],
        a[2] * v[0] + a[4] * v[1] + a[5] * v[2],
    ]
}

#[inline(always)]
fn expand<S: Scalar>(a: &[S; 6]) -> Matrix3<S> {
    [[a[0], a[1], a[2]], [a[1], a[3], a[4]], [a[2], a[4], a[5]]]
}

/// R A Rᵀ of a symmetric 3×3 matrix.
#[inline(always)]
fn rotate_symmetric<S: Scalar>(r: &Matrix3<S>, a: &[S; 6]) -> [S; 6] {
    let t = matrix_product(r, &expand(a));
    [
        dot(&t[0], &r[0]),
        dot(&t[0], &r[1]),
        dot(&t[0], &r[2]),
        dot(&t[1], &r[1]),
        dot(&t[1], &r[2]),
        dot(&t[2], &r[2]),
    ]
}

impl<S: Scalar> SymmetricSpatial<S> {
    /// The zero matrix.
    pub const ZERO: Self = Self { angular: [S::ZERO; 6], coupling: [[S::ZERO; 3]; 3], linear: [S::ZERO; 6] };

    /// A constant matrix as scalars.
    pub fn lift(m: &SymmetricSpatial<f64>) -> Self {
        Self {
            angular: m.angular.map(S::from_f64),
            coupling: m.coupling.map(|r| r.map(S::from_f64)),
            linear: m.linear.map(S::from_f64),
        }
    }

    /// Inertia of a rigid body about the origin: mass, mass × centre, inertia about the origin.
    pub fn rigid(mass: S, moment: &Vector3<S>, about_origin: &Matrix3<S>) -> Self {
        let o = S::ZERO;
        let i = about_origin;
        Self {
            angular: [i[0][0], i[0][1], i[0][2], i[1][1], i[1][2], i[2][2]],
            coupling: skew(moment),
            linear: [mass, o, o, mass, o, mass],
        }
    }

    /// From a full symmetric matrix (the upper triangle is read).
    pub fn from_full(m: &[[S; 6]; 6]) -> Self {
        let block =
            |i: usize| [m[i][i], m[i][i + 1], m[i][i + 2], m[i + 1][i + 1], m[i + 1][i + 2], m[i + 2][i + 2]];
        Self {
            angular: block(0),
            coupling: std::array::from_fn(|i| std::array::from_fn(|j| m[i][j + 3])),
            linear: block(3),
        }
    }

    /// From a full symmetric matrix (the lower triangle is read).
    pub fn from_lower(m: &[[S; 6]; 6]) -> Self {
        let block =
            |i: usize| [m[i][i], m[i + 1][i], m[i + 2][i], m[i + 1][i + 1], m[i + 2][i + 1], m[i + 2][i + 2]];
        Self {
            angular: block(0),
            coupling: std::array::from_fn(|i| std::array::from_fn(|j| m[j + 3][i])),
            linear: block(3),
        }
    }

    /// As a full matrix.
    pub fn full(&self) -> [[S; 6]; 6] {
        let (a, c, b) = (expand(&self.angular), expand(&self.linear), &self.coupling);
        let mut m = [[S::ZERO; 6]; 6];
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] = a[i][j];
                m[i + 3][j + 3] = c[i][j];
                m[i][j + 3] = b[i][j];
                m[j + 3][i] = b[i][j];
            }
        }
        m
    }

    /// Matrix times vector.
    #[inline(always)]
    pub fn apply(&self, v: &Spatial<S>) -> Spatial<S> {
        let (w, l) = (angular(v), linear(v));
        let top: Vector3<S> = {
            let a = symmetric_vector(&self.angular, &w);
            add(&a, &matrix_vector(&self.coupling, &l))
        };
        let bottom: Vector3<S> = {
            let c = symmetric_vector(&self.linear, &l);
            add(&c, &super::three::transposed_matrix_vector(&self.coupling, &w))
        };
        join(&top, &bottom)
    }

    /// Sum.
    #[inline(always)]
    pub fn accumulate(&mut self, o: &Self) {
        for i in 0..6 {
            self.angular[i] += o.angular[i];
            self.linear[i] += o.linear[i];
        }
        for i in 0..3 {
            for j in 0..3 {
                self.coupling[i][j] += o.coupling[i][j];
            }
        }
    }

    /// Difference.
    #[inline(always)]
    pub fn subtract(&mut self, o: &Self) {
        for i in 0..6 {
            self.angular[i] -= o.angular[i];
            self.linear[i] -= o.linear[i];
        }
        for i in 0..3 {
            for j in 0..3 {
                self.coupling[i][j] -= o.coupling[i][j];
            }
        }
    }

    /// Adds `s u uᵀ`.
    #[inline(always)]
    pub fn add_scaled_square(&mut self, s: S, u: &Spatial<S>) {
        let su = [s * u[0], s * u[1], s * u[2], s * u[3], s * u[4], s * u[5]];
        self.add_outer(&su, u);
    }

    /// Subtracts `u uᵀ`.
    #[inline(always)]
    pub fn subtract_square(&mut self, u: &Spatial<S>) {
        let mut k = 0;
        for i in 0..3 {
            for j in i..3 {
                self.angular[k] -= u[i] * u[j];
                self.linear[k] -= u[i + 3] * u[j + 3];
                k += 1;
            }
            for j in 0..3 {
                self.coupling[i][j] -= u[i] * u[j + 3];
            }
        }
    }

    /// Adds `a bᵀ`, which the caller knows to be symmetric.
    #[inline(always)]
    pub fn add_outer(&mut self, a: &Spatial<S>, b: &Spatial<S>) {
        let mut k = 0;
        for i in 0..3 {
            for j in i..3 {
                self.angular[k] += a[i] * b[j];
                self.linear[k] += a[i + 3] * b[j + 3];
                k += 1;
            }
            for j in 0..3 {
                self.coupling[i][j] += a[i] * b[j + 3];
            }
        }
    }

    /// The same matrix in axes turned by `r`: each block becomes R · Rᵀ.
    #[inline(always)]
    pub fn rotated(&self, r: &Matrix3<S>) -> Self {
        let half = matrix_product(r, &self.coupling);
        Self {
            angular: rotate_symmetric(r, &self.angular),
            coupling: super::three::matrix_product_transposed(&half, r),
            linear: rotate_symmetric(r, &self.linear),
        }
    }

    /// Referred from point y to x, where `l` = vector from x to y: `phi(l) M phi(l)ᵀ`.
    #[inline(always)]
    pub fn shifted(&self, l: &Vector3<S>) -> Self {
        let c = expand(&self.linear);
        // Rows of l~ C are l × (columns of C); C is symmetric.
        let lc = transposed(&[cross(l, &c[0]), cross(l, &c[1]), cross(l, &c[2])]);
        let b = &self.coupling;
        let new_b: Matrix3<S> = std::array::from_fn(|i| std::array::from_fn(|j| b[i][j] + lc[i][j]));
        // A' = A + l~Bᵀ + B l~ᵀ + l~ C l~ᵀ = A + l~Bᵀ + B' l~ᵀ;  (X l~ᵀ) row i = l × X_i
        let t: Matrix3<S> = [cross(l, &new_b[0]), cross(l, &new_b[1]), cross(l, &new_b[2])];
        let u: Matrix3<S> = [cross(l, &b[0]), cross(l, &b[1]), cross(l, &b[2])]; // rows: (l~ Bᵀ)ᵀ
        let a = &self.angular;
        Self {
            angular: [
                a[0] + t[0][0] + u[0][0],
                a[1] + t[0][1] + u[1][0],
                a[2] + t[0][2] + u[2][0],
                a[3] + t[1][1] + u[1][1],
                a[4] + t[1][2] + u[2][1],
                a[5] + t[2][2] + u[2][2],
            ],
            coupling: new_b,
            linear: self.linear,
        }
    }

    /// [`Self::apply`] for the inertia of a rigid body, with fewer operations.
    #[inline(always)]
    pub fn apply_as_rigid(&self, v: &Spatial<S>) -> Spatial<S> {
        let (w, l, moment) = (angular(v), linear(v), self.mass_moment());
        let top = add(&symmetric_vector(&self.angular, &w), &cross(&moment, &l));
        join(&top, &sub(&scale(self.mass(), &l), &cross(&moment, &w)))
    }

    /// [`Self::accumulate`] for two rigid bodies, with fewer operations.
    #[inline(always)]
    pub fn accumulate_rigid(&mut self, o: &Self) {
        let moment = add(&self.mass_moment(), &o.mass_moment());
        let (mass, zero) = (self.mass() + o.mass(), S::ZERO);
        for i in 0..6 {
            self.angular[i] += o.angular[i];
        }
        self.coupling = skew(&moment);
        self.linear = [mass, zero, zero, mass, zero, mass];
    }

    /// [`Self::rotated`] for the inertia of a rigid body, with fewer operations.
    #[inline(always)]
    pub fn rotated_as_rigid(&self, r: &Matrix3<S>) -> Self {
        Self {
            angular: rotate_symmetric(r, &self.angular),
            coupling: skew(&matrix_vector(r, &self.mass_moment())),
            linear: self.linear,
        }
    }

    /// [`Self::shifted`] for the inertia of a rigid body, with fewer operations.
    #[inline(always)]
    pub fn shifted_as_rigid(&self, l: &Vector3<S>) -> Self {
        let c = self.mass_moment();
        let d = add(&c, &scale(self.mass(), l));
        // J' = J + (l·c + l·d) 1 − (c l* + l d*), with c and d the mass moments about y and x
        let [x, y, z] = [0, 1, 2].map(|i| l[i] * c[i] + l[i] * d[i]);
        let mixed = |i: usize, j: usize| c[i] * l[j] + l[i] * d[j];
        let a = &self.angular;
        Self {
            angular: [
                a[0] + (y + z),
                a[1] - mixed(0, 1),
                a[2] - mixed(0, 2),
                a[3] + (x + z),
                a[4] - mixed(1, 2),
                a[5] + (x + y),
            ],
            coupling: skew(&d),
            linear: self.linear,
        }
    }

    /// Mass × centre of mass, read from the coupling block of a rigid-type matrix.
    pub fn mass_moment(&self) -> Vector3<S> {
        [self.coupling[2][1], self.coupling[0][2], self.coupling[1][0]]
    }

    /// The mass, read from the linear block of a rigid-type matrix.
    pub fn mass(&self) -> S {
        self.linear[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::{rotation_exp, shift_force, shift_motion};

    fn sample() -> SymmetricSpatial {
        let m =
            std::array::from_fn(|i| std::array::from_fn(|j| (1.0 + (i * j) as f64).sin() + (i + j) as f64));
        SymmetricSpatial::from_full(&m)
    }

    #[test]
    fn shifted_equals_operator_products() {
        let (m, l, v) = (sample(), [0.3, -1.2, 0.7], [1.0, 2.0, -0.5, 0.2, 0.9, -3.0]);
        let direct = m.shifted(&l).apply(&v);
        let by_operators = shift_force(&l, &m.apply(&shift_motion(&l, &v)));
        for i in 0..6 {
            assert!((direct[i] - by_operators[i]).abs() < 1e-12);
        }
    }

    #[test]
    fn rigid_short_cuts_equal_the_general_operations() {
        let j = [[2.0, 0.1, -0.2], [0.1, 1.5, 0.3], [-0.2, 0.3, 1.8]];
        let m = SymmetricSpatial::rigid(1.3, &[0.2, -0.4, 0.5], &j);
        let (l, v) = ([0.3, -1.2, 0.7], [1.0, 2.0, -0.5, 0.2, 0.9, -3.0]);
        let r = rotation_exp(&[0.3, 0.8, -0.4]);
        let (mut sum, mut short_sum) = (m, m);
        sum.accumulate(&m.shifted(&l));
        short_sum.accumulate_rigid(&m.shifted_as_rigid(&l));
        let pairs = [
            (m.apply(&v), m.apply_as_rigid(&v)),
            (m.rotated(&r).apply(&v), m.rotated_as_rigid(&r).apply(&v)),
            (sum.apply(&v), short_sum.apply(&v)),
        ];
        for (general, short) in pairs {
            for i in 0..6 {
                assert!((general[i] - short[i]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn rotated_equals_operator_products() {
        let (m, v) = (sample(), [1.0, 2.0, -0.5, 0.2, 0.9, -3.0]);
        let r = rotation_exp(&[0.3, 0.8, -0.4]);
        let direct = m.rotated(&r).apply(&v);
        let by_operators = crate::spatial::rotate6(&r, &m.apply(&crate::spatial::rotate_back6(&r, &v)));
        for i in 0..6 {
            assert!((direct[i] - by_operators[i]).abs() < 1e-12);
        }
    }
}
