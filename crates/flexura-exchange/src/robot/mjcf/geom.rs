//! Geoms: solids of mass, pictures of these and of meshes.

use super::Context;
use crate::finding::Findings;
use crate::robot::description::{Mass, Shape, Solid};
use crate::robot::placed::{self, TURNS};
use crate::robot::solid::UniformSolid;
use crate::robot::xml::Node;
use nalgebra::{Isometry3, Translation3, Vector3};

/// Density where none is given (kg/m³), that of water.
const DENSITY: f64 = 1000.0;

const ATTRIBUTES: [&str; 27] = [
    "name",
    "class",
    "type",
    "contype",
    "conaffinity",
    "condim",
    "group",
    "priority",
    "size",
    "material",
    "rgba",
    "friction",
    "mass",
    "density",
    "shellinertia",
    "solmix",
    "solref",
    "solimp",
    "margin",
    "gap",
    "fromto",
    "pos",
    "mesh",
    "hfield",
    "user",
    "fitscale",
    "fluidshape",
];

/// What a geom adds to its body.
#[derive(Default)]
pub struct Geom {
    /// Its mass, in axes of the body.
    pub mass: Option<Mass>,
    pub shapes: Vec<Shape>,
    /// Whether it can touch others.
    pub touches: bool,
}

/// The geom of an element whose defaults are in place; `weighed` says whether its mass counts.
pub fn read(
    node: &Node,
    outer: &Isometry3<f64>,
    weighed: bool,
    context: &Context,
    findings: &mut Findings,
) -> Geom {
    let set = |name: &str| node.text(name).is_none_or(|value| value.trim() != "0");
    let touches = set("contype") || set("conaffinity");
    if touches {
        findings.passed(&node.place, "contact of <geom>", "is not simulated: write contacts as [[element]]");
    }
    Geom { touches, ..content(node, outer, weighed, context, findings) }
}

/// Mass and pictures.
fn content(
    node: &Node,
    outer: &Isometry3<f64>,
    weighed: bool,
    context: &Context,
    findings: &mut Findings,
) -> Geom {
    let known: Vec<&str> = ATTRIBUTES.into_iter().chain(TURNS).collect();
    node.only(&known, findings);
    if node.text("shellinertia") == Some("true") && weighed {
        findings.fault(&node.place, "<geom> shellinertia=\"true\"", "write the inertia as <inertial>");
    }
    let kind = node.text("type").unwrap_or("sphere");
    let massless =
        ["mass", "density"].iter().any(|name| node.number(name, &mut Findings::default()) == Some(0.0));
    if ["mesh", "hfield", "sdf"].contains(&kind) || (node.text("mesh").is_some() && kind != "plane") {
        if weighed && !massless && kind != "hfield" {
            let message = "the mass of this body follows from a mesh, which is not read";
            findings.fault(
                &node.place,
                message,
                "give the body an <inertial>; MuJoCo prints it (mj_printModel)",
            );
        }
        return Geom { shapes: mesh_of(node, kind, outer, context, findings), ..Geom::default() };
    }
    if kind == "plane" {
        findings.passed(&node.place, "plane", "is neither mass nor picture");
        return Geom::default();
    }
    let Some((local, solid)) = solid_of(node, kind, context, findings) else { return Geom::default() };
    let pose = outer * local;
    let mass = weighed.then(|| mass_of(node, &pose, &solid, findings)).flatten();
    Geom { mass, shapes: shapes_of(&solid, &pose, node, findings), ..Geom::default() }
}

/// The picture of a mesh.
fn mesh_of(
    node: &Node,
    kind: &str,
    outer: &Isometry3<f64>,
    context: &Context,
    findings: &mut Findings,
) -> Vec<Shape> {
    let Some(name) = node.text("mesh").filter(|_| kind == "mesh") else {
        let why = "is not drawn: heights, distances and solids fitted to meshes are no files of triangles";
        findings.passed(&node.place, &format!("<geom> of type `{kind}` by a mesh"), why);
        return Vec::new();
    };
    let pose = outer * placed::pose(node, &context.settings.angles, findings);
    let shape = context.meshes.shape(name, &node.place, findings);
    shape.map(|(inner, solid)| Shape { pose: pose * inner, solid }).into_iter().collect()
}

