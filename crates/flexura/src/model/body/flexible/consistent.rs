//! Level `consistent`: the mass block as a polynomial in the modal coordinates.
//!
//! Source: book/src/theory/inertia.md (IN.6) to (IN.9); for points of mass Mukherjee & Anderson eqs 37-42 with errata E1, E2. Every mass node is first shifted to its
//! centre of mass; with a = l0' + γ'η the block is truncated at first order in
//! the deformation (second order where the coefficients are known exactly):
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | Σ m l  | `moment0`, `moment1`, `moment2` | mass moment c(η) = c0 + C1η + ½η*C2η |
//! | M_ww   | `inertia0..2` | inertia, degree 2 |
//! | M_wη   | `angular0`, `angular1` | F(η) = F0 + F1η |
//! | M_ηη   | `modal` | constant |
//!
//! The bias follows from the *same* polynomial by Boltzmann-Hamel, evaluated at
//! v = 0 because v cancels identically; energy and momenta are therefore exact
//! for this kinetic energy, whatever was truncated. Cost O(n²), no nodes.

use super::MassBlock;
use crate::model::body::{CentralNode, MassNode};
use crate::model::invariants::ModalInvariants;
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Vector3, add, axpy, cross, dot, join, lift3, matrix_product, matrix_vector, scale, skew, sub,
    zero3,
};

/// Constant coefficients of the polynomial mass block (the body's invariants).
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct ConsistentInertia {
    modes: usize,
    mass: f64,
    moment0: Vector3,
    moment1: Vec<Vector3>,
    /// Row-major, symmetric; empty when no node has quadratic terms.
    moment2: Vec<Vector3>,
    inertia0: [f64; 6],
    inertia1: Vec<[f64; 6]>,
    inertia2: Vec<[f64; 6]>,
    angular0: Vec<Vector3>,
    /// `angular1[r * n + s]` multiplies η_s in column r.
    angular1: Vec<Vector3>,
    modal: Vec<f64>,
}

fn symmetric(m: &Matrix3) -> [f64; 6] {
    let h = |i: usize, j: usize| 0.5 * (m[i][j] + m[j][i]);
    [m[0][0], h(0, 1), h(0, 2), m[1][1], h(1, 2), m[2][2]]
}

fn accumulate6(sum: &mut [f64; 6], factor: f64, value: &[f64; 6]) {
    for i in 0..6 {
        sum[i] += factor * value[i];
    }
}

/// −(a~ b~ + b~ a~), symmetric.
fn double_skew(a: &Vector3, b: &Vector3) -> [f64; 6] {
    let p = matrix_product(&skew(a), &skew(b));
    symmetric(&std::array::from_fn(|i| std::array::from_fn(|j| -(p[i][j] + p[j][i]))))
}

impl ConsistentInertia {
    /// Coefficients summed over the nodes of a body with `modes` modes.
    pub fn new(nodes: &[MassNode], modes: usize) -> Self {
        let n = modes;
        let mut inv = Self {
            modes,
            moment1: vec![[0.0; 3]; n],
            inertia1: vec![[0.0; 6]; n],
            inertia2: vec![[0.0; 6]; n * n],
            angular0: vec![[0.0; 3]; n],
            angular1: vec![[0.0; 3]; n * n],
            modal: vec![0.0; n * n],
            ..Self::default()
        };
        let central: Vec<CentralNode> = nodes.iter().map(CentralNode::new).collect();
        if central.iter().any(|node| !node.quadratic.is_empty()) {
            inv.moment2 = vec![[0.0; 3]; n * n];
        }
        for node in &central {
            inv.add_rigid(node);
            for r in 0..n {
                inv.add_linear(node, r);
                for s in 0..n {
                    inv.add_bilinear(node, r, s);
                    if !node.quadratic.is_empty() {
                        inv.add_curvature(node, r, s);
                    }
                }
            }
        }
        inv
    }

    /// Coefficients given, plus those of further nodes.
    pub fn with_nodes(invariants: &ModalInvariants, nodes: &[MassNode], modes: usize) -> Self {
        let mut sum = Self::new(nodes, modes).invariants();
        sum.add(invariants);
        Self {
            modes,
            mass: sum.mass,
            moment0: sum.moment0,
            moment1: sum.moment1,
            moment2: sum.moment2,
            inertia0: sum.inertia0,
            inertia1: sum.inertia1,
            inertia2: sum.inertia2,
            angular0: sum.angular0,
            angular1: sum.angular1,
            modal: sum.modal,
        }
    }

