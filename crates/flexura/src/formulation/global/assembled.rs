//! Inertia of a flexible body by BᵀMB with the assembled mass matrix of its finite elements, in every evaluation.
//!
//! Source: Lugrís et al. 2007, eqs 10-15: nodal velocities in body axes are B (v, ω, η̇) with B = [1, W(η), φ], rows of W −(l₀ + γη)~ for
//! translations and 1 for rotations, and the mass of the frame and the modes is BᵀMB. Its parts are what `invariants` has as
//! polynomials (book/src/theory/reduction.md (FE.4)); here the matrix is multiplied anew each time:
//!
//! | quantity | product |
//! |---|---|
//! | I, moments of inertia | WᵀMW |
//! | ∂I/∂η_r, İ | 2 sym(W_rᵀMW), 2 sym(ẆᵀMW); W_r, Ẇ the change of W with mode r and in time |
//! | F_r, Ḟ_r | WᵀMφ_r, ẆᵀMφ_r |
//! | c, first moments | c₀ + Σ η_r 1ᵀMφ_r: the momentum of the shapes themselves, which beams and shells do not give the block 1ᵀMW |
//! | M | φᵀMφ |
//!
//! Typeset: book/src/theory/global.md (GL.9). The bias is that of Lagrange's equations (errata F3), not BᵀMḂq̇. Cost O(entries of M × modes + freedoms × modes²).

use super::inertia::{InertiaWork, Motion, full, spread_of};
use super::invariants::{Moving, fill_moments, frame_bias, modal_bias, pulled};
use crate::model::nodal_mass::NodalMass;
use crate::spatial::{Matrix3, Vector3, add, axpy, cross};
use std::sync::Arc;

/// The assembled mass of one body, with room for its products.
#[derive(Clone, Debug)]
pub(super) struct AssembledInertia {
    mass: Arc<NodalMass>,
    /// B without its constant first columns: W, then φ; one row per freedom.
    map: Vec<f64>,
    /// M times the same.
    product: Vec<f64>,
    /// Ẇ, translations alone.
    turning: Vec<f64>,
    /// M φ η̇.
    stirred: Vec<f64>,
}

