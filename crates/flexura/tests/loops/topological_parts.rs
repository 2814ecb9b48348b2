//! Parts of the topological formulation against the closure algorithm, which computes them another way.

use crate::common::two_loops::two_loops as model;
use flexura::algorithm::structured_tangent::TangentWeights;
use flexura::constraint::{prepare_at, project};
use flexura::formulation::topological::*;
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, evaluate};

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
    let accelerations = (&work.accelerations.acceleration[..], &work.accelerations.chidot[..]);
    formulation.evaluate_rows_moving(&model, &state, &work, accelerations);
    formulation.refresh_jacobian(&model, &work);
    let close = |a: f64, b: f64| (a - b).abs() < 1e-11 * (1.0 + a.abs());
    let speeds = model.speed_count();
    let mut seen = vec![0.0; model.constraint_count() * speeds];
    formulation.for_jacobian(&model, |row, speed, value| seen[row * speeds + speed] = value);
    let [residual, rate, acceleration] = formulation.row_values();
    for row in 0..model.constraint_count() {
        assert!(close(residual[row], work.closure.residual[row]), "residual {row}");
        assert!(close(rate[row], work.closure.rate[row]), "rate {row}");
        let (own, other) = (acceleration[row], work.closure.acceleration[row]);
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
    let [_, rate, acceleration] = formulation.row_values();
    assert!(worst(rate) < 1e-10, "{rate:?}");
    assert!(worst(acceleration) < 1e-9, "{acceleration:?}");
    for i in (0..w.len()).filter(|&i| model.prescribed[i]) {
        assert_eq!((state.v[i], w[i]), (model.initial_v[i], exact[i]));
    }
    work.kinematics(&model, &state);
    work.poses(&model, &state);
    formulation.evaluate_rows(&model, &state, &work);
    let [_, rate, _] = formulation.row_values();
    assert!(worst(rate) < 1e-10, "{rate:?}");
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
        formulation.factors().to_vec()
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