    /// The coefficients.
    pub fn invariants(&self) -> ModalInvariants {
        ModalInvariants {
            mass: self.mass,
            moment0: self.moment0,
            moment1: self.moment1.clone(),
            moment2: self.moment2.clone(),
            inertia0: self.inertia0,
            inertia1: self.inertia1.clone(),
            inertia2: self.inertia2.clone(),
            angular0: self.angular0.clone(),
            angular1: self.angular1.clone(),
            modal: self.modal.clone(),
            sums: None,
        }
    }

    fn add_rigid(&mut self, node: &CentralNode) {
        self.mass += node.mass;
        axpy(&mut self.moment0, node.mass, &node.position);
        accumulate6(&mut self.inertia0, 0.5 * node.mass, &double_skew(&node.position, &node.position));
        accumulate6(&mut self.inertia0, 1.0, &symmetric(&node.inertia));
    }

    fn add_linear(&mut self, node: &CentralNode, r: usize) {
        let (m, g) = (node.mass, &node.translations[r]);
        axpy(&mut self.moment1[r], m, g);
        accumulate6(&mut self.inertia1[r], m, &double_skew(&node.position, g));
        accumulate6(&mut self.inertia1[r], 1.0, &symmetric(&node.turned_inertia(r)));
        axpy(&mut self.angular0[r], m, &cross(&node.position, g));
        axpy(&mut self.angular0[r], 1.0, &matrix_vector(&node.inertia, &node.slopes[r]));
    }

    fn add_bilinear(&mut self, node: &CentralNode, r: usize, s: usize) {
        let (m, k) = (node.mass, r * self.modes + s);
        let (gr, gs) = (&node.translations[r], &node.translations[s]);
        let (lr, ls) = (&node.slopes[r], &node.slopes[s]);
        accumulate6(&mut self.inertia2[k], 0.5 * m, &double_skew(gr, gs));
        axpy(&mut self.angular1[k], m, &cross(gs, gr));
        axpy(&mut self.angular1[k], 1.0, &matrix_vector(&node.turned_inertia(s), lr));
        axpy(&mut self.angular1[k], 0.5, &matrix_vector(&node.inertia, &cross(ls, lr)));
        self.modal[k] += m * dot(gr, gs) + dot(lr, &matrix_vector(&node.inertia, ls));
    }

    fn add_curvature(&mut self, node: &CentralNode, r: usize, s: usize) {
        let (m, k) = (node.mass, r * self.modes + s);
        let bend = &node.quadratic[k];
        axpy(&mut self.moment2[k], m, bend);
        // −m (l0'~ l2~ + l2~ l0'~) with l2 = ½ η*Γ2'η
        accumulate6(&mut self.inertia2[k], 0.5 * m, &double_skew(&node.position, bend));
        axpy(&mut self.angular1[k], m, &cross(&node.position, bend));
    }

    /// The constant modal mass matrix, row-major.
    pub fn modal_mass(&self) -> &[f64] {
        &self.modal
    }

