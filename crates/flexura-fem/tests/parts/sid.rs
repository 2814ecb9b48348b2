//! Standard Input Data: bodies written and read again, spin-up through a file, refusals.

use flexura::build::Built;
use flexura::file::{build_text, build_text_with};
use flexura::{State, Workspace, evaluate};
use flexura_fem::PartSource;
use flexura_fem::sid::{self, SidBody, SidFile};
use std::path::PathBuf;

const SPIN_UP: &str = include_str!("../../../../models/validation/spin_up.toml");

/// A beam with every kind of mode, offset and turned frames, and a load at its tip.
const ARM: &str = r#"
[[body]]
name = "arm"
level = "consistent"
[body.beam]
length = 1.5
density = 2700
young = 70e9
poisson = 0.3
section = { rectangle = [0.03, 0.02] }
boundary = "clamped-free"
axial = 1
bending_y = 2
bending_z = 2
torsion = 1
damping = { rayleigh = { mass = 0.1, stiffness = 1e-4 } }
[[body.frame]]
name = "tip"
station = "tip"
[[body.frame]]
name = "beside"
station = 1.2
position = [0.05, 0.04, -0.03]
[[body]]
name = "load"
mass = 0.7
inertia = [0.01, 0.02, 0.015]
center_of_mass = [0.05, 0.02, 0]
[[joint]]
name = "base"
type = "free"
between = ["ground.origin", "arm.origin"]
[[joint]]
name = "wrist"
type = "spherical"
between = ["arm.tip", "load.origin"]
[[force]]
name = "push"
at = "arm.beside"
axes = "frame"
force = [3, -2, 5]
moment = [0.3, 0.1, -0.2]
"#;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("flexura-sid-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// The SID file of a body of a model.
fn written(built: &Built, name: &str) -> (SidFile, Vec<String>) {
    let index = built.model.bodies.iter().position(|body| body.name == name).expect("the body");
    sid::sid_of_body(&built.model, index).expect("a flexible body")
}

/// The text with its beam replaced by a SID file; what the beam's frames were is now nodes of the file.
fn with_file(text: &str, body: &str, file: &str) -> String {
    let start = text.find(&format!("name = \"{body}\"")).expect("the body");
    let rest = &text[start..];
    let end =
        ["\n[[joint]]", "\n[[body]]"].iter().filter_map(|word| rest.find(word)).min().expect("what follows");
    format!("{}name = \"{body}\"\nfe = \"{file}\"{}", &text[..start], &rest[end..])
}

