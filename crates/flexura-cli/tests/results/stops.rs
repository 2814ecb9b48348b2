//! Steps of one length beside stops whose iterations see them open and closed in turn.

use crate::common::{Folder, example};

/// The flexible suspension in natural coordinates closes its bump stops in steps of any length: those whose iteration does not end are halved. At
/// these lengths runs ended between 2.28 and 2.80 s.
#[test]
fn short_steps_of_the_suspension_pass_its_stops() {
    let folder = Folder::new();
    for step in ["0.001", "0.0006"] {
        let (step, rows) = (format!("simulation.step={step}"), "simulation.output_interval=0.01");
        let model = example("vehicle/suspension_flexible");
        let run = ["run", &model, "-o", "s.fxr", "--formulation", "global", "--set", &step, "--set", rows];
        folder.succeed(&[&run[..], &["--set", "simulation.end=3", "-q"]].concat());
    }
}
