//! Operations of controllers and couplers, counted: how they grow with bodies and with their own number, beside a whole evaluation.
//!
//! Divide and conquer takes couplers in chunks of 64 on its threads, like elements; controllers follow on the thread of the caller,
//! because their laws may be code of the user.

use flexura::control::apply;
use flexura::model::description::*;
use flexura::model::element::Coupler;
use flexura::scalar::{Counting, OperationCount};
use flexura::time_function::TimeFunction;
use flexura::{Model, State, Workspace, build, evaluate};
use flexura_samples::chains::{random_state, rigid_chain};

/// What one evaluation does: controllers, everything.
struct Counts {
    controllers: u64,
    whole: u64,
}

fn total(count: OperationCount) -> u64 {
    count.products + count.additions
}

fn counted(model: &Model) -> Counts {
    let state: State<Counting> = State::lift(&random_state(model, 7));
    let mut work: Workspace<Counting> = Workspace::new(model);
    evaluate(model, &state, &mut work).expect("regular");
    let whole = total(OperationCount::of(|| evaluate(model, &state, &mut work).expect("regular")));
    let controllers = total(OperationCount::of(|| apply(model, &state, &mut work)));
    Counts { controllers, whole }
}

/// A chain of `bodies` with controllers on the hinges that `driven` names, measuring the hinge or the place of a body.
fn servoed(bodies: usize, driven: impl Fn(usize) -> bool, of_bodies: bool) -> Model {
    let mut description = rigid_chain(bodies);
    let joints: Vec<String> = description.joints.iter().map(|joint| joint.name.clone()).collect();
    let names: Vec<String> = description.bodies.iter().map(|body| body.name.clone()).collect();
    for (k, joint) in joints.iter().enumerate().filter(|(k, _)| driven(*k)) {
        let sensor = if of_bodies { format!("{}.position.x", names[k]) } else { format!("{joint}.angle") };
        let servo = ControllerDescription::pid(&format!("servo{k}"), [2.0, 0.5, 0.1], 0.01)
            .sensor(&sensor, TimeFunction::Constant(0.1))
            .actuator(&format!("{joint}.effort"));
        description.controllers.push(servo);
    }
    build(description).unwrap_or_else(|error| panic!("{error}")).model
}

/// A number of controllers costs the same on a chain of any length; one per hinge costs a constant each.
#[test]
fn controllers_grow_with_their_number_and_not_with_the_bodies() {
    for of_bodies in [false, true] {
        let four = [16, 256, 1024].map(|n| counted(&servoed(n, |k| k < 4, of_bodies)).controllers);
        println!("four controllers, 16, 256 and 1,024 bodies: {four:?} operations");
        assert!(four[0] > 0 && four.iter().all(|count| *count == four[0]), "{four:?}");
        let each = [64, 256, 1024].map(|n| counted(&servoed(n, |_| true, of_bodies)));
        for (counts, n) in each.iter().zip([64, 256, 1024]) {
            let share = counts.controllers as f64 / counts.whole as f64;
            println!(
                "{n} bodies, one controller each: {} operations per controller, {:.2} % of the evaluation",
                counts.controllers / n,
                100.0 * share
            );
            // A quaternion of a body takes a few operations more or less, by its largest component.
            let slack = if of_bodies { 0.05 } else { 0.0 };
            let expected = (n * four[0] / 4) as f64;
            assert!(
                (counts.controllers as f64 / expected - 1.0).abs() <= slack,
                "{} {expected}",
                counts.controllers
            );
            // What stays on one thread: with one controller per body threads gain at most the inverse of this share.
            assert!(share < if of_bodies { 0.06 } else { 0.012 }, "{share}");
        }
    }
}

/// Every coupler costs a constant, whatever the chain: chunks of 64 are side by side on threads.
#[test]
fn couplers_cost_a_constant_each() {
    let geared = |n: usize| {
        let mut description = rigid_chain(n);
        let names: Vec<String> = description.joints.iter().map(|joint| joint.name.clone()).collect();
        for (k, pair) in names.windows(2).enumerate() {
            let law = Coupler { factors: [1.0, -0.7], offset: 0.2, stiffness: 3.0, damping: 0.1 };
            description = description.element(&format!("gear{k}"), law, [pair[0].as_str(), pair[1].as_str()]);
        }
        build(description).unwrap_or_else(|error| panic!("{error}")).model
    };
    let plain = |n: usize| build(rigid_chain(n)).unwrap_or_else(|error| panic!("{error}")).model;
    let each = [64_u64, 256, 1024].map(|n| {
        let (with, without) = (counted(&geared(n as usize)), counted(&plain(n as usize)));
        let added = with.whole - without.whole;
        assert_eq!(added % (n - 1), 0, "{added} operations for {} couplers", n - 1);
        let share = added as f64 / with.whole as f64;
        println!(
            "{n} bodies: {} operations per coupler, {:.2} % of the evaluation",
            added / (n - 1),
            100.0 * share
        );
        added / (n - 1)
    });
    assert!(each[0] > 0 && each.iter().all(|count| *count == each[0]), "{each:?}");
}
