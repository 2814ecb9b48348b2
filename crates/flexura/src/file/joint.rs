//! Joints: kind, geometry and the state at the start.

use super::coordinate::{per_coordinate, read_coordinates};
use super::fields::Fields;
use super::rotation::read_orientation;
use super::synonyms;
use crate::model::description::{JointDescription, JointKindDescription as Kind};

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Joint types by name; axes and pitch are filled in afterwards.
const TYPES: [(&str, Tag); 12] = [
    ("weld", Tag::Weld),
    ("revolute", Tag::Revolute),
    ("prismatic", Tag::Prismatic),
    ("cylindrical", Tag::Cylindrical),
    ("helical", Tag::Helical),
    ("universal", Tag::Universal),
    ("spherical", Tag::Spherical),
    ("planar", Tag::Planar),
    ("translational", Tag::Translational),
    ("free", Tag::Free),
    ("rolling", Tag::Rolling),
    ("blade", Tag::Blade),
];

#[derive(Clone, Copy, PartialEq)]
enum Tag {
    Weld,
    Revolute,
    Prismatic,
    Cylindrical,
    Helical,
    Universal,
    Spherical,
    Planar,
    Translational,
    Free,
    Rolling,
    Blade,
}

/// What coordinates of a joint start with or feel.
const OF_COORDINATES: [&str; 10] = [
    "position",
    "orientation",
    "speed",
    "stiffness",
    "rest",
    "damping",
    "friction",
    "friction_speed",
    "effort",
    "motion",
];

/// An entry of `[[joint]]`.
pub(super) fn read_joint(fields: &mut Fields<'_>) -> JointDescription {
    let name = fields.need_text("name", "name = \"elbow\"");
    let between = read_between(fields, "frames", "[\"ground.origin\", \"arm.root\"]");
    let help = "type = \"revolute\"";
    let tag = fields.need("type", help).and_then(|value| value.choice_with(&TYPES, other_words));
    let Some(tag) = tag else { return stand_in(fields, name, between) };
    let kind = read_kind(fields, tag);
    if kind.is_nonholonomic() {
        fields.allow(&OF_COORDINATES);
        fields.unused(
            &OF_COORDINATES,
            "this type of joint has no coordinates: give it to the joint that carries the body",
        );
        let (position, speed, coordinates) = Default::default();
        return JointDescription { name, between, position, speed, coordinates, kind };
    }
    JointDescription {
        name,
        between,
        position: read_position(fields, &kind),
        speed: per_coordinate(fields, "speed", kind.degrees_of_freedom(), |value| value.f64()),
        coordinates: read_coordinates(fields, kind.degrees_of_freedom()),
        kind,
    }
}

/// What to say to the word of another program, or to one that is an element here.
fn other_words(word: &str) -> Option<String> {
    if let Some(ours) = synonyms::ours(&synonyms::JOINTS, word) {
        return Some(format!("did you mean \"{ours}\"? (that is what \"{word}\" is called here)"));
    }
    let element = super::element::our_type(word)?;
    Some(format!("a \"{word}\" is a force here: write [[element]] with type = \"{element}\""))
}

/// Our type of joint for a word, ours or another program's.
pub(super) fn our_type(word: &str) -> Option<&'static str> {
    let own = TYPES.iter().map(|(own, _)| *own).find(|own| *own == word);
    own.or_else(|| synonyms::ours(&synonyms::JOINTS, word))
}

/// A joint whose type is unknown: nothing about its coordinates can be said.
fn stand_in(fields: &mut Fields<'_>, name: String, between: [String; 2]) -> JointDescription {
    fields.allow(&["axis", "axis2", "pitch", "radius", "normal"]);
    fields.allow(&OF_COORDINATES);
    fields.sink.unreliable(&fields.path.key("type"));
    let (position, speed, coordinates) = Default::default();
    JointDescription { name, kind: Kind::Weld, between, position, speed, coordinates }
}

