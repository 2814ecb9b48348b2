//! The kernels, emulated on the processor, against articulated bodies: chains, trees, random models, one huge system and batches.

mod common;

use common::{articulated, error};
use flexura::model::description::{AlgorithmDescription, InertiaLevel};
use flexura::{Model, State, Workspace};
use flexura_gpu::{Choice, System};
use flexura_samples::chains;
use flexura_samples::random_model::{Random, Recipe, random_state};

/// How far articulated and composite bodies are apart: what the equations lose to rounding whoever solves them.
fn conditioning(model: &Model, state: &State) -> f64 {
    let mut work = Workspace::new(model);
    work.choose(model, AlgorithmDescription::CompositeBody).expect("no threads");
    flexura::evaluate(model, state, &mut work).expect("regular");
    error(&work.accelerations.chidot, &articulated(model, state))
}

fn compare(model: &Model, state: &State, leaf: usize) -> f64 {
    let expected = articulated(model, state);
    let mut huge = System::huge_with_leaf(model, leaf, Choice::Emulated).expect("lowered");
    huge.set_state(state).expect("sent");
    huge.evaluate().expect("evaluated");
    let found = huge.accelerations(0).expect("regular");
    let mut batch = System::batch(model, 3, Choice::Emulated).expect("lowered");
    batch.set_state(state).expect("sent");
    batch.evaluate().expect("evaluated");
    let second = batch.accelerations(1).expect("regular");
    assert_eq!(second, batch.accelerations(2).expect("regular"));
    error(&found, &expected).max(error(&second, &expected))
}

#[test]
fn chains_and_trees_of_all_levels_and_mode_counts() {
    let mut worst: f64 = 0.0;
    for leaf in [1, 3, 8] {
        let model = chains::model(chains::rigid_chain(37));
        worst = worst.max(compare(&model, &chains::random_state(&model, 1), leaf));
        let model = chains::model(chains::rigid_tree(150, 5));
        worst = worst.max(compare(&model, &chains::random_state(&model, 2), leaf));
    }
    println!("rigid: {worst:.1e}");
    assert!(worst < 1e-11, "{worst:.1e}");
    for level in [InertiaLevel::Ruthless, InertiaLevel::Gram] {
        for modes in [1, 2, 3, 4, 5, 8, 12] {
            let description = if modes % 2 == 0 {
                chains::clamped_chain(9, modes, level)
            } else {
                chains::flexible_chain(9, modes, level)
            };
            let model = chains::model(description);
            let state = chains::random_state(&model, modes as u64);
            let (found, lost) = (compare(&model, &state, 2), conditioning(&model, &state));
            println!("{level:?} {modes}: {found:.1e} (articulated and composite bodies: {lost:.1e})");
            // Free-free bars of few modes hang on nearly massless hinges.
            assert!(found < 1e-11_f64.max(10.0 * lost), "{level:?} {modes}: {found:.1e}, {lost:.1e}");
        }
    }
}

#[test]
fn random_trees_of_all_joints_with_springs_drives_and_all_rules() {
    let mut worst: f64 = 0.0;
    let mut compared = 0;
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let mut recipe = Recipe::everything(&[InertiaLevel::Ruthless, InertiaLevel::Gram]);
        recipe.modes = 12;
        let description = recipe.describe(&mut random);
        let Ok(built) = flexura::build(description) else { continue };
        let model = &built.model;
        let mut state = random_state(model, &mut random);
        flexura::state::prescribe::apply_prescribed(model, &mut state, None);
        let found = compare(model, &state, 1 + seed as usize % 6);
        if found > 1e-11 {
            println!("seed {seed}: {found:.1e}, {} bodies", model.body_count());
        }
        worst = worst.max(found);
        compared += 1;
    }
    println!("{compared} random trees: {worst:.1e}");
    assert!(compared > 100 && worst < 1e-11, "{compared} {worst:.1e}");
}
