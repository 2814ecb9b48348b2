//! Equilibria with prescribed motions, closed loops and nothing left to move: speeds fit the loops, nothing panics, and
//! numbers beyond all bounds are refused instead of being searched for ever.

use flexura::analysis::{
    AnalysisError, EquilibriumOptions, equilibrium, keep_free_speeds, linearize, mobility, modes,
};
use flexura::file::build_text;
use flexura::record::Recorder;
use flexura::{Model, State, Workspace};
use std::f64::consts::{FRAC_PI_2, PI};

fn model(text: &str) -> Model {
    build_text(text, "model.toml").unwrap_or_else(|error| panic!("{error}")).built.model
}

/// What a run from the equilibrium starts with.
fn rest(model: &Model) -> Result<State, AnalysisError> {
    let start = State::initial(model, 0.0);
    let mut found = equilibrium(model, &start, &EquilibriumOptions::default())?.state;
    keep_free_speeds(model, &start, &mut found);
    Ok(found)
}

/// Largest gap of the loops and of their speeds.
fn violations(model: &Model, state: &State) -> (f64, f64) {
    let channels = ["constraint.position".to_string(), "constraint.velocity".to_string()];
    let mut recorder = Recorder::new(model, &channels).expect("channels");
    let mut row = [0.0; 3];
    recorder.sample(model, state, 0.0, &mut Workspace::new(model), &mut row).expect("dynamics");
    (row[1].abs(), row[2].abs())
}

/// A slider driven at 0.1 m/s at the start, a rod, a hanging rocker, and `more` on it.
fn driven(more: &str) -> String {
    format!(
        r#"
[model]
gravity = [0, -9.81, 0]
[[ground.frame]]
name = "pivot"
position = [0.5, 0, 0]
[[ground.frame]]
name = "low"
position = [0, -0.3, 0]
[[body]]
name = "slider"
mass = 1
inertia = [0.01, 0.01, 0.01]
[[body]]
name = "rod"
mass = 1
inertia = [0.001, 0.02, 0.02]
center_of_mass = [0.25, 0, 0]
frame = [{{ name = "tip", position = [0.5, 0, 0] }}]
[[body]]
name = "rocker"
mass = 1
inertia = [0.01, 0.001, 0.01]
center_of_mass = [0, -0.15, 0]
frame = [{{ name = "tip", position = [0, -0.3, 0] }}]
[[joint]]
name = "drive"
type = "prismatic"
axis = [1, 0, 0]
position = 0
between = ["ground.low", "slider.origin"]
motion = {{ harmonic = {{ amplitude = 0.05, angular_frequency = 2 }} }}
[[joint]]
name = "pin"
type = "revolute"
between = ["slider.origin", "rod.origin"]
[[joint]]
name = "hang"
type = "revolute"
between = ["ground.pivot", "rocker.origin"]
[[joint]]
name = "close"
type = "spherical"
between = ["rod.tip", "rocker.tip"]
{more}
[simulation]
end = 1
"#
    )
}

const PENDULUM: &str = r#"
[[body]]
name = "pendulum"
mass = 1
inertia = [0.01, 0.001, 0.01]
center_of_mass = [0, -0.15, 0]
[[joint]]
name = "swing"
type = "revolute"
between = ["rocker.tip", "pendulum.origin"]
"#;

#[test]
fn speeds_of_an_equilibrium_fit_the_driven_loops() {
    // Without the pendulum the drive leaves nothing free.
    for (more, freedoms) in [("", 0), (PENDULUM, 1)] {
        let model = model(&driven(more));
        let state = rest(&model).expect("an equilibrium");
        assert_eq!(mobility(&model, &state).expect("mobility").freedoms, freedoms);
        let drive = model.joints.iter().position(|joint| joint.name == "drive").expect("drive");
        let speed = state.v[model.layout.bodies[drive].joint_v()][0];
        assert!((speed - 0.1).abs() < 1e-15, "{speed}");
        let (gap, rate) = violations(&model, &state);
        assert!(gap < 1e-12 && rate < 1e-12, "{gap:e} {rate:e}");
        // The rocker follows: r × ω of its tip is the speed of the slider, 0.1 m/s over 0.3 m.
        let hang = model.joints.iter().position(|joint| joint.name == "hang").expect("hang");
        let turning = state.v[model.layout.bodies[hang].joint_v()][0];
        assert!((turning - 0.1 / 0.3).abs() < 1e-9, "{turning}");
        // Linearised there, the same freedoms are left.
        assert_eq!(linearize(&model, &state, &[], &[]).expect("linear").states.len(), 2 * freedoms);
    }
}

