//! Integrators show their order, dense output and events on problems with rotations.

use crate::common::double_pendulum;

use double_pendulum::double_pendulum;
use flexura::integrate::Integrator;
use flexura::model::description::*;
use flexura::simulate::run;
use flexura::time_function::TimeFunction;
use flexura::{Model, Recorder, Recording, State, Workspace};

fn end_state(model: &Model, method: &MethodDescription, end: f64) -> State {
    let mut state = State::initial(model, 0.0);
    let mut work = Workspace::new(model);
    let mut integrator = Integrator::new(model, method);
    while state.time < end {
        integrator.step(model, &mut state, &mut work, end).expect("step");
    }
    state
}

fn distance(a: &State, b: &State) -> f64 {
    let q = a.q.iter().zip(&b.q).map(|(x, y)| (x - y).powi(2)).sum::<f64>();
    (q + a.v.iter().zip(&b.v).map(|(x, y)| (x - y).powi(2)).sum::<f64>()).sqrt()
}

fn adaptive(tolerance: f64) -> MethodDescription {
    MethodDescription::DormandPrince {
        relative_tolerance: tolerance,
        absolute_tolerance: tolerance,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

/// Fixed steps with the fifth-order method: error control switched off by a loose tolerance.
fn fixed(step: f64) -> MethodDescription {
    MethodDescription::DormandPrince {
        relative_tolerance: 1e6,
        absolute_tolerance: 1e6,
        initial_step: step,
        largest_step: step,
    }
}

/// Observed order of a fixed-step method from two step sizes.
fn observed_order(method: impl Fn(f64) -> MethodDescription, step: f64) -> f64 {
    let model = double_pendulum();
    let reference = end_state(&model, &adaptive(1e-13), 0.25);
    let error = |h: f64| distance(&end_state(&model, &method(h), 0.25), &reference);
    (error(step) / error(step / 2.0)).log2()
}

#[test]
fn rk4_is_of_fourth_order_on_quaternions() {
    let order = observed_order(|step| MethodDescription::Rk4 { step }, 0.0025);
    assert!((3.8..4.6).contains(&order), "order {order}");
}

#[test]
fn dormand_prince_is_of_fifth_order_on_quaternions() {
    let order = observed_order(fixed, 0.0125);
    assert!((4.7..5.8).contains(&order), "order {order}");
}

/// How much a small change of the initial speeds grows over the run.
fn amplification(model: &Model, reference: &State) -> f64 {
    let size = 1e-7;
    let mut state = State::initial(model, 0.0);
    state.v.iter_mut().for_each(|v| *v += size);
    let start = size * (state.v.len() as f64).sqrt();
    let mut work = Workspace::new(model);
    let mut integrator = Integrator::new(model, &adaptive(1e-13));
    while state.time < reference.time {
        integrator.step(model, &mut state, &mut work, reference.time).expect("step");
    }
    distance(&state, reference) / start
}

/// The error follows the tolerance over six decades.
#[test]
fn tolerance_controls_the_error() {
    let model = double_pendulum();
    let reference = end_state(&model, &adaptive(1e-13), 1.0);
    let amplification = amplification(&model, &reference);
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let error = distance(&end_state(&model, &adaptive(tolerance), 1.0), &reference);
        println!("tolerance {tolerance:e}: error {error:e}, amplification {amplification:.1}");
        // Local errors near the tolerance, grown by the motion: measured 0.4 to 1.3 of the product.
        assert!(error < 3.0 * amplification * tolerance, "tolerance {tolerance:e}: error {error:e}");
    }
}

/// Dense output of the fifth-order method is of fourth order inside the step.
#[test]
fn dense_output_is_of_fourth_order() {
    let model = double_pendulum();
    let error = |h: f64| {
        let mut state = State::initial(&model, 0.0);
        let mut work = Workspace::new(&model);
        let mut integrator = Integrator::new(&model, &fixed(h));
        integrator.step(&model, &mut state, &mut work, 1.0).expect("step");
        let time = 0.3 * h;
        let mut inside = state.clone();
        integrator.interpolate(&model, time, &mut inside);
        distance(&inside, &end_state(&model, &adaptive(1e-13), time))
    };
    let order = (error(0.08) / error(0.04)).log2();
    // One step: local error of a fourth-order interpolant is O(h⁵).
    assert!((4.6..6.0).contains(&order), "order {order}");
}

/// Unit quaternions after many steps: the manifold is kept without projection drift.
#[test]
fn quaternions_stay_unit() {
    let model = double_pendulum();
    let state = end_state(&model, &MethodDescription::Rk4 { step: 0.01 }, 5.0);
    let norm: f64 = state.q[..4].iter().map(|x| x * x).sum();
    assert!((norm - 1.0).abs() < 1e-14);
}

/// A free fall event is located to rounding: z = −½ g t² crosses −1.
#[test]
fn event_is_located_on_the_interpolant() {
    let mut description = Description::new("fall").body(BodyDescription::point_mass("stone", 1.0)).joint(
        JointDescription::new("air", JointKindDescription::Translational, ["ground.origin", "stone.origin"]),
    );
    description.simulation.events.push(EventDescription {
        name: "impact".into(),
        channel: "air.z".into(),
        value: -1.0,
        direction: -1,
        stop: true,
    });
    let result = description.run_for(2.0).build().unwrap().simulate().unwrap();
    let exact = (2.0_f64 / 9.81).sqrt();
    assert!((result.last("time").unwrap() - exact).abs() < 1e-12);
    assert!((result.last("air.z").unwrap() + 1.0).abs() < 1e-12);
}

/// Steps end exactly on break points, so a switched force costs no accuracy: v = F t₁/m.
#[test]
fn break_points_are_hit_exactly() {
    let switched = TimeFunction::Piecewise {
        breaks: vec![0.3],
        pieces: vec![TimeFunction::Constant(1.0), TimeFunction::Constant(0.0)],
    };
    let result = Description::new("push")
        .gravity([0.0; 3])
        .body(BodyDescription::point_mass("cart", 2.0))
        .joint(JointDescription::prismatic("rail", ["ground.origin", "cart.origin"], [1.0, 0.0, 0.0]))
        .force("thrust", "cart.origin", [5.0, 0.0, 0.0], Some(switched))
        .run_for(1.0)
        .build()
        .unwrap()
        .simulate()
        .unwrap();
    assert!((result.last("rail.speed").unwrap() - 0.75).abs() < 1e-13);
    assert!((result.last("rail.displacement").unwrap() - (0.1125 + 0.75 * 0.7)).abs() < 1e-13);
    assert!(result.last("energy.balance").unwrap().abs() < 1e-13);
}

/// Break points of two inputs may differ by a rounding (0.1 + 0.2 and 0.3): the run passes both.
#[test]
fn break_points_one_rounding_apart_are_passed() {
    let switched = |at: f64| TimeFunction::Piecewise {
        breaks: vec![at],
        pieces: vec![TimeFunction::Constant(1.0), TimeFunction::Constant(0.0)],
    };
    assert_ne!(0.1 + 0.2, 0.3);
    let methods = [SimulationDescription::default().method, MethodDescription::Rk4 { step: 0.01 }];
    for method in methods {
        let result = Description::new("push")
            .gravity([0.0; 3])
            .body(BodyDescription::point_mass("cart", 2.0))
            .joint(JointDescription::prismatic("rail", ["ground.origin", "cart.origin"], [1.0, 0.0, 0.0]))
            .force("thrust", "cart.origin", [2.0, 0.0, 0.0], Some(switched(0.3)))
            .force("other", "cart.origin", [3.0, 0.0, 0.0], Some(switched(0.1 + 0.2)))
            .method(method)
            .run_for(1.0)
            .build()
            .unwrap()
            .simulate()
            .unwrap();
        assert!((result.last("rail.speed").unwrap() - 0.75).abs() < 1e-13);
        assert!((result.last("time").unwrap() - 1.0).abs() < 1e-13);
    }
}

/// A recorder used for a second run starts a new energy balance.
#[test]
fn a_recorder_can_be_used_again() {
    let at = |speed: f64| {
        Description::new("cart")
            .body(BodyDescription::point_mass("cart", 2.0))
            .joint(
                JointDescription::prismatic("rail", ["ground.origin", "cart.origin"], [1.0, 0.0, 0.0])
                    .speed(&[speed]),
            )
            .run_for(0.1)
            .build()
            .unwrap()
    };
    let mut recorder = Recorder::new(&at(0.0).model, &["energy.*".to_string()]).unwrap();
    for speed in [0.0, 3.0] {
        let system = at(speed);
        let mut recording = Recording::new(recorder.channels());
        let settings = &system.description.simulation;
        run(&system.model, settings, &mut recorder, &mut recording, &mut |_| true).unwrap();
        assert_eq!(recording.last("energy.kinetic").unwrap(), speed * speed);
        assert_eq!(recording.last("energy.balance").unwrap(), 0.0);
    }
}
