//! Inertia of a flexible body from preprocessed constants.
//!
//! Source: book/src/theory/inertia.md (IN.6) to (IN.9) (level consistent), rederived for the frame
//! X = [r₀ u v w]. Polynomials of the modal coordinates, coefficients summed over
//! the nodes once (a = l₀ + γη at the centre of mass of a node, λ its slopes, I
//! and S its moments of inertia and second moments, Γ its quadratic translations):
//!
//! | quantity | polynomial |
//! |---|---|
//! | c, first moments | Σ m (a + ½ η*Γη) |
//! | S, second moments | Σ m (a a* + l₀ b* + b l₀*) + S + η_s (λ_s~ S − S λ_s~), b = ½ η*Γη |
//! | F_r, angular pull of mode r | Σ m (a × γ_r + l₀ × Γ_r η) + I λ_r + η_s (dI_s λ_r + ½ I (λ_s × λ_r)) |
//! | M | Σ m γ·γ + λ·I λ, constant |
//!
//! Lagrange's equations of T with N_r = [A ∂c/∂η_r, ½ (A F_r) × axis]. ṙ₀ cancels.
//! Cost O(modes²), no nodes.

use super::frame::{Frame, NO_FRAME, axis, push_moment, spin, turn, turn_back};
use super::inertia::{CentralNode, InertiaWork, Motion, full, spread_of};
use crate::model::body::MassNode;
use crate::model::invariants::ModalInvariants;
use crate::spatial::{
    Matrix3, Vector3, add, axpy, cross, dot, matrix_product, matrix_vector, scale, skew, sub,
};

/// Constants of one body.
#[derive(Clone, Debug, Default)]
pub(super) struct Invariants {
    modes: usize,
    mass: f64,
    first: Vector3,
    first_slope: Vec<Vector3>,
    /// Row-major, symmetric; empty without quadratic translations.
    first_curve: Vec<Vector3>,
    second: Matrix3,
    second_slope: Vec<Matrix3>,
    /// Coefficient of η_r η_s, symmetric in r and s.
    second_curve: Vec<Matrix3>,
    pull: Vec<Vector3>,
    /// Coefficient of η_s in F_r at r × modes + s.
    pull_slope: Vec<Vector3>,
    modal: Vec<f64>,
}

fn add_matrix(sum: &mut Matrix3, s: f64, m: &Matrix3) {
    for i in 0..3 {
        axpy(&mut sum[i], s, &m[i]);
    }
}

fn outer(a: &Vector3, b: &Vector3) -> Matrix3 {
    std::array::from_fn(|i| scale(a[i], b))
}

/// s~ m − m s~ for a symmetric m.
fn turned(s: &Vector3, m: &Matrix3) -> Matrix3 {
    let left = matrix_product(&skew(s), m);
    std::array::from_fn(|i| std::array::from_fn(|j| left[i][j] + left[j][i]))
}

impl Invariants {
    /// Sums over the nodes of a body.
    pub fn new(nodes: &[MassNode], modes: usize) -> Self {
        let n = modes;
        let mut sums = Self {
            modes,
            first_slope: vec![[0.0; 3]; n],
            second_slope: vec![[[0.0; 3]; 3]; n],
            second_curve: vec![[[0.0; 3]; 3]; n * n],
            pull: vec![[0.0; 3]; n],
            pull_slope: vec![[0.0; 3]; n * n],
            modal: vec![0.0; n * n],
            ..Self::default()
        };
        let bent = |node: &MassNode| !node.shape.quadratic.is_empty() || node.offset != [0.0; 3];
        if nodes.iter().any(bent) {
            sums.first_curve = vec![[0.0; 3]; n * n];
        }
        for node in nodes {
            sums.add_node(node, bent(node));
        }
        sums
    }

    /// Adds sums that a body comes with; S = ½ tr(I) 1 − I turns its inertias into second moments.
    pub fn add_sums(&mut self, sums: &ModalInvariants) {
        let n = self.modes;
        self.mass += sums.mass;
        axpy(&mut self.first, 1.0, &sums.moment0);
        add_matrix(&mut self.second, 1.0, &spread_of(&full(&sums.inertia0)));
        if !sums.moment2.is_empty() {
            self.first_curve.resize(n * n, [0.0; 3]);
        }
        for (to, from) in self.first_curve.iter_mut().zip(&sums.moment2) {
            axpy(to, 1.0, from);
        }
        for r in 0..n {
            axpy(&mut self.first_slope[r], 1.0, &sums.moment1[r]);
            add_matrix(&mut self.second_slope[r], 1.0, &spread_of(&full(&sums.inertia1[r])));
            axpy(&mut self.pull[r], 1.0, &sums.angular0[r]);
            for s in 0..n {
                let (k, mirrored) = (r * n + s, s * n + r);
                for pair in [k, mirrored] {
                    add_matrix(&mut self.second_curve[k], 0.5, &spread_of(&full(&sums.inertia2[pair])));
                }
                axpy(&mut self.pull_slope[k], 1.0, &sums.angular1[k]);
                self.modal[k] += sums.modal[k];
            }
        }
    }