/// A spin that nothing holds goes on beside a drive; the drive's own speeds are not counted twice.
#[test]
fn free_speeds_are_kept_beside_prescribed_ones() {
    let top = r#"
[[body]]
name = "wheel"
mass = 1
inertia = [0.02, 0.01, 0.01]
[[joint]]
name = "spin"
type = "revolute"
axis = [1, 0, 0]
between = ["slider.origin", "wheel.origin"]
speed = 7
"#;
    let model = model(&driven(top));
    let state = rest(&model).expect("an equilibrium");
    let spin = model.joints.iter().position(|joint| joint.name == "spin").expect("spin");
    let speed = state.v[model.layout.bodies[spin].joint_v()][0];
    assert!((speed - 7.0).abs() < 1e-12, "{speed}");
    let (_, rate) = violations(&model, &state);
    assert!(rate < 1e-12, "{rate:e}");
}

/// A loop that can move nowhere, with speeds given: no singular values of nothing.
#[test]
fn a_loop_without_freedom_has_an_equilibrium() {
    let text = r#"
[model]
gravity = [0, -9.81, 0]
[[ground.frame]]
name = "right"
position = [1, 0, 0]
[[body]]
name = "left"
mass = 1
inertia = [1e-5, 0.08, 0.08]
center_of_mass = [0.5, 0, 0]
frame = [{ name = "tip", position = [1, 0, 0] }]
[[body]]
name = "coupler"
mass = 1
inertia = [1e-5, 0.08, 0.08]
center_of_mass = [0.5, 0, 0]
frame = [{ name = "tip", position = [1, 0, 0] }]
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground.origin", "left.origin"]
position = 1.0471975511965976
[[joint]]
name = "top"
type = "revolute"
between = ["left.tip", "coupler.origin"]
position = -2.0943951023931953
[[joint]]
name = "foot"
type = "revolute"
between = ["coupler.tip", "ground.right"]
[simulation]
end = 1
"#;
    let model = model(text);
    let mut state = rest(&model).expect("an equilibrium");
    // Rounding of an assembly may leave speeds that no motion has.
    let mut start = State::initial(&model, 0.0);
    start.v.fill(1e-17);
    keep_free_speeds(&model, &start, &mut state);
    assert!(state.v.iter().all(|speed| *speed == 0.0), "{:?}", state.v);
    assert_eq!(mobility(&model, &state).expect("mobility").freedoms, 0);
    assert_eq!(linearize(&model, &state, &[], &[]).expect("linear").states.len(), 0);
    assert_eq!(modes(&linearize(&model, &state, &[], &[]).expect("linear")).expect("modes").len(), 0);
}

fn lonely(mass: &str, center: &str, gravity: &str, joint: &str) -> String {
    format!(
        "[model]\ngravity = [{gravity}, 0, 0]\n[[body]]\nname = \"b\"\nmass = {mass}\ninertia = [1, 1, 1]\n\
         center_of_mass = [{center}, 0, 0]\n[[joint]]\nname = \"j\"\n{joint}\n\
         between = [\"ground.origin\", \"b.origin\"]\n[[element]]\nname = \"drag\"\ntype = \"drag\"\n\
         between = [\"ground.origin\", \"b.origin\"]\ndensity = 1.2\ncoefficient = 1\narea = 1\n\
         medium_velocity = [3, 0, 0]\n[simulation]\nend = 1\n"
    )
}

