//! What is recorded of a run's evaluations, and what has to be taped or followed beside it: counted, not timed.

use crate::dual_numbers::PAD;
use crate::models::PENDULUM;
use crate::{shipped, short};
use flexura::analysis::{Cost, GradientSetup, KeptRun, Parameter};
use flexura::build::Built;

fn parameters<'a>(text: &'a str, paths: &[&str]) -> Vec<Parameter<'a>> {
    paths.iter().map(|path| Parameter::of_file(text, "model.toml", path).expect("path")).collect()
}

/// What a gradient over `list` has cost, the elements that opened or closed, the parameters that models follow.
fn cost(built: &Built, list: &[Parameter<'_>], channel: &str) -> (Cost, Vec<String>, Vec<String>) {
    let setup = GradientSetup { channels: vec![channel.into()], ..Default::default() };
    let mut run = KeptRun::new(built, list, &setup).expect("run");
    let weights = vec![1.0; run.rows().len()];
    run.pull_back(&weights).expect("gradient");
    let followed = run.followed_by_models().map(Into::into).collect();
    (run.cost(), run.touched().to_vec(), followed)
}

/// A ball that falls on a pad, rolls into it and leaves it again: each way through the contact is recorded once.
#[test]
fn a_contact_that_closes_and_opens() {
    let text = PAD
        .replace("position = [0, 0, 0.0995]", "position = [0, 0, 0.105]")
        .replace("speed = [0, 0.2, 0, 0.3, 0, 0]", "speed = [0, 0.2, 0, 0.3, 0, -1.0]");
    let built = short(&text, 0.05, 4.0, Some(2e-4));
    let paths =
        ["pad.stiffness", "pad.radius", "pad.dissipation", "pad.friction", "ball.mass", "way.position.3"];
    let list = parameters(&text, &paths);
    let (cost, touched, _) = cost(&built, &list, "ball.position.z");
    assert_eq!(touched, ["pad"]);
    assert!(cost.steps >= 250 && cost.tapes < 20, "{} tapes of {} steps", cost.tapes, cost.steps);
}

/// Motions, controllers and flexible bodies: two evaluations, of rates and of channels, are taped, and those once more whose constants
/// become leaves.
#[test]
fn long_runs_are_taped_at_their_ends_alone() {
    for (name, channel, path) in [
        ("robot_arm", "energy.kinetic", "joint.elbow.position"),
        ("flexible_arm", "fore.eta.1", "body.fore.beam.young"),
        ("gallery/crane", "energy.total", "body.load.mass"),
    ] {
        let text = shipped(name);
        let built = short(&text, 0.05, 4.0, Some(1e-3));
        let (cost, ..) = cost(&built, &parameters(&text, &[path]), channel);
        assert!(cost.steps >= 50 && cost.tapes <= 8, "{name}: {} tapes of {} steps", cost.tapes, cost.steps);
    }
}

/// Terms that zeros leave out of a run, and factors of sections that change places from model to model, are followed like all others.
#[test]
fn zeros_and_sections_are_followed_like_all_others() {
    let text = PENDULUM.replace("damping = 0.05", "damping = 0.0");
    let built = short(&text, 0.1, 4.0, Some(2e-3));
    let (cost_of_zero, _, followed) =
        cost(&built, &parameters(&text, &["elbow.damping", "upper.mass"]), "elbow.angle");
    assert_eq!(followed, [] as [String; 0]);
    assert_eq!(cost_of_zero.direct, 0);
    let text = shipped("rotor_blade");
    let built = short(&text, 2e-3, 4.0, Some(1e-4));
    let paths = [
        "body.blade.beam.section.rectangle.1",
        "body.blade.beam.section.rectangle.2",
        "body.blade.beam.young",
    ];
    let (_, _, followed) = cost(&built, &parameters(&text, &paths), "energy.kinetic");
    assert_eq!(followed, [] as [String; 0]);
}