    /// Mass block at `eta` and Boltzmann-Hamel bias for (`rate`, `omega`).
    pub fn evaluate<S: Scalar>(&self, eta: &[S], rate: &[S], omega: &Vector3<S>, out: &mut MassBlock<'_, S>) {
        let n = self.modes;
        let w = *omega;
        let mut moment = lift3(&self.moment0);
        let mut moment_rate = zero3(); // Σ dc/dη_s η̇_s
        let mut bias_linear = zero3();
        let mut inertia = self.inertia0.map(S::from_f64);
        let mut inertia_rate = [S::ZERO; 6];
        let mut coupling_momentum = zero3(); // Σ F_r η̇_r
        let mut bias_angular = zero3();
        // ½ w·dI w = half_square · dI
        let half = S::from_f64(0.5);
        let half_square = [
            w[0] * w[0] * half,
            w[0] * w[1],
            w[0] * w[2],
            w[1] * w[1] * half,
            w[1] * w[2],
            w[2] * w[2] * half,
        ];
        for r in 0..n {
            let row = r * n;
            // K_r = Σ_s I2_rs η_s ; columns F_r(η) ; X_r = Σ_s F1_rs η̇_s ; Y_r = Σ_s F1_sr η̇_s
            let mut bend = [S::ZERO; 6];
            let mut column = lift3(&self.angular0[r]);
            let (mut forward, mut backward) = (zero3(), zero3());
            for s in 0..n {
                let i2 = &self.inertia2[row + s];
                for i in 0..6 {
                    bend[i] += eta[s] * i2[i];
                }
                let f1 = &self.angular1[row + s];
                axpy(&mut column, eta[s], f1);
                axpy(&mut forward, rate[s], f1);
                axpy(&mut backward, rate[s], &self.angular1[s * n + r]);
            }
            let i1 = &self.inertia1[r];
            let mut slope = S::ZERO; // ½ w·dI_r w
            for i in 0..6 {
                let first = S::from_f64(i1[i]) + bend[i];
                inertia[i] += first * eta[r];
                let derivative = first + bend[i];
                inertia_rate[i] += derivative * rate[r];
                slope += half_square[i] * derivative;
            }
            out.bias_modal[r] = dot(&w, &sub(&forward, &backward)) - slope;
            coupling_momentum = add(&coupling_momentum, &scale(rate[r], &column));
            bias_angular = add(&bias_angular, &scale(rate[r], &forward));
            let slide = self.moment_slope(r, eta, rate, &mut moment, &mut bias_linear);
            moment_rate = add(&moment_rate, &scale(rate[r], &slide));
            out.coupling[r] = join(&column, &slide);
        }
        for k in 0..n * n {
            out.modal[k] = S::from_f64(self.modal[k]);
        }
        *out.rigid = rigid_block(S::from_f64(self.mass), &moment, &inertia);
        let angular_momentum = add(&symmetric_times(&inertia, &w), &coupling_momentum);
        let momentum = add(&cross(&w, &moment), &moment_rate);
        let angular =
            add(&add(&symmetric_times(&inertia_rate, &w), &bias_angular), &cross(&w, &angular_momentum));
        let linear = add(&add(&cross(&w, &moment_rate), &bias_linear), &cross(&w, &momentum));
        *out.bias_rigid = join(&angular, &linear);
    }

    /// dc/dη_r; adds this mode's part to c(η) and to η̇*C2η̇.
    #[inline(always)]
    fn moment_slope<S: Scalar>(
        &self,
        r: usize,
        eta: &[S],
        rate: &[S],
        moment: &mut Vector3<S>,
        bias_linear: &mut Vector3<S>,
    ) -> Vector3<S> {
        let n = self.modes;
        let mut slide = lift3(&self.moment1[r]);
        if self.moment2.is_empty() {
            *moment = add(moment, &scale(eta[r], &slide));
            return slide;
        }
        let (mut bend, mut bend_rate) = (zero3(), zero3());
        for s in 0..n {
            axpy(&mut bend, eta[s], &self.moment2[r * n + s]);
            axpy(&mut bend_rate, rate[s], &self.moment2[r * n + s]);
        }
        for i in 0..3 {
            moment[i] += (slide[i] + bend[i] * 0.5) * eta[r];
            bias_linear[i] += bend_rate[i] * rate[r];
            slide[i] += bend[i];
        }
        slide
    }
}

#[inline(always)]
fn symmetric_times<S: Scalar>(a: &[S; 6], v: &Vector3<S>) -> Vector3<S> {
    [
        a[0] * v[0] + a[1] * v[1] + a[2] * v[2],
        a[1] * v[0] + a[3] * v[1] + a[4] * v[2],
        a[2] * v[0] + a[4] * v[1] + a[5] * v[2],
    ]
}

#[inline(always)]
fn rigid_block<S: Scalar>(
    mass: S,
    moment: &Vector3<S>,
    inertia: &[S; 6],
) -> crate::spatial::SymmetricSpatial<S> {
    let o = S::ZERO;
    crate::spatial::SymmetricSpatial {
        angular: *inertia,
        coupling: skew(moment),
        linear: [mass, o, o, mass, o, mass],
    }
}
