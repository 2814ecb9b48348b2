//! Second-order displacements of a straight beam (geometric stiffening).
//!
//! Source: Cosserat curve, R' = R kappa~, r' = R (e + g) with the shear angle g (zero where shear is rigid), expanded to
//! second order in the modal coordinates; bending part as in Meirovitch & Kwak
//! and Wallrapp & Schwertassek (foreshortening), twist part as needed for
//! lateral buckling (Timoshenko & Gere, chapter 6).
//!
//! The station at x is displaced by 1/2 sum_rs eta_r eta_s Gamma2(r,s) with
//!
//! bending, bending:  Gamma2(r,s) = -e int_0^x (f_r' . f_s' - g_r . g_s) du
//! twist, bending:    Gamma2(r,s) = int_0^x [(x-u) phi_s e x f_r'' + phi_s e x g_r] du + x/2 phi_s(0) e x f_r'(0)
//!
//! Symbols: e axis, f transverse shape (vector), g its shear angle, phi twist shape. The last term is
//! the second-order part of the rotation exp(lambda eta) of the section at x = 0;
//! it is zero for beams clamped there and matters for free-free modes.
//! Axial modes have no quadratic terms: f is the transverse displacement itself.
//!
//! Typeset: book/src/theory/stiffening.md (ST.2), (ST.3).

use super::assemble::{ModeKind, PreparedMode};
use super::quadrature::composite;
use super::shape::ShapeValue;

/// Points per panel and panels of the quadrature over the whole beam.
pub(super) type Order = (usize, usize);

/// Gamma2 of the station at x (m): n x n vectors, row-major, symmetric [1/m times units of the shapes].
pub(super) fn quadratic_terms(modes: &[PreparedMode], order: Order, x: f64) -> Vec<[f64; 3]> {
    let n = modes.len();
    let integrals = Integrals::new(modes, order, x);
    let mut terms = vec![[0.0; 3]; n * n];
    for r in 0..n {
        for s in r..n {
            let term = integrals.pair(modes, r, s);
            terms[r * n + s] = term;
            terms[s * n + r] = term;
        }
    }
    terms
}

/// Shapes of all modes at the quadrature points of [0, x], and at x = 0.
struct Integrals {
    x: f64,
    /// (u, weight) of each point (m, m).
    points: Vec<(f64, f64)>,
    /// Shape of each mode at each point, mode-major.
    samples: Vec<ShapeValue>,
    /// Shape of each mode at x = 0.
    origin: Vec<ShapeValue>,
}

impl Integrals {
    fn new(modes: &[PreparedMode], (order, panels): Order, x: f64) -> Self {
        let points: Vec<_> = composite(order, panels, 0.0, x).iter().collect();
        let samples = modes.iter().flat_map(|mode| points.iter().map(|(u, _)| mode.shape.at(*u))).collect();
        let origin = modes.iter().map(|mode| mode.shape.at(0.0)).collect();
        Self { x, points, samples, origin }
    }

    /// Gamma2 of one pair of modes.
    fn pair(&self, modes: &[PreparedMode], r: usize, s: usize) -> [f64; 3] {
        use ModeKind::{BendingY, BendingZ, Torsion};
        match (modes[r].kind, modes[s].kind) {
            (BendingY, BendingY) | (BendingZ, BendingZ) => [-self.shortening(r, s), 0.0, 0.0],
            // e x e_y = e_z and e x e_z = -e_y turn the curvature out of its plane.
            (BendingY, Torsion) => [0.0, 0.0, self.swing(r, s)],
            (Torsion, BendingY) => [0.0, 0.0, self.swing(s, r)],
            (BendingZ, Torsion) => [0.0, -self.swing(r, s), 0.0],
            (Torsion, BendingZ) => [0.0, -self.swing(s, r), 0.0],
            _ => [0.0; 3],
        }
    }

    /// int_0^x (f_r' f_s' - g_r g_s) du.
    fn shortening(&self, r: usize, s: usize) -> f64 {
        self.sum(r, s, |_, f, g| f.slope * g.slope - f.shear * g.shear)
    }

    /// int_0^x [(x-u) phi f'' + phi g] du + x/2 phi(0) f'(0) for a bending and a twist mode.
    fn swing(&self, bending: usize, twist: usize) -> f64 {
        let turned =
            |u: f64, f: ShapeValue, phi: ShapeValue| phi.value * ((self.x - u) * f.curvature + f.shear);
        let along = self.sum(bending, twist, turned);
        along + 0.5 * self.x * self.origin[twist].value * self.origin[bending].slope
    }

    fn sum(&self, r: usize, s: usize, f: impl Fn(f64, ShapeValue, ShapeValue) -> f64) -> f64 {
        let count = self.points.len();
        let first = &self.samples[r * count..(r + 1) * count];
        let second = &self.samples[s * count..(s + 1) * count];
        self.points
            .iter()
            .zip(first.iter().zip(second))
            .map(|((u, weight), (a, b))| weight * f(*u, *a, *b))
            .sum()
    }
}
