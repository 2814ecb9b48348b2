//! Described rotations as matrices.

use super::description::RotationDescription;

/// The rotation of a frame description as a matrix.
pub(crate) fn rotation_matrix(rotation: &RotationDescription) -> [[f64; 3]; 3] {
    match rotation {
        RotationDescription::Identity => super::IDENTITY,
        RotationDescription::Quaternion(q) => crate::spatial::matrix_from_quaternion(q),
        RotationDescription::AxisAngle { axis, angle } => {
            let length = crate::spatial::norm(axis);
            let scaled = if length > 0.0 { axis.map(|x| x * angle / length) } else { [0.0; 3] };
            crate::spatial::rotation_exp(&scaled)
        }
        RotationDescription::Matrix(m) => *m,
    }
}
