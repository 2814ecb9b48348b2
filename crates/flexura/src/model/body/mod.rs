//! Bodies: one small interface for rigid and flexible ones.
//!
//! A rigid body is a flexible body without modes. Every algorithm sees the same
//! few things of a body, all in components of its reference frame F_k:
//! the mass block `M_m(η)`, the bias `b_m`, the elastic force and, for each
//! attachment point, its frame, its Jacobian Π(η) and its bias acceleration.

mod attachment;
mod central_node;
mod curvature;
mod flexible;
mod held_modes;
mod modal_matrix;
mod node;
mod section_turn;
mod whole_block;

pub use attachment::{Attachment, AttachmentState};
pub(crate) use central_node::CentralNode;
pub use curvature::CurvatureEnergy;
pub(crate) use flexible::LARGEST_MODE_COUNT;
pub(crate) use flexible::residual_definiteness;
pub use flexible::{
    ConsistentInertia, GramInertia, MassBlock, NodeSumInertia, PaperInertia, RuthlessInertia,
};
pub use held_modes::held_frequencies;
pub use modal_matrix::ModalMatrix;
pub use node::{MassNode, NodeShape};
pub(crate) use node::{mass_node, node_shape};
pub use section_turn::SectionTurn;

use crate::model::description::{AttachmentRule, Carriers, InertiaLevel};
use crate::model::invariants::ModalInvariants;
use crate::scalar::Scalar;
use crate::spatial::{SymmetricSpatial, Vector3, cross, join};
use std::sync::Arc;

/// Most modes of one body (Jacobian columns live on the stack).
pub(crate) const LARGEST: usize = 256;

/// How a body's mass block and bias are evaluated.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub enum InertiaModel {
    /// Constant 6×6 inertia, no modes.
    Rigid(SymmetricSpatial),
    /// Constant mass block (JPL 90-26 eq. 8.1).
    Ruthless(Arc<RuthlessInertia>),
    /// Appendix B of JPL 90-26, corrected.
    Paper(Arc<PaperInertia>),
    /// The papers' rule summed over nodes, for bodies with quadratic translations.
    PaperNodes(Arc<NodeSumInertia>),
    /// Exact kinetic energy of carriers and a linear body.
    Gram(Arc<GramInertia>),
    /// Energy-exact polynomial.
    Consistent(Arc<ConsistentInertia>),
    /// Sums over nodes.
    Full(Arc<NodeSumInertia>),
}

/// One body of a model.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Number of modes.
    pub modes: usize,
    /// Inertia evaluation.
    pub inertia: InertiaModel,
    /// Carriers of level `gram`.
    pub carriers: Carriers,
    /// Rule for attachment points.
    pub rule: AttachmentRule,
    /// Modal stiffness (N/m per modal unit).
    pub stiffness: ModalMatrix,
    /// Strain energy of a beam beyond the modal stiffness.
    pub curvature: Option<Arc<CurvatureEnergy>>,
    /// Modal damping (N s/m per modal unit).
    pub damping: ModalMatrix,
    /// Attachment points; the first is the reference frame itself.
    pub attachments: Vec<Attachment>,
    /// Largest |slope| over all nodes per mode, for the linear-range warning (rad per modal unit).
    pub largest_slope: Vec<f64>,
    /// Largest displacement over all nodes per mode, relative to the size of the body.
    pub largest_shift: Vec<f64>,
    /// Distance of the farthest node from the reference (m).
    pub size: f64,
    /// Slopes of all nodes, node after node: modes together may bend more than each alone.
    pub node_slopes: Vec<Vector3>,
    /// The mass nodes from which the inertia was reduced.
    pub nodes: Arc<[MassNode]>,
    /// Sums over mass that is in no node, of bodies that come with them.
    pub sums: Option<Arc<ModalInvariants>>,
}

impl Body {
    /// Mass (kg).
    pub fn mass(&self) -> f64 {
        let in_nodes: f64 = self.nodes.iter().map(|node| node.mass).sum();
        in_nodes + self.sums.as_ref().map_or(0.0, |sums| sums.mass)
    }

    /// Largest rotation of a node by all modes together (rad).
    pub fn largest_rotation(&self, eta: &[f64]) -> f64 {
        let bound: f64 = eta.iter().zip(&self.largest_slope).map(|(x, slope)| x.abs() * slope).sum();
        // Cheap bound first: most bodies are far from any limit.
        if bound < 0.1 {
            return bound;
        }
        let nodes = self.node_slopes.chunks_exact(self.modes.max(1));
        let rotation = |slopes: &[Vector3]| {
            let sum = slopes
                .iter()
                .zip(eta)
                .fold([0.0; 3], |sum, (slope, x)| crate::spatial::add(&sum, &slope.map(|s| s * x)));
            crate::spatial::norm(&sum)
        };
        nodes.map(rotation).fold(0.0, f64::max)
    }

