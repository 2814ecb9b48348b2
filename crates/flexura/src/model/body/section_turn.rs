//! Rotation of a beam's section to third order in the deflection.
//!
//! Source: R′ = R κ~ along the beam, κ = λ′η, so that R = exp(θ~) with the second term of Magnus' series (Magnus, Comm.
//! Pure Appl. Math. 7 (1954) 649); and sin|θ| = |p| in bending, whose transverse displacement is given (see
//! `curvature.rs`):
//!
//! θ = u + ½ η*Λ2η (+ ⅙ (u⊥·u⊥) u⊥ where curvature is kept to third order),   u = λη,   Λ2(r,s) = ½ ∫₀ˣ (λ_r × λ_s′ + λ_s × λ_r′) dx.
//!
//! Symbols: u⊥ the part of u across the axis of the beam (x). Left out: terms of third order that need two planes or
//! twist.

use super::node::NodeShape;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, Vector3, axpy, zero3};

/// Terms of second and third order in the rotation of a section.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(hidden)]
pub struct SectionTurn {
    /// Λ2, `modes × modes` row-major, symmetric; empty where all modes bend in one plane (rad).
    pub quadratic: Vec<Vector3>,
    /// Whether the term of third order is kept too.
    pub cubic: bool,
}

/// Rotation vector of a section and its rates.
pub(super) struct Turned<S> {
    pub theta: Vector3<S>,
    pub rate: Vector3<S>,
    /// θ̈ at η̈ = 0.
    pub convective: Vector3<S>,
}

impl SectionTurn {
    fn sixth(&self) -> f64 {
        if self.cubic { 1.0 / 6.0 } else { 0.0 }
    }

    /// θ at `eta` alone.
    pub(super) fn angle<S: Scalar>(&self, shape: &NodeShape, eta: &[S]) -> Vector3<S> {
        let n = eta.len();
        let mut theta = super::attachment::combine(&shape.slopes, eta);
        let across = (theta[1] * theta[1] + theta[2] * theta[2]) * self.sixth();
        for i in 1..3 {
            theta[i] += theta[i] * across;
        }
        for (r, row) in self.quadratic.chunks_exact(n.max(1)).enumerate() {
            for (v, &x) in row.iter().zip(eta) {
                axpy(&mut theta, eta[r] * x * 0.5, v);
            }
        }
        theta
    }

    /// θ and its rates; writes ∂θ/∂η_r into the angular halves of `influence`.
    #[inline(always)]
    pub(super) fn evaluate<S: Scalar>(
        &self,
        shape: &NodeShape,
        eta: &[S],
        rate: &[S],
        influence: &mut [Spatial<S>],
    ) -> Turned<S> {
        let n = eta.len();
        let u = super::attachment::combine(&shape.slopes, eta);
        let v = super::attachment::combine(&shape.slopes, rate);
        let across = |a: &Vector3<S>, b: &Vector3<S>| a[1] * b[1] + a[2] * b[2];
        let (uu, uv, vv) = (across(&u, &u), across(&u, &v), across(&v, &v));
        let (sixth, third) = (self.sixth(), 2.0 * self.sixth());
        let grown = uu * sixth + S::ONE;
        let mut out = Turned { theta: u, rate: v, convective: zero3() };
        for i in 1..3 {
            out.theta[i] = u[i] * grown;
            out.rate[i] = v[i] * grown + u[i] * uv * third;
            out.convective[i] = (v[i] * uv * 2.0 + u[i] * vv) * third;
        }
        for (r, column) in influence.iter_mut().enumerate() {
            let slope = &shape.slopes[r];
            let along = (u[1] * slope[1] + u[2] * slope[2]) * third;
            let mut turn =
                [S::from_f64(slope[0]), grown * slope[1] + along * u[1], grown * slope[2] + along * u[2]];
            if !self.quadratic.is_empty() {
                let (mut bend, mut bend_rate) = (zero3(), zero3());
                for ((w, &x), &x_rate) in self.quadratic[r * n..(r + 1) * n].iter().zip(eta).zip(rate) {
                    axpy(&mut bend, x, w);
                    axpy(&mut bend_rate, x_rate, w);
                }
                for i in 0..3 {
                    turn[i] += bend[i];
                    out.theta[i] += bend[i] * eta[r] * 0.5;
                    out.rate[i] += bend[i] * rate[r];
                    out.convective[i] += bend_rate[i] * rate[r];
                }
            }
            column[..3].copy_from_slice(&turn);
        }
        out
    }
}
