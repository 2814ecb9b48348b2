//! Parts of the formulation against the closure algorithm, which computes them another way.

use super::*;
use crate::beam::{Boundary, ModeCounts, Section};
use crate::constraint::{prepare_at, project};
use crate::dynamics::evaluate;
use crate::model::description::*;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;

/// Two loops that share a flexible body, hinged to a driven one: branches meet at a body and at the ground.
pub(crate) fn model() -> Model {
    let section = Section::Circle { radius: 0.02 };
    let counts = ModeCounts { axial: 1, bending_y: 2, bending_z: 1, ..Default::default() };
    let beam = |length: f64| {
        BeamDescription::new(length, 2700.0, 7e10, 2.6e10, section).modes(Boundary::InterfaceStatic, counts)
    };
    let z = [0.0, 0.0, 1.0];
    let flexible = |name: &str, length: f64| BodyDescription::beam(name, beam(length)).station("tip", length);
    let motion = crate::time_function::TimeFunction::Polynomial { coefficients: vec![0.1, 0.7] };
    let description = Description::new("shared")
        .gravity([0.3, -9.81, 0.1])
        .ground_frame("right", [1.1, 0.1, 0.0])
        .body(BodyDescription::rigid("base", 2.0, [0.1, 0.2, 0.3]).frame("side", [0.0, 0.1, 0.0]))
        .body(flexible("crank", 0.5).station("middle", 0.25))
        .body(flexible("rod", 1.0).station("middle", 0.5))
        .body(flexible("rocker", 0.8))
        .body(BodyDescription::rigid("slider", 0.7, [0.01, 0.02, 0.03]))
        .joint(JointDescription::revolute("drive", ["ground.origin", "base.origin"], z).motion(motion))
        .joint(JointDescription::revolute("root", ["base.origin", "crank.origin"], z).position(&[1.0]))
        .joint(JointDescription::revolute("pin", ["crank.tip", "rod.origin"], z).position(&[-0.8]))
        .joint(JointDescription::revolute("pivot", ["ground.right", "rocker.origin"], z).position(&[1.6]))
        .joint(JointDescription::spherical("ball", ["rod.tip", "rocker.tip"]))
        .joint(JointDescription::prismatic("guide", ["base.side", "slider.origin"], [1.0, 0.0, 0.0]))
        .joint(JointDescription::new(
            "link",
            JointKindDescription::Cylindrical { axis: z },
            ["crank.middle", "slider.origin"],
        ));
    let built = description.build();
    built.unwrap_or_else(|error| panic!("{error}")).model
}

/// A state with all coordinates and speeds disturbed; constraints need not hold.
fn disturbed(model: &Model) -> State {
    let mut state = State::initial(model, 0.3);
    for (i, x) in state.q.iter_mut().enumerate() {
        *x += 0.01 * (i as f64 * 1.3).sin();
    }
    for (i, x) in state.v.iter_mut().enumerate() {
        *x += 0.8 * (i as f64 * 0.7).cos();
    }
    state
}

#[test]
fn rows_and_jacobian_agree_with_the_closure_algorithm() {
    let model = model();
    let state = disturbed(&model);
    let mut work = Workspace::new(&model);
    let mut formulation = Topological::new(&model, TopologicalOptions::default());
    // Accelerations of the opened tree.
    work.kinematics(&model, &state);
    work.loads(&model, &state);
    work.accelerations(&model).unwrap();
    prepare_at(&model, &state, &mut work).unwrap();
    let accelerations = Some((&work.accelerations.acceleration[..], &work.accelerations.chidot[..]));
    formulation.rows.evaluate(&model, (0.3, state.side), &work.motion, accelerations);
    formulation.refresh_jacobian(&model, &work);
    let close = |a: f64, b: f64| (a - b).abs() < 1e-11 * (1.0 + a.abs());
    let speeds = model.speed_count();
    let mut seen = vec![0.0; model.constraint_count() * speeds];
    formulation.jacobian.for_rows(&model, &formulation.structure, |index, row, unknowns| {
        for (&x, &u) in row.iter().zip(unknowns) {
            if let Some(&speed) = formulation.structure.speeds.get(u) {
                seen[index * speeds + speed] = x;
            }
        }
    });
    for row in 0..model.constraint_count() {
        assert!(close(formulation.rows.residual[row], work.closure.residual[row]), "residual {row}");
        assert!(close(formulation.rows.rate[row], work.closure.rate[row]), "rate {row}");
        let (own, other) = (formulation.rows.acceleration[row], work.closure.acceleration[row]);
        assert!(close(own, other), "acceleration {row}: {own} {other}");
        for speed in (0..speeds).filter(|&s| !model.prescribed[s]) {
            let (own, other) = (seen[row * speeds + speed], work.closure.jacobian.entry(row, speed));
            assert!(close(own, other), "row {row} speed {speed}: {own} {other}");
        }
    }
}

