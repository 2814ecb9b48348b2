//! Static equilibrium and linear analyses of systems with closed loops.

use crate::common::four_bars;

use flexura::analysis::{EquilibriumOptions, equilibrium, linearize, modes};
use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::constraint::{project_position, project_velocity};
use flexura::model::description::*;
use flexura::{Model, State, Workspace, evaluate};
use four_bars::{crank_rocker, four_bars};
use std::f64::consts::PI;

fn build(description: Description) -> Model {
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Accelerations at rest, by the closure algorithm.
fn accelerations(model: &Model, state: &State) -> Vec<f64> {
    let mut work = Workspace::new(model);
    evaluate(model, state, &mut work).unwrap();
    work.accelerations.chidot.clone()
}

/// Frequency² of the rigid chain of four-bars about its hanging position (1/s²).
fn hanging(loops: f64) -> f64 {
    ((loops + 1.0) / 2.0 + loops) / ((loops + 1.0) / 3.0 + loops) * 9.81
}

#[test]
fn at_equilibrium_nothing_accelerates() {
    let mut sprung = crank_rocker();
    let spring = CoordinateDescription { stiffness: 40.0, rest: 1.2, ..Default::default() };
    sprung.joints[0] = sprung.joints[0].clone().coordinates(vec![spring]).speed(&[]);
    for description in [sprung, hanging_bars(3)] {
        let model = build(description);
        let mut start = State::initial(&model, 0.0);
        start.v.fill(0.0);
        let found = equilibrium(&model, &start, &EquilibriumOptions::default()).unwrap();
        let before = accelerations(&model, &start).iter().fold(0.0, |best: f64, x| best.max(x.abs()));
        let after = accelerations(&model, &found.state).iter().fold(0.0, |best: f64, x| best.max(x.abs()));
        assert!(before > 1.0 && after < 1e-8, "{}: {before} {after}", model.name);
        assert!(found.unheld.is_empty(), "{:?}", found.unheld);
    }
}

/// The double four-bar hanging down aslant, with flexible bars.
fn hanging_bars(flexible: usize) -> Description {
    let mut description = four_bars(2, flexible, 4, [0.0; 3]);
    for joint in &mut description.joints {
        let angle = match joint.name.as_bytes()[0] {
            b'g' => vec![-1.2],
            b'l' => vec![1.2],
            _ => Vec::new(),
        };
        (joint.position, joint.speed) = (angle, Vec::new());
    }
    description
}

#[test]
fn what_nothing_holds_is_named() {
    let model = build(four_bars(1, 0, 0, [0.0; 3]).gravity([0.0; 3]));
    let found = equilibrium(&model, &State::initial(&model, 0.0), &EquilibriumOptions::default()).unwrap();
    assert_eq!(found.unheld, ["ground0.angle", "left1.angle", "ground1.angle"]);
}

#[test]
fn linear_system_of_a_parallelogram_is_that_of_its_one_freedom() {
    let model = build(four_bars(2, 0, 0, [0.0; 3]));
    for (angle, speed) in [(0.4, -1.3), (2.6, 0.7), (PI, 0.0)] {
        // θ from the upright position, clockwise.
        let mut state = State::initial(&model, 0.0);
        for (k, part) in model.layout.bodies.iter().enumerate() {
            let sign = if model.joints[k].name.starts_with("ground") { -1.0 } else { 1.0 };
            state.q[part.q] += sign * angle;
            state.v[part.v] = sign * speed;
        }
        let system = linearize(&model, &state, &["ground0.effort".into()], &["link0.tip.*".into()]).unwrap();
        assert_eq!(system.states.len(), 2);
        let inertia = 3.0 / 3.0 + 2.0;
        let expected = [0.0, 1.0, hanging(2.0) * f64::cos(angle), 0.0];
        for (a, b) in system.a.iter().zip(expected) {
            assert!((a - b).abs() < 1e-10, "{angle}: {:?} {expected:?}", system.a);
        }
        // An effort on link 0 acts on the freedom itself, in the sense of whichever joint is the state.
        assert!(
            (system.b[1].abs() - 1.0 / inertia).abs() < 1e-12 && system.b[0].abs() < 1e-15,
            "{:?}",
            system.b
        );
    }
    let mut state = State::initial(&model, 0.0);
    for (k, part) in model.layout.bodies.iter().enumerate() {
        state.q[part.q] += if model.joints[k].name.starts_with("ground") { -PI } else { PI };
        state.v[part.v] = 0.0;
    }
    let found = modes(&linearize(&model, &state, &[], &[]).unwrap()).unwrap();
    assert!((found[0].imaginary - hanging(2.0).sqrt()).abs() < 1e-10, "{found:?}");
}

/// Central differences of the accelerations along the manifold, the dependent coordinates and speeds following.
#[test]
fn linear_system_about_a_moving_state_agrees_with_differences() {
    let model = build(crank_rocker());
    let state = State::initial(&model, 0.0);
    let system = linearize(&model, &state, &[], &[]).unwrap();
    let (n, independent) = (system.states.len(), system.speeds[0]);
    assert_eq!(n, 2);
    let acceleration = |position: f64, speed: f64| {
        let mut model = model.clone();
        let mut moved = state.clone();
        moved.q[independent] += position;
        moved.v[independent] += speed;
        // The independent coordinate stays while the others close the loop.
        model.prescribed[independent] = true;
        let mut work = Workspace::new(&model);
        project_position(&model, &mut moved, &mut work).unwrap();
        project_velocity(&model, &mut moved, &mut work).unwrap();
        model.prescribed[independent] = false;
        accelerations(&model, &moved)[independent]
    };
    let h = 1e-5;
    let expected = [
        (acceleration(h, 0.0) - acceleration(-h, 0.0)) / (2.0 * h),
        (acceleration(0.0, h) - acceleration(0.0, -h)) / (2.0 * h),
    ];
    for (a, b) in system.a[2..].iter().zip(expected) {
        assert!((a - b).abs() < 1e-5 * (1.0 + b.abs()), "{:?} {expected:?}", system.a);
    }
}

/// A beam hinged at one end and guided by a light slider at the other: π²√(EI/ρA)/L² of a beam on two hinges.
#[test]
fn a_loop_turns_clamped_shapes_into_a_hinged_beam() {
    let section = Section::Circle { radius: (four_bars::SECTION.0 / PI).sqrt() };
    let counts = ModeCounts { axial: 1, bending_y: 6, ..Default::default() };
    let mut beam =
        BeamDescription::new(1.0, four_bars::STEEL.1, four_bars::STEEL.0, four_bars::STEEL.0 / 2.6, section)
            .modes(Boundary::InterfaceStatic, counts);
    beam.rotary_inertia = false;
    let z = [0.0, 0.0, 1.0];
    let model = build(
        Description::new("hinged")
            .gravity([0.0; 3])
            .ground_frame("end", [1.0, 0.0, 0.0])
            .body(BodyDescription::beam("beam", beam).station("tip", 1.0))
            .body(BodyDescription::rigid("slider", 1e-6, [1e-9; 3]))
            .joint(JointDescription::revolute("root", ["ground.origin", "beam.origin"], z))
            .joint(JointDescription::prismatic("guide", ["ground.end", "slider.origin"], [1.0, 0.0, 0.0]))
            .joint(JointDescription::revolute("pin", ["beam.tip", "slider.origin"], z)),
    );
    let state = State::initial(&model, 0.0);
    let found = modes(&linearize(&model, &state, &[], &[]).unwrap()).unwrap();
    let stiffness = four_bars::STEEL.0 * four_bars::SECTION.1;
    for (mode, number) in found.iter().zip([1.0, 2.0]) {
        let expected = (number * PI).powi(2) * f64::sqrt(stiffness / 1.0);
        assert!((mode.imaginary / expected - 1.0).abs() < 2e-3, "{} {expected}", mode.imaginary);
        assert!(mode.real.abs() < 1e-6 * expected, "{mode:?}");
    }
}
