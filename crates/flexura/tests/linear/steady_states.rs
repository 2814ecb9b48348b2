//! Where eigenvalues hold: equilibria and steady motions are told from instants; controllers add no states that do
//! nothing; masses that are not positive name their cause.

use flexura::analysis::{imbalance, linearize, modes};
use flexura::file::build_text;
use flexura::record::{Recorder, Recording};
use flexura::simulate::{lost_inertia, run_from};
use flexura::{Model, State, Workspace, evaluate};

fn model(text: &str) -> Model {
    build_text(text, "model.toml").unwrap_or_else(|error| panic!("{error}")).built.model
}

fn pendulum(angle: f64, speed: f64, more: &str) -> String {
    format!(
        "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 1\ncenter_of_mass = [0, 0, -0.5]\n\
         inertia = [0.1, 0.1, 0.1]\n[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\naxis = [0, 1, 0]\n\
         between = [\"ground.origin\", \"rod.origin\"]\nposition = {angle:?}\nspeed = {speed:?}\n{more}\n\
         [simulation]\nend = 1\n"
    )
}

#[test]
fn states_out_of_balance_are_found() {
    let found = |text: &str| {
        let model = model(text);
        imbalance(&model, &State::initial(&model, 0.0)).expect("dynamics")
    };
    assert_eq!(found(&pendulum(0.0, 0.0, "")), None);
    let swinging = found(&pendulum(0.5, 0.0, "")).expect("out of balance");
    assert_eq!(swinging.coordinate, "hinge.angle");
    // θ̈ = −m g l sin θ / (I + m l²).
    let exact = -9.81 * 0.5 * 0.5_f64.sin() / (0.1 + 0.25);
    assert!((swinging.acceleration / exact - 1.0).abs() < 1e-12, "{swinging:?}");
    assert!(swinging.to_string().contains("hinge.angle"), "{swinging}");
    // A top that sleeps is in steady motion, one that leans is not.
    let top = |lean: f64| {
        format!(
            "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"top\"\nmass = 1\ncenter_of_mass = [0, 0, 0.5]\n\
             inertia = [0.05, 0.05, 0.05]\n[[joint]]\nname = \"pivot\"\ntype = \"spherical\"\n\
             between = [\"ground.origin\", \"top.origin\"]\nspeed = [0, 0, 60]\norientation = {{ axis = [1, 0, 0], angle = {lean:?} }}\n\
             [simulation]\nend = 1\n"
        )
    };
    assert_eq!(found(&top(0.0)), None);
    assert!(found(&top(0.3)).is_some());
}

/// A proportional gain is a spring and a damped one adds its filter: no eigenvalue is zero.
#[test]
fn states_of_controllers_that_do_nothing_are_left_out() {
    let controller = |gains: &str| {
        format!(
            "[[controller]]\nname = \"hold\"\nsensors = [\"hinge.angle\"]\nactuators = [\"hinge.effort\"]\n\
             reference = 0\n{gains}\n"
        )
    };
    for (gains, count) in [
        ("proportional = 3", 2),
        ("proportional = 3\nderivative = 0.5\nfilter = 0.01", 3),
        ("proportional = 3\nfilter = 0.01", 2),
        ("proportional = 3\nintegral = 2", 3),
        ("proportional = 3\nintegral = 2\nderivative = 0.5\nfilter = 0.01", 4),
    ] {
        let model = model(&pendulum(0.0, 0.0, &controller(gains)));
        let system = linearize(&model, &State::initial(&model, 0.0), &[], &[]).expect("linear");
        assert_eq!(system.states.len(), count, "{gains}: {:?}", system.states);
        let list = modes(&system).expect("modes");
        assert!(list.iter().all(|mode| mode.frequency() > 1e-3), "{gains}: {list:?}");
    }
}

/// A beam without inertia about its axis on a joint that lets it roll.
const ROLLING: &str = r#"
[[body]]
name = "bar"
beam = { length = 1, properties = { axial = 1e6, bending_y = 100, bending_z = 100, torsion = 50, mass = 1.2 }, boundary = "clamped-free", bending_y = 1 }
level = "full"
[[joint]]
name = "ball"
type = "spherical"
between = ["ground.origin", "bar.origin"]
[simulation]
end = 1
"#;

fn failure(text: &str) -> String {
    let loaded = build_text(text, "model.toml").unwrap_or_else(|error| panic!("{error}"));
    let (model, settings) = (&loaded.built.model, &loaded.built.description.simulation);
    let mut recorder = Recorder::new(model, &["energy.*".into()]).expect("channels");
    let mut rows = Recording::new(recorder.channels());
    let start = State::initial(model, settings.start);
    let outcome = run_from(model, settings, start, &mut recorder, &mut rows, &mut |_| true);
    outcome.expect_err("the run fails").to_string()
}

#[test]
fn a_direction_without_inertia_is_not_blamed_on_deformation() {
    let model = model(ROLLING);
    let state = State::initial(&model, 0.0);
    let mut work = Workspace::new(&model);
    let error = evaluate(&model, &state, &mut work).expect_err("nothing resists the roll");
    let why = lost_inertia(&error, &model, &state, &mut work);
    assert!(why.contains("rotary") && !why.contains("linear limit"), "{error}; {why}");
    let said = failure(ROLLING);
    assert!(said.contains("joint `ball`") && said.contains("rotary"), "{said}");
    assert!(!said.contains("linear limit"), "{said}");
}

/// A soft whip far out of balance: the first explicit step throws it out of the range in which its mass is positive. It
/// is neither deformed nor without inertia before the step.
#[test]
fn a_step_too_large_is_not_blamed_on_missing_inertia() {
    let text = r#"
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "whip"
level = "consistent"
[body.beam]
length = 1.0
density = 1000
young = 1e6
poisson = 0.3
section = { circle = 0.005 }
boundary = "clamped-free"
bending_z = 2
[[joint]]
name = "hinge"
type = "revolute"
axis = [0, 1, 0]
between = ["ground.origin", "whip.origin"]
speed = 200
[simulation]
end = 1
method = "rk4"
step = 0.2
"#;
    let said = failure(text);
    assert!(said.contains("the step is too large") && !said.contains("moves no inertia"), "{said}");
}

/// A soft whip bends until the second-order mass of its modes vanishes: accelerations grow without bound, and no
/// stiff method helps.
#[test]
fn a_mass_that_vanishes_is_not_blamed_on_stiffness() {
    for method in ["dormand-prince", "radau"] {
        let text = format!(
            r#"
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "whip"
level = "consistent"
[body.beam]
length = 1.0
density = 1000
young = 1e6
poisson = 0.3
section = {{ circle = 0.005 }}
boundary = "clamped-free"
bending_z = 2
[[body.frame]]
name = "tip"
station = "tip"
[[joint]]
name = "hinge"
type = "revolute"
axis = [0, 1, 0]
between = ["ground.origin", "whip.origin"]
[[force]]
name = "pull"
at = "whip.tip"
force = [0, 0, 50]
[simulation]
end = 1
method = "{method}"
"#
        );
        let said = failure(&text);
        assert!(said.contains("modal mass of body `whip`") && said.contains("level"), "{method}: {said}");
        assert!(!said.contains("rounding"), "{method}: {said}");
    }
}
