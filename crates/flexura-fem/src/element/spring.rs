//! Springs between two nodes or to the body frame.
//!
//! Relative motion at the middle m of the two nodes: d = u_2 + theta_2 x (m - x_2) - u_1 -
//! theta_1 x (m - x_1), and theta_2 - theta_1; a rigid motion gives none. K = D^T R k R^T D
//! with the axes R and the six stiffnesses k.

use crate::mesh::{Mesh, Spring};
use nalgebra::{DMatrix, Matrix3, SMatrix, Vector3};

/// Nodes a spring works on.
pub fn nodes(spring: &Spring) -> Vec<usize> {
    [spring.node].into_iter().chain(spring.other).collect()
}

/// Stiffness in body axes, six rows per node, of a spring of a checked mesh.
pub fn stiffness(mesh: &Mesh, spring: &Spring) -> DMatrix<f64> {
    let place = |node: usize| Vector3::from(mesh.nodes[node]);
    let first = place(spring.node);
    let middle = spring.other.map_or(first, |other| (first + place(other)) / 2.0);
    let mut relative = DMatrix::zeros(6, 6 * nodes(spring).len());
    relative.view_mut((0, 0), (6, 6)).copy_from(&-arm(middle - first));
    if let Some(other) = spring.other {
        relative.view_mut((0, 6), (6, 6)).copy_from(&arm(middle - place(other)));
    }
    let axes = Matrix3::from_fn(|i, j| spring.axes[j][i]);
    let mut to_axes = SMatrix::<f64, 6, 6>::zeros();
    to_axes.fixed_view_mut::<3, 3>(0, 0).copy_from(&axes.transpose());
    to_axes.fixed_view_mut::<3, 3>(3, 3).copy_from(&axes.transpose());
    let local = to_axes * relative;
    let force = SMatrix::<f64, 6, 6>::from_diagonal(&spring.stiffness.into()) * &local;
    local.tr_mul(&force)
}

/// Motion of a point a rigid arm away from a node, from the node's six freedoms.
fn arm(arm: Vector3<f64>) -> SMatrix<f64, 6, 6> {
    let mut motion = SMatrix::<f64, 6, 6>::identity();
    motion.fixed_view_mut::<3, 3>(0, 3).copy_from(&-arm.cross_matrix());
    motion
}
