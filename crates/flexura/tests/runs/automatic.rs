//! The automatic choice between Dormand-Prince and Radau IIA: who takes the steps, what they cost, what they find.

use super::radau::{distance, end_of, overstretched, radau, servo_cart, stiff_pendulum};
use crate::common::double_pendulum::double_pendulum;
use crate::common::mechanisms::{self, tolerance as explicit};
use flexura::model::description::*;
use flexura::{Model, SimulationError};

fn automatic(tolerance: f64) -> MethodDescription {
    MethodDescription::Automatic {
        relative_tolerance: tolerance,
        absolute_tolerance: tolerance,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

/// A mass on an undamped spring of 1,000 rad/s that swings with a speed of 1 m/s: nothing but accuracy holds the step.
fn ringing() -> Model {
    let spring = CoordinateDescription { stiffness: 2e6, ..Default::default() };
    let slide = JointDescription::prismatic("slide", ["ground.origin", "mass.origin"], [1.0, 0.0, 0.0])
        .speed(&[1.0])
        .coordinates(vec![spring]);
    let description =
        Description::new("ringing").gravity([0.0; 3]).body(BodyDescription::point_mass("mass", 2.0));
    description.joint(slide).build().expect("valid").model
}

#[test]
fn a_stiff_model_goes_over_to_radau() {
    let model = stiff_pendulum().model;
    let (reference, work, long) = end_of(&model, &explicit(1e-8), 1.0);
    let (_, _, best) = end_of(&model, &radau(1e-8), 1.0);
    let (found, done, steps) = end_of(&model, &automatic(1e-8), 1.0);
    println!("{long:?}\n{best:?}\n{steps:?}");
    // 60 explicit steps before the first trial, and one trial of them in the middle at most.
    assert!(steps.accepted - steps.stiff < 150, "{steps:?}");
    assert!(
        steps.evaluations < best.evaluations + 1_500 && steps.evaluations < long.evaluations / 20,
        "{steps:?}"
    );
    assert!(distance(&reference, &found) < 1e-7, "{:e}", distance(&reference, &found));
    assert!((work - done).abs() < 1e-7, "{work} {done}");
}

/// Where nothing is stiff no trial is made: the bits are those of Dormand-Prince.
#[test]
fn models_that_are_not_stiff_are_left_alone() {
    for (name, model, end) in [
        ("double pendulum", double_pendulum(), 3.0),
        ("spatial loop", mechanisms::bricard().build().expect("valid").model, 1.0),
        ("controller", servo_cart().build().expect("valid").model, 1.0),
        ("ringing", ringing(), 0.1),
    ] {
        let (a, _, _) = end_of(&model, &explicit(1e-8), end);
        let (b, _, steps) = end_of(&model, &automatic(1e-8), end);
        assert_eq!(steps.stiff, 0, "{name}: {steps:?}");
        let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!((bits(&a.q), bits(&a.v)), (bits(&b.q), bits(&b.v)), "{name}");
    }
}

/// Rows, events and the balance of energy do not see who has taken a step.
#[test]
fn energy_balances_in_every_row() {
    let mut built = stiff_pendulum();
    built.description.simulation.method = automatic(1e-8);
    let rows = built.simulate().expect("run");
    let largest = |name: &str| {
        let values = rows.channel(name).expect("channel");
        values.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
    };
    assert!(largest("energy.balance") < 1e-7 * largest("energy.kinetic"));
}

#[test]
fn a_motion_that_cannot_go_on_ends_with_the_reason_of_either_method() {
    let fault = |method| match overstretched(method).simulate().map(|_| ()).unwrap_err() {
        SimulationError::Dynamics { time, cause, .. } => (time, std::mem::discriminant(&cause)),
        other => panic!("{other}"),
    };
    let (known, found) = (fault(explicit(1e-8)), fault(automatic(1e-8)));
    assert!((known.0 - found.0).abs() < 1e-6, "{known:?} {found:?}");
    assert_eq!(known.1, found.1);
}

/// What a user of explicit steps is told: whether stability held them.
#[test]
fn explicit_steps_that_stability_holds_are_counted() {
    let (_, _, stiff) = end_of(&stiff_pendulum().model, &explicit(1e-8), 0.1);
    assert!(stiff.held > 9 * stiff.accepted / 10, "{stiff:?}");
    for (name, model, end) in [("double pendulum", double_pendulum(), 3.0), ("ringing", ringing(), 0.1)] {
        let (_, _, steps) = end_of(&model, &explicit(1e-8), end);
        assert!(steps.held < steps.accepted / 20, "{name}: {steps:?}");
    }
}
