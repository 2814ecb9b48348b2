//! Mass sums of a flexible body with quadratic displacements: what level `gram` is made of.
//!
//! Source: book/src/theory/inertia.md (IN.10). Every mass node, seen from its centre of mass, is a cloud
//! of points with second moments Wc = ½ tr(Ic) 1 − Ic, moved by γ_r η_r + ½ Γ2_rs η_r η_s and turned by
//! λ_r η_r to second order. With scalar functions ξ_a of the place (1, x, y, z and, for more carriers,
//! products of them; g_a their gradients) the sums over all points are
//!
//! | symbol | field | sum |
//! |---|---|---|
//! | W_ab    | `moments`   | m ξ_a ξ_b + g_a·Wc g_b |
//! | N_r,a   | `linear`    | m γ_r ξ_a + λ_r~ Wc g_a |
//! | E_rs    | `bilinear`  | m γ_r γ_s* + λ_r~ Wc (λ_s~)* |
//! | P_rs,a  | `quadratic` | m Γ2_rs ξ_a + ½ (λ_r~ λ_s~ + λ_s~ λ_r~) Wc g_a |
//! | D_r,st  | `triple`    | m γ_r·Γ2_st − ½ λ_r·(λ_s × Wc λ_t + λ_t × Wc λ_s) |
//!
//! Cost O(nodes × modes³) once; the size does not depend on the nodes.

use super::body::{CentralNode, MassNode};
use super::description::NodeDescription;
use super::invariants::ModalInvariants;
use crate::spatial::{
    Matrix3, Vector3, add, axpy, cross, dot, matrix_product, matrix_product_transposed, matrix_vector, scale,
    skew, sub,
};

/// Largest number of scalar functions: all products of coordinates up to the third degree.
const LARGEST_FUNCTIONS: usize = 20;

/// Place of the pair (r, s), in any order, in lists of pairs.
pub(crate) fn pair(r: usize, s: usize) -> usize {
    let (low, high) = (r.min(s), r.max(s));
    high * (high + 1) / 2 + low
}

/// Sums over the mass of a body, for n modes and q scalar functions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MassSums {
    /// Number of modes n.
    pub modes: usize,
    /// Number of scalar functions q: 1, x, y, z, then products of higher degree.
    pub functions: usize,
    /// W, q × q.
    pub moments: Vec<f64>,
    /// N: per mode and axis, q numbers.
    pub linear: Vec<f64>,
    /// E of pairs r <= s, ordered by s then r.
    pub bilinear: Vec<Matrix3>,
    /// P: per pair and axis, q numbers.
    pub quadratic: Vec<f64>,
    /// D: per pair (s, t), one number per mode r.
    pub triple: Vec<f64>,
}

/// Number of products of three coordinates up to a degree.
fn function_count(degree: usize) -> usize {
    (degree + 1) * (degree + 2) * (degree + 3) / 6
}

/// Functions and their gradients at a place.
struct Functions {
    values: [f64; LARGEST_FUNCTIONS],
    gradients: [Vector3; LARGEST_FUNCTIONS],
}

impl Functions {
    fn at(place: &Vector3, count: usize) -> Self {
        let mut all = Self { values: [0.0; LARGEST_FUNCTIONS], gradients: [[0.0; 3]; LARGEST_FUNCTIONS] };
        all.values[0] = 1.0;
        // Every product is one of lower degree times a coordinate that is not before its last one.
        let (mut filled, mut start, mut last) = (1, 0, [0; LARGEST_FUNCTIONS]);
        while filled < count {
            let end = filled;
            for parent in start..end {
                for axis in last[parent]..3 {
                    if filled == count {
                        break;
                    }
                    let (value, gradient) = (all.values[parent], all.gradients[parent]);
                    all.values[filled] = value * place[axis];
                    all.gradients[filled] = scale(place[axis], &gradient);
                    all.gradients[filled][axis] += value;
                    last[filled] = axis;
                    filled += 1;
                }
            }
            start = end;
        }
        all
    }
}

impl MassSums {
    /// All zero, with functions up to `degree` (1 to 3).
    pub fn zero(modes: usize, degree: usize) -> Self {
        let functions = function_count(degree.clamp(1, 3));
        let pairs = modes * (modes + 1) / 2;
        Self {
            modes,
            functions,
            moments: vec![0.0; functions * functions],
            linear: vec![0.0; modes * 3 * functions],
            bilinear: vec![[[0.0; 3]; 3]; pairs],
            quadratic: vec![0.0; pairs * 3 * functions],
            triple: vec![0.0; pairs * modes],
        }
    }

