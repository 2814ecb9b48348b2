//! `algorithm = "auto"`: its choice beside the work of every algorithm in a whole evaluation, on thirty models.

use crate::common::four_bars::{four_bar_chain, four_bars};
use crate::common::random_mechanism::Mechanism;
use crate::common::random_model::Recipe;
use flexura::model::description::*;
use flexura::scalar::{Counting, OperationCount};
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, build, choose_algorithm, evaluate};
use flexura_samples::chains::rigid_chain;
use flexura_samples::looped_tree::looped_tree;
use flexura_samples::random_state::Random;

/// Operations of a whole evaluation, loads and rows of loops included.
fn whole(model: &Model, state: &State, algorithm: AlgorithmDescription) -> Option<f64> {
    if algorithm == AlgorithmDescription::CompositeBody && !model.loops.is_empty() {
        return None;
    }
    let lifted = State::<Counting>::lift(state);
    let mut work = Workspace::<Counting>::new(model);
    work.choose(model, algorithm).ok()?;
    let mut solved = false;
    let count = OperationCount::of(|| solved = evaluate(model, &lifted, &mut work).is_ok());
    solved.then_some((count.products + count.additions) as f64)
}

fn thirty() -> Vec<(String, Description)> {
    let mut list: Vec<(String, Description)> = Vec::new();
    for seed in 1..=8 {
        let recipe = Recipe { bodies: 4 * seed as usize, ..Recipe::everything(&[InertiaLevel::Gram]) };
        list.push((format!("tree {seed}"), recipe.describe(&mut Random::new(seed))));
        list.push((format!("mechanism {seed}"), Mechanism::everything().describe(seed)));
    }
    for count in [1, 2, 5, 60, 200] {
        list.push((format!("chain of {count}"), rigid_chain(count)));
    }
    for loops in [1, 10, 40] {
        list.push((format!("{loops} four-bars"), four_bar_chain(loops)));
    }
    for flexible in [1, 5] {
        list.push((format!("{flexible} flexible bars"), four_bars(2, flexible, 4, [0.0; 3])));
    }
    for (cells, bodies) in [(1, 4), (4, 6), (12, 8), (40, 8)] {
        list.push((format!("{cells} loops in a tree"), looped_tree(cells, bodies, 1)));
    }
    list
}

#[test]
fn the_choice_is_within_a_tenth_of_the_best_on_thirty_models() {
    let divided = AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 0, refinements: 0 };
    let all = [AlgorithmDescription::ArticulatedBody, AlgorithmDescription::CompositeBody, divided];
    let (mut worst, mut chosen): (f64, [usize; 3]) = (1.0, [0; 3]);
    let models = thirty();
    assert_eq!(models.len(), 30);
    println!("| model | bodies | rows | articulated | composite | divided | chosen | over the best |");
    for (name, description) in models {
        let built = build(description).unwrap_or_else(|error| panic!("{name}: {error}"));
        let model = &built.model;
        let mut state = State::initial(model, built.description.simulation.start);
        apply_prescribed(model, &mut state, None);
        let choice = choose_algorithm(model, &state);
        // Each algorithm in a whole evaluation, whatever the choice took for hopeless.
        let work = all.map(|algorithm| whole(model, &state, algorithm).unwrap_or(f64::INFINITY));
        let best = work.iter().copied().fold(f64::INFINITY, f64::min);
        let place = all.iter().position(|a| *a == choice.algorithm).expect("one of them");
        let over = work[place] / best;
        let [a, c, d] = work.map(|x| if x.is_finite() { format!("{x:.0}") } else { "no".into() });
        let (bodies, rows) = (model.body_count(), model.constraint_count());
        println!(
            "| {name} | {bodies} | {rows} | {a} | {c} | {d} | {} | {over:.2} |",
            choice.algorithm.word()
        );
        worst = worst.max(over);
        chosen[place] += 1;
        for found in choice.work.iter().filter(|found| !found.counted) {
            let counted = work[all.iter().position(|a| *a == found.algorithm).expect("one of them")];
            assert!(counted > found.operations, "{name}: {} is no lower bound", found.operations);
        }
    }
    println!("chosen {chosen:?}, at most {worst:.2} of the best");
    assert!(worst < 1.1);
    assert!(chosen.iter().all(|&times| times > 1), "{chosen:?}: the models must tell them apart");
}

/// Building puts the choice into the description: runs have the bits of the algorithm named by its word.
#[test]
fn auto_is_settled_by_building() {
    let run = |algorithm: AlgorithmDescription| {
        let mut description = looped_tree(12, 8, 1);
        description.simulation.algorithm = algorithm;
        description.simulation.end = 0.05;
        description.simulation.output_interval = 0.01;
        description.output.channels = vec!["base.angle".into(), "link4of3.angle".into()];
        let built = build(description).expect("sound");
        let choice = built.algorithm_choice.clone();
        let taken = built.description.simulation.algorithm;
        let rows = built.simulate().expect("runs");
        let bits: Vec<u64> =
            rows.channel("link4of3.angle").expect("recorded").iter().map(|x| x.to_bits()).collect();
        (choice, taken, bits)
    };
    let (choice, taken, bits) = run(AlgorithmDescription::Automatic);
    let choice = choice.expect("counted");
    assert_eq!(choice.algorithm, taken);
    assert!(taken != AlgorithmDescription::Automatic && choice.work.len() == 2);
    let (none, _, named) = run(taken);
    assert!(none.is_none() && named == bits && bits.len() == 6);
}
