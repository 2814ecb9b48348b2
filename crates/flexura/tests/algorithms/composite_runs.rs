//! Composite bodies as the algorithm of a run: the same motion, forces and accelerations of bodies as by articulated bodies,
//! by explicit methods and by Radau IIA; refused with loops.

use crate::common::mechanisms::slider_crank;
use crate::common::random_model::{EXACT_LEVELS, Recipe, random_case, sweep};
use crate::common::relative_error;
use flexura::build::with_algorithm;
use flexura::model::description::*;
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, Simulation, State, Workspace, build, evaluate};

/// Accelerations, driving forces and accelerations of bodies, one after the other.
fn evaluated(model: &Model, state: &State, algorithm: AlgorithmDescription) -> Vec<f64> {
    let mut work = Workspace::new(model);
    work.choose(model, algorithm).expect("small enough");
    let mut state = state.clone();
    apply_prescribed(model, &mut state, Some(&mut work.load));
    evaluate(model, &state, &mut work).expect("regular");
    let found = &work.accelerations;
    let bodies = found.acceleration.iter().flatten();
    found.chidot.iter().chain(&found.driving).chain(bodies).copied().collect()
}

/// Rounding times the condition of random trees, at most about 1e6.
#[test]
fn a_workspace_finds_accelerations_by_composite_bodies() {
    let recipe = Recipe { bodies: 15, ..Recipe::everything(&EXACT_LEVELS) };
    sweep("composite bodies in a workspace", 40, 1e-9, |seed| {
        let (model, state) = random_case(&recipe, seed + 900);
        let expected = evaluated(&model, &state, AlgorithmDescription::ArticulatedBody);
        let found = evaluated(&model, &state, AlgorithmDescription::CompositeBody);
        relative_error(&found, &expected, 1.0)
    });
}

/// A flexible arm of the repository over half a second.
#[test]
fn runs_by_composite_bodies_are_those_by_articulated_bodies() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/flexible_arm.toml");
    let mut built = flexura::load(path).expect("a model").built;
    built.description.simulation.end = 0.5;
    let radau = MethodDescription::Radau {
        relative_tolerance: 1e-8,
        absolute_tolerance: 1e-10,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    };
    for method in [built.description.simulation.method.clone(), radau] {
        built.description.simulation.method = method;
        let mut run = |algorithm| {
            built.description.simulation.algorithm = algorithm;
            Simulation::of(&built).run().expect("a run")
        };
        let expected = run(AlgorithmDescription::ArticulatedBody);
        let found = run(AlgorithmDescription::CompositeBody);
        for name in ["elbow.angle", "elbow.rate_acceleration", "shoulder.rate_driving", "shoulder.force.z"] {
            let (a, b) = (found.channel(name).expect(name), expected.channel(name).expect(name));
            let size = b.iter().fold(1e-3_f64, |most, x| most.max(x.abs()));
            // Both runs choose their steps by the same rule: rounding, amplified over some hundred steps.
            let error = relative_error(&a, &b, size);
            assert!(error < 1e-6, "{name}: {error:.1e}");
        }
    }
}

#[test]
fn loops_are_refused_by_name() {
    let described = slider_crank();
    let mut wrong = described.clone();
    wrong.simulation.algorithm = AlgorithmDescription::CompositeBody;
    let text = build(wrong).expect_err("refused").to_string();
    assert!(text.contains("\"composite-body\" does not know closed loops"), "{text}");
    let built = build(described).expect("a mechanism");
    let settings = &built.description.simulation;
    let refused =
        with_algorithm(&built.model, settings, AlgorithmDescription::CompositeBody).expect_err("refused");
    assert!(refused.message.contains("closes one"), "{}", refused.message);
    let divided = AlgorithmDescription::from_word("divide-and-conquer").expect("known");
    assert_eq!(with_algorithm(&built.model, settings, divided).expect("fits").algorithm, divided);
    let settled =
        with_algorithm(&built.model, settings, AlgorithmDescription::Automatic).expect("fits").algorithm;
    assert_ne!(settled, AlgorithmDescription::Automatic, "the one that was chosen stands in its place");
}
