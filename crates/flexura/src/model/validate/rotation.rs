//! Axes, quaternions and rotation matrices: unit length, corrected where possible.

use super::Report;
use crate::diagnostic::Diagnostic;
use crate::model::description::{
    Description, ElementKindDescription, JointKindDescription as Kind, RotationDescription,
};
use crate::model::item::{Item, ItemPath, ROOT};
use crate::model::words;

/// Deviations of a length from one below this are rounding and not mentioned.
const ROUNDING: f64 = 1e-6;
/// Largest entry of RᵀR − 1 accepted in a rotation matrix.
const ORTHONORMAL: f64 = 1e-6;

/// Brings all axes and quaternions of a description to unit length.
pub(super) fn normalise(description: &mut Description, report: &mut Report) {
    let (ground, bodies, joints) = (ROOT.key("ground"), ROOT.key("body"), ROOT.key("joint"));
    let frames = ground.key("frame");
    for (k, frame) in description.ground_frames.iter_mut().enumerate() {
        let item = Item::named("ground frame", &frame.name, k);
        let path = frames.index(k);
        report.0.extend(check(&mut frame.rotation, &path.key("rotation"), &item));
    }
    for (i, body) in description.bodies.iter_mut().enumerate() {
        let owner = Item::named("body", &body.name, i);
        let body_path = bodies.index(i);
        let frames = body_path.key("frame");
        for (k, frame) in body.frames.iter_mut().enumerate() {
            let item = Item::named("frame", &frame.name, k).of(&owner);
            let path = frames.index(k);
            report.0.extend(check(&mut frame.rotation, &path.key("rotation"), &item));
        }
    }
    for (i, joint) in description.joints.iter_mut().enumerate() {
        let item = Item::named("joint", &joint.name, i);
        let path = joints.index(i);
        normalise_joint(&mut joint.kind, &mut joint.position, &path, &item, report);
    }
    let elements = ROOT.key("element");
    for (i, element) in description.elements.iter_mut().enumerate() {
        let ElementKindDescription::Frames(kind) = &mut element.kind else { continue };
        let Some(axis) = kind.axis_mut() else { continue };
        let item = Item::named("element", &element.name, i);
        let path = elements.index(i);
        report.0.extend(unit(axis, "axis", &path.key("axis"), &item));
    }
}

fn normalise_joint(
    kind: &mut Kind,
    position: &mut [f64],
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let mut unit = |axis: &mut [f64; 3], key| report.0.extend(unit(axis, "axis", &path.key(key), item));
    match kind {
        Kind::Revolute { axis }
        | Kind::Prismatic { axis }
        | Kind::Cylindrical { axis }
        | Kind::Helical { axis, .. }
        | Kind::Blade { axis } => unit(axis, "axis"),
        Kind::Rolling { axis, normal, .. } => {
            unit(axis, "axis");
            unit(normal, "normal");
        }
        Kind::Universal { axis, axis2 } => {
            unit(axis, "axis");
            unit(axis2, "axis2");
        }
        Kind::Spherical | Kind::Free => {
            if let Some(quaternion) = position.first_chunk_mut::<4>() {
                let path = path.key("orientation");
                report.0.extend(self::unit(quaternion, "quaternion", &path, item));
            }
        }
        Kind::Weld | Kind::Planar | Kind::Translational => {}
    }
}

/// Checks one rotation and brings its axis or quaternion to unit length.
pub(crate) fn check(
    rotation: &mut RotationDescription,
    path: &ItemPath<'_>,
    item: &Item<'_>,
) -> Option<Diagnostic> {
    match rotation {
        RotationDescription::Identity => None,
        RotationDescription::Quaternion(quaternion) => {
            unit(quaternion, "quaternion", &path.key("quaternion"), item)
        }
        RotationDescription::AxisAngle { axis, .. } => unit(axis, "axis", &path.key("axis"), item),
        RotationDescription::Matrix(matrix) => orthonormal(matrix, &path.key("matrix"), item),
    }
}