    /// Largest displacement of a node by all modes together, relative to the size of the body, where it may be more
    /// than `known`; else `known`. The modes are added up node by node: their sizes one by one would depend on
    /// which shapes span the same motion.
    pub fn largest_deflection(&self, eta: &[f64], known: f64) -> f64 {
        let bound: f64 = eta.iter().zip(&self.largest_shift).map(|(x, shift)| x.abs() * shift).sum();
        if bound <= known || self.size <= 0.0 {
            return known;
        }
        let moved = |node: &MassNode| {
            let translations = node.shape.translations.iter().zip(eta);
            crate::spatial::norm(
                &translations
                    .fold([0.0; 3], |sum, (shape, x)| crate::spatial::add(&sum, &shape.map(|s| s * x))),
            )
        };
        self.nodes.iter().map(moved).fold(known * self.size, f64::max) / self.size
    }
}

impl Body {
    /// Adds the elastic forces at the modal coordinates `eta` to `out`.
    #[inline(always)]
    pub fn add_elastic_forces<S: Scalar>(&self, eta: &[S], out: &mut [S]) {
        self.stiffness.accumulate(eta, out);
        if let Some(curvature) = &self.curvature {
            curvature.accumulate(eta, out);
        }
    }

    /// Strain energy (J).
    pub fn elastic_energy<S: Scalar>(&self, eta: &[S]) -> S {
        let quadratic = self.stiffness.quadratic_form(eta) * 0.5;
        match &self.curvature {
            Some(curvature) => quadratic + curvature.energy(eta),
            None => quadratic,
        }
    }

    /// Gives the body the numbers closest to those of `other`, where others say the same.
    pub(crate) fn align(&mut self, other: &Self) {
        if let (InertiaModel::Gram(own), InertiaModel::Gram(other)) = (&mut self.inertia, &other.inertia) {
            *own = Arc::new(own.aligned(other));
        }
    }

    /// The inertia level the body was built with; rigid bodies count as `Full`.
    pub fn level(&self) -> InertiaLevel {
        match self.inertia {
            InertiaModel::Ruthless(_) => InertiaLevel::Ruthless,
            InertiaModel::Paper(_) | InertiaModel::PaperNodes(_) => InertiaLevel::Paper,
            InertiaModel::Consistent(_) => InertiaLevel::Consistent,
            InertiaModel::Gram(_) => InertiaLevel::Gram,
            InertiaModel::Rigid(_) | InertiaModel::Full(_) => InertiaLevel::Full,
        }
    }

    /// Numbers of scratch that [`Body::evaluate`] needs in its [`MassBlock`].
    pub fn scratch(&self) -> usize {
        match &self.inertia {
            InertiaModel::Gram(inertia) => inertia.scratch(),
            _ => 0,
        }
    }

    /// Whether the mass block never changes, so that it is filled once.
    pub fn has_constant_mass(&self) -> bool {
        matches!(self.inertia, InertiaModel::Rigid(_) | InertiaModel::Ruthless(_))
    }

    /// Fills the parts of the mass block that never change.
    pub fn fill_constant_mass<S: Scalar>(&self, out: &mut MassBlock<'_, S>) {
        match &self.inertia {
            InertiaModel::Rigid(inertia) => *out.rigid = SymmetricSpatial::lift(inertia),
            InertiaModel::Ruthless(inertia) => inertia.fill_mass(out),
            _ => {}
        }
    }

    /// Mass block and bias for deformation `eta`, its rate `rate` and angular velocity `omega`.
    pub fn evaluate<S: Scalar>(&self, eta: &[S], rate: &[S], omega: &Vector3<S>, out: &mut MassBlock<'_, S>) {
        self.inertia.evaluate(eta, rate, omega, out);
    }
}

impl InertiaModel {
    #[inline(always)]
    fn evaluate<S: Scalar>(&self, eta: &[S], rate: &[S], omega: &Vector3<S>, out: &mut MassBlock<'_, S>) {
        match self {
            Self::Rigid(_) => *out.bias_rigid = rigid_bias(out.rigid, omega),
            Self::Ruthless(inertia) => inertia.evaluate_bias(omega, out),
            Self::Paper(inertia) => inertia.evaluate(eta, rate, omega, out),
            Self::Consistent(inertia) => inertia.evaluate(eta, rate, omega, out),
            Self::Gram(inertia) => inertia.evaluate(eta, rate, omega, out),
            Self::PaperNodes(inertia) | Self::Full(inertia) => inertia.evaluate(eta, rate, omega, out),
        }
    }
}

/// Gyroscopic force of a rigid inertia: [ω × Jω ; ω × (ω × m c)].
#[inline(always)]
fn rigid_bias<S: Scalar>(inertia: &SymmetricSpatial<S>, omega: &Vector3<S>) -> [S; 6] {
    let a = &inertia.angular;
    let angular_momentum = [
        a[0] * omega[0] + a[1] * omega[1] + a[2] * omega[2],
        a[1] * omega[0] + a[3] * omega[1] + a[4] * omega[2],
        a[2] * omega[0] + a[4] * omega[1] + a[5] * omega[2],
    ];
    let momentum = cross(omega, &inertia.mass_moment());
    join(&cross(omega, &angular_momentum), &cross(omega, &momentum))
}
