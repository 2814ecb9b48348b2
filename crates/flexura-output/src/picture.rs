//! The picture of a model as the text stored in a result file (book/src/result_file.md).
//!
//! Numbers of nodes and modes are little-endian `f32` and `u32` in base64: a
//! mesh of 60,000 nodes and 20 modes takes 20 MB that way, three times less than as text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flexura::model::Mount;
use flexura::model::body::NodeShape;
use flexura::picture::{
    BodyPicture, ElementPicture, Form, JointPicture, Outline, Picture, Solid, SurfaceMesh,
};
use flexura::spatial::{Matrix3, Vector3, quaternion_from_matrix};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Metadata key of the picture.
pub const PICTURE_KEY: &str = "picture";
/// Version of its text.
const PICTURE_VERSION: u32 = 1;
/// Second-order displacements of more numbers than this are left out of the picture.
const MOST_QUADRATIC: usize = 2_000_000;

/// Base64 of little-endian `f32`.
fn encode_f32(values: impl Iterator<Item = f64>) -> String {
    let bytes: Vec<u8> = values.flat_map(|value| (value as f32).to_le_bytes()).collect();
    STANDARD.encode(bytes)
}

fn encode_u32(values: impl Iterator<Item = usize>) -> String {
    let bytes: Vec<u8> =
        values.flat_map(|value| u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes()).collect();
    STANDARD.encode(bytes)
}

/// The text of a picture.
pub fn picture_text(picture: &Picture) -> String {
    let frames = picture.frames.iter().map(|frame| {
        let mut value = mount(&frame.mount);
        value.insert("name".into(), json!(frame.name));
        value.insert("body".into(), index(frame.body));
        Value::Object(value)
    });
    let meshes = meshes(picture);
    let mut out = json!({
        "version": PICTURE_VERSION,
        "bodies": picture.bodies.iter().map(|found| body(found, &meshes)).collect::<Vec<_>>(),
        "joints": picture.joints.iter().map(joint).collect::<Vec<_>>(),
        "frames": frames.collect::<Vec<_>>(),
        "elements": picture.elements.iter().map(element).collect::<Vec<_>>(),
        "loops": picture
            .loops
            .iter()
            .map(|l| {
                let frames = json!({ "name": l.name, "kind": l.kind, "axis": l.axis, "frames": l.frames });
                sprung(frames, l.springs)
            })
            .collect::<Vec<_>>(),
        "forces": picture
            .forces
            .iter()
            .map(|f| json!({
                "name": f.name,
                "frame": f.frame,
                "force": f.wrench[0],
                "moment": f.wrench[1],
                "inertial": f.inertial,
            }))
            .collect::<Vec<_>>(),
        "masses": picture
            .masses
            .iter()
            .map(|m| json!({ "name": m.name, "frame": m.frame, "mass": m.mass }))
            .collect::<Vec<_>>(),
        "up": picture.up,
    });
    if !meshes.is_empty() {
        out["meshes"] = meshes.iter().map(|found| mesh(found)).collect();
    }
    out.to_string()
}

/// Surfaces of geometry files, those that bodies share once.
fn meshes(picture: &Picture) -> Vec<&Arc<SurfaceMesh>> {
    let mut found: Vec<&Arc<SurfaceMesh>> = Vec::new();
    for solid in picture.bodies.iter().flat_map(|body| &body.solids) {
        if let Form::Mesh(mesh) = &solid.form
            && !found.iter().any(|known| Arc::ptr_eq(known, mesh))
        {
            found.push(mesh);
        }
    }
    found
}

fn mesh(mesh: &SurfaceMesh) -> Value {
    json!({
        "name": mesh.name,
        "positions": encode_f32(mesh.points.iter().flatten().map(|x| f64::from(*x))),
        "triangles": encode_u32(mesh.triangles.iter().flatten().map(|corner| *corner as usize)),
    })
}

/// What an element has beyond name, kind and frames is written only where it has it.
fn element(element: &ElementPicture) -> Value {
    let mut out = json!({ "name": element.name, "kind": element.kind, "frames": element.frames });
    if let Some([spring, damper]) = element.parts {
        (out["spring"], out["damper"]) = (json!(spring), json!(damper));
    }
    if let Some(axis) = element.axis {
        out["axis"] = json!(axis);
    }
    if let Some(radius) = element.radius {
        out["radius"] = json!(radius);
    }
    if let Some([x, z]) = &element.road {
        out["road"] = json!({ "x": x, "z": z });
    }
    out
}

