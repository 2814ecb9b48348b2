//! Bodies: names, frames and what they are made of.

use super::beam::read_beam;
use super::fields::Fields;
use super::modal::read_modal;
use super::rotation::read_frame;
use super::value::Value;
use crate::model::description::{
    AttachmentRule, BodyDescription, BodyKind, Carriers, InertiaLevel, RigidDescription,
};
use crate::model::words;

const LEVELS: [(&str, InertiaLevel); 5] = [
    (InertiaLevel::Ruthless.word(), InertiaLevel::Ruthless),
    (InertiaLevel::Paper.word(), InertiaLevel::Paper),
    (InertiaLevel::Gram.word(), InertiaLevel::Gram),
    (InertiaLevel::Consistent.word(), InertiaLevel::Consistent),
    (InertiaLevel::Full.word(), InertiaLevel::Full),
];

const ATTACHMENTS: [(&str, AttachmentRule); 3] = [
    ("exact", AttachmentRule::Exact),
    ("lambda_etad", AttachmentRule::LambdaEtad),
    ("frozen", AttachmentRule::Frozen),
];

const CARRIERS: [(&str, Carriers); 4] = [
    ("affine", Carriers::Affine),
    ("modal", Carriers::Modal),
    ("quadratic", Carriers::Quadratic),
    ("cubic", Carriers::Cubic),
];

/// Keys of which a body has one.
const KINDS: [&str; 5] = ["mass", "point_mass", "modal", "beam", "fe"];
const RIGID_KEYS: [&str; 3] = ["mass", "inertia", "center_of_mass"];

/// An entry of `[[body]]`.
pub(super) fn read_body(fields: &mut Fields<'_>) -> BodyDescription {
    let name = fields.need_text("name", "name = \"arm\"");
    let level = fields.choice("level", &LEVELS);
    let attachments = fields.choice("attachments", &ATTACHMENTS);
    let carriers = fields.choice("carriers", &CARRIERS);
    let before = fields.sink.count();
    let kind = read_kind(fields);
    if fields.sink.count() > before {
        // Sizes of initial values cannot be judged against a stand-in.
        fields.sink.unreliable(&crate::model::item::ROOT.key("simulation").key("initial"));
    }
    let length = match &kind {
        BodyKind::Beam(beam) => Some(beam.length),
        _ => None,
    };
    let frames = fields.entries("frame", "frame", |frame| read_frame(frame, length));
    BodyDescription { name, kind, frames, level, attachments, carriers }
}

/// What the body is; a rigid stand-in where that cannot be told.
fn read_kind(fields: &mut Fields<'_>) -> BodyKind {
    fields.allow(&["mass", "inertia", "center_of_mass", "point_mass", "modal", "beam", "fe"]);
    let rigid = fields.given(&RIGID_KEYS);
    let other = fields.given(&["point_mass", "modal", "beam", "fe"]);
    let given = [&rigid[..rigid.len().min(1)], &other[..]].concat();
    if let [first, second, ..] = given[..] {
        let message = format!("gives both `{first}` and `{second}`");
        let help = "a body is one of: rigid (mass and inertia), point_mass, modal, beam, fe; a further \
                    mass is a body of its own, welded to this one";
        fields.error("conflicting-keys", second, message, help);
    }
    let kind = match other.first() {
        _ if !rigid.is_empty() => Some(BodyKind::Rigid(read_rigid(fields))),
        Some(&"point_mass") => Some(BodyKind::PointMass { mass: fields.f64("point_mass", 0.0) }),
        Some(&"modal") => fields.section("modal", read_modal).map(BodyKind::Modal),
        Some(&"beam") => fields.section("beam", read_beam).map(BodyKind::Beam),
        Some(_) => fields.get("fe").and_then(|value| read_part(&value)),
        None => {
            let help = "write `mass` and `inertia`, or `point_mass`, or a table [body.modal] or \
                        [body.beam], or fe = \"part.toml\"";
            fields.missing("missing-mass", &KINDS, "has no mass", help);
            None
        }
    };
    kind.unwrap_or_else(|| {
        fields.sink.unreliable(fields.path);
        BodyKind::Rigid(RigidDescription::default())
    })
}

/// The name of a finite element part or of a reduced-body file.
fn read_part(value: &Value<'_>) -> Option<BodyKind> {
    let file = value.text()?;
    if file.is_empty() {
        value.error("unknown-value", "`fe` names no file", "write fe = \"part.toml\"");
        return None;
    }
    Some(BodyKind::FiniteElements { file: file.to_owned() })
}

fn read_rigid(fields: &mut Fields<'_>) -> RigidDescription {
    let mass = fields.get("mass").and_then(|value| value.f64());
    if !fields.has("mass") {
        fields.missing("missing-mass", &["mass"], "has no mass", "write mass = 1.0 (kilograms)");
    }
    if !fields.has("inertia") {
        let shown = mass.map_or("..".into(), words::number);
        let help = format!(
            "write inertia = [Ixx, Iyy, Izz] about the centre of mass; for a body without rotary \
             inertia replace `mass` by point_mass = {shown}"
        );
        fields.missing("missing-inertia", &["inertia"], "has a mass but no `inertia`", help);
    }
    RigidDescription {
        mass: mass.unwrap_or(0.0),
        center_of_mass: fields.vector3("center_of_mass", [0.0; 3]),
        inertia: fields.get("inertia").and_then(|value| value.inertia()).unwrap_or_default(),
    }
}
