//! Models of Gazebo: the accelerations of the same robot as URDF, free and closed ones, refusals.

use super::common::{Folder, Import, data, import};
use super::{AGREE, difference};
use flexura::file::build_text;
use serde_json::Value;

fn has(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "no `{part}` in:\n{text}"));
}

fn reference() -> Value {
    let text = std::fs::read_to_string(data("robot_reference.json")).expect("references");
    serde_json::from_str(&text).expect("JSON")
}

/// `arm.sdf` is the robot of `arm.urdf` with other link frames, written by scripts/robot_sdf.py; the numbers are Pinocchio's.
#[test]
fn accelerations_are_those_of_the_same_robot_as_urdf() {
    let reference = reference();
    assert_eq!(reference["cases"][0]["file"], "arm.urdf");
    let found = import("arm.sdf", Import::default()).expect("a robot");
    let states = reference["cases"][0]["states"].as_array().expect("states");
    for state in states {
        let (worst, scale) = difference(&found.text, state);
        assert!(worst < AGREE * scale, "{worst:e} of {scale:e}");
    }
    let notices = found.notices.join("\n");
    let passed = ["<plugin>: takes no part", "<collision>: is not used", "<sensor>: takes no part"];
    has(&notices, &passed);
    has(&notices, &["<mesh>: is not drawn", "<effort> of <limit>"]);
    // The frame on a link is a frame of the body, and limits are events.
    has(&found.text, &["name = \"mount\"", "channel = \"reach.displacement\"", "sphere = 0.04"]);
}

#[test]
fn every_number_of_a_file_counts() {
    let reference = reference();
    let folder = Folder::new();
    let arm = std::fs::read_to_string(data("arm.sdf")).expect("a robot");
    let line = |words: &str| arm.lines().find(|line| line.contains(words)).expect(words).to_owned();
    // A pose relative to a frame, one by a quaternion, one in degrees, one of a joint, an axis in another frame, the model's own.
    for words in [
        "<frame name=\"mount\"",
        "rotation_format=\"quat_xyzw\"",
        "degrees=\"true\"",
        "expressed_in=\"finger\"",
        "<pose relative_to=\"column\"",
        "<mass>1.1</mass>",
        "<friction>0.4</friction>",
    ] {
        let old = line(words);
        let at = old.find(words).expect("words") + words.len();
        let place = at + old[at..].find(|letter: char| letter.is_ascii_digit()).unwrap_or(0);
        let new = match words.contains("</") {
            true => old.replace(words, &words.replace(['1', '4'], "3")),
            false => format!("{}9{}", &old[..place], &old[place + 1..]),
        };
        assert_ne!(new, old, "{words}");
        folder.write("arm.sdf", &arm.replacen(&old, &new, 1));
        let found = import(&folder.path("arm.sdf"), Import::default()).expect("a robot");
        let (worst, scale) = difference(&found.text, &reference["cases"][0]["states"][0]);
        assert!(worst > 1e-5 * scale, "{words}: only {worst:e} of {scale:e}");
    }
}

const ROD: &str =
    "<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>";

fn model(inside: &str) -> String {
    format!(
        "<sdf version=\"1.7\"><world name=\"w\"><gravity>0 0 -1.6</gravity><model name=\"m\">{inside}</model></world></sdf>"
    )
}

