//! Modal integrals of Appendix B.1, JPL 90-26 eqs B.1-B.5, with corrections.
//!
//! Names follow the paper: E, F0, F1, G, J0, J1, J2, S1, S2, K1, K2, R1, R2, R3,
//! W1, W2, L, T1, T2, T3, p0, p1. Indices (r, s) are stored row-major. Corrected:
//! the leading sign of J0 (errata B1); Q uses W2(r,s) (D1).

use crate::model::body::MassNode;
use crate::spatial::{Matrix3, Vector3, add, cross, dot, matrix_product, matrix_vector, scale, skew};

/// The integrals the mass block (B.8) and bias (B.50) need.
#[derive(Clone, Debug, Default)]
pub(super) struct Integrals {
    pub modes: usize,
    pub mass: f64,
    pub p0: Vector3,
    pub p1: Vec<Vector3>,
    pub e: Vec<Vector3>,
    pub f0: Vec<Vector3>,
    pub f1: Vec<Vector3>,
    pub g: Vec<f64>,
    pub j0: Matrix3,
    pub j1: Vec<Matrix3>,
    pub j2: Vec<Matrix3>,
    pub s1: Vec<Matrix3>,
    pub s2: Vec<Matrix3>,
    pub k1: Vec<Matrix3>,
    pub k2: Vec<Matrix3>,
    pub r1: Vec<Vector3>,
    pub r2: Vec<Vector3>,
    pub r3: Vec<Vector3>,
    pub q: Vec<Vector3>,
    pub l: Vec<Vector3>,
    pub t3: Vec<f64>,
}

fn plus(sum: &mut Vector3, value: Vector3) {
    *sum = add(sum, &value);
}

fn plus_matrix(sum: &mut Matrix3, factor: f64, value: &Matrix3) {
    for i in 0..3 {
        for j in 0..3 {
            sum[i][j] += factor * value[i][j];
        }
    }
}

impl Integrals {
    pub fn new(nodes: &[MassNode], modes: usize) -> Self {
        let n = modes;
        let zero3 = vec![[0.0; 3]; n];
        let zero33 = vec![[[0.0; 3]; 3]; n];
        let pair3 = vec![[0.0; 3]; n * n];
        let pair33 = vec![[[0.0; 3]; 3]; n * n];
        let mut sums = Self {
            modes,
            p1: zero3.clone(),
            e: zero3.clone(),
            f0: zero3.clone(),
            f1: pair3.clone(),
            g: vec![0.0; n * n],
            j1: zero33.clone(),
            j2: pair33.clone(),
            s1: zero33.clone(),
            s2: pair33.clone(),
            k1: zero33,
            k2: pair33,
            r1: zero3,
            r2: pair3.clone(),
            r3: vec![[0.0; 3]; n * n * n],
            q: pair3.clone(),
            l: pair3,
            t3: vec![0.0; n * n * n],
            ..Self::default()
        };
        for node in nodes {
            sums.add_rigid(node);
            for r in 0..n {
                sums.add_single(node, r);
                for s in 0..n {
                    sums.add_pair(node, r, s);
                    for q in 0..n {
                        sums.add_triple(node, q, r, s);
                    }
                }
            }
        }
        if sums.mass != 0.0 {
            let inverse = 1.0 / sums.mass;
            let by_mass = |v: &mut Vector3| *v = scale(inverse, v);
            by_mass(&mut sums.p0);
            sums.p1.iter_mut().chain(sums.l.iter_mut()).for_each(by_mass);
        }
        sums
    }

    fn add_rigid(&mut self, node: &MassNode) {
        let (m, p, l0) = (node.mass, &node.offset, &node.shape.position);
        self.mass += m;
        plus(&mut self.p0, scale(m, &add(p, l0)));
        let (ps, ls) = (skew(p), skew(l0));
        plus_matrix(&mut self.j0, 1.0, &node.inertia);
        plus_matrix(&mut self.j0, -m, &matrix_product(&ls, &ls));
        plus_matrix(&mut self.j0, -m, &matrix_product(&ps, &ls));
        plus_matrix(&mut self.j0, -m, &matrix_product(&ls, &ps));
    }

