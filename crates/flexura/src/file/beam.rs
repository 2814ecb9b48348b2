//! Uniform beams.

use super::fields::Fields;
use super::modal::read_damping;
use super::value::Value;
use crate::beam::{
    BeamMode, Boundary, ModeCounts, ModeKind, SEGMENT_MODES, Section, SectionConstants, SectionProperties,
    Shape, standard_modes,
};
use crate::model::description::{BeamDescription, Curvature};

/// More modes of one kind than this are a slip of the keyboard.
const MOST_MODES: usize = 1000;

const BOUNDARIES: [(&str, Boundary); 4] = [
    ("clamped-free", Boundary::ClampedFree),
    ("free-free", Boundary::FreeFree),
    ("pinned-pinned", Boundary::PinnedPinned),
    ("interface-static", Boundary::InterfaceStatic),
];

const KINDS: [(&str, ModeKind); 4] = [
    ("axial", ModeKind::Axial),
    ("bending_y", ModeKind::BendingY),
    ("bending_z", ModeKind::BendingZ),
    ("torsion", ModeKind::Torsion),
];

const CURVATURES: [(&str, Curvature); 2] =
    [("linear", Curvature::Linear), ("third-order", Curvature::ThirdOrder)];

/// Keys that `properties` replaces.
const MATERIAL: [&str; 6] = ["density", "young", "shear", "poisson", "section", "shear_area"];

/// The table `[body.beam]`.
pub(super) fn read_beam(fields: &mut Fields<'_>) -> BeamDescription {
    let length = fields.need_f64("length", "length = 2.0 (metres)");
    let properties = fields.get("properties");
    let beam = match &properties {
        Some(value) => {
            fields.allow(&MATERIAL);
            fields.unused(&MATERIAL, "`properties` says all about section and material");
            let given = value.table(read_properties).unwrap_or_default();
            BeamDescription::with_properties(length, given)
        }
        None => read_material(fields, length),
    };
    let segments = fields.get("segments").map(|value| value.count().unwrap_or(1));
    let mut modes = read_standard_modes(fields, segments.is_some());
    modes.extend(read_shapes(fields));
    if segments.is_some() && modes.is_empty() {
        modes = standard_modes(Boundary::InterfaceStatic, SEGMENT_MODES);
    }
    BeamDescription {
        segments: segments.unwrap_or(1),
        arc: fields.get("arc").and_then(|value| value.array()).unwrap_or([0.0; 2]),
        modes,
        rotary_inertia: fields.bool("rotary_inertia", true),
        foreshortening: fields.bool("foreshortening", true),
        curvature: fields.choice("curvature", &CURVATURES),
        mass_stations: fields.get("mass_stations").and_then(|value| value.count()),
        damping: read_damping(fields),
        ..beam
    }
}

/// A beam of one material and one section.
fn read_material(fields: &mut Fields<'_>, length: f64) -> BeamDescription {
    let density = fields.need_f64("density", "density = 2700 (kg/m³)");
    let young = fields.need_f64("young", "young = 70e9 (Pa)");
    let shear = read_shear(fields, young);
    let section = fields.need("section", "section = { rectangle = [width_y, height_z] }");
    let section = section.and_then(|value| value.table(read_section)).flatten();
    let section = section.unwrap_or(Section::Circle { radius: 1.0 });
    let shear_area = fields.get("shear_area").and_then(|value| value.array());
    BeamDescription { shear_area, ..BeamDescription::new(length, density, young, shear, section) }
}

/// Rigidities and inertia per length.
fn read_properties(fields: &mut Fields<'_>) -> SectionProperties {
    let mut shear = |key| fields.get(key).and_then(|value| value.f64());
    let shear = [shear("shear_y"), shear("shear_z")];
    SectionProperties {
        axial: fields.need_f64("axial", "axial = 1e6 (EA, N)"),
        torsion: fields.need_f64("torsion", "torsion = 1e3 (GJ, N m²)"),
        bending_y: fields.need_f64("bending_y", "bending_y = 1e3 (EI of bending along y, N m²)"),
        bending_z: fields.need_f64("bending_z", "bending_z = 1e3 (EI of bending along z, N m²)"),
        shear,
        mass: fields.need_f64("mass", "mass = 1.0 (kg/m)"),
        rotary: fields.vector3("rotary", [0.0; 3]),
    }
}