#[test]
fn what_no_joint_holds_moves_freely_and_a_second_joint_closes_a_loop() {
    let folder = Folder::new();
    let link = |name: &str, pose: &str| format!("<link name=\"{name}\"><pose>{pose}</pose>{ROD}</link>");
    let hinge = |name: &str, parent: &str, child: &str, at: &str| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><pose relative_to=\"__model__\">{at}</pose><parent>{parent}</parent>\
             <child>{child}</child><axis><xyz>0 1 0</xyz><dynamics><spring_stiffness>2</spring_stiffness></dynamics></axis></joint>"
        )
    };
    folder.write(
        "free.sdf",
        &model(
            &(link("a", "1 2 3 0 0 0.5") + &link("b", "0 0 0 0 0 0") + &hinge("h", "a", "b", "0 0 0 0 0 0")),
        ),
    );
    let found = import(&folder.path("free.sdf"), Import::default()).expect("a robot");
    let built = build_text(&found.text, "m.toml").expect("a model").built.model;
    assert_eq!((built.bodies.len(), built.loops.len()), (2, 0));
    assert!(
        found.text.contains("type = \"free\"") && found.text.contains("position = [1.0, 2.0, 3.0]"),
        "{}",
        found.text
    );
    assert!(
        found.text.contains("gravity = [0.0, 0.0, -1.6]") && found.text.contains("stiffness = 2"),
        "{}",
        found.text
    );
    let still = model(
        &("<static>true</static>".to_owned()
            + &link("a", "0 0 0 0 0 0")
            + &link("b", "0 0 0 0 0 0")
            + &hinge("h", "a", "b", "0 0 0 0 0 0")),
    );
    folder.write("still.sdf", &still);
    let found = import(&folder.path("still.sdf"), Import::default()).expect("a robot");
    // Nothing of it moves, whatever its joints would allow; and links without masses have those of SDF.
    assert!(!found.text.contains("\"free\"") && !found.text.contains("\"revolute\""), "{}", found.text);
    has(&found.notices.join("\n"), &["joint `h`: in a static model nothing moves"]);
    folder.write("bare.sdf", &model("<link name='a'><pose degrees='1'>0 0 0 0 0 90</pose></link>"));
    let found = import(&folder.path("bare.sdf"), Import::default()).expect("a robot");
    let built = build_text(&found.text, "m.toml").expect("a model").built.model;
    let mass: f64 = built.bodies.iter().map(|body| body.mass()).sum();
    assert!(
        (mass - 1.0).abs() < 1e-12 && found.text.contains("quaternion = [0.70710678118654"),
        "{}",
        found.text
    );
    has(&found.notices.join("\n"), &["<inertial>, which is missing,", "1 kg"]);
    for (bad, words) in [
        ("<static>perhaps</static>", "neither true nor false"),
        ("<link name='a'><pose rotation_format='axis'>0 0 0 0 0 0</pose></link>", "rotation_format `axis`"),
    ] {
        folder.write("bad.sdf", &model(&(link("z", "0 0 0 0 0 0") + bad)));
        let refused = import(&folder.path("bad.sdf"), Import::default()).expect_err("a refusal");
        has(&refused.to_string(), &[words]);
    }
    let bars = link("a", "0 0 0.5 0 0 0") + &link("b", "0.5 0 1 0 0 0") + &link("c", "1 0 0.5 0 0 0");
    let hinges = hinge("h1", "world", "a", "0 0 0 0 0 0")
        + &hinge("h2", "a", "b", "0 0 1 0 0 0")
        + &hinge("h3", "b", "c", "1 0 1 0 0 0")
        + &hinge("h4", "world", "c", "1 0 0 0 0 0");
    folder.write("four.sdf", &model(&(bars + &hinges)));
    let found = import(&folder.path("four.sdf"), Import::default()).expect("a robot");
    let built = build_text(&found.text, "m.toml").expect("a model").built.model;
    assert_eq!((built.bodies.len(), built.loops.len()), (3, 1));
}

#[test]
fn refusals_have_file_and_line() {
    let folder = Folder::new();
    folder.write(
        "bad.sdf",
        &format!(
            r#"<sdf version="1.9"><model name="m">
<link name="a"><pose relative_to="b"/>{ROD}<gravity>false</gravity></link>
<link name="b"><pose relative_to="a"/>{ROD}</link>
<joint name="j" type="screw"><parent>world</parent><child>a</child><axis><xyz>0 0 0</xyz></axis></joint>
<joint name="k" type="revolute"><parent>nobody</parent><child>b</child></joint>
<model name="inner"/>
</model></sdf>"#
        ),
    );
    let refused = import(&folder.path("bad.sdf"), Import::default()).expect_err("refused").to_string();
    for part in [
        "bad.sdf:2: <gravity> of link `a` is not true",
        "bad.sdf:2: the pose of `a` is relative to itself, over a, b",
        "bad.sdf:4: <xyz> of an axis has no length",
        "bad.sdf:5: <parent> `nobody` is no link",
        "bad.sdf:6: <model> inside <model> has no counterpart here",
    ] {
        assert!(refused.contains(part), "no `{part}` in:\n{refused}");
    }
    for (text, part) in [
        ("<sdf version=\"1.4\"><model name=\"m\"/></sdf>", "SDF of version `1.4`"),
        ("<sdf version=\"1.7\"/>", "the file has 0 models"),
        (
            "<sdf version=\"1.7\"><model name=\"m\"><joint name=\"j\" type=\"gearbox\"><parent>world</parent><child>x</child></joint></model></sdf>",
            "no link, joint or frame is called `x`",
        ),
    ] {
        folder.write("other.sdf", text);
        let refused = import(&folder.path("other.sdf"), Import::default()).expect_err(part).to_string();
        assert!(refused.contains(part), "no `{part}` in:\n{refused}");
    }
    let floating =
        import("arm.sdf", Import { floating_base: true, ..Import::default() }).expect_err("refused");
    assert!(floating.to_string().contains("moves freely"), "{floating}");
}