    fn add_single(&mut self, node: &MassNode, r: usize) {
        let (m, p, l0) = (node.mass, &node.offset, &node.shape.position);
        let (gr, lr) = (&node.shape.translations[r], &node.shape.slopes[r]);
        let turned = cross(p, lr); // p~ λ_r
        let jl = matrix_vector(&node.inertia, lr);
        plus(&mut self.p1[r], scale(m, gr));
        plus(&mut self.e[r], scale(m, &add(gr, &scale(-1.0, &turned))));
        plus(&mut self.f0[r], jl);
        plus(&mut self.f0[r], scale(m, &cross(&add(l0, p), gr)));
        plus(&mut self.f0[r], scale(-m, &cross(l0, &turned)));
        plus(&mut self.r1[r], jl);
        let arm = skew(&add(l0, p));
        plus_matrix(&mut self.j1[r], -m, &matrix_product(&skew(gr), &arm));
        let moved = skew(&scale(m, &turned)); // [m p~ λ_r]^x
        let j_slope = matrix_product(&node.inertia, &skew(lr));
        plus_matrix(&mut self.s1[r], 1.0, &matrix_product(&moved, &skew(l0)));
        plus_matrix(&mut self.s1[r], -1.0, &j_slope);
        plus_matrix(&mut self.k1[r], 2.0, &matrix_product(&skew(l0), &moved));
        plus_matrix(&mut self.k1[r], -1.0, &j_slope);
        plus_matrix(&mut self.k1[r], 1.0, &matrix_product(&skew(lr), &node.inertia));
    }

    fn add_pair(&mut self, node: &MassNode, r: usize, s: usize) {
        let k = r * self.modes + s;
        let (m, p, l0, inertia) = (node.mass, &node.offset, &node.shape.position, &node.inertia);
        let (gr, gs) = (&node.shape.translations[r], &node.shape.translations[s]);
        let (lr, ls) = (&node.shape.slopes[r], &node.shape.slopes[s]);
        let turned = cross(p, lr);
        let moved = skew(&scale(m, &turned));
        plus(&mut self.f1[k], scale(m, &cross(gs, &add(gr, &scale(-1.0, &turned)))));
        self.g[k] += dot(lr, &matrix_vector(inertia, ls))
            + m * dot(lr, &cross(p, gs))
            + m * dot(ls, &cross(p, gr))
            + m * dot(gr, gs);
        plus_matrix(&mut self.j2[k], -m, &matrix_product(&skew(gr), &skew(gs)));
        plus_matrix(&mut self.s2[k], 1.0, &matrix_product(&moved, &skew(gs)));
        plus_matrix(&mut self.k2[k], 2.0, &matrix_product(&skew(gs), &moved));
        // R2, L
        let carried = cross(lr, &cross(p, ls)); // λ_r~ p~ λ_s
        plus(&mut self.r2[k], cross(lr, &matrix_vector(inertia, ls)));
        plus(&mut self.r2[k], scale(-m, &cross(l0, &carried)));
        plus(&mut self.l[k], scale(-m, &carried));
        // Q(r,s) = T1(s,r) + T2(s,r) + W1(r,s) + W2(r,s) + 2 F1(s,r)
        let j_lr = matrix_vector(inertia, lr);
        let t1 = add(&scale(m, &cross(gs, &cross(p, lr))), &matrix_vector(inertia, &cross(ls, lr)));
        let t2 = add(&scale(m, &cross(p, &cross(gs, lr))), &scale(-1.0, &cross(ls, &j_lr)));
        let w1 = scale(m, &cross(lr, &cross(p, gs)));
        let w2 = cross(lr, &matrix_vector(inertia, ls));
        let f1_sr = scale(m, &cross(gr, &add(gs, &scale(-1.0, &cross(p, ls)))));
        for part in [t1, t2, w1, w2, scale(2.0, &f1_sr)] {
            plus(&mut self.q[k], part);
        }
    }

    fn add_triple(&mut self, node: &MassNode, q: usize, r: usize, s: usize) {
        let n = self.modes;
        let (m, p) = (node.mass, &node.offset);
        let shape = &node.shape;
        let (lq, lr, ls) = (&shape.slopes[q], &shape.slopes[r], &shape.slopes[s]);
        let k = (q * n + r) * n + s;
        let carried = cross(lr, &cross(p, ls));
        plus(&mut self.r3[k], scale(-m, &cross(&shape.translations[q], &carried)));
        let bracket = add(
            &scale(m, &cross(&shape.translations[r], &cross(p, ls))),
            &matrix_vector(&node.inertia, &cross(lr, ls)),
        );
        self.t3[k] += dot(lq, &bracket);
    }
}