    /// A body without mass moments of its own: second moments, Σ m γ_r l₀*, Σ m γ_r γ_s* and modal mass.
    pub fn of_fields(second: &Matrix3, slopes: &[Matrix3], fields: &[Matrix3], modal: Vec<f64>) -> Self {
        let n = slopes.len();
        let symmetric = |m: &Matrix3| -> Matrix3 {
            std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (m[i][j] + m[j][i])))
        };
        // Σ u × w of Σ u w*.
        let axial = |m: &Matrix3| [m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]];
        Self {
            modes: n,
            first_slope: vec![[0.0; 3]; n],
            second: *second,
            second_slope: slopes.iter().map(|m| symmetric(m).map(|row| scale(2.0, &row))).collect(),
            // Σ m γ_s γ_r* is the transpose of the pair (r, s): the symmetric part serves both.
            second_curve: fields.iter().map(symmetric).collect(),
            pull: slopes.iter().map(|m| scale(-1.0, &axial(m))).collect(),
            pull_slope: fields.iter().map(|m| scale(-1.0, &axial(m))).collect(),
            modal,
            ..Self::default()
        }
    }

    fn add_node(&mut self, node: &MassNode, bent: bool) {
        let (n, m, central) = (self.modes, node.mass, CentralNode::new(node));
        let (l, p, slopes) = (&central.position, &node.offset, &node.shape.slopes);
        // The centre of mass of the node moves by γ_r + λ_r × p.
        let slides: Vec<Vector3> =
            (0..n).map(|r| add(&node.shape.translations[r], &cross(&slopes[r], p))).collect();
        self.mass += m;
        axpy(&mut self.first, m, l);
        add_matrix(&mut self.second, m, &outer(l, l));
        add_matrix(&mut self.second, 1.0, &central.spread);
        for r in 0..n {
            axpy(&mut self.first_slope[r], m, &slides[r]);
            add_matrix(&mut self.second_slope[r], m, &outer(l, &slides[r]));
            add_matrix(&mut self.second_slope[r], m, &outer(&slides[r], l));
            add_matrix(&mut self.second_slope[r], 1.0, &turned(&slopes[r], &central.spread));
            axpy(&mut self.pull[r], m, &cross(l, &slides[r]));
            axpy(&mut self.pull[r], 1.0, &matrix_vector(&central.inertia, &slopes[r]));
            for s in 0..n {
                let k = r * n + s;
                add_matrix(&mut self.second_curve[k], m, &outer(&slides[r], &slides[s]));
                axpy(&mut self.pull_slope[k], m, &cross(&slides[s], &slides[r]));
                let carried = matrix_vector(&turned(&slopes[s], &central.inertia), &slopes[r]);
                axpy(&mut self.pull_slope[k], 1.0, &carried);
                let twisted = matrix_vector(&central.inertia, &cross(&slopes[s], &slopes[r]));
                axpy(&mut self.pull_slope[k], 0.5, &twisted);
                self.modal[k] += m * dot(&slides[r], &slides[s])
                    + dot(&slopes[r], &matrix_vector(&central.inertia, &slopes[s]));
                if bent {
                    self.add_curve(node, l, (r, s));
                }
            }
        }
        // Symmetric in the modes, so that derivatives are simple.
        for r in 0..n {
            for s in 0..r {
                let (a, b) = (self.second_curve[r * n + s], self.second_curve[s * n + r]);
                let mean: Matrix3 =
                    std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (a[i][j] + b[i][j])));
                self.second_curve[r * n + s] = mean;
                self.second_curve[s * n + r] = mean;
            }
        }
    }

    fn add_curve(&mut self, node: &MassNode, l: &Vector3, (r, s): (usize, usize)) {
        let (n, m, slopes) = (self.modes, node.mass, &node.shape.slopes);
        let k = r * n + s;
        let one = cross(&slopes[r], &cross(&slopes[s], &node.offset));
        let two = cross(&slopes[s], &cross(&slopes[r], &node.offset));
        let own = node.shape.quadratic.get(k).copied().unwrap_or_default();
        let bend = add(&own, &scale(0.5, &add(&one, &two)));
        axpy(&mut self.first_curve[k], m, &bend);
        add_matrix(&mut self.second_curve[k], 0.5 * m, &outer(l, &bend));
        add_matrix(&mut self.second_curve[k], 0.5 * m, &outer(&bend, l));
        axpy(&mut self.pull_slope[k], m, &cross(l, &bend));
    }

    /// M, row-major.
    pub fn modal_mass(&self) -> &[f64] {
        &self.modal
    }

    /// Inertia and bias; `work.modal` was filled for good.
    pub fn evaluate(&self, motion: &Motion<'_>, work: &mut InertiaWork) {
        let (n, x, x_rate) = (self.modes, motion.frame, motion.rate);
        let (eta, rate) = (motion.eta, motion.eta_rate);
        let moving = Moving::new(motion);
        let (mut first, mut first_rate, mut first_bias) = (self.first, [0.0; 3], [0.0; 3]);
        let (mut second, mut second_rate) = (self.second, [[0.0; 3]; 3]);
        let (mut stir, mut stir_bias) = ([0.0; 3], [0.0; 3]); // F η̇ and Ḟ η̇
        for r in 0..n {
            let (mut slope, mut pull) = (self.second_slope[r], self.pull[r]);
            let (mut pull_rate, mut pull_back) = ([0.0; 3], [0.0; 3]);
            let (mut slide, mut slide_rate) = (self.first_slope[r], [0.0; 3]);
            add_matrix(&mut second, eta[r], &self.second_slope[r]);
            axpy(&mut first, eta[r], &self.first_slope[r]);
            for s in 0..n {
                let k = r * n + s;
                add_matrix(&mut slope, 2.0 * eta[s], &self.second_curve[k]);
                add_matrix(&mut second, eta[r] * eta[s], &self.second_curve[k]);
                axpy(&mut pull, eta[s], &self.pull_slope[k]);
                axpy(&mut pull_rate, rate[s], &self.pull_slope[k]);
                axpy(&mut pull_back, rate[s], &self.pull_slope[s * n + r]);
                if let Some(curve) = self.first_curve.get(k) {
                    axpy(&mut slide, eta[s], curve);
                    axpy(&mut slide_rate, rate[s], curve);
                    axpy(&mut first, 0.5 * eta[r] * eta[s], curve);
                }
            }
            add_matrix(&mut second_rate, rate[r], &slope);
            axpy(&mut first_rate, rate[r], &slide);
            axpy(&mut first_bias, rate[r], &slide_rate);
            axpy(&mut stir, rate[r], &pull);
            axpy(&mut stir_bias, rate[r], &pull_rate);
            work.bias_modal[r] = modal_bias(&moving, &slope, &pull_rate, &pull_back);
            work.coupling[r] = pulled(x, &slide, &pull);
        }
        fill_moments(self.mass, &first, &second, work);
        work.bias = frame_bias(x, x_rate, (&first_rate, &first_bias), &second_rate, (&stir, &stir_bias));
    }
}