/// Columns of W.
const SPIN: usize = 3;
const AXES: [Vector3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl AssembledInertia {
    /// Room for the products of `mass`.
    pub fn new(mass: &Arc<NodalMass>) -> Self {
        let (rows, n) = (mass.freedoms(), mass.modes);
        let wide = vec![0.0; rows * (SPIN + n)];
        Self {
            mass: mass.clone(),
            map: wide.clone(),
            product: wide,
            turning: vec![0.0; rows * SPIN],
            stirred: vec![0.0; rows],
        }
    }

    /// Inertia and bias.
    pub fn evaluate(&mut self, motion: &Motion<'_>, work: &mut InertiaWork) {
        let n = self.mass.modes;
        self.fill_map(motion);
        self.mass.multiply(&self.map, SPIN + n, &mut self.product);
        self.stir(motion.eta_rate);
        let moving = Moving::new(motion);
        let second = self.second_moments();
        let mut first = self.first_at_rest();
        let (mut second_rate, mut first_rate) = ([[0.0; 3]; 3], [0.0; 3]);
        let (mut stir, mut stir_bias) = ([0.0; 3], [0.0; 3]);
        for r in 0..n {
            let slope = self.second_slope(r);
            let (slide, pull, pull_rate) = self.column(r);
            let pull_back = self.pull_back(r);
            axpy(&mut first, motion.eta[r], &slide);
            axpy(&mut first_rate, motion.eta_rate[r], &slide);
            axpy(&mut stir, motion.eta_rate[r], &pull);
            axpy(&mut stir_bias, motion.eta_rate[r], &pull_rate);
            for i in 0..3 {
                axpy(&mut second_rate[i], motion.eta_rate[r], &slope[i]);
            }
            work.bias_modal[r] = modal_bias(&moving, &slope, &pull_rate, &pull_back);
            work.coupling[r] = pulled(motion.frame, &slide, &pull);
        }
        self.modal(&mut work.modal);
        fill_moments(self.mass.mass(), &first, &second, work);
        let none = [0.0; 3];
        work.bias =
            frame_bias(motion.frame, motion.rate, (&first_rate, &none), &second_rate, (&stir, &stir_bias));
    }

    /// W and φ at the deformation, Ẇ.
    fn fill_map(&mut self, motion: &Motion<'_>) {
        let (n, wide) = (self.mass.modes, SPIN + self.mass.modes);
        for (node, place) in self.mass.positions.iter().enumerate() {
            let (mut arm, mut rate) = (place.unwrap_or_default(), [0.0; 3]);
            for i in 0..3 {
                let row = self.mass.shape(6 * node + i);
                for r in 0..n {
                    arm[i] += row[r] * motion.eta[r];
                    rate[i] += row[r] * motion.eta_rate[r];
                }
            }
            for i in 0..6 {
                let freedom = 6 * node + i;
                let columns = &mut self.map[freedom * wide..(freedom + 1) * wide];
                columns[SPIN..].copy_from_slice(self.mass.shape(freedom));
                let turning = &mut self.turning[freedom * SPIN..(freedom + 1) * SPIN];
                for j in 0..3 {
                    // Generalised coordinates have no place: their rows are zero.
                    (columns[j], turning[j]) = match (place, i < 3) {
                        (None, _) => (0.0, 0.0),
                        (Some(_), true) => (cross(&AXES[j], &arm)[i], cross(&AXES[j], &rate)[i]),
                        (Some(_), false) => (f64::from(u8::from(i - 3 == j)), 0.0),
                    };
                }
            }
        }
    }

    /// M φ η̇.
    fn stir(&mut self, rate: &[f64]) {
        let wide = SPIN + self.mass.modes;
        for (row, stirred) in self.product.chunks_exact(wide).zip(&mut self.stirred) {
            *stirred = row[SPIN..].iter().zip(rate).map(|(product, rate)| product * rate).sum();
        }
    }

    /// ½ tr(I) 1 − I of WᵀMW.
    fn second_moments(&self) -> Matrix3 {
        let wide = SPIN + self.mass.modes;
        let mut inertia = [0.0; 6];
        for (map, product) in self.map.chunks_exact(wide).zip(self.product.chunks_exact(wide)) {
            for (entry, (i, j)) in inertia.iter_mut().zip(PAIRS) {
                *entry += 0.5 * (map[i] * product[j] + map[j] * product[i]);
            }
        }
        spread_of(&full(&inertia))
    }

    /// The rows that mode r turns: translations, e_j × φ_r.
    fn turned_by(&self, r: usize, add_row: &mut impl FnMut(usize, &Vector3)) {
        for (node, place) in self.mass.positions.iter().enumerate() {
            if place.is_none() {
                continue;
            }
            let shape: Vector3 = std::array::from_fn(|i| self.mass.shape(6 * node + i)[r]);
            for i in 0..3 {
                add_row(6 * node + i, &AXES.map(|axis| cross(&axis, &shape)[i]));
            }
        }
    }

    /// The same of 2 sym(W_rᵀMW).
    fn second_slope(&self, r: usize) -> Matrix3 {
        let wide = SPIN + self.mass.modes;
        let mut inertia = [0.0; 6];
        self.turned_by(r, &mut |freedom, turned| {
            let product = &self.product[freedom * wide..];
            for (entry, (i, j)) in inertia.iter_mut().zip(PAIRS) {
                *entry += turned[i] * product[j] + turned[j] * product[i];
            }
        });
        spread_of(&full(&inertia))
    }

    /// 1ᵀMφ_r, WᵀMφ_r and ẆᵀMφ_r.
    fn column(&self, r: usize) -> (Vector3, Vector3, Vector3) {
        let wide = SPIN + self.mass.modes;
        let (mut slide, mut pull, mut rate) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        for (freedom, product) in self.product.chunks_exact(wide).enumerate() {
            let momentum = product[SPIN + r];
            if freedom % 6 < 3 && self.mass.positions[freedom / 6].is_some() {
                slide[freedom % 6] += momentum;
            }
            for j in 0..3 {
                pull[j] += self.map[freedom * wide + j] * momentum;
                rate[j] += self.turning[freedom * SPIN + j] * momentum;
            }
        }
        (slide, pull, rate)
    }

    /// W_rᵀMφη̇.
    fn pull_back(&self, r: usize) -> Vector3 {
        let mut sum = [0.0; 3];
        self.turned_by(r, &mut |freedom, turned| sum = add(&sum, &turned.map(|x| x * self.stirred[freedom])));
        sum
    }

    /// c₀: 1ᵀMW at rest is −c₀~.
    fn first_at_rest(&self) -> Vector3 {
        self.mass.first_moment()
    }

    /// φᵀMφ.
    fn modal(&self, modal: &mut [f64]) {
        let (n, wide) = (self.mass.modes, SPIN + self.mass.modes);
        modal.fill(0.0);
        for (map, product) in self.map.chunks_exact(wide).zip(self.product.chunks_exact(wide)) {
            for r in 0..n {
                for s in 0..n {
                    modal[r * n + s] +=
                        0.5 * (map[SPIN + r] * product[SPIN + s] + map[SPIN + s] * product[SPIN + r]);
                }
            }
        }
    }
}

/// Places of xx, xy, xz, yy, yz, zz.
const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