/// Everything ends, with an answer or a reason; hangs and panics are faults.
#[test]
fn numbers_beyond_all_bounds_are_refused() {
    let free = "type = \"free\"\nspeed = [0.1, 4, 0, 0, 0, 0]";
    let cross = "type = \"universal\"\naxis = [0, 1, 0]\naxis2 = [0, 0, 1]\nposition = [1, 0.5]";
    for joint in [free, cross] {
        for (mass, center, gravity) in [
            ("1.7976931348623157e308", "0", "9.81"),
            ("1", "1e308", "9.81"),
            ("1", "0", "1e200"),
            ("1", "0.1", "1e308"),
            ("1e200", "1e200", "0"),
        ] {
            let text = lonely(mass, center, gravity, joint);
            let Ok(loaded) = build_text(&text, "model.toml") else { continue };
            let model = loaded.built.model;
            let what = format!("{mass} {center} {gravity} {joint}");
            if let Err(error) = rest(&model) {
                assert!(!error.to_string().is_empty(), "{what}");
            }
            let about_start = linearize(&model, &State::initial(&model, 0.0), &[], &[]);
            if let Err(error) = about_start.and_then(|system| modes(&system)) {
                assert!(!error.to_string().is_empty(), "{what}");
            }
        }
    }
    let far = model(&lonely("1", "1e308", "9.81", cross));
    let error = rest(&far).expect_err("no equilibrium");
    assert!(error.to_string().contains("not finite"), "{error}");
}

/// Near the horizontal a Newton step of a pendulum is thousands of turns: it stays within reach of its start.
#[test]
fn an_equilibrium_is_found_near_its_start() {
    for angle in [1e-3, 1e-7, PI - 1e-6].map(|beside| FRAC_PI_2 - beside) {
        let text = format!(
            "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 1\ncenter_of_mass = [0, 0, -0.5]\n\
             inertia = [0.1, 0.1, 0.1]\n[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\naxis = [0, 1, 0]\n\
             between = [\"ground.origin\", \"rod.origin\"]\nposition = {angle:?}\n[simulation]\nend = 1\n"
        );
        let model = model(&text);
        let state = rest(&model).expect("an equilibrium");
        assert!(state.q[0].abs() < 7.0, "from {angle}: {}", state.q[0]);
    }
}

/// An equilibrium that a small push ends is called unstable, in trees and loops; stable and neutral ones are not.
#[test]
fn unstable_equilibria_are_named() {
    let pendulum = |angle: f64| {
        format!(
            "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 1\ncenter_of_mass = [0, 0, -0.5]\n\
             inertia = [0.1, 0.1, 0.1]\n[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\naxis = [0, 1, 0]\n\
             between = [\"ground.origin\", \"rod.origin\"]\nposition = {angle:?}\n[simulation]\nend = 1\n"
        )
    };
    let found = |text: &str| {
        let model = model(text);
        equilibrium(&model, &State::initial(&model, 0.0), &EquilibriumOptions::default()).expect("found")
    };
    assert_eq!(found(&pendulum(3.1)).unstable, ["hinge.angle"]);
    assert!(found(&pendulum(0.1)).unstable.is_empty());
    let weightless = pendulum(3.1).replace("-9.81", "0");
    assert!(found(&weightless).unstable.is_empty());
    // A parallelogram on its head.
    let bar = |name: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ncenter_of_mass = [0, 0, 0.5]\ninertia = [0.1, 0.1, 0.1]\n\
             frame = [{{ name = \"end\", position = [0, 0, 1] }}]\n"
        )
    };
    let hinge = |name: &str, between: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\naxis = [0, 1, 0]\nbetween = [{between}]\n"
        )
    };
    let text = [
        "[model]\ngravity = [0, 0, -9.81]\n[[ground.frame]]\nname = \"far\"\nposition = [1, 0, 0]\n"
            .to_string(),
        bar("left"),
        bar("right"),
        "[[body]]\nname = \"top\"\nmass = 1\ncenter_of_mass = [0.5, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n\
         frame = [{ name = \"end\", position = [1, 0, 0] }]\n"
            .to_string(),
        hinge("a", "\"ground.origin\", \"left.origin\""),
        hinge("b", "\"left.end\", \"top.origin\""),
        hinge("c", "\"ground.far\", \"right.origin\""),
        hinge("d", "\"top.end\", \"right.end\""),
        "[simulation]\nend = 1\n".to_string(),
    ]
    .concat();
    assert!(!found(&text).unstable.is_empty());
    assert!(found(&text.replace("-9.81", "9.81")).unstable.is_empty());
}