/// What the motion of the frame is to the modes.
pub(super) struct Moving {
    omega: Vector3,
    /// ė_i·ė_j, which the derivative of S meets.
    grams: Matrix3,
}

impl Moving {
    pub fn new(motion: &Motion<'_>) -> Self {
        let axes: [Vector3; 3] = std::array::from_fn(|i| axis(motion.rate, i));
        Self {
            omega: turn_back(motion.frame, &spin(motion.frame, motion.rate)),
            grams: std::array::from_fn(|i| std::array::from_fn(|j| dot(&axes[i], &axes[j]))),
        }
    }
}

/// Modal row of d/dt ∂T/∂η̇ − ∂T/∂η at Ẍ = 0, η̈ = 0: `slope` = ∂S/∂η_r, Ḟ_r and Σ_s η̇_s ∂F_s/∂η_r.
pub(super) fn modal_bias(moving: &Moving, slope: &Matrix3, pull_rate: &Vector3, pull_back: &Vector3) -> f64 {
    let square: f64 = (0..3).map(|i| dot(&moving.grams[i], &slope[i])).sum();
    dot(&moving.omega, &sub(pull_rate, pull_back)) - 0.5 * square
}

/// G of mass, first and second moments.
pub(super) fn fill_moments(mass: f64, first: &Vector3, second: &Matrix3, work: &mut InertiaWork) {
    work.g[0][0] = mass;
    for i in 0..3 {
        work.g[0][i + 1] = first[i];
        work.g[i + 1][0] = first[i];
        for j in 0..3 {
            work.g[i + 1][j + 1] = second[i][j];
        }
    }
}

/// N_r = [A slide, ½ (A pull) × axis].
pub(super) fn pulled(x: &Frame, slide: &Vector3, pull: &Vector3) -> Frame {
    let mut n = NO_FRAME;
    push_moment(&mut n, x, &turn(x, pull));
    let moved = turn(x, slide);
    for i in 0..3 {
        n[i][0] = moved[i];
    }
    n
}

/// Frame rows of d/dt ∂T/∂Ẋ − ∂T/∂X at Ẍ = 0, η̈ = 0.
pub(super) fn frame_bias(
    x: &Frame,
    x_rate: &Frame,
    (first_rate, first_bias): (&Vector3, &Vector3),
    second_rate: &Matrix3,
    (stir, stir_bias): (&Vector3, &Vector3),
) -> Frame {
    let mut force = NO_FRAME;
    push_moment(&mut force, x, &turn(x, stir_bias));
    let origin = add(&scale(2.0, &turn(x_rate, first_rate)), &turn(x, first_bias));
    for i in 0..3 {
        // Σ_j Ṡ_ij ė_j + ε_ijk ė_j (Fη̇)_k
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let mut along = second_rate[i];
        along[j] += stir[k];
        along[k] -= stir[j];
        let column = turn(x_rate, &along);
        for row in 0..3 {
            force[row][i + 1] += column[row];
        }
    }
    for row in 0..3 {
        force[row][0] = origin[row];
    }
    force
}
