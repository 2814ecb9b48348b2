//! Lumped nodes of a flexible body (JPL 90-26 section 3).

use super::section_turn::SectionTurn;
use crate::model::description::NodeDescription;
use crate::spatial::{Matrix3, Vector3};

/// How a point of a body moves with the modes.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(hidden)]
pub struct NodeShape {
    /// Undeformed position l0 in F_k (m).
    pub position: Vector3,
    /// Slopes λ: rotation per unit of each mode (rad).
    pub slopes: Vec<Vector3>,
    /// Translations γ per unit of each mode (m).
    pub translations: Vec<Vector3>,
    /// Quadratic translation Γ2, `modes × modes` row-major, symmetric; empty if none (m).
    pub quadratic: Vec<Vector3>,
    /// Rotation beyond the slopes, of sections of a beam that bends far.
    pub turn: Option<SectionTurn>,
}

impl NodeShape {
    /// A point that does not deform.
    pub fn rigid(position: Vector3, modes: usize) -> Self {
        Self {
            position,
            slopes: vec![[0.0; 3]; modes],
            translations: vec![[0.0; 3]; modes],
            quadratic: Vec::new(),
            turn: None,
        }
    }

    /// Whether no mode moves this point.
    pub fn is_rigid(&self) -> bool {
        let zero = |list: &[Vector3]| list.iter().all(|v| *v == [0.0; 3]);
        zero(&self.slopes) && zero(&self.translations) && zero(&self.quadratic)
    }
}

/// A node with mass: a small rigid body carried by the deformation.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(hidden)]
pub struct MassNode {
    /// Mass m (kg).
    pub mass: f64,
    /// Inertia J about the node origin, node axes (kg m²).
    pub inertia: Matrix3,
    /// Centre of mass p relative to the node origin (m).
    pub offset: Vector3,
    /// Motion of the node origin.
    pub shape: NodeShape,
}

/// Motion of a node of a modal body.
pub(crate) fn node_shape(node: &NodeDescription) -> NodeShape {
    NodeShape {
        position: node.position,
        slopes: node.slopes.clone(),
        translations: node.translations.clone(),
        quadratic: node.quadratic.clone(),
        turn: None,
    }
}

/// A described node with its mass.
pub(crate) fn mass_node(node: &NodeDescription) -> MassNode {
    MassNode { mass: node.mass, inertia: node.inertia, offset: node.offset, shape: node_shape(node) }
}
