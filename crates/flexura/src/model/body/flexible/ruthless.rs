//! Level `ruthless`: constant mass block and deformation-free bias (JPL 90-26
//! eq. 8.1, corrections B1, D).
//!
//! Because nothing depends on η, the block is referred to the hinge once, at
//! build time: with N = [1 0; −Pd 1], Pd = phi*(d,k) Π^d, it stores N* M N and
//! the quadratic form of N* b in ω. Not conservative (errata A9): the error is
//! O(ω²η, ωη̇), so it is meant for slowly turning systems.
//!
//! Typeset: book/src/theory/inertia.md (IN.17).

use super::MassBlock;
use super::paper_integrals::Integrals;
use crate::model::body::MassNode;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, SymmetricSpatial, Vector3, cross, dot6, join, lift3, matrix_vector, scale, sub6,
};

/// Constant inertia of one body, referred to its inboard hinge.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct RuthlessInertia {
    /// Rigid-rigid block.
    pub rigid: SymmetricSpatial,
    /// Rigid-flexible columns after referral.
    pub coupling: Vec<Spatial>,
    /// Flexible-flexible block after referral, row-major.
    pub modal: Vec<f64>,
    /// Modal bias: coefficients of (ωx², ωxωy, ωxωz, ωy², ωyωz, ωz²) per mode.
    pub(crate) quadratic: Vec<[f64; 6]>,
}

impl RuthlessInertia {
    /// Constants over the nodes, with `inboard` the columns of Pd.
    pub fn new(nodes: &[MassNode], modes: usize, inboard: &[Spatial]) -> Self {
        let i = Integrals::new(nodes, modes);
        let rigid = SymmetricSpatial::rigid(i.mass, &scale(i.mass, &i.p0), &i.j0);
        let mut coupling = Vec::with_capacity(modes);
        for r in 0..modes {
            let column = join(&i.f0[r], &i.e[r]);
            coupling.push(sub6(&column, &rigid.apply(&inboard[r])));
        }
        let mut modal = i.g.clone();
        for r in 0..modes {
            for s in 0..modes {
                let raw = join(&i.f0[r], &i.e[r]);
                modal[r * modes + s] -= dot6(&raw, &inboard[s]) + dot6(&inboard[r], &coupling[s]);
            }
        }
        let quadratic = (0..modes).map(|r| quadratic_form(&i, &rigid, r, &inboard[r])).collect();
        Self { rigid, coupling, modal, quadratic }
    }

    /// Writes the constant mass block.
    pub fn fill_mass<S: Scalar>(&self, out: &mut MassBlock<'_, S>) {
        *out.rigid = SymmetricSpatial::lift(&self.rigid);
        for (slot, column) in out.coupling.iter_mut().zip(&self.coupling) {
            *slot = column.map(S::from_f64);
        }
        for (slot, &value) in out.modal.iter_mut().zip(&self.modal) {
            *slot = S::from_f64(value);
        }
    }

    /// Bias b⁰ (B.50, deformation-free part) for angular velocity `w`.
    #[inline]
    pub fn evaluate_bias<S: Scalar>(&self, w: &Vector3<S>, out: &mut MassBlock<'_, S>) {
        let squares = [w[0] * w[0], w[0] * w[1], w[0] * w[2], w[1] * w[1], w[1] * w[2], w[2] * w[2]];
        for (slot, form) in out.bias_modal.iter_mut().zip(&self.quadratic) {
            let mut sum = squares[0] * form[0];
            for i in 1..6 {
                sum += squares[i] * form[i];
            }
            *slot = sum;
        }
        *out.bias_rigid = super::super::rigid_bias(out.rigid, w);
    }
}

/// −ω*(S1 + J1)ω − Pd_r · [ω×J0ω ; m ω×(ω×p0)] as coefficients of the six products of ω.
fn quadratic_form(i: &Integrals, rigid: &SymmetricSpatial, r: usize, inboard: &Spatial) -> [f64; 6] {
    let value = |w: &Vector3| -> f64 {
        let form: [[f64; 3]; 3] =
            std::array::from_fn(|a| std::array::from_fn(|b| i.s1[r][a][b] + i.j1[r][a][b]));
        let modal = crate::spatial::dot(w, &matrix_vector(&form, w));
        let force = join(&cross(w, &matrix_vector(&i.j0, w)), &cross(w, &cross(w, &rigid.mass_moment())));
        -modal - dot6(inboard, &force)
    };
    // A quadratic form is known from its values on unit vectors and their sums.
    let unit = |k: usize| -> Vector3 { lift3(&std::array::from_fn(|j| f64::from(u8::from(j == k)))) };
    let sum = |a: usize, b: usize| value(&crate::spatial::add(&unit(a), &unit(b)));
    let d: [f64; 3] = std::array::from_fn(|k| value(&unit(k)));
    [d[0], sum(0, 1) - d[0] - d[1], sum(0, 2) - d[0] - d[2], d[1], sum(1, 2) - d[1] - d[2], d[2]]
}
