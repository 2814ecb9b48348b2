//! Level `full`: exact sums over the nodes, inertia carried by each node.
//!
//! Source: book/src/theory/inertia.md (IN.3), (IN.4). With A_j = exp((λ_j η)~), J' = A J A*, p' = A p
//! and G_j = [Π_j(η), phi*(k,j)]:
//! `M_m = Σ G* M' G`, `b_m = Σ G* ([ω_j × J'ω_j ; m ω_j × (ω_j × p')] + M' a_j)`.
//! Cost O(nodes × n²): the reference, and the choice for large slopes.
//!
//! The same sums with the papers' rule (Π_j constant, J and p frozen in F_k,
//! JPL 90-26 eqs 3.1-3.3, 3.23-3.25, 3.29-3.33, 3.39) serve level `paper` where Appendix B has no
//! integrals: bodies with quadratic translations.

use super::MassBlock;
use crate::model::body::{Attachment, MassNode};
use crate::model::description::AttachmentRule;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, SymmetricSpatial, Vector3, add, angular, cross, dot6, identity3, join, lift_matrix,
    matrix_product, matrix_product_transposed, matrix_vector, scale, shift_force,
};

/// Most modes of a body at level `full`; the node Jacobian lives on the stack.
pub(crate) const LARGEST_MODE_COUNT: usize = 64;

/// The mass nodes of one body.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct NodeSumInertia {
    nodes: Vec<(Attachment, MassNode)>,
    rule: AttachmentRule,
}

impl NodeSumInertia {
    /// Exact sums over the nodes that have mass or inertia.
    pub fn new(nodes: &[MassNode]) -> Self {
        Self::with_rule(nodes, AttachmentRule::Exact)
    }

    /// Sums by the papers' rule.
    pub fn paper(nodes: &[MassNode]) -> Self {
        Self::with_rule(nodes, AttachmentRule::LambdaEtad)
    }

    fn with_rule(nodes: &[MassNode], rule: AttachmentRule) -> Self {
        let heavy = |node: &&MassNode| node.mass != 0.0 || node.inertia != [[0.0; 3]; 3];
        Self {
            nodes: nodes
                .iter()
                .filter(heavy)
                .map(|node| (Attachment::new(node.shape.clone(), rule), node.clone()))
                .collect(),
            rule,
        }
    }

    /// Mass block and bias at `eta`, `rate`, `omega`.
    pub fn evaluate<S: Scalar>(&self, eta: &[S], rate: &[S], omega: &Vector3<S>, out: &mut MassBlock<'_, S>) {
        let n = eta.len();
        *out.rigid = SymmetricSpatial::ZERO;
        *out.bias_rigid = [S::ZERO; 6];
        out.coupling.fill([S::ZERO; 6]);
        out.modal.fill(S::ZERO);
        out.bias_modal.fill(S::ZERO);
        let mut columns = [[S::ZERO; 6]; LARGEST_MODE_COUNT];
        let influence = &mut columns[..n];
        for (attachment, node) in &self.nodes {
            if attachment.constant {
                influence.fill([S::ZERO; 6]);
            }
            let state = attachment.evaluate(self.rule, eta, rate, influence);
            let carried = if self.rule == AttachmentRule::Exact { state.rotation } else { identity3() };
            let (inertia, offset) = carried_inertia(node, &carried);
            let spin = add(omega, &angular(&state.rate));
            let momentum_rate = add6_force(&inertia, &state.bias(omega), &spin, &offset, node.mass);
            let local = shift_force(&state.position, &momentum_rate);
            for i in 0..6 {
                out.bias_rigid[i] += local[i];
            }
            out.rigid.accumulate(&inertia.shifted(&state.position));
            for r in 0..n {
                out.bias_modal[r] += dot6(&influence[r], &momentum_rate);
                let force = inertia.apply(&influence[r]);
                let shifted = shift_force(&state.position, &force);
                for i in 0..6 {
                    out.coupling[r][i] += shifted[i];
                }
                for s in 0..=r {
                    out.modal[r * n + s] += dot6(&influence[s], &force);
                }
            }
        }
        for r in 0..n {
            for s in 0..r {
                out.modal[s * n + r] = out.modal[r * n + s];
            }
        }
    }
}

/// Node inertia and offset turned by the node's rotation.
fn carried_inertia<S: Scalar>(
    node: &MassNode,
    rotation: &crate::spatial::Matrix3<S>,
) -> (SymmetricSpatial<S>, Vector3<S>) {
    let offset = matrix_vector(rotation, &crate::spatial::lift3(&node.offset));
    let turned = matrix_product_transposed(&matrix_product(rotation, &lift_matrix(&node.inertia)), rotation);
    let mass = S::from_f64(node.mass);
    (SymmetricSpatial::rigid(mass, &scale(mass, &offset), &turned), offset)
}

/// M' a + [ω × J'ω ; m ω × (ω × p')].
fn add6_force<S: Scalar>(
    inertia: &SymmetricSpatial<S>,
    bias: &Spatial<S>,
    spin: &Vector3<S>,
    offset: &Vector3<S>,
    mass: f64,
) -> Spatial<S> {
    let a = &inertia.angular;
    let h = [
        a[0] * spin[0] + a[1] * spin[1] + a[2] * spin[2],
        a[1] * spin[0] + a[3] * spin[1] + a[4] * spin[2],
        a[2] * spin[0] + a[4] * spin[1] + a[5] * spin[2],
    ];
    let gyroscopic = join(&cross(spin, &h), &scale(S::from_f64(mass), &cross(spin, &cross(spin, offset))));
    crate::spatial::add6(&inertia.apply(bias), &gyroscopic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn massless_nodes_are_dropped() {
        let heavy = MassNode { mass: 1.0, ..MassNode::default() };
        let sum = NodeSumInertia::new(&[MassNode::default(), heavy]);
        assert_eq!(sum.nodes.len(), 1);
    }
}