/// Divides by the length; `what` is "axis" or "quaternion".
fn unit<const N: usize>(
    vector: &mut [f64; N],
    what: &str,
    path: &ItemPath<'_>,
    item: &Item<'_>,
) -> Option<Diagnostic> {
    let largest = vector.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let given = words::numbers(vector);
    let (at, item) = (path.to_string(), item.to_string());
    if largest == 0.0 {
        let (code, help) = match what {
            "axis" => ("zero-axis", "give a direction, for example [0, 0, 1]"),
            _ => ("zero-quaternion", "no rotation is [1, 0, 0, 0]"),
        };
        let message = format!("the {what} {given} has no direction");
        return Some(Diagnostic::error(code, at, item, message, help));
    }
    if !largest.is_finite() {
        return None; // said elsewhere
    }
    // Scaling by the largest entry keeps the squares in range.
    let scaled = vector.map(|x| x / largest);
    let norm = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    *vector = scaled.map(|x| x / norm);
    let length = largest * norm;
    if (length - 1.0).abs() <= ROUNDING {
        return None;
    }
    let code = if what == "axis" { "axis-not-unit" } else { "quaternion-not-unit" };
    let length = words::number(length);
    let message = format!("the {what} {given} has length {length}, not 1; it was normalised");
    let help = format!("write {}", words::numbers(vector));
    Some(Diagnostic::warning(code, at, item, message, help))
}

fn orthonormal(matrix: &[[f64; 3]; 3], path: &ItemPath<'_>, item: &Item<'_>) -> Option<Diagnostic> {
    let mut defect = 0.0_f64;
    for i in 0..3 {
        for j in 0..3 {
            let product: f64 = (0..3).map(|k| matrix[k][i] * matrix[k][j]).sum();
            defect = defect.max((product - f64::from(u8::from(i == j))).abs());
        }
    }
    let (path, item) = (path.to_string(), item.to_string());
    if defect > ORTHONORMAL {
        let defect = words::number(defect);
        let message = format!("the rotation matrix is not orthonormal: RᵀR differs from 1 by {defect}");
        let help = "give more digits, or write the rotation as an axis and an angle";
        return Some(Diagnostic::error("matrix-not-orthonormal", path, item, message, help));
    }
    let [x, y, z] = matrix;
    let cross = [y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2], y[0] * z[1] - y[1] * z[0]];
    let determinant: f64 = x.iter().zip(cross).map(|(a, b)| a * b).sum();
    (determinant < 0.0).then(|| {
        let message = "the rotation matrix has determinant -1: it mirrors";
        let help = "change the sign of one row so that the axes are right-handed";
        Diagnostic::error("matrix-not-orthonormal", path, item, message, help)
    })
}

/// A checked rotation as a unit quaternion (w, x, y, z); `None` where it has none.
pub(crate) fn quaternion(rotation: &RotationDescription) -> Option<[f64; 4]> {
    match *rotation {
        RotationDescription::Identity => Some([1.0, 0.0, 0.0, 0.0]),
        RotationDescription::Quaternion(quaternion) => {
            quaternion.iter().any(|&x| x != 0.0).then_some(quaternion)
        }
        RotationDescription::AxisAngle { axis, angle } => {
            let (s, c) = (0.5 * angle).sin_cos();
            let [x, y, z] = axis.map(|component| s * component);
            Some([c, x, y, z])
        }
        RotationDescription::Matrix(matrix) => Some(of_matrix(&matrix)),
    }
}

/// Shepperd's method: divide by the largest of the four components.
fn of_matrix(r: &[[f64; 3]; 3]) -> [f64; 4] {
    let trace = r[0][0] + r[1][1] + r[2][2];
    let squares = [trace, r[0][0], r[1][1], r[2][2]].map(|x| 1.0 + 2.0 * x - trace);
    let largest = (0..4).fold(0, |best, k| if squares[k] > squares[best] { k } else { best });
    let (a, b, c) = (r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]);
    let (xy, xz, yz) = (r[0][1] + r[1][0], r[0][2] + r[2][0], r[1][2] + r[2][1]);
    let row = match largest {
        0 => [squares[0], a, b, c],
        1 => [a, squares[1], xy, xz],
        2 => [b, xy, squares[2], yz],
        _ => [c, xz, yz, squares[3]],
    };
    let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
    row.map(|x| x / norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_and_angles_give_the_same_quaternion() {
        for (axis, angle) in [([0.6, 0.0, 0.8], 0.3), ([0.0, 1.0, 0.0], 3.1), ([1.0, 0.0, 0.0], -2.9)] {
            let expected = quaternion(&RotationDescription::AxisAngle { axis, angle });
            let Some([w, x, y, z]) = expected else { continue };
            let matrix = [
                [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
                [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
                [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
            ];
            let found = of_matrix(&matrix);
            let sign: f64 = found.iter().zip([w, x, y, z]).map(|(a, b)| a * b).sum();
            assert!((sign.abs() - 1.0).abs() < 1e-14, "{found:?}");
        }
    }
}
