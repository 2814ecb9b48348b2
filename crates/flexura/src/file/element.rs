//! Force elements.

use super::fields::Fields;
use super::joint::read_between;
use super::synonyms;
use super::time_function::{read_interpolation, read_time_function};
use super::tyre::read_tyre;
use super::value::Value;
use crate::model::description::{ElementDescription, ElementKindDescription};
use crate::model::element::{
    Actuator, BumpStop, Bushing, Contact, Coupler, DEFAULT_SLIP_SPEED, Damping, Drag, ForceLaw, ForceTable,
    Rod, SpringDamper, TorsionSpringDamper,
};
use crate::time_function::TimeFunction;

const TYPES: [(&str, Tag); 10] = [
    ("spring-damper", Tag::SpringDamper),
    ("torsion-spring-damper", Tag::TorsionSpringDamper),
    ("bushing", Tag::Bushing),
    ("bump-stop", Tag::BumpStop),
    ("rod", Tag::Rod),
    ("drag", Tag::Drag),
    ("contact", Tag::Contact),
    ("coupler", Tag::Coupler),
    ("actuator", Tag::Actuator),
    ("tyre", Tag::Tyre),
];

#[derive(Clone, Copy)]
enum Tag {
    SpringDamper,
    TorsionSpringDamper,
    Bushing,
    BumpStop,
    Rod,
    Drag,
    Contact,
    Coupler,
    Actuator,
    Tyre,
}

/// An entry of `[[element]]`.
pub(super) fn read_element(fields: &mut Fields<'_>) -> ElementDescription {
    let name = fields.need_text("name", "name = \"strut\"");
    let tag = fields
        .need("type", "type = \"spring-damper\"")
        .and_then(|value| value.choice_with(&TYPES, other_words));
    let between = match tag {
        Some(Tag::Coupler) => read_between(fields, "joint coordinates", "[\"motor.angle\", \"wheel.angle\"]"),
        _ => read_between(fields, "frames", "[\"ground.origin\", \"arm.root\"]"),
    };
    let Some(tag) = tag else { return stand_in(fields, name, between) };
    let before = fields.sink.count();
    let kind = read_kind(fields, tag);
    if fields.sink.count() > before {
        // What was not read stands in as zero, which is not worth a second message.
        fields.sink.unreliable(fields.path);
    }
    ElementDescription { name, between, kind }
}

/// What to say to the word of another program, or to one that is a joint here.
fn other_words(word: &str) -> Option<String> {
    if let Some(ours) = synonyms::ours(&synonyms::ELEMENTS, word) {
        return Some(format!("did you mean \"{ours}\"? (that is what \"{word}\" is called here)"));
    }
    let joint = super::joint::our_type(word)?;
    Some(format!("a \"{word}\" is a joint here: write [[joint]] with type = \"{joint}\""))
}

/// Our type of element for a word, ours or another program's.
pub(super) fn our_type(word: &str) -> Option<&'static str> {
    let own = TYPES.iter().map(|(own, _)| *own).find(|own| *own == word);
    own.or_else(|| synonyms::ours(&synonyms::ELEMENTS, word))
}

/// An element whose type is unknown: none of its keys can be judged.
fn stand_in(fields: &mut Fields<'_>, name: String, between: [String; 2]) -> ElementDescription {
    fields.allow(&["free_length", "stiffness", "polynomial", "table", "preload", "damping", "axis"]);
    fields.allow(&["cubic", "gap", "exponent", "dissipation", "length", "density", "coefficient"]);
    fields.allow(&["area", "medium_velocity", "radius", "friction", "friction_speed"]);
    fields.allow(&["factors", "offset", "effort", "deflection", "calspan", "brush", "low_speed", "road"]);
    fields.allow(&["linear", "slip_point"]);
    fields.sink.unreliable(fields.path);
    let kind = Rod { length: 1.0, stiffness: 1.0, damping: 0.0 }.into();
    ElementDescription { name, between, kind }
}

