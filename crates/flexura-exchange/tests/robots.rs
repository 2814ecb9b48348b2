//! Robots of other programs: the same accelerations as Pinocchio and MuJoCo at random states, flexible links, refusals.

mod common;
mod meshes;
mod sdf;

use common::{Folder, Import, data, import};
use flexura::file::build_text;
use flexura::{State, Workspace, evaluate};
use serde_json::Value;

/// Accelerations agree to this share of the largest one: the references are good to about 1e-14.
const AGREE: f64 = 1e-10;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|entry| entry.as_f64().expect("a number")).collect()
}

/// The largest difference of accelerations over all joints of a state, and the largest acceleration.
fn difference(text: &str, state_of: &Value) -> (f64, f64) {
    let loaded = build_text(text, "robot.toml").expect("a model");
    let model = &loaded.built.model;
    let (mut state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
    let expected = state_of.as_object().expect("joints");
    let moving: Vec<usize> =
        (0..model.joints.len()).filter(|&k| model.layout.bodies[k].joint_v > 0).collect();
    assert_eq!(moving.len(), expected.len(), "every joint is known, and no other");
    for &k in &moving {
        let known = &expected[&model.joints[k].name];
        state.q[model.layout.bodies[k].joint_q()].copy_from_slice(&numbers(&known["position"]));
        state.v[model.layout.bodies[k].joint_v()].copy_from_slice(&numbers(&known["speed"]));
    }
    evaluate(model, &state, &mut work).expect("accelerations");
    let (mut worst, mut scale) = (0.0f64, 0.0f64);
    for &k in &moving {
        let found = &work.accelerations.chidot[model.layout.bodies[k].joint_v()];
        for (found, known) in found.iter().zip(numbers(&expected[&model.joints[k].name]["acceleration"])) {
            worst = worst.max((found - known).abs());
            scale = scale.max(known.abs());
        }
    }
    (worst, scale)
}

#[test]
fn accelerations_are_those_of_pinocchio_and_mujoco() {
    let text = std::fs::read_to_string(data("robot_reference.json")).expect("references");
    let reference: Value = serde_json::from_str(&text).expect("JSON");
    let cases = reference["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 10);
    for case in cases {
        let file = case["file"].as_str().expect("a file");
        let floating = case["floating"].as_bool().expect("a word");
        let found = import(file, Import { floating_base: floating, ..Import::default() }).expect(file);
        let states = case["states"].as_array().expect("states");
        assert!(states.len() >= 5);
        for state in states {
            let (worst, scale) = difference(&found.text, state);
            assert!(worst < AGREE * scale, "{file}: {worst:e} of {scale:e}");
        }
    }
}

/// A change of any number of the file is felt: the comparison above is not blind to some of them.
#[test]
fn every_number_of_a_file_counts() {
    let text = std::fs::read_to_string(data("robot_reference.json")).expect("references");
    let reference: Value = serde_json::from_str(&text).expect("JSON");
    let folder = Folder::new();
    let arm = std::fs::read_to_string(data("arm.urdf")).expect("a robot");
    for (number, other) in [
        ("ixy=\"0.002\"", "ixy=\"0.003\""),
        ("rpy=\"0.2 -0.1 0.4\"", "rpy=\"0.4 -0.1 0.4\""),
        ("value=\"1.1\"", "value=\"1.2\""),
        ("friction=\"0.4\"", "friction=\"0.3\""),
        ("damping=\"2.0\"", "damping=\"1.0\""),
        ("xyz=\"1 1 0\"", "xyz=\"1 1.1 0\""),
        ("rpy=\"0 0 1.1\"", "rpy=\"0 0 1.2\""),
    ] {
        assert!(arm.contains(number), "{number}");
        folder.write("arm.urdf", &arm.replacen(number, other, 1));
        let found = import(&folder.path("arm.urdf"), Import::default()).expect("a robot");
        let (worst, scale) = difference(&found.text, &reference["cases"][0]["states"][0]);
        assert!(worst > 1e-4 * scale, "{number}: only {worst:e} of {scale:e}");
    }
}

#[test]
fn what_takes_no_part_is_said_once_per_kind_with_its_line() {
    let found = import("arm.urdf", Import::default()).expect("a robot");
    let notices = found.notices.join("\n");
    for part in [
        "arm.urdf:5: <material>: takes no part in the motion",
        "<collision>: is not used",
        "<mesh>: is not drawn",
        "<transmission>: takes no part",
        "<gazebo>: takes no part",
        "<safety_controller>: takes no part",
        "<calibration>: takes no part",
        "<limit> effort and velocity: bind drives",
        "limits of a joint: are watched by events of the run, not enforced (the first of 4)",
    ] {
        assert!(notices.contains(part), "no `{part}` in:\n{notices}");
    }
    // The tool of no mass is a frame, the limits are events, the solids are pictures, and the notices stand in the file.
    for part in
        ["name = \"tool\"", "channel = \"reach.displacement\"", "cylinder = {", "# - ", "sphere = 0.04"]
    {
        assert!(found.text.contains(part), "no `{part}` in:\n{}", found.text);
    }
    let loaded = build_text(&found.text, "arm.toml").expect("a model");
    assert_eq!(loaded.built.model.bodies.len(), 6);
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
}

#[test]
fn all_refusals_are_listed_at_once_with_file_and_line() {
    let folder = Folder::new();
    folder.write(
        "bad.urdf",
        r#"<robot name="bad">
<link name="base"/>
<link name="rod">
  <inertial><mass value="one"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
</link>
<link name="orphan"/>
<joint name="hinge" type="screw"><parent link="base"/><child link="rod"/></joint>
<joint name="other" type="revolute"><parent link="nobody"/><child link="rod"/><axis xyz="0 0 0"/>
  <mimic joint="hinge"/>
</joint>
<sensor name="camera"/>
</robot>"#,
    );
    let refused = import(&folder.path("bad.urdf"), Import::default()).expect_err("refused");
    let text = refused.to_string();
    for part in [
        "bad.urdf:4: <mass> value=\"one\": not a list of finite numbers",
        "bad.urdf:7: <joint> of type `screw`",
        "bad.urdf:8: no link is called `nobody`",
        "bad.urdf:8: <axis> `xyz` has no length",
        "bad.urdf:9: <mimic> ties the joint rigidly to `hinge`",
        "bad.urdf:11: <sensor> inside <robot> has no counterpart here",
        "bad.urdf:1: several links are roots",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

#[test]
fn mjcf_refusals_name_their_lines_and_may_be_left_out() {
    let folder = Folder::new();
    folder.write(
        "bad.xml",
        r#"<mujoco>
<compiler settotalmass="3"/>
<option density="1.2"/>
<worldbody>
  <body name="a">
    <joint axis="0 0 1" armature="0.1"/>
    <geom type="sphere" size="0.1"/>
    <composite type="rope"/>
    <body>
      <joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1"/>
      <geom type="sphere" size="0.1" class="nowhere"/>
    </body>
    <body pos="1 0 0"><joint/></body>
    <body><joint/><geom type="mesh" mesh="shell"/></body>
  </body>
</worldbody>
<equality><weld body1="a"/></equality>
<actuator><motor joint="a"/><position joint="a" kp="3"/></actuator>
<include file="missing.xml"/>
</mujoco>"#,
    );
    let refused = import(&folder.path("bad.xml"), Import::default()).expect_err("refused");
    let text = refused.to_string();
    for part in [
        "bad.xml:2: <compiler> settotalmass=\"3\"",
        "bad.xml:3: <option> density",
        "bad.xml:6: `armature` is inertia of a joint by itself",
        "bad.xml:8: <composite> has no counterpart",
        "bad.xml:10: the joints body_2_hinge, body_2_hinge, body_2_hinge of body `body_2`",
        "bad.xml:11: no class is called `nowhere`",
        "bad.xml:13: link `body_3` has no mass, and `body_3_hinge` moves it by itself",
        "bad.xml:14: the mass of this body follows from a mesh",
        "bad.xml:17: <weld> of <equality>",
        "bad.xml:18: <position> acts without being driven",
        "missing.xml: cannot read the file",
        "bad.xml:19: the file",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    folder.write(
        "left.xml",
        "<mujoco><worldbody><body name=\"a\"><joint armature=\"0.1\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    );
    let refused = import(&folder.path("left.xml"), Import::default()).expect_err("refused");
    assert!(refused.findings.iter().all(|finding| finding.foreign), "{refused}");
    let found =
        import(&folder.path("left.xml"), Import { leave_out: true, ..Import::default() }).expect("a robot");
    assert!(
        found.notices.iter().any(|notice| notice.contains("left out: `armature`")),
        "{:?}",
        found.notices
    );
}

#[test]
fn what_the_engine_refuses_comes_with_the_line_of_the_link() {
    let folder = Folder::new();
    let arm = std::fs::read_to_string(data("arm.urdf")).expect("a robot");
    // No distribution of mass has this inertia.
    folder.write("arm.urdf", &arm.replacen("izz=\"0.0009\"", "izz=\"0.9\"", 1));
    let refused = import(&folder.path("arm.urdf"), Import::default()).expect_err("refused").to_string();
    let line = 1 + arm.lines().position(|line| line.contains("<link name=\"slider\">")).expect("the link");
    let place = format!("arm.urdf:{line}: body `slider`");
    assert!(refused.contains(&place) && refused.contains("triangle"), "{refused}");
}

/// Placeholders with numbers that no matter has, as many robots have them at their root, go along with what they are welded to.
#[test]
fn placeholders_become_part_of_what_they_are_welded_to() {
    let folder = Folder::new();
    let walker = std::fs::read_to_string(data("walker.urdf")).expect("a robot");
    let ones = "ixx=\"1e-6\" ixy=\"1e-6\" ixz=\"1e-6\" iyy=\"1e-6\" iyz=\"1e-6\" izz=\"1e-6\"";
    let root = format!(
        "<link name=\"footprint\"><inertial><mass value=\"1e-6\"/><inertia {ones}/></inertial></link>"
    );
    folder.write("walker.urdf", &walker.replacen("<link name=\"footprint\"/>", &root, 1));
    let found = import(&folder.path("walker.urdf"), Import { floating_base: true, ..Import::default() })
        .expect("a robot");
    let model = build_text(&found.text, "robot.toml").expect("a model").built.model;
    assert_eq!(model.bodies.len(), 3);
    assert!((model.bodies[0].mass() - 9.000_001).abs() < 1e-12);
}

#[test]
fn files_that_are_no_robots_are_refused() {
    let folder = Folder::new();
    for (name, text, part) in [
        ("a.urdf", "<robot name=\"r\">", "no XML"),
        ("b.xml", "<osim version=\"1.6\"/>", "neither URDF nor MJCF nor SDF"),
        ("c.urdf", "<robot name=\"r\"><link name=\"only\"/></robot>", "nothing moves"),
        ("d.xml", "<mujoco><include file=\"d.xml\"/></mujoco>", "included a second time"),
        ("e.urdf", "", "no XML"),
    ] {
        folder.write(name, text);
        let refused = import(&folder.path(name), Import::default()).expect_err(name).to_string();
        assert!(refused.contains(part), "{name}: {refused}");
    }
    let deep = format!("<robot name=\"r\">{}{}</robot>", "<link>".repeat(900), "</link>".repeat(900));
    folder.write("f.urdf", &deep);
    import(&folder.path("f.urdf"), Import::default()).expect_err("too deep");
    // Files that include one another, each hardly deep: no stack holds what they make together.
    for k in 0..30 {
        let (open, shut) = ("<worldbody>".repeat(20), "</worldbody>".repeat(20));
        folder.write(
            &format!("g{k}.xml"),
            &format!("<mujoco>{open}<include file=\"g{}.xml\"/>{shut}</mujoco>", k + 1),
        );
    }
    let refused = import(&folder.path("g0.xml"), Import::default()).expect_err("too deep").to_string();
    assert!(refused.contains("with what is included"), "{refused}");
    let missing = import(&folder.path("none.urdf"), Import::default()).expect_err("not there");
    assert!(missing.unreadable);
}

/// A link of a stiff beam moves as the rigid link with the beam's mass: frames are where they were, whatever the axes.
#[test]
fn a_stiff_beam_in_place_of_a_link_moves_as_the_link() {
    let folder = Folder::new();
    let (length, area, density) = ((0.3f64 * 0.3 + 0.4 * 0.4).sqrt(), 0.02 * 0.02, 2700.0);
    let (mass, small) = (density * area * length, 0.02 * 0.02 / 12.0);
    let robot = format!(
        r#"<robot name="arm"><link name="base"/>
<link name="upper"><inertial><origin xyz="0.15 0.2 0" rpy="0 0 {angle:?}"/><mass value="{mass:?}"/>
<inertia ixx="{ix:?}" iyy="{iy:?}" izz="{iy:?}" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="fore"><inertial><origin xyz="0.1 0 0"/><mass value="0.4"/>
<inertia ixx="0.001" iyy="0.004" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
<joint name="elbow" type="revolute"><origin xyz="0.3 0.4 0" rpy="0.3 0 0"/><parent link="upper"/><child link="fore"/>
<axis xyz="0 1 0"/></joint></robot>"#,
        angle = 0.4f64.atan2(0.3),
        ix = mass * 2.0 * small,
        iy = mass * (length * length / 12.0 + small),
    );
    folder.write("arm.urdf", &robot);
    folder.write(
        "links.toml",
        "[[link]]\nname = \"upper\"\n[link.beam]\ndensity = 2700\nyoung = 7e13\npoisson = 0.3\n\
         section = { rectangle = [0.02, 0.02] }\nboundary = \"clamped-free\"\nbending_y = 1\nbending_z = 1\n",
    );
    let links = flexura_exchange::robot::read_table(folder.path("links.toml").as_ref()).expect("a table");
    let [rigid, soft] = [Vec::new(), links].map(|flexible| {
        import(&folder.path("arm.urdf"), Import { flexible, ..Import::default() }).expect("a robot")
    });
    assert!(
        soft.notices.iter().any(|notice| notice.contains("give way to a beam of 0.5")),
        "{:?}",
        soft.notices
    );
    let ends = [rigid.text, soft.text].map(|text| {
        let text = text.replace("end = 1.0", "end = 0.1\nmethod = \"radau\"\noutput_interval = 0.1");
        let text = text.replace("name = \"elbow\"\ntype", "name = \"elbow\"\nposition = 0.4\ntype");
        let system = build_text(&text, "arm.toml").expect("a model").built;
        let result = system.simulate().expect("a run");
        ["fore.position.x", "fore.position.y", "fore.position.z", "elbow.angle", "fore.quaternion.w"]
            .map(|name| *result.channel(name).expect(name).last().expect("rows"))
    });
    for (one, other) in ends[0].iter().zip(&ends[1]) {
        assert!((one - other).abs() < 1e-5, "{ends:?}");
    }
    assert!(ends[0][2] < -0.01, "it falls: {ends:?}");
}

#[test]
fn tables_of_flexible_links_are_refused_by_name() {
    let folder = Folder::new();
    for (text, part) in [
        ("", "no [[link]]"),
        ("[[link]]\nfe = \"a.toml\"\n", "link 1: has no `name`"),
        ("[[link]]\nname = \"a\"\n", "needs one of fe"),
        ("[[link]]\nname = \"a\"\nfe = \"b\"\nbaem = 1\n", "unknown key `baem`"),
        ("[[link]]\nname = \"a\"\n[link.beam]\nlength = 1\n", "`length` follows from the link"),
        ("[[link]]\nname = \"a\"\n[link.beam]\nup = [1]\n", "`up` is no list of three numbers"),
    ] {
        folder.write("links.toml", text);
        let why = flexura_exchange::robot::read_table(folder.path("links.toml").as_ref()).expect_err(part);
        assert!(why.contains(part), "{why}");
    }
    folder.write("links.toml", "[[link]]\nname = \"uper\"\nfe = \"a.toml\"\n");
    let flexible = flexura_exchange::robot::read_table(folder.path("links.toml").as_ref()).expect("a table");
    let refused = import("arm.urdf", Import { flexible, ..Import::default() }).expect_err("no such link");
    assert!(refused.to_string().contains("no link with mass is called `uper`"), "{refused}");
}

/// Meshes in the folder of the model are named there, those of packages too; others are passed over with a reason.
#[test]
fn meshes_of_urdf_become_geometry_files() {
    use flexura::file::NoSource;
    use flexura_exchange::robot::{self, Options};
    let folder = Folder::new();
    let place = std::path::PathBuf::from(folder.path("here"));
    std::fs::create_dir_all(place.join("pack/meshes")).expect("a folder");
    let stl = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
    for file in ["here/pack/meshes/link.stl", "here/beside.stl", "outside.stl"] {
        folder.write(file, stl);
    }
    let link = |name: &str, mesh: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\
             <visual><geometry><mesh {mesh}/></geometry></visual></link>\n"
        )
    };
    let joint = |child: &str| {
        format!(
            "<joint name=\"j{child}\" type=\"continuous\"><parent link=\"world\"/><child link=\"{child}\"/><axis xyz=\"0 0 1\"/></joint>\n"
        )
    };
    let names = ["a", "b", "c", "d"];
    let meshes = [
        "filename=\"package://pack/meshes/link.stl\" scale=\"0.001 0.001 0.002\"",
        "filename=\"beside.stl\"",
        "filename=\"../outside.stl\"",
        "filename=\"beside.dae\"",
    ];
    let links: String =
        names.iter().zip(meshes).map(|(name, mesh)| link(name, mesh) + &joint(name)).collect();
    folder.write("here/robot.urdf", &format!("<robot name=\"r\"><link name=\"world\"/>\n{links}</robot>"));
    let options = Options {
        floating_base: false,
        leave_out: false,
        flexible: Vec::new(),
        folder: place.clone(),
        source: &NoSource,
    };
    let found = robot::import(&place.join("robot.urdf"), &options).expect("a robot");
    assert!(
        found.text.contains("file = \"pack/meshes/link.stl\"\nscale = [0.001, 0.001, 0.002]"),
        "{}",
        found.text
    );
    assert!(found.text.contains("file = \"beside.stl\"\n"), "{}", found.text);
    assert_eq!(found.text.matches("file = ").count(), 2);
    let notices = found.notices.join("\n");
    assert!(
        notices.contains("outside the folder of the model") && notices.contains("pictures read .stl"),
        "{notices}"
    );
}
