//! Fewer kept states: the same gradient, less memory, every step repeated once.

use crate::models::{FLEXIBLE, PENDULUM};
use crate::short;
use flexura::analysis::{Cost, Gradient, GradientSetup, KeptRun, Parameter};

fn taken(text: &str, steps: f64, checkpoints: usize, path: &str) -> (Gradient, Cost) {
    let built = short(text, 1e-4 * steps, 3.0, Some(1e-4));
    let list = [Parameter::of_file(text, "model.toml", path).expect("path")];
    let setup = GradientSetup { channels: vec!["energy.total".into()], checkpoints, ..Default::default() };
    let mut run = KeptRun::new(&built, &list, &setup).expect("run");
    let weights = vec![1.0; run.rows().len()];
    let found = run.pull_back(&weights).expect("gradient");
    let cost = run.cost();
    (found, cost)
}

#[test]
fn few_states_give_the_same_gradient() {
    for (text, path) in [(PENDULUM, "upper.mass"), (FLEXIBLE, "hold.proportional")] {
        let (whole, all) = taken(text, 450.0, 0, path);
        let (thin, few) = taken(text, 450.0, 8, path);
        assert_eq!(all.repeated_steps, 0);
        assert!(few.states <= 8 && few.repeated_steps > 400 && few.repeated_steps < 450, "{few}");
        assert!(few.state_bytes + few.segment_bytes < all.state_bytes / 4, "{few}");
        let pairs =
            || whole.parameters.iter().chain(&whole.speed).zip(thin.parameters.iter().chain(&thin.speed));
        let size = pairs().fold(0.0_f64, |m, (a, _)| m.max(a.abs()));
        for (a, b) in pairs() {
            assert!((a - b).abs() < 1e-10 * size, "{a} {b}");
        }
    }
}

/// Two runs on one thread do not disturb each other's tape.
#[test]
fn runs_may_be_gone_back_over_in_any_order() {
    let built = short(PENDULUM, 0.02, 2.0, Some(1e-3));
    let list = [Parameter::of_file(PENDULUM, "model.toml", "upper.mass").expect("path")];
    let setup = GradientSetup { channels: vec!["energy.total".into()], ..Default::default() };
    let mut first = KeptRun::new(&built, &list, &setup).expect("run");
    let other = short(FLEXIBLE, 1e-3, 2.0, Some(1e-4));
    let own = [Parameter::of_file(FLEXIBLE, "model.toml", "arm.young").expect("path")];
    let mut second = KeptRun::new(&other, &own, &setup).expect("run");
    let once = first.pull_back(&[0.5, 1.0, -2.0]).expect("gradient");
    second.pull_back(&[1.0, 1.0, 1.0]).expect("gradient");
    let twice = first.pull_back(&[0.5, 1.0, -2.0]).expect("gradient");
    assert_eq!(once.parameters, twice.parameters);
    assert_eq!(once.speed, twice.speed);
}
