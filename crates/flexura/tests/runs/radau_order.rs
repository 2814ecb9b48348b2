//! Order of Radau IIA, with Newton's iteration carried to rounding: far below what a tolerance would ask of it.

use flexura::integrate::Integrator;
use flexura::model::description::*;
use flexura::{Model, State, Workspace};

/// Two rods on a spherical and a universal joint: quaternions and coupled rotations.
fn double_pendulum() -> Model {
    let rod = |name: &str| {
        BodyDescription::rigid(name, 1.0, [0.02, 0.09, 0.1])
            .center_of_mass([0.5, 0.05, 0.0])
            .frame("end", [1.0, 0.0, 0.0])
    };
    let universal = JointKindDescription::Universal { axis: [0.0, 1.0, 0.0], axis2: [0.0, 0.0, 1.0] };
    let ball = JointDescription::spherical("ball", ["ground.origin", "one.origin"]);
    let cross = JointDescription::new("cross", universal, ["one.end", "two.origin"]);
    Description::new("double pendulum")
        .body(rod("one"))
        .body(rod("two"))
        .joint(ball.position(&[0.8, 0.6, 0.0, 0.0]).speed(&[0.5, -1.0, 2.0]))
        .joint(cross.position(&[0.3, -0.4]).speed(&[1.0, 0.5]))
        .build()
        .expect("valid")
        .model
}

/// State at `end` after steps of `h`, the tolerance too loose to shorten any.
fn fixed_steps(model: &Model, h: f64, end: f64) -> State {
    let method = MethodDescription::Radau {
        relative_tolerance: 1e-2,
        absolute_tolerance: 1e-2,
        initial_step: h,
        largest_step: h,
    };
    let mut integrator = Integrator::new(model, &method);
    integrator.solve_stages_to(1e-10);
    let (mut state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
    while state.time < end {
        integrator.step(model, &mut state, &mut work, end).expect("step");
    }
    let statistics = integrator.statistics();
    assert_eq!((statistics.accepted, statistics.rejected), ((end / h).round() as u64, 0));
    state
}

#[test]
fn fixed_steps_are_of_fifth_order_on_quaternions() {
    let (model, end) = (double_pendulum(), 0.25);
    let explicit = MethodDescription::DormandPrince {
        relative_tolerance: 1e-13,
        absolute_tolerance: 1e-13,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    };
    let mut reference = State::initial(&model, 0.0);
    let (mut integrator, mut work) = (Integrator::new(&model, &explicit), Workspace::new(&model));
    while reference.time < end {
        integrator.step(&model, &mut reference, &mut work, end).expect("step");
    }
    let error = |h: f64| {
        let state = fixed_steps(&model, h, end);
        let pairs = state.q.iter().zip(&reference.q).chain(state.v.iter().zip(&reference.v));
        pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    let errors = [0.05, 0.025, 0.0125].map(error);
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((4.7..5.5).contains(&order), "order {order}: {errors:?}");
    }
}
