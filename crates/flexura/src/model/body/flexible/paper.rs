//! Level `paper`: Appendix B of JPL 90-26 as printed, misprints corrected.
//!
//! Mass block, JPL 90-26 eqs B.6-B.8, and bias, JPL 90-26 eqs B.12-B.50: rows (B.28), (B.41), (B.49), from the modal
//! integrals (B.4), (B.5). Corrections: errata B1, D1-D4. Kept for comparison with the papers:
//! not conservative where nodes carry rotary inertia or offsets. Bodies with
//! quadratic translations, which Appendix B does not know, use `node_sum`. Cost O(n³).

use super::MassBlock;
use super::paper_integrals::Integrals;
use crate::model::body::MassNode;
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, SymmetricSpatial, Vector3, add, axpy, cross, dot, join, lift3, matrix_vector, scale,
    transposed_matrix_vector, zero3,
};

/// Modal integrals of one body.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct PaperInertia {
    integrals: Integrals,
}

fn add_scaled<S: Scalar>(sum: &mut Matrix3<S>, factor: S, m: &Matrix3) {
    for i in 0..3 {
        for j in 0..3 {
            sum[i][j] += factor * m[i][j];
        }
    }
}

impl PaperInertia {
    /// Integrals over the nodes of a body with `modes` modes.
    pub fn new(nodes: &[MassNode], modes: usize) -> Self {
        Self { integrals: Integrals::new(nodes, modes) }
    }

    /// Mass block (B.8) and bias (B.50).
    pub fn evaluate<S: Scalar>(&self, eta: &[S], rate: &[S], omega: &Vector3<S>, out: &mut MassBlock<'_, S>) {
        self.mass_block(eta, out);
        self.modal_bias(eta, rate, omega, out);
        self.rigid_bias(eta, rate, omega, out);
    }

    /// (B.8): G, F(η) = F0 + F1η, E, J(k), m p(k).
    fn mass_block<S: Scalar>(&self, eta: &[S], out: &mut MassBlock<'_, S>) {
        let i = &self.integrals;
        let n = i.modes;
        let mut center = lift3(&i.p0);
        let mut inertia: Matrix3<S> = crate::spatial::lift_matrix(&i.j0);
        for r in 0..n {
            axpy(&mut center, eta[r], &i.p1[r]);
            add_scaled(&mut inertia, eta[r], &i.j1[r]);
            add_scaled(&mut inertia, eta[r], &crate::spatial::transposed(&i.j1[r]));
            let mut column = lift3(&i.f0[r]);
            for s in 0..n {
                axpy(&mut column, eta[s], &i.f1[r * n + s]);
                add_scaled(&mut inertia, eta[r] * eta[s], &i.j2[r * n + s]);
                out.modal[r * n + s] = S::from_f64(i.g[r * n + s]);
            }
            out.coupling[r] = join(&column, &lift3(&i.e[r]));
        }
        let mass = S::from_f64(i.mass);
        *out.rigid = SymmetricSpatial::rigid(mass, &scale(mass, &center), &inertia);
    }

    /// (B.28): −ω*[S + N]ω − ω* Σ Q η̇ + Σ T3 η̇ η̇.
    fn modal_bias<S: Scalar>(&self, eta: &[S], rate: &[S], w: &Vector3<S>, out: &mut MassBlock<'_, S>) {
        let i = &self.integrals;
        let n = i.modes;
        for r in 0..n {
            let mut form: Matrix3<S> = crate::spatial::lift_matrix(&i.s1[r]);
            add_scaled(&mut form, S::ONE, &i.j1[r]);
            let mut gyro = zero3();
            let mut cubic = S::ZERO;
            for s in 0..n {
                add_scaled(&mut form, eta[s], &i.s2[r * n + s]);
                add_scaled(&mut form, eta[s], &i.j2[r * n + s]);
                axpy(&mut gyro, rate[s], &i.q[r * n + s]);
                for q in 0..n {
                    cubic += rate[q] * rate[s] * i.t3[(q * n + r) * n + s];
                }
            }
            out.bias_modal[r] = cubic - dot(w, &add(&matrix_vector(&form, w), &gyro));
        }
    }

    /// (B.41) and (B.49).
    fn rigid_bias<S: Scalar>(&self, eta: &[S], rate: &[S], w: &Vector3<S>, out: &mut MassBlock<'_, S>) {
        let i = &self.integrals;
        let n = i.modes;
        let mass = S::from_f64(i.mass);
        let momentum = matrix_vector(&expand(&out.rigid.angular), w);
        let mut angular = cross(w, &momentum);
        let mut spin = zero3();
        let mut drift = zero3();
        let mut linear = cross(w, &cross(w, &out.rigid.mass_moment()));
        for r in 0..n {
            let mut shape: Matrix3<S> = crate::spatial::lift_matrix(&i.j1[r]); // N(r) is its transpose
            let mut turn: Matrix3<S> = crate::spatial::lift_matrix(&i.k1[r]);
            let mut carried = zero3();
            for s in 0..n {
                add_scaled(&mut shape, eta[s], &i.j2[r * n + s]);
                add_scaled(&mut turn, eta[s], &i.k2[r * n + s]);
                axpy(&mut carried, rate[s], &i.r2[r * n + s]);
                axpy(&mut linear, mass * rate[r] * rate[s], &i.l[r * n + s]);
                for q in 0..n {
                    axpy(&mut carried, eta[q] * rate[s], &i.r3[(q * n + r) * n + s]);
                }
            }
            let twice = transposed_matrix_vector(&shape, w);
            let turned = matrix_vector(&turn, w);
            for c in 0..3 {
                angular[c] += rate[r] * (twice[c] * 2.0 + turned[c] + carried[c]);
            }
            axpy(&mut spin, rate[r], &i.r1[r]);
            axpy(&mut drift, rate[r], &i.e[r]);
        }
        let angular = add(&angular, &cross(w, &spin));
        let linear = add(&linear, &scale(S::from_f64(2.0), &cross(w, &drift)));
        *out.bias_rigid = join(&angular, &linear);
    }
}

fn expand<S: Scalar>(a: &[S; 6]) -> Matrix3<S> {
    [[a[0], a[1], a[2]], [a[1], a[3], a[4]], [a[2], a[4], a[5]]]
}