fn read_kind(fields: &mut Fields<'_>, tag: Tag) -> ElementKindDescription {
    match tag {
        Tag::SpringDamper => spring_damper(fields).into(),
        Tag::TorsionSpringDamper => torsion_spring_damper(fields).into(),
        Tag::Bushing => bushing(fields).into(),
        Tag::BumpStop => bump_stop(fields).into(),
        Tag::Rod => rod(fields).into(),
        Tag::Drag => drag(fields).into(),
        Tag::Contact => contact(fields).into(),
        Tag::Coupler => coupler(fields).into(),
        Tag::Actuator => actuator(fields).into(),
        Tag::Tyre => read_tyre(fields).into(),
    }
}

fn spring_damper(fields: &mut Fields<'_>) -> SpringDamper {
    SpringDamper {
        axis: fields.get("axis").and_then(|value| value.vector3()),
        free_length: fields.f64("free_length", 0.0),
        law: read_law(fields, "extensions", "forces"),
        preload: fields.f64("preload", 0.0),
        damping: read_damping(fields),
    }
}

fn torsion_spring_damper(fields: &mut Fields<'_>) -> TorsionSpringDamper {
    TorsionSpringDamper {
        axis: fields.vector3("axis", [0.0, 0.0, 1.0]),
        law: read_law(fields, "angles", "torques"),
        preload: fields.f64("preload", 0.0),
        damping: read_damping(fields),
    }
}

/// One of `stiffness`, `polynomial` and `table`; none is a pure damper.
pub(super) fn read_law(fields: &mut Fields<'_>, deflections: &'static str, forces: &'static str) -> ForceLaw {
    let none = ForceLaw::Linear { stiffness: 0.0 };
    let Some(form) = fields.one_of(&["stiffness", "polynomial", "table"]) else { return none };
    let Some(value) = fields.get(form) else { return none };
    let law = match form {
        "stiffness" => value.f64().map(|stiffness| ForceLaw::Linear { stiffness }),
        "polynomial" => value.numbers().map(|coefficients| ForceLaw::Polynomial { coefficients }),
        _ => value.table(|table| read_table(table, deflections, forces)).flatten().map(ForceLaw::Table),
    };
    law.unwrap_or(none)
}

fn read_table(
    fields: &mut Fields<'_>,
    deflections: &'static str,
    forces: &'static str,
) -> Option<ForceTable> {
    let list = |fields: &mut Fields<'_>, key: &'static str, values: &str| {
        fields.need(key, &format!("{key} = {values}")).and_then(|value| value.numbers())
    };
    let x = list(fields, deflections, "[-0.1, 0, 0.1]");
    let f = list(fields, forces, "[-50, 0, 80]");
    let interpolation = read_interpolation(fields);
    match ForceTable::interpolated(&x?, &f?, interpolation) {
        Ok(table) => Some(table),
        Err(fault) => {
            let help =
                format!("give as many {forces} as {deflections}, the {deflections} in increasing order");
            fields.error("force-table", deflections, fault.to_string(), help);
            None
        }
    }
}

/// A number, one for each direction, or a curve of forces over rates.
fn read_damping(fields: &mut Fields<'_>) -> Damping {
    let Some(value) = fields.get("damping") else { return Damping::default() };
    let read = if value.node.is_table() { value.table(read_damper) } else { value.f64().map(Damping::both) };
    read.unwrap_or_default()
}

fn read_damper(fields: &mut Fields<'_>) -> Damping {
    if fields.has("rates") {
        return read_table(fields, "rates", "forces").map_or(Damping::default(), Damping::Curve);
    }
    Damping::Linear {
        compression: fields.need_f64("compression", "compression = 100"),
        extension: fields.need_f64("extension", "extension = 300"),
    }
}

