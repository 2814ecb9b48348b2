//! Couplers by divide and conquer on several threads: many of them, in the tree and on joints that close loops.

use crate::common::relative_error;
use flexura::model::description::*;
use flexura::model::element::Coupler;
use flexura::{State, Workspace, build, evaluate};
use flexura_samples::chains::{random_state, rigid_chain};
use flexura_samples::looped_tree::looped_tree;

/// Gears between all hinges that follow each other in `description`.
fn geared(mut description: Description) -> Description {
    let hinge = |joint: &&JointDescription| matches!(joint.kind, JointKindDescription::Revolute { .. });
    let names: Vec<String> =
        description.joints.iter().filter(hinge).map(|joint| joint.name.clone()).collect();
    for (k, pair) in names.windows(2).enumerate() {
        let law = Coupler { factors: [1.0, -0.7], offset: 0.2, stiffness: 3.0, damping: 0.1 };
        description = description.element(&format!("gear{k}"), law, [pair[0].as_str(), pair[1].as_str()]);
    }
    description
}

/// What one thread adds, and the same bits for any number of them.
#[test]
fn many_couplers_act_on_threads_as_on_one() {
    for (name, description, loops) in
        [("a chain", rigid_chain(900), false), ("loops in a tree", looped_tree(80, 8, 1), true)]
    {
        let built = build(geared(description)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let model = &built.model;
        assert_eq!(!model.loops.is_empty(), loops);
        let state = if loops { State::initial(model, 0.0) } else { random_state(model, 2) };
        let mut serial: Workspace = Workspace::new(model);
        evaluate(model, &state, &mut serial).expect("regular");
        let powers = &serial.load.coupler_power;
        assert!(powers.len() > 600 && (loops || powers.iter().all(|power| *power < 0.0)));
        let mut first: Option<Vec<u64>> = None;
        for threads in [1, 2, 3, 16] {
            let mut work: Workspace = Workspace::new(model);
            work.choose(model, AlgorithmDescription::DivideAndConquer { threads, leaf: 0, refinements: 0 })
                .expect("threads");
            evaluate(model, &state, &mut work).expect("regular");
            let motion = relative_error(&work.accelerations.chidot, &serial.accelerations.chidot, 1.0);
            // Two algorithms on 640 bodies; reactions come in where loops are closed.
            assert!(motion < 1e-8, "{name}, {threads} threads: {motion:.1e}");
            let effort = relative_error(&work.load.generalized, &serial.load.generalized, 1.0);
            assert!(effort < 1e-12, "{name}, {threads} threads: {effort:.1e}");
            let power = relative_error(&work.load.coupler_power, powers, 1.0);
            assert!(power < 1e-12, "{name}, {threads} threads: {power:.1e}");
            let bits = work
                .accelerations
                .chidot
                .iter()
                .chain(&work.load.generalized)
                .chain(&work.load.coupler_power);
            let bits: Vec<u64> = bits.map(|x| x.to_bits()).collect();
            assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "{name}, {threads} threads");
        }
    }
}
