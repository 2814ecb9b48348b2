//! Radau IIA: tolerance, dense output, agreement with explicit integration, stiff models, failures.

use crate::common::mechanisms;

use crate::common::double_pendulum;

use double_pendulum::double_pendulum;
use flexura::build::Built;
use flexura::control::Block;
use flexura::integrate::{Integrator, StepStatistics};
use flexura::model::description::*;
use flexura::model::element::SpringDamper;
use flexura::time_function::TimeFunction;
use flexura::{Model, SimulationError, State, Workspace};
use mechanisms::tolerance as explicit;

pub fn radau(tolerance: f64) -> MethodDescription {
    MethodDescription::Radau {
        relative_tolerance: tolerance,
        absolute_tolerance: tolerance,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

/// Fixed steps: error control switched off by an absolute tolerance of 1e-4 inside (0.1 × 1e-12^(2/3) × 1e5), while
/// Newton's iteration, whose share of it follows the relative tolerance, converges to 3e-9. The order over many steps, for
/// which that is too much, is tested in `radau_order`.
fn fixed(step: f64) -> MethodDescription {
    MethodDescription::Radau {
        relative_tolerance: 1e-12,
        absolute_tolerance: 1e-7,
        initial_step: step,
        largest_step: step,
    }
}

pub fn end_of(model: &Model, method: &MethodDescription, end: f64) -> (State, f64, StepStatistics) {
    let mut state = State::initial(model, 0.0);
    let mut work = Workspace::new(model);
    let mut integrator = Integrator::new(model, method);
    while state.time < end {
        integrator.step(model, &mut state, &mut work, end).expect("step");
    }
    (state, integrator.work_done, integrator.statistics())
}

pub fn distance(a: &State, b: &State) -> f64 {
    let pairs = a.q.iter().zip(&b.q).chain(a.v.iter().zip(&b.v)).chain(a.z.iter().zip(&b.z));
    pairs.map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}

/// How much a small change of the initial speeds grows over the run.
fn amplification(model: &Model, reference: &State) -> f64 {
    let mut state = State::initial(model, 0.0);
    let size = 1e-7;
    state.v.iter_mut().for_each(|v| *v += size);
    let start = size * (state.v.len() as f64).sqrt();
    let mut work = Workspace::new(model);
    let mut integrator = Integrator::new(model, &explicit(1e-13));
    while state.time < reference.time {
        integrator.step(model, &mut state, &mut work, reference.time).expect("step");
    }
    distance(&state, reference) / start
}

#[test]
fn tolerance_controls_the_error() {
    let model = double_pendulum();
    let (reference, ..) = end_of(&model, &explicit(1e-13), 1.0);
    let amplification = amplification(&model, &reference);
    let mut last = 0;
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let (state, _, statistics) = end_of(&model, &radau(tolerance), 1.0);
        let error = distance(&state, &reference);
        println!(
            "tolerance {tolerance:e}: error {error:e}, amplification {amplification:.1}, {statistics:?}"
        );
        // As asked of the explicit method: local errors near the tolerance, grown by the motion.
        assert!(error < 3.0 * amplification * tolerance, "tolerance {tolerance:e}: error {error:e}");
        assert!(statistics.accepted > last, "smaller tolerances take more steps");
        last = statistics.accepted;
    }
}

/// One step: the local error of a fourth-order interpolant is O(h⁵), anywhere inside.
#[test]
fn dense_output_is_of_fourth_order() {
    let model = double_pendulum();
    let error = |part: f64, h: f64| {
        let mut state = State::initial(&model, 0.0);
        let mut work = Workspace::new(&model);
        let mut integrator = Integrator::new(&model, &fixed(h));
        integrator.step(&model, &mut state, &mut work, 1.0).expect("step");
        let mut inside = state.clone();
        integrator.interpolate(&model, part * h, &mut inside);
        distance(&inside, &end_of(&model, &explicit(1e-13), part * h).0)
    };
    for part in [0.1, 0.3, 0.5, 0.8] {
        let order = (error(part, 0.02) / error(part, 0.01)).log2();
        assert!((4.6..6.0).contains(&order), "order {order} at {part}");
    }
}

/// A tumbling body on a spring: rotations and translations of a free joint.
fn free_body() -> Description {
    Description::new("tumbling")
        .body(BodyDescription::rigid("stone", 2.0, [0.1, 0.2, 0.25]).frame("eye", [0.3, 0.1, 0.0]))
        .joint(
            JointDescription::free("air", ["ground.origin", "stone.origin"])
                .position(&[0.8, 0.0, 0.6, 0.0, 0.5, 0.0, 0.0])
                .speed(&[3.0, -2.0, 1.0, 0.5, 1.0, 0.0]),
        )
        .element("spring", SpringDamper::linear(0.4, 80.0, 0.5), ["ground.origin", "stone.eye"])
}

/// A cart that a continuous PID controller brings to its place: filter and integral are states.
pub fn servo_cart() -> Description {
    let mut description =
        Description::new("cart").gravity([0.0; 3]).body(BodyDescription::point_mass("cart", 2.0)).joint(
            JointDescription::prismatic("rail", ["ground.origin", "cart.origin"], [1.0, 0.0, 0.0])
                .position(&[0.3]),
        );
    description.controllers.push(ControllerDescription {
        name: "servo".into(),
        block: Block::Pid { proportional: 50.0, integral: 20.0, derivative: 8.0, filter: 0.01 },
        sensors: vec!["rail.displacement".into()],
        references: Vec::new(),
        actuators: vec!["rail.effort".into()],
        limit: f64::INFINITY,
        sample_time: 0.0,
    });
    description
}

/// Free joint, spherical joints, closed loops in space and of flexible bars, continuous controllers.
#[test]
fn motions_agree_with_explicit_integration() {
    let cases = [
        ("free body", free_body().build().expect("valid").model, 1.0),
        ("spherical joint", double_pendulum(), 0.5),
        ("spatial loop", mechanisms::bricard().build().expect("valid").model, 0.5),
        ("flexible loop", mechanisms::flexible_four_bar().build().expect("valid").model, 0.02),
        ("controller", servo_cart().build().expect("valid").model, 1.0),
    ];
    for (name, model, end) in cases {
        let (a, work_a, _) = end_of(&model, &explicit(1e-11), end);
        let (b, work_b, statistics) = end_of(&model, &radau(1e-10), end);
        let size = a.v.iter().fold(1.0, |most: f64, v| most.max(v.abs()));
        println!("{name}: {:e}, work {work_a} {work_b}, {statistics:?}", distance(&a, &b) / size);
        assert!(distance(&a, &b) < 1e-7 * size, "{name}: {:e}", distance(&a, &b));
        assert!((work_a - work_b).abs() < 1e-7 * (1.0 + work_a.abs()), "{name}: {work_a} {work_b}");
    }
}

/// A pendulum whose bob sits on a stiff, strongly damped spring: the damper's rate is 1e5/s, the motion takes a second.
pub fn stiff_pendulum() -> Built {
    let spring = CoordinateDescription { stiffness: 1e7, damping: 1e5, ..Default::default() };
    Description::new("stiff pendulum")
        .body(BodyDescription::rigid("rod", 1.0, [0.01, 0.1, 0.1]).frame("end", [1.0, 0.0, 0.0]))
        .body(BodyDescription::point_mass("bob", 1.0))
        .joint(JointDescription::revolute("pin", ["ground.origin", "rod.origin"], [0.0, 1.0, 0.0]))
        .joint(
            JointDescription::prismatic("stretch", ["rod.end", "bob.origin"], [1.0, 0.0, 0.0])
                .coordinates(vec![spring]),
        )
        .run_for(1.0)
        .output_interval(0.01)
        .build()
        .expect("valid")
}

#[test]
fn a_stiff_model_takes_a_hundredth_of_the_steps() {
    let model = stiff_pendulum().model;
    let (a, work_a, explicit) = end_of(&model, &explicit(1e-8), 1.0);
    let (b, work_b, stiff) = end_of(&model, &radau(1e-8), 1.0);
    println!("{explicit:?} {stiff:?} {:e} {work_a} {work_b}", distance(&a, &b));
    assert!(explicit.accepted >= 100 * stiff.accepted, "{explicit:?} {stiff:?}");
    assert!(stiff.jacobians < stiff.accepted && stiff.factorizations < 2 * stiff.accepted, "{stiff:?}");
    assert!(distance(&a, &b) < 1e-7, "{:e}", distance(&a, &b));
    assert!((work_a - work_b).abs() < 1e-7, "{work_a} {work_b}");
}

/// Energy taken by the damper is accounted for in every row, between the steps too; runs repeat to the bit.
#[test]
fn energy_balances_in_every_row_and_runs_repeat() {
    let mut built = stiff_pendulum();
    built.description.simulation.method = radau(1e-8);
    let rows = built.simulate().expect("run");
    let balance = rows.channel("energy.balance").expect("channel");
    let worst = balance.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let size = rows.channel("energy.kinetic").expect("channel").iter().fold(0.0, |most: f64, x| most.max(*x));
    assert!(worst < 1e-7 * size, "{worst:e} of {size}");
    let again = built.simulate().expect("run");
    for name in rows.names() {
        let bits = |rows: &flexura::Recording| {
            rows.channel(name).expect("channel").iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(bits(&rows), bits(&again), "{name}");
    }
}

/// A switched force costs no accuracy: steps end exactly on break points, even two that lie one rounding apart.
#[test]
fn break_points_are_hit_exactly() {
    let switched = |at: f64| TimeFunction::Piecewise {
        breaks: vec![at],
        pieces: vec![TimeFunction::Constant(1.0), TimeFunction::Constant(0.0)],
    };
    assert_ne!(0.1 + 0.2, 0.3);
    let rows = Description::new("push")
        .gravity([0.0; 3])
        .body(BodyDescription::point_mass("cart", 2.0))
        .joint(JointDescription::prismatic("rail", ["ground.origin", "cart.origin"], [1.0, 0.0, 0.0]))
        .force("thrust", "cart.origin", [2.0, 0.0, 0.0], Some(switched(0.3)))
        .force("other", "cart.origin", [3.0, 0.0, 0.0], Some(switched(0.1 + 0.2)))
        .method(radau(1e-8))
        .run_for(1.0)
        .build()
        .expect("valid")
        .simulate()
        .expect("run");
    assert!((rows.last("rail.speed").unwrap() - 0.75).abs() < 1e-12);
    assert!((rows.last("rail.displacement").unwrap() - (0.1125 + 0.75 * 0.7)).abs() < 1e-12);
    assert!(rows.last("energy.balance").unwrap().abs() < 1e-12);
}

/// Two links whose far end is pulled away: at 1.5 s they are stretched and nothing can follow.
pub fn overstretched(method: MethodDescription) -> Built {
    let link = |name: &str| BodyDescription::rigid(name, 1.0, [0.01, 0.1, 0.1]).frame("end", [1.0, 0.0, 0.0]);
    let axis = [0.0, 0.0, 1.0];
    Description::new("stretched")
        .gravity([0.0; 3])
        .body(link("one"))
        .body(link("two"))
        .body(BodyDescription::rigid("slide", 1.0, [0.1; 3]))
        .joint(JointDescription::revolute("a", ["ground.origin", "one.origin"], axis).position(&[1.318]))
        .joint(JointDescription::revolute("b", ["one.end", "two.origin"], axis).position(&[-2.636]))
        .joint(
            JointDescription::prismatic("pull", ["ground.origin", "slide.origin"], [1.0, 0.0, 0.0])
                .motion(TimeFunction::Polynomial { coefficients: vec![0.5, 1.0] }),
        )
        .joint(JointDescription::revolute("c", ["two.end", "slide.origin"], axis))
        .method(method)
        .run_for(3.0)
        .build()
        .expect("valid")
}

#[test]
fn a_motion_that_cannot_go_on_ends_with_the_explicit_methods_error() {
    let fault = |method: MethodDescription| overstretched(method).simulate().map(|_| ()).unwrap_err();
    let (known, found) = (fault(explicit(1e-8)), fault(radau(1e-8)));
    println!("{known}\n{found}");
    let (
        SimulationError::Dynamics { time: a, cause: known, .. },
        SimulationError::Dynamics { time: b, cause: found, .. },
    ) = (known, found)
    else {
        panic!("both end by the equations of motion");
    };
    assert!((a - 1.5).abs() < 1e-3 && (b - 1.5).abs() < 1e-3, "{a} {b}");
    assert_eq!(std::mem::discriminant(&known), std::mem::discriminant(&found), "{known} {found}");
}

#[test]
fn a_model_too_large_for_dense_matrices_is_refused() {
    let mut chain = Description::new("chain");
    for i in 0..800 {
        let body = format!("link{i}");
        let before = if i == 0 { "ground.origin".to_string() } else { format!("link{}.end", i - 1) };
        chain = chain.body(BodyDescription::rigid(&body, 1.0, [0.1; 3]).frame("end", [1.0, 0.0, 0.0])).joint(
            JointDescription::revolute(
                &format!("pin{i}"),
                [&before, &format!("{body}.origin")],
                [0.0, 1.0, 0.0],
            ),
        );
    }
    let fault = chain.method(radau(1e-8)).build().expect("valid").simulate().map(|_| ()).unwrap_err();
    assert!(
        fault.to_string().contains("1601 states") && fault.to_string().contains("generalized-alpha"),
        "{fault}"
    );
}