fn mass_of(
    node: &Node,
    pose: &Isometry3<f64>,
    solid: &UniformSolid,
    findings: &mut Findings,
) -> Option<Mass> {
    let density = node.number_or("density", DENSITY, findings);
    let mass = node.number("mass", findings).unwrap_or(density * solid.volume());
    let center = Vector3::zeros();
    (mass != 0.0).then(|| Mass { mass, center, inertia: solid.inertia(mass) }.moved(pose))
}

/// Pose in its frame, and the solid.
fn solid_of(
    node: &Node,
    kind: &str,
    context: &Context,
    findings: &mut Findings,
) -> Option<(Isometry3<f64>, UniformSolid)> {
    let size = node.numbers("size", findings).unwrap_or_default();
    let along = node.array("fromto", findings);
    let along = along.map(|[a, b, c, d, e, f]| (Vector3::new(a, b, c), Vector3::new(d, e, f)));
    let pose = match along {
        None => placed::pose(node, &context.settings.angles, findings),
        // MuJoCo lets z run from the second point to the first; the solids are symmetric, but a box or ellipsoid is turned.
        Some((from, to)) => {
            let axis = (from - to).try_normalize(1e-12).unwrap_or(Vector3::z());
            Isometry3::from_parts(Translation3::from((from + to) * 0.5), placed::z_towards(&axis))
        }
    };
    let half = along.map(|(from, to)| (to - from).norm() * 0.5);
    // With two points, the length along z is theirs, and the section is as wide as it is thick.
    let needed = match (kind, half) {
        ("sphere", _) | ("capsule" | "cylinder" | "box" | "ellipsoid", Some(_)) => 1,
        ("capsule" | "cylinder", None) => 2,
        ("box" | "ellipsoid", None) => 3,
        _ => {
            let help = "use sphere, capsule, cylinder, box, ellipsoid, plane or mesh";
            findings.fault(&node.place, format!("<geom> of type `{kind}`"), help);
            return None;
        }
    };
    let Some(given) = size.get(..needed).filter(|given| given.iter().all(|&value| value > 0.0)) else {
        let message = format!("<geom> of type `{kind}` needs {needed} positive numbers in `size`");
        findings.fault(&node.place, message, "give them");
        return None;
    };
    let solid = match (kind, given, half) {
        ("capsule", [r, h], None) => UniformSolid::Capsule(*r, *h),
        ("capsule", [r], Some(h)) => UniformSolid::Capsule(*r, h),
        ("cylinder", [r, h], None) => UniformSolid::Cylinder(*r, *h),
        ("cylinder", [r], Some(h)) => UniformSolid::Cylinder(*r, h),
        ("box", [a, b, c], None) => UniformSolid::Box([*a, *b, *c]),
        ("box", [a], Some(h)) => UniformSolid::Box([*a, *a, h]),
        ("ellipsoid", [a, b, c], None) => UniformSolid::Ellipsoid([*a, *b, *c]),
        ("ellipsoid", [a], Some(h)) => UniformSolid::Ellipsoid([*a, *a, h]),
        _ => UniformSolid::Ellipsoid([given[0]; 3]),
    };
    Some((pose, solid))
}

/// Pictures of a solid; a capsule is a cylinder with balls at its ends.
fn shapes_of(
    solid: &UniformSolid,
    pose: &Isometry3<f64>,
    node: &Node,
    findings: &mut Findings,
) -> Vec<Shape> {
    let at = |z: f64, solid: Solid| Shape { pose: pose * Translation3::new(0.0, 0.0, z), solid };
    match *solid {
        UniformSolid::Ellipsoid([a, b, c]) if a == b && b == c => vec![at(0.0, Solid::Sphere(a))],
        UniformSolid::Ellipsoid(_) => {
            findings.passed(&node.place, "ellipsoid", "is not drawn, but weighs");
            Vec::new()
        }
        UniformSolid::Box(half) => vec![at(0.0, Solid::Box(half.map(|edge| 2.0 * edge)))],
        UniformSolid::Cylinder(radius, half) => vec![at(0.0, Solid::Cylinder(radius, 2.0 * half))],
        UniformSolid::Capsule(radius, half) => vec![
            at(0.0, Solid::Cylinder(radius, 2.0 * half)),
            at(-half, Solid::Sphere(radius)),
            at(half, Solid::Sphere(radius)),
        ],
    }
}
