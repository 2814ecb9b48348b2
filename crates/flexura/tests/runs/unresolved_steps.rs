//! Accelerations of flexible bodies at steps too long for their modes: marked by name where they are wrong, and not where
//! they are right. The truth is the same model with error-controlled steps.

use flexura::file::build_text;
use flexura::record::{Recorder, Recording};
use flexura::simulate::{Outcome, run};

/// An elastic arm that falls; its mode has 17 Hz held and 73 Hz on its hinge.
fn arm(method: &str, channels: &str) -> String {
    format!(
        r#"
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
frame = [{{ name = "tip", station = "tip" }}]
[body.beam]
length = 1.0
density = 7850
young = 210e9
poisson = 0.3
section = {{ rectangle = [0.02, 0.02] }}
boundary = "clamped-free"
bending_z = 1
[[joint]]
name = "hinge"
type = "revolute"
axis = [0, 1, 0]
between = ["ground.origin", "arm.origin"]
[simulation]
end = 0.5
output_interval = 0.01
{method}
[output]
channels = [{channels}]
"#
    )
}

const ALL: &str = "\"arm.tip.*\", \"hinge.*\"";

fn simulate(method: &str, channels: &str) -> (Recording, Outcome) {
    let loaded = build_text(&arm(method, channels), "arm.toml").unwrap_or_else(|error| panic!("{error}"));
    let (model, description) = (&loaded.built.model, &loaded.built.description);
    let mut recorder = Recorder::new(model, &description.output.channels).expect("channels");
    let mut recording = Recording::new(recorder.channels());
    let outcome =
        run(model, &description.simulation, &mut recorder, &mut recording, &mut |_| true).expect("a run");
    (recording, outcome)
}

/// Largest difference of a channel against the range of the truth.
fn error(found: &Recording, truth: &Recording, name: &str) -> f64 {
    let (a, b) = (found.channel(name).expect("a channel"), truth.channel(name).expect("a channel"));
    let range = b.iter().fold(f64::MIN, |m, x| m.max(*x)) - b.iter().fold(f64::MAX, |m, x| m.min(*x));
    a.iter().zip(&b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / range
}

#[test]
fn marks_are_true() {
    let acceleration = "arm.tip.acceleration.z";
    let (truth, outcome) = simulate("relative_tolerance = 1e-9", ALL);
    assert!(outcome.unresolved.is_empty(), "error control resolves what it records");
    for method in ["trapezoidal", "energy-preserving"] {
        let (coarse, outcome) = simulate(&format!("method = \"{method}\"\nstep = 0.01"), ALL);
        assert!(error(&coarse, &truth, "arm.tip.position.z") < 0.02, "{method}: positions are right");
        assert!(error(&coarse, &truth, acceleration) > 0.2, "{method}: accelerations are not");
        let [found] = outcome.unresolved.as_slice() else {
            panic!("{method}: one body, {:?}", outcome.unresolved)
        };
        assert_eq!((found.body.as_str(), found.modes), ("arm", [1, 1]));
        assert!(found.channels.iter().any(|name| name == acceleration), "{:?}", found.channels);
        assert!(found.channels.iter().any(|name| name == "hinge.force.x"), "{:?}", found.channels);
        assert!(!found.channels.iter().any(|name| name.contains("position") || name.contains("velocity")));
        // 1/(2π 0.01 s); the first frequency of the clamped beam: 1.8751² √(EI/ρA)/2π.
        assert!((found.valid - 15.915).abs() < 1e-3, "{}", found.valid);
        assert!((found.from - 16.71).abs() < 0.05, "{}", found.from);
        let words = found.to_string();
        assert!(words.contains("do not follow 1 of its 1 modes") && words.contains("`hinge."), "{words}");
        let (fine, outcome) = simulate(&format!("method = \"{method}\"\nstep = 5e-5"), ALL);
        assert!(
            error(&fine, &truth, acceleration) < 0.05,
            "{method}: {}",
            error(&fine, &truth, acceleration)
        );
        assert_eq!(outcome.unresolved, [], "{method}");
    }
}

#[test]
fn what_is_not_recorded_is_not_marked() {
    let (_, outcome) = simulate("method = \"trapezoidal\"\nstep = 0.01", "\"arm.tip.position.*\"");
    assert_eq!(outcome.unresolved, []);
}
