//! A mass node seen from its centre of mass.
//!
//! Source: book/src/theory/inertia.md (IN.5): l0' = l0 + p, γ' = γ − p~ λ, Γ2'(r,s) = Γ2(r,s) +
//! ½ [λ_r × (λ_s × p) + λ_s × (λ_r × p)], Ic = J − m (p·p 1 − p p*). All sums over mass start here.

use super::node::MassNode;
use crate::spatial::{Matrix3, Vector3, add, cross, matrix_product, scale, skew};

/// A mass node referred to its centre of mass.
pub(crate) struct CentralNode {
    /// Mass m (kg).
    pub mass: f64,
    /// Centre of mass l0' (m).
    pub position: Vector3,
    /// Inertia Ic about the centre of mass (kg m²).
    pub inertia: Matrix3,
    /// λ.
    pub slopes: Vec<Vector3>,
    /// γ'.
    pub translations: Vec<Vector3>,
    /// Γ2', row-major; empty when neither the node nor its offset bends the path of the centre.
    pub quadratic: Vec<Vector3>,
}

impl CentralNode {
    pub fn new(node: &MassNode) -> Self {
        let (p, m) = (node.offset, node.mass);
        let n = node.shape.slopes.len();
        let slopes = node.shape.slopes.clone();
        // γ' = γ − p~ λ = γ + λ × p
        let translations = (0..n).map(|r| add(&node.shape.translations[r], &cross(&slopes[r], &p))).collect();
        let curved = p != [0.0; 3] || !node.shape.quadratic.is_empty();
        let mut quadratic = Vec::new();
        if curved {
            quadratic = vec![[0.0; 3]; n * n];
            for r in 0..n {
                for s in 0..n {
                    let one = cross(&slopes[r], &cross(&slopes[s], &p));
                    let two = cross(&slopes[s], &cross(&slopes[r], &p));
                    let base = node.shape.quadratic.get(r * n + s).copied().unwrap_or_default();
                    quadratic[r * n + s] = add(&base, &scale(0.5, &add(&one, &two)));
                }
            }
        }
        // Ic = J − m (p·p 1 − p p*) = J + m p~ p~
        let pp = matrix_product(&skew(&p), &skew(&p));
        let inertia = std::array::from_fn(|i| std::array::from_fn(|j| node.inertia[i][j] + m * pp[i][j]));
        let position = add(&node.shape.position, &p);
        Self { mass: m, position, inertia, slopes, translations, quadratic }
    }

    /// dI_s = λ_s~ Ic − Ic λ_s~, symmetric.
    pub fn turned_inertia(&self, s: usize) -> Matrix3 {
        let k = skew(&self.slopes[s]);
        let (a, b) = (matrix_product(&k, &self.inertia), matrix_product(&self.inertia, &k));
        std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] - b[i][j]))
    }
}
