//! Joint coordinates and speeds that belong to a relative pose and velocity.
//!
//! Used where a joint changes its role between branch and chord: the state of
//! one tree becomes that of another. Offline.

use super::rows::{RelativeMotion, normals, wrapped};
use crate::linear::singular_values;
use crate::model::joint::{Joint, JointKind, JointMotion};
use crate::spatial::{
    Matrix3, Vector3, cross, dot, matrix_product, matrix_vector, quaternion_from_matrix, rotate_back6,
    rotation_exp, scale,
};

/// Coordinates of a joint of `kind` whose second frame has the pose of `motion` in its first; angles
/// come out nearest to `near`.
pub fn coordinates_at(kind: &JointKind, motion: &RelativeMotion, near: &[f64]) -> Vec<f64> {
    let (rotation, position) = (&motion.rotation, &motion.position);
    let close = |angle: f64, i: usize| {
        let near = near.get(i).copied().unwrap_or(0.0);
        near + wrapped(angle - near)
    };
    match kind {
        JointKind::Weld | JointKind::Rolling { .. } | JointKind::Blade { .. } => Vec::new(),
        JointKind::Revolute { axis } => vec![close(angle_about(axis, rotation), 0)],
        JointKind::Prismatic { axis } => vec![dot(axis, position)],
        JointKind::Cylindrical { axis } => vec![close(angle_about(axis, rotation), 0), dot(axis, position)],
        JointKind::Helical { axis, pitch } => vec![dot(axis, position) / pitch],
        JointKind::Universal { axis, axis2 } => {
            // R b = exp(a θ1) b, because the second rotation leaves b alone.
            let turned = matrix_vector(rotation, axis2);
            let first = angle_between(axis, axis2, &turned);
            let back: Matrix3 = rotation_exp(&scale(-first, axis));
            vec![close(first, 0), close(angle_about(axis2, &matrix_product(&back, rotation)), 1)]
        }
        JointKind::Spherical => quaternion_from_matrix(rotation).to_vec(),
        JointKind::Planar => {
            vec![position[0], position[1], close(angle_about(&[0.0, 0.0, 1.0], rotation), 2)]
        }
        JointKind::Translational => position.to_vec(),
        JointKind::Free => [&quaternion_from_matrix(rotation)[..], &position[..]].concat(),
    }
}

/// Speeds of a joint of `kind` at coordinates `q` for the relative velocity of `motion`: the least-squares
/// solution of Δ = H u.
pub fn speeds_at(kind: &JointKind, motion: &RelativeMotion, q: &[f64]) -> Vec<f64> {
    let count = kind.degrees_of_freedom();
    if count == 0 {
        return Vec::new();
    }
    let mut known = JointMotion::at_rest();
    Joint { kind: *kind, reversed: false }.evaluate(q, &vec![0.0; count], &mut known);
    // Δ in components of the second frame.
    let relative = rotate_back6(&motion.rotation, &motion.velocity);
    let columns = nalgebra::DMatrix::from_fn(6, count, |i, j| known.columns[j][i]);
    let right = nalgebra::DVector::from_column_slice(&relative);
    // Nothing can be said of numbers that are none: whoever evaluates them fails by name.
    let solved = singular_values(columns, true, true).and_then(|svd| svd.solve(&right, 1e-12).ok());
    solved.filter(|u| u.iter().all(|x| x.is_finite())).map_or(vec![0.0; count], |u| u.as_slice().to_vec())
}

/// Angle of `rotation` about `axis`.
fn angle_about(axis: &Vector3, rotation: &Matrix3) -> f64 {
    let [first, second] = normals(axis);
    let turned = matrix_vector(rotation, &first);
    dot(&second, &turned).atan2(dot(&first, &turned))
}

/// Angle about `axis` that takes `from` to `to`.
fn angle_between(axis: &Vector3, from: &Vector3, to: &Vector3) -> f64 {
    let side = cross(axis, from);
    let in_plane = cross(&side, axis);
    dot(to, &side).atan2(dot(to, &in_plane))
}
