//! A joint placed in the tree: its two mounts, coordinates and precomputed pose.

use super::coordinate::Coordinate;
use super::joint::{Joint, JointKind};
use super::orientation::Orientation;
use crate::spatial::{
    Matrix3, Spatial, Vector3, add, cross, join, matrix_product, matrix_product_transposed, matrix_vector,
    scale, skew, sub,
};

/// A frame fixed to an attachment point.
#[derive(Clone, Debug)]
pub struct Mount {
    /// Attachment index on the body; zero is its reference frame.
    pub attachment: usize,
    /// Origin relative to the attachment point, in its axes (m).
    pub position: Vector3,
    /// Orientation relative to the attachment point.
    pub rotation: Orientation,
}

/// The inboard joint of a body.
#[derive(Clone, Debug)]
pub struct TreeJoint {
    /// Name.
    pub name: String,
    /// Kind and direction.
    pub joint: Joint,
    /// Parent body in tree order, or `None` for the ground.
    pub parent: Option<usize>,
    /// Whether the second named frame is the inboard one.
    pub swapped: bool,
    /// Frame O⁺ on the parent.
    pub outer: Mount,
    /// Frame O on the body.
    pub inner: Mount,
    /// What acts on each degree of freedom.
    pub coordinates: Vec<Coordinate>,
    /// Short cut for one-axis joints between points that never deform.
    pub(crate) fixed: Option<FixedMount>,
}

/// Pose of F_k in the parent attachment as
/// `rotation0 + s rotation1 + (1−c) rotation2` (and likewise the offset, plus
/// `slide q`), for joints with one axis between rigid or frozen attachments.
///
/// Saves two matrix products per body in every evaluation.
#[derive(Clone, Debug)]
pub(crate) struct FixedMount {
    /// Constant part of the rotation F_k → parent.
    pub rotation: [Matrix3; 3],
    /// Parts of the vector from the parent attachment to F_k, parent axes.
    pub offset: [Vector3; 3],
    /// Advance of the offset per unit of the coordinate, parent axes.
    pub slide: Vector3,
    /// The motion column at F_k in F_k components.
    pub column: Spatial,
    /// Whether the coordinate turns the body.
    pub turns: bool,
    /// Position of O in F_k.
    pub hinge: Vector3,
}

impl FixedMount {
    /// The short cut for `joint` between mounts at `outer_point` (parent) and `inner_point`
    /// (body), where it applies.
    pub fn new(joint: &Joint, outer: &Mount, inner: &Mount, inner_point: &Vector3) -> Option<Self> {
        if joint.reversed {
            return None;
        }
        let (axis, spin, advance) = match joint.kind {
            JointKind::Weld => ([0.0; 3], 0.0, 0.0),
            JointKind::Revolute { axis } => (axis, 1.0, 0.0),
            JointKind::Prismatic { axis } => (axis, 0.0, 1.0),
            JointKind::Helical { axis, pitch } => (axis, 1.0, pitch),
            _ => return None,
        };
        let hinge = add(inner_point, &inner.position);
        let turn = skew(&scale(spin, &axis));
        let between =
            |m: &Matrix3| matrix_product_transposed(&matrix_product(&outer.rotation, m), &inner.rotation);
        let rotation = [between(&super::IDENTITY), between(&turn), between(&matrix_product(&turn, &turn))];
        let swing = |m: &Matrix3| scale(-1.0, &matrix_vector(m, &hinge));
        let offset = [
            sub(&outer.position, &matrix_vector(&rotation[0], &hinge)),
            swing(&rotation[1]),
            swing(&rotation[2]),
        ];
        let axis_in_body = matrix_vector(&inner.rotation, &axis);
        let spin_axis = scale(spin, &axis_in_body);
        let column = join(&spin_axis, &add(&scale(advance, &axis_in_body), &cross(&hinge, &spin_axis)));
        let slide = scale(advance, &matrix_vector(&outer.rotation, &axis));
        Some(Self { rotation, offset, slide, column, turns: spin != 0.0, hinge })
    }
}