/// Accelerations at a state that depends on the number of coordinates only.
fn accelerations(built: &Built) -> Vec<f64> {
    let model = &built.model;
    let (mut state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
    for (k, body) in model.layout.bodies.iter().enumerate() {
        // Level `consistent` of a beam that twists loses its inertia at larger deflections.
        let wave = |i: usize| (1.3 * (i + 7 * k) as f64 + 0.4).sin();
        for i in body.modal_q() {
            state.q[i] = 5e-5 * wave(i);
        }
        let joint = body.joint_q();
        if joint.len() >= 4 {
            let parts: [f64; 4] = std::array::from_fn(|i| wave(i + 3));
            let size = parts.iter().map(|x| x * x).sum::<f64>().sqrt();
            (0..4).for_each(|i| state.q[joint.start + i] = parts[i] / size);
        }
        for i in body.v..body.v + body.modes + body.joint_v {
            state.v[i] = 0.8 * wave(i + 1);
        }
    }
    evaluate(model, &state, &mut work).expect("accelerations");
    work.accelerations.chidot.clone()
}

fn gap(one: &[f64], other: &[f64]) -> f64 {
    let scale = one.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale
}

#[test]
fn a_beam_goes_through_a_file_to_rounding() {
    // Second-order rotations of sections have no place in the file: the same beam without them, by nodes.
    let folder = folder("beam");
    let built = build_text(ARM, "arm.toml").expect("a model").built;
    let (file, left_out) = written(&built, "arm");
    std::fs::write(folder.join("arm.SID_FEM"), sid::write(&file)).expect("written");
    let again = sid::read(&folder.join("arm.SID_FEM")).expect("readable");
    let nodes = |file: &SidFile| {
        let mut plain = file.clone();
        plain.nodes.iter_mut().for_each(|node| node.line = 0);
        plain
    };
    assert_eq!(nodes(&again), nodes(&file), "every digit comes back");
    let text = with_file(ARM, "arm", "arm.SID_FEM");
    let model = folder.join("model.toml").display().to_string();
    let read = build_text_with(&text, &model, &PartSource::default()).expect("a model");
    assert!(
        read.warnings.iter().any(|found| found.message.contains("level `consistent`")),
        "{:?}",
        read.warnings
    );
    let body = read.built.model.bodies.iter().find(|body| body.name == "arm").expect("the body");
    assert_eq!(body.level().word(), "consistent");
    let (known, found) = (accelerations(&built), accelerations(&read.built));
    // What differs is the lean of sections, second order of small deflections.
    let lean = gap(&known, &found);
    assert!(lean < 2e-3, "{lean:e}");
    let lost = left_out.join("\n");
    for part in [
        "second-order rotation of the section at `tip`",
        "modal mass of first and second order",
        "pictures, stresses",
    ] {
        assert!(lost.contains(part), "no `{part}` in {lost}");
    }
    // Bent in one plane, without twist, sections do not lean: nothing is lost.
    // Points beside the axis move to third order with the rotation of their section, which the file ends before.
    let plane =
        ARM.replace("bending_z = 2\ntorsion = 1\n", "").replace("position = [0.05, 0.04, -0.03]\n", "");
    let built = build_text(&plane, "arm.toml").expect("a model").built;
    let (file, left_out) = written(&built, "arm");
    assert!(!left_out.iter().any(|what| what.contains("second-order rotation")), "{left_out:?}");
    std::fs::write(folder.join("plane.SID_FEM"), sid::write(&file)).expect("written");
    let read = build_text_with(&with_file(&plane, "arm", "plane.SID_FEM"), &model, &PartSource::default());
    let share = gap(&accelerations(&built), &accelerations(&read.expect("a model").built));
    assert!(share < 1e-11, "{share:e}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// A plate on two beams from finite elements (models/parts/panel.toml), spinning freely with a load at its outer edge.
const PANEL: &str = r#"
[[body]]
name = "panel"
fe = "PART"
level = "consistent"
[[body]]
name = "load"
mass = 0.7
inertia = [0.01, 0.02, 0.015]
center_of_mass = [0.05, 0.02, 0]
[[joint]]
name = "base"
type = "free"
between = ["ground.origin", "panel.origin"]
[[joint]]
name = "wrist"
type = "spherical"
between = ["panel.edge", "load.origin"]
[[force]]
name = "push"
at = "panel.edge"
force = [3, -2, 5]
moment = [0.3, 0.1, -0.2]
"#;

#[test]
fn a_part_of_finite_elements_goes_through_a_file_with_its_stiffening() {
    let folder = folder("part");
    let model = folder.join("model.toml").display().to_string();
    let part = format!("{}/../../models/parts/panel.toml", env!("CARGO_MANIFEST_DIR"));
    let text = PANEL.replace("PART", &part);
    let built = build_text_with(&text, &model, &PartSource::default()).expect("a model").built;
    let (file, left_out) = written(&built, "panel");
    assert!(file.nodes.iter().any(|node| node.name == "edge"), "interfaces are nodes");
    let largest = |list: &[f64]| list.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    for (block, name) in
        [(&file.translation, "Ct"), (&file.centrifugal, "Oe"), (&file.gyroscopic_rotation, "Gr")]
    {
        assert!(largest(&block.linear) > 1e-3, "{name}.m1 has the stiffening of the mesh");
    }
    assert_eq!(largest(&file.initial_stress.linear), 0.0, "nothing is counted twice");
    let read = |name: &str, file: &SidFile| {
        std::fs::write(folder.join(name), sid::write(file)).expect("written");
        let text = with_file(&text, "panel", name);
        build_text_with(&text, &model, &PartSource::default()).expect("a model").built
    };
    let known = accelerations(&built);
    let share = gap(&known, &accelerations(&read("panel.SID_FEM", &file)));
    assert!(share < 1e-11, "{share:e}; {left_out:?}");
    // As others write it, without displacements of second order: spin and load are felt by the mesh only.
    let mut straight = file.clone();
    straight.translation.linear.clear();
    straight.nodes.iter_mut().for_each(|node| node.translations.linear.clear());
    let share = gap(&known, &accelerations(&read("straight.SID_FEM", &straight)));
    assert!(share > 1e-6, "{share:e}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// Largest lag of the tip in the turning frame (m); the law of the hub is that of the validation case.
fn lag(built: &Built, end: f64) -> f64 {
    let result = built.simulate().expect("a run");
    let [x, y] = ["beam.tip.position.x", "beam.tip.position.y"].map(|name| result.channel(name).expect(name));
    let (speed, rise) = (6.0, 15.0);
    let angle = |t: f64| {
        let turn = std::f64::consts::TAU / rise;
        speed / rise * (t * t / 2.0 + ((turn * t).cos() - 1.0) / (turn * turn))
    };
    let times = result.channel("time").expect("time");
    assert!(times.last().is_some_and(|&t| t >= end - 1e-9), "the run went to its end");
    let across = |k: usize| y[k] * angle(times[k]).cos() - x[k] * angle(times[k]).sin();
    (0..x.len()).map(across).fold(f64::INFINITY, f64::min)
}

#[test]
fn spin_up_through_a_file_meets_the_reference_and_without_stiffening_fails() {
    let folder = folder("spin");
    let model = folder.join("model.toml").display().to_string();
    let mut text = SPIN_UP.to_owned();
    for line in SPIN_UP.lines().filter(|line| line.starts_with("end =")) {
        text = text.replace(line, "end = 8.0");
    }
    let (file, _) = written(&build_text(&text, "spin_up.toml").expect("a model").built, "beam");
    let spun = |name: &str, file: &SidFile| {
        std::fs::write(folder.join(name), sid::write(file)).expect("written");
        let loaded = build_text_with(&with_file(&text, "beam", name), &model, &PartSource::default())
            .expect("a model");
        loaded.built
    };
    // The reference of the validation case: an independent geometrically exact beam, 0.57385 m.
    let found = lag(&spun("full.SID_FEM", &file), 8.0);
    assert!((found / -0.57385 - 1.0).abs() < 5e-3, "{found}");
    // As others write it: a beam without displacements of second order.
    let plain = text.replace("boundary =", "foreshortening = false\nboundary =");
    let (straight, _) = written(&build_text(&plain, "spin_up.toml").expect("a model").built, "beam");
    assert!(straight.translation.linear.is_empty());
    let built = spun("linear.SID_FEM", &straight);
    let outcome = built.simulate();
    // It folds up: the run ends, or the tip is nowhere near.
    let folded = outcome.is_err() || lag(&built, 0.0) < -1.0;
    assert!(folded, "{}", lag(&built, 0.0));
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn files_that_say_too_little_or_too_much_are_refused_by_line() {
    let folder = folder("bad");
    let built = build_text(ARM, "arm.toml").expect("a model").built;
    let text = sid::write(&written(&built, "arm").0);
    let line_of = |part: &str| 1 + text.lines().position(|line| line.contains(part)).expect(part);
    let after = |whole: &str, word: &str, old: &str, new: &str| {
        let at = whole.find(word).expect(word);
        format!("{}{}", &whole[..at], whole[at..].replacen(old, new, 1))
    };
    for (wrong, message) in [
        (String::new(), "the first line has no counts".to_owned()),
        (text.replacen("nelastq", "nelastk", 1), "`nelastk` is no word of `refmod`".into()),
        (text[..text.len() / 2].to_owned(), String::new()),
        (after(&text, "           Me\n", "structure", "structur"), "where `structure` is expected".into()),
        (after(&text, "           Ke\n", "nrow", "order"), "`order` where `nrow` is expected".into()),
        (
            text.replacen(
                "rframe                     =    body ref",
                "rframe                     =    node 3",
                1,
            ),
            "in axes of the body only".into(),
        ),
        (text.replacen("end modal", "end model", 1), "ends nothing that was begun".into()),
        (text.replacen("    2   6", "    3   6", 1), "promises 3 nodes, but there are 2".into()),
        (text.replacen("    2   6", "    2   5", 1), "promises 5 modes".into()),
        (text.replacen("D+00", "Q+00", 1), "is no finite number".into()),
        (
            after(&text, "           mdCM\n", "m0( 1, 1)", "m0( 4, 1)"),
            "the indices do not fit the block".into(),
        ),
        (after(&text, "           mdCM\n", "m0( 1, 1)", "m2( 1, 1)"), "entries are m0 and m1".into()),
        (
            text.replacen("           Oe\n", "           Og\n", 1),
            format!(":{}: `Og` is no block", line_of("           Oe")),
        ),
    ] {
        std::fs::write(folder.join("bad.SID_FEM"), &wrong).expect("written");
        let fault = sid::read(&folder.join("bad.SID_FEM")).expect_err(&message).to_string();
        assert!(fault.contains(&message) && fault.contains("bad.SID_FEM:"), "{fault} has no `{message}`");
    }
    let mut stressed = written(&built, "arm").0;
    stressed.initial_stress.constant[0] = 1.0;
    assert!(SidBody::new(&stressed).expect_err("forces").contains("initial stress"));
    std::fs::remove_dir_all(&folder).expect("removed");
}
