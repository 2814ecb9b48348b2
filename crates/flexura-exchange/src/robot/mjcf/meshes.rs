//! `<mesh>` of `<asset>`: files for pictures. Vertices are moved by −`refpos`, turned back by `refquat` and scaled, in this order; a geom shows them in the axes of
//! the file, whatever MuJoCo does inside.

use super::defaults::Defaults;
use super::settings::Settings;
use crate::finding::{Findings, Place};
use crate::robot::description::Solid;
use crate::robot::mesh::Folders;
use crate::robot::xml::Node;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use std::collections::BTreeMap;

/// Assets that have no part in motion or pictures.
const IDLE: [&str; 6] = ["texture", "material", "hfield", "skin", "model", "plugin"];

const ATTRIBUTES: [&str; 17] = [
    "name",
    "class",
    "content_type",
    "file",
    "scale",
    "refpos",
    "refquat",
    "inertia",
    "smoothnormal",
    "maxhullvert",
    "vertex",
    "face",
    "normal",
    "texcoord",
    "material",
    "builtin",
    "params",
];

/// Attributes of surfaces, which pictures do not have.
const SURFACE: [&str; 2] = ["texcoord", "material"];

/// A picture in axes of the geom that shows it, or why there is none.
type Drawn = Result<(Isometry3<f64>, Solid), &'static str>;

/// All meshes by name.
#[derive(Debug, Default)]
pub struct Meshes(BTreeMap<String, Drawn>);

/// The meshes of all `<asset>` sections.
pub fn read(
    root: &Node,
    settings: &Settings,
    defaults: &Defaults,
    folders: &Folders<'_>,
    findings: &mut Findings,
) -> Meshes {
    let mut meshes = Meshes::default();
    let known: Vec<&str> = IDLE.into_iter().chain(["mesh"]).collect();
    root.all("asset").for_each(|section| section.only_children(&known, findings));
    for node in root.all("asset").flat_map(|section| &section.children) {
        if node.tag != "mesh" {
            let why = "takes no part in the motion and is not drawn";
            findings.passed(&node.place, &format!("<{}> of <asset>", node.tag), why);
            continue;
        }
        let whole = defaults.complete(node, "", findings);
        whole.only(&ATTRIBUTES, findings);
        for name in SURFACE.into_iter().filter(|name| whole.text(name).is_some()) {
            let why = "is not drawn: pictures have the colour of their body";
            findings.passed(&node.place, &format!("{name} of <mesh>"), why);
        }
        let file = whole.text("file").unwrap_or_default().to_owned();
        let stem = file.rsplit('/').next().map(|name| name.rsplit_once('.').map_or(name, |(stem, _)| stem));
        let name = whole.text("name").map_or_else(|| stem.unwrap_or_default().to_owned(), str::to_owned);
        let drawn = draw(&whole, &file, settings, folders, findings);
        if meshes.0.insert(name.clone(), drawn).is_some() {
            findings.fault(
                &node.place,
                format!("a second mesh `{name}`"),
                "give every mesh a name of its own",
            );
        }
    }
    meshes
}

fn draw(
    node: &Node,
    file: &str,
    settings: &Settings,
    folders: &Folders<'_>,
    findings: &mut Findings,
) -> Drawn {
    if node.text("builtin").is_some_and(|kind| kind != "none") {
        return Err("is not drawn: MuJoCo makes it by `builtin`");
    }
    if file.is_empty() {
        return Err("is not drawn: its vertices stand in the file of the robot");
    }
    let scale: [f64; 3] = node.array("scale", findings).unwrap_or([1.0; 3]);
    let shift = Vector3::from(node.array("refpos", findings).unwrap_or_default());
    let turn = node.array("refquat", findings).map(|[w, x, y, z]| Quaternion::new(w, x, y, z));
    let turn = turn.filter(|turn| turn.norm() > 0.0).map(UnitQuaternion::from_quaternion);
    let turned = turn.is_some_and(|turn| turn.angle() > 0.0);
    if turned && (scale[0] != scale[1] || scale[0] != scale[2]) {
        return Err("is not drawn: it is turned by `refquat` and then scaled unequally, which shears it");
    }
    let back = turn.unwrap_or_default().inverse();
    let moved = -(back * shift).component_mul(&Vector3::from(scale));
    let name = if settings.strip_folders { file.rsplit('/').next().unwrap_or(file) } else { file };
    let named = match settings.mesh_folder.trim_end_matches('/') {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    };
    let solid = Solid::Mesh(folders.name(&named)?, scale);
    Ok((Isometry3::from_parts(Translation3::from(moved), back), solid))
}

impl Meshes {
    /// The picture of a mesh in axes of its geom; why there is none is said.
    pub fn shape(
        &self,
        name: &str,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<(Isometry3<f64>, Solid)> {
        match self.0.get(name) {
            Some(Ok(drawn)) => Some(drawn.clone()),
            Some(Err(why)) => {
                findings.passed(place, "mesh of <geom>", why);
                None
            }
            None => {
                findings.fault(place, format!("no mesh is called `{name}`"), "add it to <asset>");
                None
            }
        }
    }
}