/// The shear modulus, given or from Poisson's ratio.
fn read_shear(fields: &mut Fields<'_>, young: f64) -> f64 {
    match fields.one_of(&["shear", "poisson"]) {
        Some("shear") => fields.f64("shear", 0.0),
        Some(_) => {
            let ratio = fields.get("poisson").and_then(|value| value.f64());
            let valid = ratio.filter(|ratio| *ratio > -1.0 && *ratio <= 0.5);
            if let (Some(ratio), None) = (ratio, valid) {
                let message = format!("Poisson's ratio {ratio} lies outside (-1, 0.5]");
                let help = "steel and aluminium have about 0.3";
                fields.error("poisson-range", "poisson", message, help);
            }
            if valid.is_none() || young <= 0.0 {
                fields.sink.unreliable(&fields.path.key("shear"));
            }
            young / (2.0 * (1.0 + valid.unwrap_or(0.3)))
        }
        None => {
            let help = "add shear = 26e9 (Pa) or poisson = 0.3";
            fields.missing("missing-key", &["shear", "poisson"], "`shear` is missing", help);
            0.0
        }
    }
}

fn read_section(fields: &mut Fields<'_>) -> Option<Section> {
    fields.allow(&["rectangle", "circle", "tube", "area", "inertia_y", "inertia_z", "torsion"]);
    let forms = ["rectangle", "circle", "tube", "area"];
    match fields.one_of(&forms) {
        Some("rectangle") => {
            let [width_y, height_z] = fields.get("rectangle")?.array()?;
            Some(Section::Rectangle { width_y, height_z })
        }
        Some("circle") => Some(Section::Circle { radius: fields.get("circle")?.f64()? }),
        Some("tube") => {
            let [outer_radius, inner_radius] = fields.get("tube")?.array()?;
            Some(Section::Tube { outer_radius, inner_radius })
        }
        Some(_) => Some(Section::General(SectionConstants {
            area: fields.f64("area", 0.0),
            inertia_y: fields.need_f64("inertia_y", "inertia_y = 1e-8 (m⁴)"),
            inertia_z: fields.need_f64("inertia_z", "inertia_z = 1e-8 (m⁴)"),
            torsion: fields.need_f64("torsion", "torsion = 1e-8 (m⁴)"),
        })),
        None => {
            let help = "write { rectangle = [width_y, height_z] }, { circle = radius }, { tube \
                        = [outer, inner] } or { area = .., inertia_y = .., inertia_z = .., \
                        torsion = .. }";
            fields.missing("missing-key", &forms, "the section has no shape", help);
            None
        }
    }
}

/// Standard modes; those of segments are static shapes of their ends unless said otherwise.
fn read_standard_modes(fields: &mut Fields<'_>, segments: bool) -> Vec<BeamMode> {
    let before = fields.sink.count();
    let boundary = fields.choice("boundary", &BOUNDARIES);
    let boundary = boundary.or((segments && !fields.has("boundary")).then_some(Boundary::InterfaceStatic));
    let [axial, bending_y, bending_z, torsion] =
        KINDS.map(|(key, _)| fields.get(key).and_then(|value| mode_count(&value)).unwrap_or(0));
    let counts = ModeCounts { axial, bending_y, bending_z, torsion };
    let asked = fields.given(&KINDS.map(|(key, _)| key));
    let without = !fields.has("boundary") && !asked.is_empty() && !segments;
    if without {
        let message = format!("`{}` asks for standard modes, but `boundary` is missing", asked[0]);
        let help = "add boundary = \"clamped-free\", \"free-free\", \"pinned-pinned\" or \
                    \"interface-static\"";
        fields.missing("missing-key", &["boundary"], message, help);
    }
    if without || fields.sink.count() > before {
        // The number of modes is not what was meant.
        fields.sink.unreliable(&fields.path.key("damping"));
    }
    boundary.map(|boundary| standard_modes(boundary, counts)).unwrap_or_default()
}

fn mode_count(value: &Value<'_>) -> Option<usize> {
    let count = value.count()?;
    if count > MOST_MODES {
        let message = format!("{count} modes of one kind are more than {MOST_MODES}");
        value.error("bad-count", message, "a beam needs a few modes; split it for more");
        return None;
    }
    Some(count)
}

fn read_shapes(fields: &mut Fields<'_>) -> Vec<BeamMode> {
    let shapes = fields.entries("shapes", "shape", |shape| {
        let help = "kind = \"bending_y\" (or axial, bending_z, torsion)";
        let kind = shape.need("kind", help).and_then(|value| value.choice(&KINDS));
        let help = "polynomial = [0, 0, 1] (lowest power first)";
        let polynomial = shape.need("polynomial", help).and_then(|value| value.numbers());
        Some(BeamMode { kind: kind?, shape: Shape::Polynomial(polynomial?) })
    });
    if shapes.iter().any(Option::is_none) {
        fields.sink.unreliable(fields.path);
    }
    shapes.into_iter().flatten().collect()
}