#[test]
fn projections_reach_every_level_and_move_nothing_prescribed() {
    let model = model();
    let mut state = State::initial(&model, 0.0);
    let mut work = Workspace::new(&model);
    let mut formulation = Topological::new(&model, TopologicalOptions::default());
    evaluate(&model, &state, &mut work).unwrap();
    let mut w = work.accelerations.chidot.clone();
    let exact = w.clone();
    for i in (0..w.len()).filter(|&i| !model.prescribed[i]) {
        state.v[i] += 0.1 * (i as f64).sin();
        w[i] += 0.2 * (i as f64).cos();
    }
    work.kinematics(&model, &state);
    work.poses(&model, &state);
    formulation.evaluate_rows(&model, &state, &work);
    let weights = TangentWeights { stiffness: 2.5e-5, damping: 5e-3 };
    formulation.factorize(&model, &state, &work, weights).unwrap();
    formulation.project(&model, &mut state, &mut w, &mut work);
    let worst = |list: &[f64]| list.iter().fold(0.0, |best: f64, x| best.max(x.abs()));
    assert!(worst(&formulation.rows.rate) < 1e-10, "{:?}", formulation.rows.rate);
    assert!(worst(&formulation.rows.acceleration) < 1e-9, "{:?}", formulation.rows.acceleration);
    for i in (0..w.len()).filter(|&i| model.prescribed[i]) {
        assert_eq!((state.v[i], w[i]), (model.initial_v[i], exact[i]));
    }
    work.kinematics(&model, &state);
    work.poses(&model, &state);
    formulation.evaluate_rows(&model, &state, &work);
    assert!(worst(&formulation.rows.rate) < 1e-10, "{:?}", formulation.rows.rate);
}

#[test]
fn the_direct_product_is_the_accumulated_mass_matrix() {
    let model = model();
    let state = disturbed(&model);
    let mut work = Workspace::new(&model);
    work.kinematics(&model, &state);
    work.poses(&model, &state);
    let weights = TangentWeights { stiffness: 1e-6, damping: 1e-3 };
    let factors = [MassRoute::Accumulated, MassRoute::DirectProduct].map(|mass| {
        let options = TopologicalOptions { mass, penalty: 1.0, ..TopologicalOptions::default() };
        let mut formulation = Topological::new(&model, options);
        formulation.evaluate_rows(&model, &state, &work);
        formulation.factorize(&model, &state, &work, weights).unwrap();
        formulation.matrix.values()[..formulation.envelope()].to_vec()
    });
    for (a, b) in factors[0].iter().zip(&factors[1]) {
        assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{a} {b}");
    }
}

/// Accelerations and joint forces of a moving mechanism with a drive, by elimination of the recursion's closure and by (TO.6).
#[test]
fn a_start_finds_the_accelerations_of_the_closure_algorithm() {
    let model = model();
    let mut state = disturbed(&model);
    let (mut work, mut own) = (Workspace::new(&model), Workspace::new(&model));
    project(&model, &mut state, &mut work).unwrap();
    for work in [&mut work, &mut own] {
        apply_prescribed(&model, &mut state, Some(&mut work.load));
    }
    evaluate(&model, &state, &mut work).unwrap();
    work.reactions(&model);
    let mut w = vec![0.0; model.speed_count()];
    for i in (0..w.len()).filter(|&i| model.prescribed[i]) {
        w[i] = own.load.acceleration[i];
    }
    own.kinematics(&model, &state);
    own.loads(&model, &state);
    let mut formulation = Topological::new(&model, TopologicalOptions::default());
    formulation.accelerate(&model, &state, &mut w, &mut own).unwrap();
    let known = &work.accelerations.chidot;
    let size = known.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for i in 0..w.len() {
        assert!((w[i] - known[i]).abs() < 1e-10 * size, "acceleration {i}: {} {}", w[i], known[i]);
    }
    let pairs = own.inverse.joint_force.iter().flatten().zip(work.inverse.joint_force.iter().flatten());
    let most = work.inverse.joint_force.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    for (a, b) in pairs {
        assert!((a - b).abs() < 1e-9 * most, "joint force {a} {b}");
    }
    assert!(!formulation.has_factors(TangentWeights { stiffness: 1.0, damping: 1.0 }));
}
