//! Modes of beams on joints: where a warning about their boundary is due, and where it would be a false alarm; what
//! the contradiction costs; frequencies that `check` shows.

use flexura::analysis::{EquilibriumOptions, equilibrium, held_frequencies};
use flexura::file::build_text;
use flexura::record::Recorder;
use flexura::{Model, State, Workspace};
use std::f64::consts::PI;

/// A square steel bar of 1 m and 10 mm with its root `at` a joint, and `more`.
fn bar(boundary: &str, counts: &str, joint: &str, at: &str, more: &str) -> String {
    format!(
        r#"
[model]
gravity = [0, 0, 0]
[[body]]
name = "bar"
[body.beam]
length = 1.0
density = 7800
young = 2e11
poisson = 0.3
section = {{ rectangle = [0.01, 0.01] }}
boundary = "{boundary}"
{counts}
[[body.frame]]
name = "root"
station = "root"
[[body.frame]]
name = "tip"
station = "tip"
[[joint]]
name = "held"
{joint}
between = ["ground.origin", "bar.{at}"]
{more}
[simulation]
end = 0.1
"#
    )
}

const PUSH: &str = "[[force]]\nname = \"push\"\nat = \"bar.tip\"\nforce = [0, 0, 1]\n";
const PLANES: &str = "bending_y = 3\nbending_z = 3";

fn codes(text: &str) -> Vec<String> {
    let loaded = build_text(text, "bar.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
    loaded.warnings.iter().map(|found| found.code.to_string()).collect()
}

fn warned(text: &str) -> bool {
    codes(text).iter().any(|code| code == "boundary-contradicts-joint" || code == "tip-cannot-turn")
}

fn model(text: &str) -> Model {
    build_text(text, "bar.toml").unwrap_or_else(|error| panic!("{error}")).built.model
}

/// Deflection of the tip along z at rest (m).
fn deflection(text: &str) -> f64 {
    let model = model(text);
    let start = State::initial(&model, 0.0);
    let state = equilibrium(&model, &start, &EquilibriumOptions::default()).expect("rest").state;
    let mut recorder = Recorder::new(&model, &["bar.tip.position.z".into()]).expect("channel");
    let mut row = [0.0; 2];
    recorder.sample(&model, &state, 0.0, &mut Workspace::new(&model), &mut row).expect("row");
    row[1]
}

/// P L³ / 3EI = 1/(3 · 2e11 · 1e-8/12) = 2 mm.
#[test]
fn what_contradicts_the_joint_is_wrong_and_said() {
    let weld = "type = \"weld\"";
    let exact = 2e-3;
    for (boundary, counts, right, said) in [
        ("clamped-free", "bending_z = 3", true, false),
        ("interface-static", "bending_z = 2", true, false),
        ("interface-static", "bending_z = 1", false, true),
        ("pinned-pinned", "bending_z = 3", false, true),
        ("free-free", "bending_z = 3", false, true),
    ] {
        let text = bar(boundary, counts, weld, "origin", PUSH);
        let found = deflection(&text);
        assert_eq!((found / exact - 1.0).abs() < 0.02, right, "{boundary}: {found}");
        assert_eq!(warned(&text), said, "{boundary}");
    }
}

/// A joint on a station holds a point of the beam, whatever the modes.
#[test]
fn joints_that_fit_the_modes_raise_no_alarm() {
    let weld = "type = \"weld\"";
    let hinge = |axis: &str| format!("type = \"revolute\"\naxis = [{axis}]");
    for (boundary, counts, joint, at, more) in [
        ("pinned-pinned", PLANES, weld, "root", PUSH),
        ("free-free", PLANES, weld, "root", PUSH),
        ("free-free", PLANES, "type = \"free\"", "origin", PUSH),
        ("free-free", "bending_y = 2", "type = \"planar\"", "origin", PUSH),
        ("pinned-pinned", PLANES, "type = \"spherical\"", "origin", PUSH),
        ("pinned-pinned", "bending_y = 2", &hinge("0, 0, 1"), "origin", PUSH),
        ("pinned-pinned", "bending_z = 2", &hinge("0, 1, 0"), "origin", PUSH),
        // A shaft in two bearings.
        ("pinned-pinned", PLANES, &hinge("1, 0, 0"), "origin", ""),
        ("clamped-free", PLANES, weld, "origin", PUSH),
        ("interface-static", PLANES, weld, "origin", PUSH),
    ] {
        let text = bar(boundary, counts, joint, at, more);
        assert!(!warned(&text), "{boundary} on {joint}: {:?}", codes(&text));
    }
    for (boundary, counts, joint) in [
        ("pinned-pinned", "bending_y = 2", hinge("0, 1, 0")),
        ("pinned-pinned", PLANES, hinge("1, 0, 0")),
        ("free-free", PLANES, "type = \"spherical\"".to_string()),
        ("free-free", PLANES, "type = \"planar\"".to_string()),
        ("free-free", "axial = 1", hinge("0, 0, 1")),
        ("free-free", "torsion = 1", weld.to_string()),
    ] {
        let text = bar(boundary, counts, &joint, "origin", PUSH);
        assert!(warned(&text), "{boundary} on {joint}");
    }
}

/// A frame that is turned on its body turns the axes of the joint with it.
#[test]
fn turned_frames_turn_the_axes() {
    let frame =
        "[[body.frame]]\nname = \"turned\"\nrotation = { axis = [1, 0, 0], angle = 1.5707963267948966 }\n";
    let turned = |axis: &str| {
        let text = bar(
            "pinned-pinned",
            "bending_z = 2",
            &format!("type = \"revolute\"\naxis = [{axis}]"),
            "turned",
            PUSH,
        );
        text.replacen("[[body.frame]]\n", &format!("{frame}[[body.frame]]\n"), 1)
    };
    // z of the turned frame is −y of the beam.
    assert!(!warned(&turned("0, 0, 1")));
    assert!(warned(&turned("0, 1, 0")));
}

/// The first frequency of a clamped bar is that of its theory whatever the modes: (1.875)² √(EI/ρA)/L². Static
/// shapes on their own are up to four times too fast or worse.
#[test]
fn the_first_frequency_does_not_depend_on_the_kind_of_modes() {
    let exact = 1.875_104_068_711_961_f64.powi(2) * (2e11 * 1e-8 / 12.0 / (7800.0 * 1e-4_f64)).sqrt();
    for (boundary, counts) in [
        ("clamped-free", "bending_z = 3"),
        ("interface-static", "bending_z = 4"),
        ("interface-static", PLANES),
    ] {
        let model = model(&bar(boundary, counts, "type = \"weld\"", "origin", ""));
        let found = held_frequencies(&model.bodies[0]);
        assert!((found[0] / exact - 1.0).abs() < 2e-3, "{boundary}: {} {exact}", found[0]);
        assert!(found.windows(2).all(|pair| pair[0] <= pair[1]));
    }
    let chord = model(&bar("pinned-pinned", "bending_z = 2", "type = \"weld\"", "root", ""));
    let exact = PI.powi(2) * (2e11 * 1e-8 / 12.0 / (7800.0 * 1e-4_f64)).sqrt();
    let found = held_frequencies(&chord.bodies[0]);
    assert!((found[0] / exact - 1.0).abs() < 2e-3, "{} {exact}", found[0]);
}
