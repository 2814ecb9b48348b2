//! Meshes of MJCF: geometry files of the model, where MuJoCo shows them.

use crate::common::Folder;
use flexura::file::NoSource;
use flexura_exchange::robot::{self, Options};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use std::path::{Path, PathBuf};

const STL: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";

const ROBOT: &str = r#"<mujoco>
<compiler meshdir="parts" strippath="true"/>
<default><mesh scale="0.5 0.5 0.5"/></default>
<asset>
  <mesh name="link" file="elsewhere/link.stl" scale="2 2 2" refpos="0.1 0.2 0.3" refquat="0.8 0.2 0.4 0.1"/>
  <mesh file="plain.stl" material="wood" texcoord="0 0 1 0 0 1"/>
  <mesh name="sheared" file="plain.stl" scale="1 2 3" refquat="0.8 0.2 0.4 0.1"/>
  <mesh name="foreign" file="link.msh"/>
  <mesh name="inline" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  <mesh name="made" builtin="sphere" params="2"/>
  <texture name="wood"/>
</asset>
<worldbody>
  <body name="arm"><joint/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    <geom type="mesh" mesh="link" pos="0.5 0.6 0.7" euler="10 20 30"/>
    <geom type="mesh" mesh="plain"/>
    <geom type="mesh" mesh="sheared"/>
    <geom type="mesh" mesh="foreign"/>
    <geom type="mesh" mesh="inline"/>
    <geom type="mesh" mesh="made"/>
    <geom type="box" mesh="plain"/>
  </body>
</worldbody></mujoco>"#;

fn imported(folder: &Folder, text: &str) -> Result<robot::Imported, String> {
    let place = PathBuf::from(folder.path(""));
    folder.write("robot.xml", text);
    let options = Options {
        floating_base: false,
        leave_out: false,
        flexible: Vec::new(),
        folder: place.clone(),
        source: &NoSource,
    };
    robot::import(Path::new(&place.join("robot.xml")), &options).map_err(|refused| refused.to_string())
}

/// Where a picture shows a vertex of its file, in axes of the body.
fn shown(picture: &toml::Value, vertex: [f64; 3]) -> Vector3<f64> {
    let numbers = |list: &toml::Value| -> Vec<f64> {
        list.as_array().expect("a list").iter().map(|x| x.as_float().expect("a number")).collect()
    };
    let (scale, place) = (numbers(&picture["scale"]), numbers(&picture["position"]));
    let q = numbers(&picture["rotation"]["quaternion"]);
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    turn * Vector3::from_fn(|i, _| scale[i] * vertex[i]) + Vector3::from_fn(|i, _| place[i])
}

#[test]
fn meshes_of_mjcf_become_geometry_files() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("parts")).expect("a folder");
    ["parts/link.stl", "parts/plain.stl"].iter().for_each(|file| folder.write(file, STL));
    let found = imported(&folder, ROBOT).expect("a robot");
    let model: toml::Table = found.text.parse().expect("a model file");
    let pictures = model["picture"].as_array().expect("pictures");
    assert_eq!(pictures.len(), 2, "{}", found.text);
    assert_eq!(pictures[1]["file"].as_str(), Some("parts/plain.stl"));
    assert_eq!(pictures[1]["scale"].to_string(), "[0.5, 0.5, 0.5]", "the default of the class");
    let link = &pictures[0];
    assert_eq!(
        (link["file"].as_str(), link["scale"].to_string()),
        (Some("parts/link.stl"), "[2.0, 2.0, 2.0]".into())
    );
    // Where MuJoCo 4.0.0 has the vertices of this file in axes of the body, in its single precision.
    for (vertex, known) in [
        ([0.0, 0.0, 0.0], [0.798_217_00, 0.219_729_54, 0.128_632_43]),
        ([1.0, 0.0, 0.0], [2.322_006_51, 0.611_253_82, 1.363_449_93]),
        ([0.0, 0.0, 3.0], [-2.888_663_40, -0.277_655_36, 4.836_022_26]),
    ] {
        let found = shown(link, vertex);
        let off = (0..3).map(|i| (found[i] - known[i]).abs()).fold(0.0, f64::max);
        assert!(off < 1e-6, "{found:?} against {known:?}");
    }
    let notices = found.notices.join("\n");
    for part in [
        "mesh of <geom>: is not drawn: it is turned by `refquat` and then scaled unequally",
        "is not drawn: pictures read .stl",
        "its vertices stand in the file",
        "<geom> of type `box` by a mesh: is not drawn",
        "<texture> of <asset>: takes no part",
        "material of <mesh>: is not drawn",
        "texcoord of <mesh>: is not drawn",
        "is not drawn: MuJoCo makes it by `builtin`",
    ] {
        assert!(notices.contains(part), "no `{part}` in:\n{notices}");
    }
    let wrong = ROBOT.replace("mesh=\"plain\" ", "").replacen("mesh=\"link\"", "mesh=\"lonk\"", 1);
    let refused = imported(&folder, &wrong).expect_err("refused");
    assert!(refused.contains("no mesh is called `lonk`"), "{refused}");
    let wrong = ROBOT.replacen("<texture name", "<textur name", 1);
    let refused = imported(&folder, &wrong).expect_err("refused");
    assert!(refused.contains("<textur> inside <asset>"), "{refused}");
}

#[test]
fn geoms_without_contact_are_drawn_instead_of_those_with() {
    let folder = Folder::new();
    ["seen.stl", "hull.stl"].iter().for_each(|file| folder.write(file, STL));
    let robot = |geoms: &str| {
        format!(
            r#"<mujoco><asset><mesh file="seen.stl"/><mesh file="hull.stl"/><mesh name="made" builtin="sphere"/></asset>
<default><default class="visual"><geom contype="0" conaffinity="0"/></default></default>
<worldbody><body name="arm"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{geoms}</body></worldbody></mujoco>"#
        )
    };
    let touching = r#"<geom type="mesh" mesh="hull"/><geom type="sphere" size="0.1"/>"#;
    let drawn = |geoms: &str| {
        let found = imported(&folder, &robot(geoms)).expect("a robot");
        let model: toml::Table = found.text.parse().expect("a model file");
        let files = |picture: &toml::Value| {
            picture.get("file").map_or("solid", |file| file.as_str().expect("a name")).to_owned()
        };
        let list = model.get("picture").and_then(toml::Value::as_array);
        let said = found.notices.join("\n").contains("<geom> with contact: is not drawn beside geoms without contact of the same body (the first of 2)");
        (list.into_iter().flatten().map(files).collect::<Vec<String>>(), said, found.notices.join("\n"))
    };
    let (files, said, notices) =
        drawn(&format!(r#"<frame><geom class="visual" type="mesh" mesh="seen"/></frame>{touching}"#));
    assert!(files == ["seen.stl"] && said, "{files:?}\n{notices}");
    // Alone, or beside a picture that there is none of, they are drawn.
    for geoms in [touching.to_owned(), format!(r#"<geom class="visual" type="mesh" mesh="made"/>{touching}"#)]
    {
        let (files, said, notices) = drawn(&geoms);
        assert!(files == ["hull.stl", "solid"] && !said, "{files:?}\n{notices}");
    }
    // One of both is enough to touch.
    let (files, ..) = drawn(&format!(r#"<geom contype="0" type="mesh" mesh="seen"/>{touching}"#));
    assert_eq!(files.len(), 3);
}
