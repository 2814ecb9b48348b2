//! How bodies look.

use super::fields::Fields;
use super::rotation::read_orientation;
use super::value::Value;
use crate::model::description::{GeometryDescription, GeometryFile, PictureDescription, RotationDescription};

const KEYS: [&str; 6] = ["box", "sphere", "cylinder", "file", "lines", "triangles"];

/// An entry of `[[picture]]`.
pub(super) fn read_picture(fields: &mut Fields<'_>) -> PictureDescription {
    let rotation = fields.get("rotation").and_then(|value| read_orientation(&value));
    PictureDescription {
        body: fields.need_text("body", "body = \"arm\""),
        geometry: read_geometry(fields),
        position: fields.vector3("position", [0.0; 3]),
        rotation: rotation.map_or(RotationDescription::Identity, RotationDescription::Quaternion),
        colour: fields.get("colour").and_then(|value| read_colour(&value)),
    }
}

fn read_geometry(fields: &mut Fields<'_>) -> GeometryDescription {
    let given = fields.one_of(&KEYS);
    if matches!(given, Some("lines" | "triangles")) {
        let reason = "lines and triangles lie where the nodes of the body are";
        fields.unused(&["position", "rotation", "colour"], reason);
    }
    let scale = fields.get("scale").and_then(|value| read_scale(&value));
    if given.is_some_and(|key| key != "file") {
        fields.unused(&["scale"], "only geometry files are scaled; sizes are in metres");
    }
    let geometry = given.and_then(|key| {
        let value = fields.get(key)?;
        match key {
            "file" => {
                let file = value.text()?.to_owned();
                let scale = scale.unwrap_or([1.0; 3]);
                Some(GeometryDescription::File(GeometryFile { file, scale }))
            }
            "box" => value.vector3().map(GeometryDescription::Box),
            "sphere" => value.f64().map(GeometryDescription::Sphere),
            "cylinder" => value.table(|fields| GeometryDescription::Cylinder {
                radius: fields.need_f64("radius", "radius = 0.05 (metres)"),
                length: fields.need_f64("length", "length = 0.4 (metres)"),
            }),
            "lines" => value.each(node_numbers).map(GeometryDescription::Lines),
            _ => value.each(node_numbers).map(GeometryDescription::Triangles),
        }
    });
    if given.is_none() {
        let help = "add one of: box = [x, y, z], sphere = radius, cylinder = { radius, length }, \
                    file = \"rod.stl\", lines = [[1, 2]], triangles = [[1, 2, 3]]";
        fields.missing("missing-key", &KEYS, "the picture draws nothing", help);
    }
    geometry.unwrap_or_else(|| {
        // The problem is reported; what stands in is not worth another message.
        fields.sink.unreliable(fields.path);
        GeometryDescription::Sphere(1.0)
    })
}

/// One factor, or one for each axis.
fn read_scale(value: &Value<'_>) -> Option<[f64; 3]> {
    if value.is_list() { value.vector3() } else { value.f64().map(|factor| [factor; 3]) }
}

/// `"#4f9fd4"`: red, green and blue.
fn read_colour(value: &Value<'_>) -> Option<[u8; 3]> {
    let text = value.text()?;
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    let number = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    if number.is_none() {
        let help = "write \"#rrggbb\" with hexadecimal digits, such as \"#4f9fd4\"";
        value.error("unknown-value", format!("`colour` cannot be \"{text}\""), help);
    }
    number.map(|number| [number >> 16, number >> 8, number].map(|level| level as u8))
}

/// Nodes of a line or triangle; files count from one.
fn node_numbers<const N: usize>(value: &Value<'_>) -> Option<[usize; N]> {
    let numbers = value.each(|number| {
        let count = number.count()?;
        if count == 0 {
            number.error("node-number", "nodes are counted from 1", "the first node has the number 1");
        }
        count.checked_sub(1)
    })?;
    let found = numbers.len();
    let array = numbers.try_into().ok();
    if array.is_none() {
        let message = format!("needs {N} nodes, but has {found}");
        value.error("wrong-length", message, format!("write a list of {N} node numbers"));
    }
    array
}
