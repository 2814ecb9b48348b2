//! From the text of a part file to a [`PartDescription`].
//!
//! Walks the table with the engine's readers, so that every finding has file, line,
//! column and a fix. Names of materials and nodes inside the file are resolved here;
//! sets and numbers of a mesh file later, when it has been read.

use super::description::*;
use super::read_layup::{Surface, read_surface};
use super::read_material::{read_material, read_material_axis};
use super::read_matrices::read_matrices;
use super::read_section::{read_orientation, read_section};
use crate::element::MassModel;
use crate::reduce::{Enough, Plane, Residual, Selection, enough};
use flexura::file::{
    Fields, FileErrors, KnownKeys, SpanTable, Value, list_keys, read_damping, read_document,
};
use flexura::model::description::DampingDescription;
use flexura::model::words;
use std::path::Path;

/// More elements along one line than this are a slip of the keyboard.
const MOST_ELEMENTS: usize = 100_000;
/// Modes at which the search for effective mass ends.
const MOST_MODES: usize = 500;
/// Default distance below which nodes become one (m).
const JOIN: f64 = 1e-6;

/// Reads the text of a part file; `file_name` is used in messages and for the name.
pub fn read(text: &str, file_name: &str) -> Result<(PartDescription, SpanTable), FileErrors> {
    let (mut description, findings, spans) =
        read_document(text, file_name, "part file", |fields| read_part(fields, file_name))?;
    if findings.diagnostics.iter().any(|found| found.is_error()) {
        return Err(FileErrors { diagnostics: findings.diagnostics, spans: Box::new(spans) });
    }
    description.notices =
        findings.diagnostics.iter().map(|found| format!("{}: {}", found.item, found.message)).collect();
    Ok((description, spans))
}

/// The tables of a part file and the keys that the reader knows in each: what a schema must say.
pub fn known_keys(text: &str, file_name: &str) -> Result<Vec<KnownKeys>, FileErrors> {
    list_keys(text, file_name, "part file", |fields| drop(read_part(fields, file_name)))
}