fn bushing(fields: &mut Fields<'_>) -> Bushing {
    let help = "stiffness = [rx, ry, rz, x, y, z], or six rows";
    let stiffness = fields.need("stiffness", help).and_then(|value| matrix6(&value));
    let damping = fields.get("damping").and_then(|value| matrix6(&value));
    Bushing {
        stiffness: stiffness.unwrap_or_default(),
        damping: damping.unwrap_or_default(),
        cubic: fields.get("cubic").and_then(|value| value.array()).unwrap_or_default(),
        preload: fields.get("preload").and_then(|value| value.array()).unwrap_or_default(),
    }
}

/// The diagonal or all rows of a 6×6 matrix.
fn matrix6(value: &Value<'_>) -> Option<[[f64; 6]; 6]> {
    let (size, entries) = value.square(true)?;
    if size != 6 {
        let key = value.path.last_key();
        let message = format!("`{key}` needs 6 numbers or 6 rows, but has {size}");
        let help = "rotation about x, y, z, then translation along x, y, z, in the first frame's axes";
        value.error("wrong-length", message, help);
        return None;
    }
    Some(std::array::from_fn(|i| std::array::from_fn(|j| entries[i * 6 + j])))
}

fn bump_stop(fields: &mut Fields<'_>) -> BumpStop {
    BumpStop {
        axis: fields.get("axis").and_then(|value| value.vector3()),
        gap: fields.need_f64("gap", "gap = 0.02 (metres)"),
        stiffness: fields.need_f64("stiffness", "stiffness = 1e5 (N/m for exponent 1)"),
        exponent: fields.f64("exponent", 1.0),
        dissipation: fields.f64("dissipation", 0.0),
    }
}

fn rod(fields: &mut Fields<'_>) -> Rod {
    Rod {
        length: fields.need_f64("length", "length = 0.5 (metres)"),
        stiffness: fields.need_f64("stiffness", "stiffness = 1e6 (N/m)"),
        damping: fields.f64("damping", 0.0),
    }
}

fn drag(fields: &mut Fields<'_>) -> Drag {
    let mut per_axis = |key, help| {
        let value = fields.need(key, help);
        let read = value.and_then(|value| match value.is_list() {
            true => value.vector3(),
            false => value.f64().map(|number| [number; 3]),
        });
        read.unwrap_or([0.0; 3])
    };
    let coefficient = per_axis("coefficient", "coefficient = 0.47, or one for each axis");
    let area = per_axis("area", "area = 0.01 (m²), or one for each axis");
    Drag {
        density: fields.need_f64("density", "density = 1.2 (kg/m³, air)"),
        coefficient,
        area,
        medium_velocity: fields.vector3("medium_velocity", [0.0; 3]),
    }
}

fn contact(fields: &mut Fields<'_>) -> Contact {
    let contact = Contact {
        radius: fields.f64("radius", 0.0),
        stiffness: fields.need_f64("stiffness", "stiffness = 1e6 (N/m^exponent)"),
        exponent: fields.f64("exponent", 1.5),
        dissipation: fields.f64("dissipation", 0.0),
        friction: fields.f64("friction", 0.0),
        friction_speed: fields.f64("friction_speed", DEFAULT_SLIP_SPEED),
    };
    if !fields.has("friction") {
        fields.unused(&["friction_speed"], "there is no `friction`");
    }
    contact
}

fn actuator(fields: &mut Fields<'_>) -> Actuator {
    let effort = fields.get("effort").and_then(|value| read_time_function(&value));
    Actuator {
        axis: fields.get("axis").and_then(|value| value.vector3()),
        effort: effort.unwrap_or(TimeFunction::Constant(0.0)),
    }
}

fn coupler(fields: &mut Fields<'_>) -> Coupler {
    let help = "factors = [0.02, 0.06], the radii of two gears";
    Coupler {
        factors: fields.need("factors", help).and_then(|value| value.array()).unwrap_or_default(),
        offset: fields.f64("offset", 0.0),
        stiffness: fields.need_f64("stiffness", "stiffness = 1e6"),
        damping: fields.f64("damping", 0.0),
    }
}