/// The two things a joint or element connects, `nouns` in words.
pub(super) fn read_between(fields: &mut Fields<'_>, nouns: &str, example: &str) -> [String; 2] {
    let help = format!("between = {example}");
    let value = fields.need("between", &help);
    let names = value.and_then(|value| {
        let names = value.each(|name| name.text().map(str::to_owned))?;
        let found = names.len();
        let pair = <[String; 2]>::try_from(names).ok();
        if pair.is_none() {
            let message = format!("`between` needs 2 {nouns}, but has {found}");
            value.error("wrong-length", message, help);
        }
        pair
    });
    names.unwrap_or_default()
}

fn read_kind(fields: &mut Fields<'_>, tag: Tag) -> Kind {
    let axis = fields.vector3("axis", Z);
    let axis2 = fields.vector3("axis2", X);
    let pitch = fields.f64("pitch", 0.0);
    let (radius, normal) = (fields.f64("radius", 0.0), fields.vector3("normal", Z));
    if tag == Tag::Translational {
        fields.unused(
            &["axis"],
            "this type of joint slides in all three directions: along one axis it is \"prismatic\"",
        );
    } else if matches!(tag, Tag::Weld | Tag::Spherical | Tag::Planar | Tag::Free) {
        fields.unused(&["axis"], "this type of joint has no axis");
    }
    if tag != Tag::Universal {
        fields.unused(&["axis2"], "only a universal joint has a second axis");
    }
    if tag != Tag::Helical {
        fields.unused(&["pitch"], "only a helical joint has a pitch");
    } else {
        fields.need("pitch", "pitch = 0.001 (metres of advance per radian)");
    }
    if tag != Tag::Rolling {
        fields.unused(&["radius", "normal"], "only a rolling joint has a disc and a plane");
    } else {
        fields.need("radius", "radius = 0.3 (metres)");
    }
    match tag {
        Tag::Weld => Kind::Weld,
        Tag::Revolute => Kind::Revolute { axis },
        Tag::Prismatic => Kind::Prismatic { axis },
        Tag::Cylindrical => Kind::Cylindrical { axis },
        Tag::Helical => Kind::Helical { axis, pitch },
        Tag::Universal => Kind::Universal { axis, axis2 },
        Tag::Spherical => Kind::Spherical,
        Tag::Planar => Kind::Planar,
        Tag::Translational => Kind::Translational,
        Tag::Free => Kind::Free,
        Tag::Rolling => Kind::Rolling { radius, axis, normal },
        Tag::Blade => Kind::Blade { axis },
    }
}

/// Initial coordinates; orientations become a quaternion in front.
fn read_position(fields: &mut Fields<'_>, kind: &Kind) -> Vec<f64> {
    let orientation = fields.get("orientation");
    match kind {
        Kind::Spherical => {
            if fields.has("position") {
                let help = "write orientation = { axis = [0, 0, 1], angle_deg = 30 }";
                let message = "a spherical joint has an orientation, not a `position`";
                fields.error("wrong-key", "position", message, help);
            }
            fields.allow(&["position"]);
            let quaternion = orientation.and_then(|value| read_orientation(&value));
            quaternion.map(|quaternion| quaternion.to_vec()).unwrap_or_default()
        }
        Kind::Free => {
            let quaternion = orientation.as_ref().and_then(read_orientation);
            let given = orientation.is_some() || fields.has("position");
            let place = fields.vector3("position", [0.0; 3]);
            let quaternion = quaternion.unwrap_or([1.0, 0.0, 0.0, 0.0]);
            if given { [&quaternion[..], &place[..]].concat() } else { Vec::new() }
        }
        _ => {
            let reason = "only spherical and free joints have an orientation";
            fields.unused(&["orientation"], reason);
            per_coordinate(fields, "position", kind.degrees_of_freedom(), |value| value.f64())
        }
    }
}
