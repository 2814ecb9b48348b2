//! Derivatives of the dynamics by recursion against dual numbers through the recursions that simulate.
//!
//! Both are exact to rounding, over the same displacements. Tolerance 1e-9 relative to the largest entry, as where algorithms are compared:
//! random trees of up to 60 bodies have matrices whose entries span six orders.

use crate::common::random_model::*;
use crate::common::relative_error;
use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use flexura::analysis::{DynamicsDerivatives, linearize, mass_matrices};
use flexura::model::description::InertiaLevel;
use flexura::motion::retract::move_by_twist;
use flexura::scalar::Dual;
use flexura::scalar::Scalar;
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace};
use flexura_samples::chains;

type Number = Dual<1>;

/// ∂τ along one direction, displacement or speed, at accelerations `chidot`.
fn forces_along(model: &Model, at: &State, chidot: &[f64], speed: usize, displaced: bool) -> Vec<f64> {
    let lift = |values: &[f64]| values.iter().map(|&x| Number::from_f64(x)).collect::<Vec<_>>();
    let mut state: State<Number> = State::lift(at);
    let mut step = vec![Number::ZERO; model.speed_count()];
    let unit = Number::new(0.0, [1.0]);
    if displaced {
        step[speed] = unit;
        move_by_twist(model, &lift(&at.q), &step, &mut state.q);
    } else {
        state.v[speed] += unit;
    }
    let mut work: Workspace<Number> = Workspace::new(model);
    work.kinematics(model, &state);
    work.poses(model, &state);
    work.loads(model, &state);
    let mut out = InverseDynamics::new(model);
    let wrench = &work.load.wrench;
    let kin = &work.motion.kinematics;
    inverse_dynamics(model, kin, &work.inertias, &lift(chidot), wrench, Terms::All, &mut out);
    let needed = out.generalized.iter().zip(&work.load.generalized);
    needed.map(|(needed, there)| (*needed - *there).eps[0]).collect()
}

/// Largest difference of ∂τ from dual numbers, over the largest entry of the matrix.
fn error_of_forces(model: &Model, state: &State, chidot: &[f64], found: &DynamicsDerivatives) -> f64 {
    let n = model.speed_count();
    let mut worst: f64 = 0.0;
    for (matrix, displaced) in [(&found.forces_over_positions, true), (&found.forces_over_speeds, false)] {
        let mut expected = vec![0.0; n * n];
        for column in 0..n {
            let values = forces_along(model, state, chidot, column, displaced);
            values.iter().enumerate().for_each(|(row, &x)| expected[row * n + column] = x);
        }
        worst = worst.max(relative_error(matrix, &expected, 1.0));
    }
    worst
}

fn accelerations(model: &Model, speeds: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed ^ 0x5eed);
    assert_eq!(speeds, model.speed_count());
    (0..speeds).map(|_| random.between(-2.0, 2.0)).collect()
}

/// All joints from both sides, all levels, springs, dampers, friction, applied forces, rule `lambda_etad`, at accelerations that are not those of a motion.
#[test]
fn forces_have_the_derivatives_of_dual_numbers() {
    let recipe = Recipe { bodies: 24, prescribed: 0.0, ..Recipe::everything(&LEVELS) };
    let mut taken = 0;
    sweep("derivatives of forces", 60, 1e-9, |seed| {
        let (model, state) = random_case(&recipe, seed);
        let Ok(mut found) = DynamicsDerivatives::new(&model) else { return 0.0 };
        taken += 1;
        let chidot = accelerations(&model, model.speed_count(), seed);
        found.evaluate_forces(&model, &state, &chidot).expect("fits");
        error_of_forces(&model, &state, &chidot, &found)
    });
    assert!(taken > 30, "only {taken} systems were taken");
}

/// Flexible chains at the default level against dual numbers to 1e-11.
#[test]
fn flexible_chains_agree_to_rounding() {
    let recipe = Recipe { loads: false, bodies: 12, ..Recipe::small(InertiaLevel::Gram) };
    sweep("derivatives of flexible trees", 40, 1e-11, |seed| {
        let (model, state) = random_case(&recipe, seed + 300);
        let mut found = DynamicsDerivatives::new(&model).expect("a tree");
        let chidot = accelerations(&model, model.speed_count(), seed);
        found.evaluate_forces(&model, &state, &chidot).expect("fits");
        error_of_forces(&model, &state, &chidot, &found)
    });
}

