//! Conjugate gradients against composite bodies and Cholesky on random trees, as the algorithm of a run, and how many iterations
//! they take.

use crate::common::random_model::{LEVELS, Recipe, random_case, sweep};
use crate::common::relative_error;
use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::algorithm::conjugate_gradient::{ConjugateGradient, conjugate_gradient};
use flexura::model::description::*;
use flexura::state::prescribe::apply_prescribed;
use flexura::{DynamicsError, Model, Simulation, State, Workspace, build, evaluate};
use flexura_samples::chains::{flexible_chain, model, random_state, rigid_chain};

/// Loads of the model at `state`.
fn loaded(model: &Model, state: &mut State) -> Workspace {
    let mut work = Workspace::new(model);
    apply_prescribed(model, state, Some(&mut work.load));
    work.kinematics(model, state);
    work.loads(model, state);
    work
}

fn solved(model: &Model, work: &Workspace) -> Result<ConjugateGradient, DynamicsError> {
    let mut found = ConjugateGradient::new(model);
    conjugate_gradient(model, &work.motion.kinematics, &work.inertias, &work.load, &mut found)?;
    Ok(found)
}

/// Rounding times the condition of random trees, at most about 1e6.
#[test]
fn conjugate_gradients_solve_random_trees() {
    let recipe = Recipe::everything(&LEVELS);
    let mut most = (0, 0);
    sweep("conjugate gradients = Cholesky", 100, 1e-9, |seed| {
        let (model, mut state) = random_case(&recipe, seed + 4000);
        let work = loaded(&model, &mut state);
        let found = solved(&model, &work).expect("converges");
        most = most.max((found.iterations, model.speed_count()));
        let mut expected = CompositeBody::new(&model).expect("small enough");
        composite_body(&model, &work.motion.kinematics, &work.inertias, &work.load, &mut expected)
            .expect("regular");
        let motion = relative_error(&found.chidot, &expected.chidot, 1.0);
        motion.max(relative_error(&found.driving, &expected.driving, 1.0))
    });
    println!("most iterations: {} for {} speeds", most.0, most.1);
    assert!(most.0 > 10, "the trees were too easy: {most:?}");
}

/// The bodies' own accelerations come with them, and the workspace hands them on.
#[test]
fn a_workspace_finds_accelerations_by_conjugate_gradients() {
    let recipe = Recipe { bodies: 15, ..Recipe::everything(&LEVELS) };
    sweep("conjugate gradients in a workspace", 40, 1e-9, |seed| {
        let (model, state) = random_case(&recipe, seed + 900);
        let [expected, found] =
            [AlgorithmDescription::ArticulatedBody, AlgorithmDescription::ConjugateGradient].map(
                |algorithm| {
                    let mut work = Workspace::new(&model);
                    work.choose(&model, algorithm).expect("nothing is asked of the system");
                    let mut state = state.clone();
                    apply_prescribed(&model, &mut state, Some(&mut work.load));
                    evaluate(&model, &state, &mut work).expect("regular");
                    let found = &work.accelerations;
                    let bodies = found.acceleration.iter().flatten();
                    found.chidot.iter().chain(&found.driving).chain(bodies).copied().collect::<Vec<_>>()
                },
            );
        relative_error(&found, &expected, 1.0)
    });
}

/// The preconditioner is the whole matrix there.
#[test]
fn one_body_takes_one_iteration() {
    let model = model(flexible_chain(1, 6, InertiaLevel::Gram));
    let work = loaded(&model, &mut random_state(&model, 3));
    // One more may be asked for by the residual computed anew.
    assert!(solved(&model, &work).expect("converges").iterations <= 2);
}

/// Counts of the page: rigid chains, and chains of bodies with four modes.
#[test]
fn iterations_grow_with_the_chain() {
    let mut counts = Vec::new();
    for bodies in [2, 4, 8, 16, 32, 64] {
        let rigid = model(rigid_chain(bodies));
        let flexible = model(flexible_chain(bodies, 4, InertiaLevel::Gram));
        let [rigid, flexible] = [rigid, flexible].map(|model| {
            let work = loaded(&model, &mut random_state(&model, 1));
            solved(&model, &work).expect("converges").iterations
        });
        println!("{bodies:3} bodies: {rigid:4} iterations rigid, {flexible:4} with four modes");
        counts.push((rigid, flexible));
    }
    // Without rounding a chain of n hinges takes n iterations at most.
    assert!(counts[0].0 <= 3 && counts[1].0 <= 6, "{counts:?}");
    assert!(counts.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1), "{counts:?}");
}

/// A flexible arm of the repository over half a second.
#[test]
fn runs_by_conjugate_gradients_are_those_by_articulated_bodies() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/flexible_arm.toml");
    let mut built = flexura::load(path).expect("a model").built;
    built.description.simulation.end = 0.5;
    let mut run = |algorithm| {
        built.description.simulation.algorithm = algorithm;
        Simulation::of(&built).run().expect("a run")
    };
    let expected = run(AlgorithmDescription::ArticulatedBody);
    let found = run(AlgorithmDescription::ConjugateGradient);
    for name in ["elbow.angle", "elbow.rate_acceleration", "shoulder.rate_driving", "shoulder.force.z"] {
        let (a, b) = (found.channel(name).expect(name), expected.channel(name).expect(name));
        let size = b.iter().fold(1e-3_f64, |most, x| most.max(x.abs()));
        // Both runs choose their steps by the same rule: rounding, amplified over some hundred steps.
        let error = relative_error(&a, &b, size);
        assert!(error < 1e-6, "{name}: {error:.1e}");
    }
}

#[test]
fn what_conjugate_gradients_cannot_solve_is_named() {
    let mut wrong = crate::common::mechanisms::slider_crank();
    wrong.simulation.algorithm = AlgorithmDescription::ConjugateGradient;
    let text = build(wrong).expect_err("refused").to_string();
    assert!(text.contains("\"conjugate-gradient\" does not know closed loops"), "{text}");
    // A force that is not a number leaves accelerations that are none, for the steps to name.
    let model = model(rigid_chain(3));
    let mut work = loaded(&model, &mut random_state(&model, 1));
    work.load.generalized[1] = f64::NAN;
    let found = solved(&model, &work).expect("no iteration");
    assert!(found.iterations == 0 && found.chidot.iter().any(|x| x.is_nan()));
}
