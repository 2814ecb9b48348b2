//! Poses and axes as robots' files write them.
//!
//! URDF: `xyz` and `rpy`, R = Rz(yaw) Ry(pitch) Rx(roll). MJCF: `pos` and one of `quat` (w, x, y, z), `axisangle`, `euler`
//! (turned about the axes of `eulerseq`, those of the moving frame where letters are small, of the resting one where they
//! are large), `xyaxes` (y made normal to x) and `zaxis` (the shortest turn of z).

use super::xml::Node;
use crate::finding::Findings;
use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, Translation3, Unit, UnitQuaternion, Vector3};

/// Shorter than this, a vector has no direction.
const NO_LENGTH: f64 = 1e-12;

/// How a file writes angles.
#[derive(Clone, Debug)]
pub struct Angles {
    /// Radians in one unit of the file.
    pub unit: f64,
    /// Axes of `euler`.
    pub sequence: String,
}

/// The pose of a URDF `<origin>`; none is the identity.
pub fn origin(parent: &Node, findings: &mut Findings) -> Isometry3<f64> {
    let Some(node) = parent.one("origin", findings) else { return Isometry3::identity() };
    node.only(&["xyz", "rpy"], findings);
    let [x, y, z] = node.array("xyz", findings).unwrap_or_default();
    let [roll, pitch, yaw] = node.array("rpy", findings).unwrap_or_default();
    let turn = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    Isometry3::from_parts(Translation3::new(x, y, z), turn)
}

/// A direction of unit length.
pub fn direction(node: &Node, name: &str, otherwise: [f64; 3], findings: &mut Findings) -> Vector3<f64> {
    let given = Vector3::from(node.array(name, findings).unwrap_or(otherwise));
    match Unit::try_new(given, NO_LENGTH) {
        Some(unit) => unit.into_inner(),
        None => {
            let message = format!("<{}> `{name}` has no length", node.tag);
            findings.fault(&node.place, message, "give a direction such as \"0 0 1\"");
            Vector3::z()
        }
    }
}

/// Attributes by which MJCF turns something.
pub const TURNS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// The pose of an MJCF element.
pub fn pose(node: &Node, angles: &Angles, findings: &mut Findings) -> Isometry3<f64> {
    let [x, y, z] = node.array("pos", findings).unwrap_or_default();
    Isometry3::from_parts(Translation3::new(x, y, z), turn(node, angles, findings))
}

fn turn(node: &Node, angles: &Angles, findings: &mut Findings) -> UnitQuaternion<f64> {
    let given: Vec<&str> = TURNS.into_iter().filter(|name| node.text(name).is_some()).collect();
    let name = match given[..] {
        [] => return UnitQuaternion::identity(),
        [name] => name,
        _ => {
            let message = format!("<{}> is turned twice, by {}", node.tag, given.join(" and "));
            findings.fault(&node.place, message, "keep one of them");
            return UnitQuaternion::identity();
        }
    };
    let found = match name {
        "quat" => node
            .array(name, findings)
            .map(|[w, x, y, z]| Quaternion::new(w, x, y, z))
            .map(|q| (q.norm() > NO_LENGTH).then(|| UnitQuaternion::from_quaternion(q))),
        "axisangle" => node.array(name, findings).map(|[x, y, z, angle]| {
            let axis = Unit::try_new(Vector3::new(x, y, z), NO_LENGTH)?;
            Some(UnitQuaternion::from_axis_angle(&axis, angle * angles.unit))
        }),
        "euler" => node.array(name, findings).map(|turns| euler(turns, angles)),
        "xyaxes" => node.array(name, findings).map(|[a, b, c, d, e, f]| {
            let x = Unit::try_new(Vector3::new(a, b, c), NO_LENGTH)?.into_inner();
            let y = Vector3::new(d, e, f);
            let y = Unit::try_new(y - x * x.dot(&y), NO_LENGTH)?.into_inner();
            let matrix = Matrix3::from_columns(&[x, y, x.cross(&y)]);
            Some(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix)))
        }),
        _ => node
            .array(name, findings)
            .map(|[x, y, z]| Some(z_towards(&Unit::try_new(Vector3::new(x, y, z), NO_LENGTH)?.into_inner()))),
    };
    match found {
        Some(Some(turn)) => turn,
        Some(None) => {
            let message = format!("<{}> `{name}` gives no rotation", node.tag);
            findings.fault(&node.place, message, "give directions that have a length and differ");
            UnitQuaternion::identity()
        }
        None => UnitQuaternion::identity(),
    }
}

/// The shortest turn of z to a unit vector.
pub fn z_towards(to: &Vector3<f64>) -> UnitQuaternion<f64> {
    // Opposite directions leave the axis open: x, as MuJoCo takes it.
    UnitQuaternion::rotation_between(&Vector3::z(), to)
        .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI))
}

/// Turns about the axes of the sequence; `None` where it is none.
fn euler(turns: [f64; 3], angles: &Angles) -> Option<UnitQuaternion<f64>> {
    let mut total = UnitQuaternion::identity();
    for (letter, angle) in angles.sequence.chars().zip(turns) {
        let axis = match letter.to_ascii_lowercase() {
            'x' => Vector3::x_axis(),
            'y' => Vector3::y_axis(),
            'z' => Vector3::z_axis(),
            _ => return None,
        };
        let one = UnitQuaternion::from_axis_angle(&axis, angle * angles.unit);
        total = if letter.is_ascii_lowercase() { total * one } else { one * total };
    }
    Some(total)
}