/// Minus one stands for the ground.
fn index(body: Option<usize>) -> Value {
    body.map_or(json!(-1), |body| json!(body))
}

fn body(body: &BodyPicture, meshes: &[&Arc<SurfaceMesh>]) -> Value {
    let mut out = json!({
        "name": body.name,
        "modes": body.modes,
        "nodes": shapes(&body.nodes, body.modes, body.triangles.is_empty()),
        "attachments": shapes(&body.attachments, body.modes, true),
        "lines": encode_u32(body.lines.iter().flatten().copied()),
        "triangles": encode_u32(body.triangles.iter().flatten().copied()),
        "solids": body.solids.iter().map(|found| solid(found, meshes)).collect::<Vec<_>>(),
    });
    match body.section {
        Some(Outline::Rectangle(sides)) => out["rectangle"] = json!(sides),
        Some(Outline::Circle(radius)) => out["circle"] = json!(radius),
        None => {}
    }
    if !body.stress.is_empty() {
        out["stress"] = json!(encode_f32(body.stress.iter().copied()));
    }
    if !body.strain.is_empty() {
        out["strain"] = json!(encode_f32(body.strain.iter().copied()));
    }
    if let Some(moduli) = body.moduli {
        out["moduli"] = json!(moduli);
    }
    out
}

/// Positions and motions of points, point after point, mode after mode.
fn shapes(nodes: &[NodeShape], modes: usize, turning: bool) -> Value {
    let all = |pick: fn(&NodeShape) -> &[Vector3]| {
        encode_f32(nodes.iter().flat_map(move |node| pick(node).iter().flatten().copied()))
    };
    let mut out = json!({
        "count": nodes.len(),
        "positions": encode_f32(nodes.iter().flat_map(|node| node.position)),
        "translations": all(|node| &node.translations),
    });
    if turning {
        out["slopes"] = json!(all(|node| &node.slopes));
    }
    let curved = nodes.iter().any(|node| !node.quadratic.is_empty());
    if curved && nodes.len() * modes * modes * 3 <= MOST_QUADRATIC {
        let zero = vec![[0.0; 3]; modes * modes];
        let full = nodes.iter().flat_map(|node| {
            let terms = if node.quadratic.is_empty() { &zero } else { &node.quadratic };
            terms.iter().flatten().copied()
        });
        out["quadratic"] = json!(encode_f32(full));
    }
    out
}

fn solid(solid: &Solid, meshes: &[&Arc<SurfaceMesh>]) -> Value {
    let mut out = json!({
        "position": solid.position,
        "quaternion": quaternion_from_matrix(&solid.rotation),
        "equivalent": solid.equivalent,
    });
    if let Some([red, green, blue]) = solid.colour {
        out["colour"] = json!(format!("#{red:02x}{green:02x}{blue:02x}"));
    }
    match &solid.form {
        Form::Box(edges) => out["box"] = json!(edges),
        Form::Sphere(radius) => out["sphere"] = json!(radius),
        Form::Cylinder(radius, length) => out["cylinder"] = json!([radius, length]),
        Form::Mass(mass) => out["mass"] = json!(mass),
        Form::Mesh(mesh) => out["mesh"] = json!(meshes.iter().position(|known| Arc::ptr_eq(known, mesh))),
    }
    out
}

fn mount(mount: &Mount) -> Map<String, Value> {
    let rotation: &Matrix3 = &mount.rotation;
    let mut out = Map::new();
    out.insert("attachment".into(), json!(mount.attachment));
    out.insert("position".into(), json!(mount.position));
    out.insert("quaternion".into(), json!(quaternion_from_matrix(rotation)));
    out
}

/// A joint with its springs, most have none.
fn sprung(mut joint: Value, springs: [bool; 2]) -> Value {
    if springs.contains(&true) {
        joint["springs"] = json!(springs);
    }
    joint
}

fn joint(joint: &JointPicture) -> Value {
    let found = json!({
        "name": joint.name,
        "kind": joint.kind,
        "axis": joint.axis,
        "parent": index(joint.parent),
        "swapped": joint.swapped,
        "outer": mount(&joint.outer),
        "inner": mount(&joint.inner),
    });
    sprung(found, joint.springs)
}
