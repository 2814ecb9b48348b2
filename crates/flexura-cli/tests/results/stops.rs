//! Steps of one length beside stops whose iterations see them open and closed in turn.

use crate::common::{Folder, example};

/// The flexible suspension in natural coordinates closes its bump stops in steps of any length: those whose iteration does not end are halved. At
/// these lengths runs ended between 2.28 and 2.80 s.
#[test]
fn short_steps_of_the_suspension_pass_its_stops() {
    let folder = Folder::new();
    let height = |formulation: &str, step: &str| {
        let (step, rows) = (format!("simulation.step={step}"), "simulation.output_interval=0.01");
        let model = example("vehicle/suspension_flexible");
        let run = ["run", &model, "-o", "s.fxr", "--formulation", formulation, "--set", &step, "--set", rows];
        folder.succeed(&[&run[..], &["--set", "simulation.end=3", "-q"]].concat());
        let text = folder.succeed(&["export", "s.fxr", "--channels", "chassis.position.z"]);
        let last = text.lines().last().and_then(|line| line.split(',').next_back()).expect("a row");
        last.parse::<f64>().expect("a number")
    };
    for step in ["0.001", "0.0006"] {
        // The other formulation takes the same steps; 1.3 µm apart at most.
        let (found, expected) = (height("global", step), height("topological", step));
        assert!((found - expected).abs() < 1e-5, "{step} s: {found} m beside {expected} m");
    }
}