/// ∂χ̇ is the lower half of the linear system, prescribed motions included.
#[test]
fn accelerations_have_the_derivatives_of_the_linear_system() {
    let recipe = Recipe { bodies: 16, prescribed: 0.2, ..Recipe::everything(&[InertiaLevel::Gram]) };
    let mut taken = 0;
    sweep("derivatives of accelerations", 60, 1e-8, |seed| {
        let (model, state) = random_case(&recipe, seed + 600);
        let Ok(mut found) = DynamicsDerivatives::new(&model) else { return 0.0 };
        taken += 1;
        found.evaluate(&model, &state).expect("regular");
        error_of_accelerations(&model, &state, &found)
    });
    assert!(taken > 30, "only {taken} systems were taken");
}

/// Largest difference of ∂χ̇ from the lower half of the linear system.
fn error_of_accelerations(model: &Model, state: &State, found: &DynamicsDerivatives) -> f64 {
    let system = linearize(model, state, &[], &[]).expect("a tree");
    let (free, all) = (&system.speeds, model.speed_count());
    let (n, states) = (free.len(), system.states.len());
    let pairs = [(&found.accelerations_over_positions, 0), (&found.accelerations_over_speeds, n)];
    pairs.into_iter().fold(error_of_inverse(model, state, free, found), |worst: f64, (matrix, first)| {
        let pick = |row: usize, column: usize| matrix[free[row] * all + free[column]];
        let both = (0..n * n).map(|i| (pick(i / n, i % n), system.a[(n + i / n) * states + first + i % n]));
        let (found, expected): (Vec<f64>, Vec<f64>) = both.unzip();
        worst.max(relative_error(&found, &expected, 1.0))
    })
}

/// Largest part of 1 − M ∂χ̇/∂τ over the free speeds; prescribed ones answer to nothing.
fn error_of_inverse(model: &Model, state: &State, free: &[usize], found: &DynamicsDerivatives) -> f64 {
    let mut state = state.clone();
    apply_prescribed(model, &mut state, None);
    let (mass, all) = (mass_matrices(model, &state).expect("regular").mass, model.speed_count());
    let answers = &found.accelerations_over_forces;
    let mut worst: f64 = 0.0;
    for row in 0..all {
        for column in 0..all {
            if !free.contains(&row) || !free.contains(&column) {
                assert_eq!(answers[row * all + column], 0.0);
                continue;
            }
            let product: f64 = free.iter().map(|&k| mass[row * all + k] * answers[k * all + column]).sum();
            worst = worst.max((product - f64::from(u8::from(row == column))).abs());
        }
    }
    worst
}

/// A chain too long for factors along its one branch takes the sweeps. The condition of its mass matrix, by which both ways lose digits, grows with the
/// fourth power of its length: 1.1e-8 apart.
#[test]
fn long_chains_have_the_derivatives_of_the_linear_system() {
    const LONG: usize = 160;
    let model = chains::model(chains::rigid_chain(LONG));
    let state = chains::random_state(&model, 3);
    let mut found = DynamicsDerivatives::new(&model).expect("a tree");
    found.evaluate(&model, &state).expect("regular");
    let error = error_of_accelerations(&model, &state, &found);
    assert!(error < f64::EPSILON * (LONG as f64).powi(4), "{error:.3e}");
}

/// Springs between bodies, bushings, actuators, loads over bodies and couplers, as the shipped models have them; what the recursion does
/// not know is refused by name.
#[test]
fn shipped_models_agree_or_are_refused_by_name() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let (mut taken, mut loaded, mut refused) = (0, 0, Vec::new());
    for path in ["models", "models/gallery", "book/examples"]
        .iter()
        .flat_map(|part| std::fs::read_dir(format!("{folder}/{part}")).expect("there"))
    {
        let path = path.expect("there").path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let Ok(found) = flexura::file::load_model(&path) else { continue };
        let model = &found.built.model;
        if model.speed_count() > 200 {
            continue;
        }
        let mut derivatives = match DynamicsDerivatives::new(model) {
            Ok(derivatives) => derivatives,
            Err(reason) => {
                refused.push(reason.to_string());
                continue;
            }
        };
        let state = chains::random_state(model, 5);
        let chidot = accelerations(model, model.speed_count(), 7);
        derivatives.evaluate_forces(model, &state, &chidot).expect("fits");
        let error = error_of_forces(model, &state, &chidot, &derivatives);
        assert!(error < 1e-9, "{}: {error:.3e}", path.display());
        taken += 1;
        loaded +=
            usize::from(!(model.elements.is_empty() && model.couplers.is_empty() && model.loads.is_empty()));
    }
    println!(
        "{taken} models, {loaded} of them with elements, couplers or spread loads, {} refused",
        refused.len()
    );
    assert!(taken >= 15 && loaded >= 5, "{taken} taken, {loaded} of them loaded");
    for reason in ["closed loops", "controllers"] {
        assert!(refused.iter().any(|text| text.contains(reason)), "nothing was refused for {reason}");
    }
}