fn read_part(fields: &mut Fields<'_>, file_name: &str) -> PartDescription {
    let stem = Path::new(file_name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = fields.get("name").and_then(|value| value.text().map(str::to_owned));
    let mesh = read_mesh(fields);
    let matrices = read_matrices(fields);
    let join = fields.get("join").and_then(|value| not_negative(&value)).unwrap_or(JOIN);
    let materials = fields.entries("material", "material", read_material);
    let names: Vec<String> = materials.iter().map(|(name, _)| name.clone()).collect();
    let twofold: Vec<bool> = materials.iter().map(|(_, material)| material.orthotropic.is_some()).collect();
    let nodes = fields.entries("node", "node", |node| {
        let help = "position = [0, 0, 0] (metres)";
        let name = node.need_text("name", "name = \"root\"");
        (name, node.need("position", help).and_then(|value| value.vector3()).unwrap_or_default())
    });
    let ends: Vec<String> = nodes.iter().map(|(name, _)| name.clone()).collect();
    let beams = fields.entries("beam", "beam", |beam| read_beam(beam, &names, &ends));
    let plates = fields.entries("plate", "plate", |plate| read_plate(plate, &names, &twofold));
    if mesh.is_none() && !["matrices", "beam", "plate"].iter().any(|key| fields.has(key)) {
        let help = "write mesh = \"deck.inp\", [matrices], or tables [[beam]] or [[plate]]";
        fields.missing(
            "missing-key",
            &["mesh", "matrices", "beam", "plate"],
            "the part has no elements",
            help,
        );
    }
    PartDescription {
        name: name.or(stem).unwrap_or_default(),
        notices: Vec::new(),
        mesh,
        matrices,
        join,
        masses: fields.entries("mass", "mass", |mass| read_mass(mass, &ends)),
        groups: fields.entries("group", "group", |group| read_group(group, &names, &twofold)),
        interfaces: read_interfaces(fields, &ends),
        reduction: read_reduction(fields),
        materials,
        nodes,
        beams: beams.into_iter().flatten().collect(),
        plates: plates.into_iter().flatten().collect(),
    }
}

fn read_mesh(fields: &mut Fields<'_>) -> Option<MeshReference> {
    let formats = [
        ("abaqus", MeshFormat::Abaqus),
        ("nastran", MeshFormat::Nastran),
        ("gmsh", MeshFormat::Gmsh),
        ("unv", MeshFormat::Universal),
        ("vtk", MeshFormat::Vtk),
    ];
    let format = fields.choice("format", &formats);
    let units = fields.choice("units", &[("SI", Units::Si), ("mm-t-s", Units::MillimetreTonne)]);
    let density = fields.get("density").and_then(|value| positive(&value));
    let Some(value) = fields.get("mesh") else {
        fields.unused(&["format", "units", "density"], "the part has no mesh file");
        return None;
    };
    let file = value.text()?.to_owned();
    if file.is_empty() {
        value.error("unknown-value", "`mesh` names no file", "write mesh = \"deck.inp\"");
    }
    Some(MeshReference { file, format, units: units.unwrap_or_default(), density })
}

fn read_beam(fields: &mut Fields<'_>, materials: &[String], nodes: &[String]) -> Option<BeamLine> {
    let name = fields.get("name").and_then(|value| value.text()).unwrap_or_default().to_owned();
    let between = fields.need("between", "between = [\"root\", \"tip\"]").and_then(|value| {
        let ends = value.each(|end| known(end, nodes, "node"))?;
        let found = ends.len();
        let pair: Option<[usize; 2]> = ends.try_into().ok();
        if pair.is_none() {
            let message = format!("a beam is between two nodes, but this names {found}");
            value.error("wrong-length", message, "write between = [\"root\", \"tip\"]");
        }
        pair.map(|pair| pair.map(|end| nodes[end].clone()))
    });
    let elements = fields.need("elements", "elements = 10").and_then(|value| element_count(&value));
    let material = read_material_name(fields, materials);
    let section = read_section(fields);
    let orientation = read_orientation(fields);
    Some(BeamLine {
        name,
        between: between?,
        elements: elements?,
        material: material?,
        section: section?,
        orientation: orientation?,
    })
}

fn read_plate(fields: &mut Fields<'_>, materials: &[String], twofold: &[bool]) -> Option<PlatePatch> {
    let name = fields.need_text("name", "name = \"panel\"");
    let origin = fields.vector3("origin", [0.0; 3]);
    let mut edge = |key, help| fields.need(key, help).and_then(|value| value.vector3());
    let edges =
        [edge("edge_x", "edge_x = [1, 0, 0] (metres)"), edge("edge_y", "edge_y = [0, 1, 0] (metres)")];
    let cells = fields.need("cells", "cells = [16, 8]").and_then(|value| {
        let counts = value.each(element_count)?;
        let found = counts.len();
        let pair: Option<[usize; 2]> = counts.try_into().ok();
        if pair.is_none() {
            let message = format!("`cells` needs 2 numbers, but has {found}");
            value.error("wrong-length", message, "write cells = [16, 8]");
        }
        let many = pair.is_some_and(|[x, y]| x.saturating_mul(y) > 4 * MOST_ELEMENTS);
        if many {
            value.error("bad-count", "these are more cells than a plate can have here", "use a mesh file");
        }
        pair.filter(|_| !many)
    });
    let Surface { material, thickness, layup } = read_surface(fields, materials, true);
    let directed = !layup.is_empty() || material.is_some_and(|index| twofold[index]);
    let material_axis = read_material_axis(fields, directed);
    let [x, y] = edges;
    Some(PlatePatch {
        name,
        origin,
        edges: [x?, y?],
        cells: cells?,
        thickness: thickness?,
        material: material?,
        material_axis,
        layup,
    })
}

fn read_mass(fields: &mut Fields<'_>, nodes: &[String]) -> PartMass {
    PartMass {
        place: read_place(fields, nodes, false).unwrap_or(Place::Number(0)),
        mass: fields.need("mass", "mass = 1.0 (kg)").and_then(|value| not_negative(&value)).unwrap_or(0.0),
        inertia: fields.get("inertia").and_then(|value| value.inertia()).unwrap_or_default(),
        offset: fields.vector3("offset", [0.0; 3]),
    }
}

fn read_group(fields: &mut Fields<'_>, materials: &[String], twofold: &[bool]) -> Group {
    fields.allow(&["section", "orientation", "shear"]);
    let name = fields.need_text("name", "name = the name of a group in the mesh file");
    let Surface { material, thickness, layup } = read_surface(fields, materials, false);
    let material = material.unwrap_or(0);
    let section = match fields.has("section") {
        true => read_section(fields).zip(read_orientation(fields)),
        false => {
            fields.unused(&["orientation", "shear"], "the group has no `section`");
            None
        }
    };
    let directed = !layup.is_empty() || twofold.get(material) == Some(&true);
    let material_axis = read_material_axis(fields, directed);
    if directed && thickness.is_some() && material_axis.is_none() {
        let help = "add material_axis = [1, 0, 0], the first axis of the material";
        fields.missing(
            "missing-key",
            &["material_axis"],
            "the axes of its orthotropic material or layers are not given",
            help,
        );
    }
    Group { name, material, thickness, section, material_axis, layup }
}

fn read_interfaces(fields: &mut Fields<'_>, nodes: &[String]) -> Vec<Interface> {
    if !fields.has("interface") {
        let help = "add [[interface]] with name and node (or set); one of them is the reference";
        fields.missing("missing-key", &["interface"], "the part has no interface", help);
    }
    let connections = [("rigid", Connection::Rigid), ("average", Connection::Average)];
    fields.entries("interface", "interface", |fields| {
        let name = fields.need_text("name", "name = \"hub\"");
        let place = read_place(fields, nodes, true).unwrap_or(Place::Number(0));
        let connection = fields.choice("connection", &connections).unwrap_or_default();
        let position = fields.get("position").and_then(|value| value.vector3());
        if !matches!(place, Place::Set(_)) {
            fields.unused(&["connection", "position"], "the interface is a node, not a set");
        }
        Interface { name, place, connection, position, freedoms: read_freedoms(fields) }
    })
}

pub(super) fn read_freedoms(fields: &mut Fields<'_>) -> [bool; 6] {
    let words = [("x", 0), ("y", 1), ("z", 2), ("rx", 3), ("ry", 4), ("rz", 5)];
    let Some(list) = fields.get("freedoms") else { return [true; 6] };
    let mut freedoms = [false; 6];
    for freedom in list.each(|word| word.choice(&words)).unwrap_or_default() {
        freedoms[freedom] = true;
    }
    freedoms
}

fn read_place(fields: &mut Fields<'_>, nodes: &[String], set: bool) -> Option<Place> {
    let keys: &[&'static str] = if set { &["node", "set"] } else { &["node"] };
    match fields.one_of(keys) {
        Some("set") => fields.get("set")?.text().map(|name| Place::Set(name.to_owned())),
        Some(_) => {
            let value = fields.get("node")?;
            match value.node.is_text() {
                true => known(&value, nodes, "node").map(|node| Place::Node(nodes[node].clone())),
                false => value.count().map(|number| Place::Number(number as u64)),
            }
        }
        None => {
            let help = match set {
                true => {
                    "add node = \"root\" (a [[node]]), node = 17 (a number of the mesh file) or set = \"edge\""
                }
                false => "add node = \"root\" (a [[node]]) or node = 17 (a number of the mesh file)",
            };
            fields.missing("missing-key", keys, "it has no place in the mesh", help);
            None
        }
    }
}

fn read_reduction(fields: &mut Fields<'_>) -> ReductionSettings {
    let default = ReductionSettings { stiffening: true, ..ReductionSettings::default() };
    let methods = [
        ("craig-bampton", Method::CraigBampton),
        ("clamped-free", Method::ClampedFree),
        ("free-free", Method::FreeFree),
        ("attachment", Method::Attachment),
        ("free-attachment", Method::FreeAttachment),
        ("all", Method::All),
    ];
    let read = fields.section("reduction", |fields| ReductionSettings {
        enough: read_enough(fields),
        reference: fields.get("reference").and_then(|v| v.text()).unwrap_or_default().to_owned(),
        method: fields.choice("method", &methods),
        selection: read_selection(fields),
        mass: fields
            .choice(
                "mass",
                &[
                    ("consistent", MassModel::Consistent),
                    ("linear", MassModel::Linear),
                    ("lumped", MassModel::Lumped),
                ],
            )
            .unwrap_or_default(),
        orthonormal: fields.bool("orthonormal", false),
        plane: fields.choice("plane", &[("xy", Plane::Xy), ("yz", Plane::Yz), ("zx", Plane::Zx)]),
        residual: fields
            .choice(
                "residual",
                &[
                    ("none", Residual::None),
                    ("accelerations", Residual::Accelerations),
                    ("inertia", Residual::Inertia),
                ],
            )
            .unwrap_or_default(),
        mass_nodes: fields.bool("mass_nodes", false),
        nodal: fields.bool("nodal", false),
        stiffening: fields.bool("stiffening", true),
        damping: read_part_damping(fields),
    });
    read.unwrap_or(default)
}

fn read_selection(fields: &mut Fields<'_>) -> Option<Selection> {
    match fields.one_of(&["modes", "up_to_frequency", "effective_mass", "enough"]) {
        // Read beside the band.
        Some("enough") => None,
        Some("modes") => fields.get("modes").and_then(|value| value.count()).map(Selection::Count),
        Some("up_to_frequency") => fields
            .get("up_to_frequency")
            .and_then(|value| positive(&value))
            .map(|frequency| Selection::Below { frequency }),
        Some(_) => fields.get("effective_mass").and_then(|value| {
            let part = value.f64()?;
            if part > 0.0 && part < 1.0 {
                return Some(Selection::EffectiveMass { share: part, most: MOST_MODES });
            }
            let message = format!("`effective_mass` is a part of the mass, got {}", words::number(part));
            value.error("out-of-range", message, "write a number between 0 and 1, such as 0.9");
            None
        }),
        None => None,
    }
}

/// The error that chooses the shapes, and the band it holds for.
fn read_enough(fields: &mut Fields<'_>) -> Option<Enough> {
    fields.allow(&["band"]);
    let Some(value) = fields.get("enough") else {
        fields.unused(&["band"], "there is no `enough`");
        return None;
    };
    let error = value.f64()?;
    if !enough::RANGE.contains(&error) {
        let message = format!("`enough` is the error left, got {}", words::number(error));
        value.error("out-of-range", message, "write a number from 1e-6 to 0.5, such as 1e-3");
        return None;
    }
    if fields.has("residual") {
        let message = "`enough` chooses the residual shapes, and `residual` is given too";
        fields.error("conflicting-keys", "residual", message, "keep one of them");
    }
    Some(Enough { error, band: fields.get("band").and_then(|value| positive(&value)) })
}

fn read_part_damping(fields: &mut Fields<'_>) -> Damping {
    let ratio = fields.get("damping_ratio").and_then(|value| not_negative(&value));
    let given = read_damping(fields);
    if ratio.is_some() && fields.has("damping") {
        let message = "gives both `damping_ratio` and `damping`";
        fields.error("conflicting-keys", "damping", message, "keep one of them");
    }
    match (ratio, given) {
        (Some(ratio), _) => Damping::Ratio(ratio),
        (None, DampingDescription::None) => Damping::None,
        (None, given) => Damping::Given(given),
    }
}

pub(super) fn read_material_name(fields: &mut Fields<'_>, materials: &[String]) -> Option<usize> {
    fields
        .need("material", "material = \"steel\" (a [[material]])")
        .and_then(|value| known(&value, materials, "material"))
}

/// The place of a name in a list.
fn known(value: &Value<'_>, names: &[String], kind: &str) -> Option<usize> {
    let name = value.text()?;
    if let Some(place) = names.iter().position(|known| known == name) {
        return Some(place);
    }
    let names = names.iter().map(String::as_str);
    let help = match words::nearest(name, names.clone()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None if names.len() == 0 => format!("add a [[{kind}]] with name = \"{name}\""),
        None => format!("known: {}", words::list(names)),
    };
    value.error("unknown-name", format!("there is no {kind} `{name}`"), help);
    None
}

fn element_count(value: &Value<'_>) -> Option<usize> {
    let count = value.count()?;
    if (1..=MOST_ELEMENTS).contains(&count) {
        return Some(count);
    }
    let message = format!("`{}` cannot be {count}", value.path.last_key());
    value.error("bad-count", message, format!("write a number from 1 to {MOST_ELEMENTS}"));
    None
}

/// A positive number.
pub(super) fn positive(value: &Value<'_>) -> Option<f64> {
    let number = value.f64()?;
    if number > 0.0 {
        return Some(number);
    }
    let message = format!("`{}` must be positive, got {}", value.path.last_key(), words::number(number));
    value.error("not-positive", message, "write a positive number in SI units");
    None
}

pub(super) fn not_negative(value: &Value<'_>) -> Option<f64> {
    let number = value.f64()?;
    if number >= 0.0 {
        return Some(number);
    }
    let message = format!("`{}` must not be negative, got {}", value.path.last_key(), words::number(number));
    value.error("negative", message, "write zero or a positive number in SI units");
    None
}