    /// Sums over the nodes of a body.
    pub fn of_mass_nodes(nodes: &[MassNode], modes: usize, degree: usize) -> Self {
        let mut sums = Self::zero(modes, degree);
        nodes.iter().for_each(|node| sums.add_node(&CentralNode::new(node)));
        sums
    }

    /// Sums over described nodes.
    pub fn of_nodes(nodes: &[NodeDescription], modes: usize) -> Self {
        let nodes: Vec<MassNode> = nodes.iter().map(super::body::mass_node).collect();
        Self::of_mass_nodes(&nodes, modes, 1)
    }

    /// Whether all lists fit together and a number of modes.
    pub fn fits(&self, modes: usize) -> bool {
        let (q, pairs) = (self.functions, modes * (modes + 1) / 2);
        let found = [
            self.modes,
            self.moments.len(),
            self.linear.len(),
            self.bilinear.len(),
            self.quadratic.len(),
            self.triple.len(),
        ];
        found == [modes, q * q, modes * 3 * q, pairs, pairs * 3 * q, pairs * modes] && q >= 4
    }

    /// All numbers, for checks.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let lists = [&self.moments, &self.linear, &self.quadratic, &self.triple];
        lists.into_iter().flatten().chain(self.bilinear.as_flattened().as_flattened()).copied()
    }

    /// Adds the sums of another part of the same body, with as many functions.
    pub fn add(&mut self, other: &Self) {
        let mut lists = [
            (&mut self.moments, &other.moments),
            (&mut self.linear, &other.linear),
            (&mut self.quadratic, &other.quadratic),
            (&mut self.triple, &other.triple),
        ];
        for (to, from) in &mut lists {
            to.iter_mut().zip(from.iter()).for_each(|(to, from)| *to += from);
        }
        let to = self.bilinear.as_flattened_mut().as_flattened_mut();
        to.iter_mut().zip(other.bilinear.as_flattened().as_flattened()).for_each(|(to, from)| *to += from);
    }

    fn add_node(&mut self, node: &CentralNode) {
        if node.mass == 0.0 && node.inertia == [[0.0; 3]; 3] {
            return;
        }
        let (n, q) = (self.modes, self.functions);
        let spread = spread_of(&node.inertia);
        let at = Functions::at(&node.position, q);
        let pulls: Vec<Vector3> = (0..q).map(|a| matrix_vector(&spread, &at.gradients[a])).collect();
        for a in 0..q {
            for b in 0..q {
                self.moments[a * q + b] +=
                    node.mass * at.values[a] * at.values[b] + dot(&at.gradients[a], &pulls[b]);
            }
            for r in 0..n {
                let turned = cross(&node.slopes[r], &pulls[a]);
                for i in 0..3 {
                    self.linear[(r * 3 + i) * q + a] +=
                        node.mass * node.translations[r][i] * at.values[a] + turned[i];
                }
            }
        }
        for s in 0..n {
            for r in 0..=s {
                self.add_pair(node, (r, s), &spread, &at, &pulls);
            }
        }
    }

    fn add_pair(
        &mut self,
        node: &CentralNode,
        (r, s): (usize, usize),
        spread: &Matrix3,
        at: &Functions,
        pulls: &[Vector3],
    ) {
        let (n, q, m, k) = (self.modes, self.functions, node.mass, pair(r, s));
        let (slope_r, slope_s) = (&node.slopes[r], &node.slopes[s]);
        let turned = matrix_product(&skew(slope_r), spread);
        let carried = matrix_product_transposed(&turned, &skew(slope_s));
        for i in 0..3 {
            axpy(&mut self.bilinear[k][i], m * node.translations[r][i], &node.translations[s]);
            axpy(&mut self.bilinear[k][i], 1.0, &carried[i]);
        }
        let bend = node.quadratic.get(r * n + s).copied().unwrap_or_default();
        for a in 0..q {
            // ½ (λ_r × (λ_s × p) + λ_s × (λ_r × p))
            let one = cross(slope_r, &cross(slope_s, &pulls[a]));
            let two = cross(slope_s, &cross(slope_r, &pulls[a]));
            for i in 0..3 {
                self.quadratic[(k * 3 + i) * q + a] += m * bend[i] * at.values[a] + 0.5 * (one[i] + two[i]);
            }
        }
        let twist = add(
            &cross(slope_r, &matrix_vector(spread, slope_s)),
            &cross(slope_s, &matrix_vector(spread, slope_r)),
        );
        if bend != [0.0; 3] || twist != [0.0; 3] {
            let own = &mut self.triple[k * n..(k + 1) * n];
            for (t, slot) in own.iter_mut().enumerate() {
                *slot += m * dot(&node.translations[t], &bend) - 0.5 * dot(&node.slopes[t], &twist);
            }
        }
    }

    /// Adds displacements of second order given by their mass integrals per pair of modes, row by row:
    /// Σ m Γ2 (kg m), Σ m l0 × Γ2 (kg m²), the symmetric part of Σ m (Γ2 l0* − 1 Γ2·l0) as xx, xy, xz, yy,
    /// yz, zz (kg m²), and Σ m γ_t·Γ2 for every mode t (kg).
    pub fn add_second_order(
        &mut self,
        moment: &[[f64; 3]],
        spin: &[[f64; 3]],
        centrifugal: &[[f64; 6]],
        along_modes: &[Vec<f64>],
    ) {
        let (n, q) = (self.modes, self.functions);
        for s in 0..n {
            for r in 0..=s {
                let (k, one, two) = (pair(r, s), r * n + s, s * n + r);
                let mean = |list: &[[f64; 3]]| scale(0.5, &add(&list[one], &list[two]));
                let minus: [f64; 6] =
                    std::array::from_fn(|i| -0.5 * (centrifugal[one][i] + centrifugal[two][i]));
                let second = spread_and_spin(&minus, &mean(spin));
                let first = mean(moment);
                for i in 0..3 {
                    let row = &mut self.quadratic[(k * 3 + i) * q..(k * 3 + i + 1) * q];
                    row[0] += first[i];
                    (0..3).for_each(|j| row[j + 1] += second[i][j]);
                }
                for (t, list) in along_modes.iter().enumerate() {
                    self.triple[k * n + t] += 0.5 * (list[one] + list[two]);
                }
            }
        }
    }

    /// The sums of a body whose invariants hold no displacements of second order and no rotary inertia
    /// that follows the modes; `None` where second-order terms are mixed in and cannot be told apart.
    pub fn of_invariants(invariants: &ModalInvariants) -> Option<Self> {
        if !invariants.moment2.is_empty() {
            return None;
        }
        let n = invariants.moment1.len();
        let mut sums = Self::zero(n, 1);
        let (c, second) = (&invariants.moment0, spread_of(&full(&invariants.inertia0)));
        sums.moments[0] = invariants.mass;
        for i in 0..3 {
            sums.moments[i + 1] = c[i];
            sums.moments[(i + 1) * 4] = c[i];
            sums.moments[(i + 1) * 4 + 1..(i + 2) * 4].copy_from_slice(&second[i]);
        }
        for r in 0..n {
            let half = invariants.inertia1[r].map(|x| 0.5 * x);
            let block = spread_and_spin(&half, &invariants.angular0[r]);
            for i in 0..3 {
                sums.linear[(r * 3 + i) * 4] = invariants.moment1[r][i];
                sums.linear[(r * 3 + i) * 4 + 1..(r * 3 + i + 1) * 4].copy_from_slice(&block[i]);
            }
        }
        for s in 0..n {
            for r in 0..=s {
                let (one, two) = (r * n + s, s * n + r);
                let mean: [f64; 6] = std::array::from_fn(|i| {
                    0.5 * (invariants.inertia2[one][i] + invariants.inertia2[two][i])
                });
                // F1_rs = Σ m γ_s × γ_r, antisymmetric; E_rs = Σ m γ_r γ_s*.
                let apart = scale(0.5, &sub(&invariants.angular1[two], &invariants.angular1[one]));
                sums.bilinear[pair(r, s)] = spread_and_spin(&mean, &scale(-1.0, &apart));
            }
        }
        Some(sums)
    }
}

/// ½ tr(I) 1 − I: second moments from moments of inertia.
fn spread_of(inertia: &Matrix3) -> Matrix3 {
    let half = 0.5 * (inertia[0][0] + inertia[1][1] + inertia[2][2]);
    std::array::from_fn(|i| {
        std::array::from_fn(|j| if i == j { half - inertia[i][i] } else { -inertia[i][j] })
    })
}

fn full([xx, xy, xz, yy, yz, zz]: &[f64; 6]) -> Matrix3 {
    [[*xx, *xy, *xz], [*xy, *yy, *yz], [*xz, *yz, *zz]]
}

/// Σ u w* from tr(Σ u w*) 1 − sym(Σ u w*) and Σ w × u.
fn spread_and_spin(inertia: &[f64; 6], spin: &Vector3) -> Matrix3 {
    let (even, odd) = (spread_of(&full(inertia)), skew(spin));
    std::array::from_fn(|i| std::array::from_fn(|j| even[i][j] + 0.5 * odd[i][j]))
}
