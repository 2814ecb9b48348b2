//! Rotations and frames.

use super::fields::Fields;
use super::value::Value;
use crate::model::description::{FrameDescription, Place, RotationDescription};
use crate::model::validate::rotation;

/// Keys of which a rotation has one.
const KEYS: [&str; 3] = ["quaternion", "axis", "matrix"];
/// Help for a rotation that says nothing or too much.
const FORMS: &str = "write { axis = [x, y, z], angle_deg = 90 }, { axis = [x, y, z], angle = \
                     1.57 }, { quaternion = [w, x, y, z] } or { matrix = [[..], [..], [..]] }";

/// A rotation table.
pub(super) fn read_rotation(value: &Value<'_>) -> Option<RotationDescription> {
    value.table(|fields| {
        fields.allow(&["quaternion", "axis", "matrix", "angle", "angle_deg"]);
        match fields.one_of(&KEYS) {
            Some("quaternion") => fields.get("quaternion")?.array().map(RotationDescription::Quaternion),
            Some("axis") => axis_angle(fields),
            Some(_) => fields.get("matrix")?.matrix3().map(RotationDescription::Matrix),
            None => {
                fields.missing("missing-key", &KEYS, "the rotation is empty", FORMS);
                None
            }
        }
    })?
}

fn axis_angle(fields: &mut Fields<'_>) -> Option<RotationDescription> {
    let axis = fields.get("axis").and_then(|value| value.vector3());
    let angle = match fields.one_of(&["angle", "angle_deg"]) {
        Some("angle") => fields.get("angle")?.f64(),
        Some(_) => fields.get("angle_deg")?.f64().map(f64::to_radians),
        None => {
            let help = "write angle = 1.57 (radians) or angle_deg = 90";
            fields.missing("missing-key", &["angle", "angle_deg"], "`angle` is missing", help);
            None
        }
    };
    Some(RotationDescription::AxisAngle { axis: axis?, angle: angle? })
}

/// A rotation as a unit quaternion, checked here because the description of a
/// joint holds only the result.
pub(super) fn read_orientation(value: &Value<'_>) -> Option<[f64; 4]> {
    let mut given = read_rotation(value)?;
    let findings = rotation::check(&mut given, &value.path, value.item);
    findings.into_iter().for_each(|finding| value.sink.push(finding));
    rotation::quaternion(&given)
}

/// A frame on the ground.
pub(super) fn read_ground_frame(fields: &mut Fields<'_>) -> FrameDescription {
    FrameDescription { place: Place::Origin, ..frame(fields) }
}

/// A frame on a body; `length` is that of a beam.
pub(super) fn read_frame(fields: &mut Fields<'_>, length: Option<f64>) -> FrameDescription {
    let mut frame = frame(fields);
    frame.place = match fields.one_of(&["node", "station"]) {
        Some("node") => {
            let node = fields.get("node").and_then(|value| value.text());
            Place::Node(node.unwrap_or_default().to_owned())
        }
        Some(_) => {
            let station = fields.get("station").and_then(|value| read_station(&value, length));
            Place::Station(station.unwrap_or(0.0))
        }
        None => Place::Origin,
    };
    frame
}

fn frame(fields: &mut Fields<'_>) -> FrameDescription {
    FrameDescription {
        name: fields.need_text("name", "name = \"tip\""),
        place: Place::Origin,
        position: fields.vector3("position", [0.0; 3]),
        rotation: fields.get("rotation").and_then(|value| read_rotation(&value)).unwrap_or_default(),
    }
}

/// Metres from the root, or the name of an end.
fn read_station(value: &Value<'_>, length: Option<f64>) -> Option<f64> {
    if value.node.is_text() {
        let root = 0.0;
        // On a body that is no beam, validation refuses any station.
        return value.choice(&[("root", root), ("tip", length.unwrap_or(root))]);
    }
    value.f64()
}
