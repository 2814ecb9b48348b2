//! Steps of refinement asked for in a description are those of the functions, in trees and with loops.

use crate::common::random_mechanism::Mechanism;
use flexura::algorithm::divide_and_conquer::*;
use flexura::model::description::*;
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, build, evaluate};
use flexura_samples::chains;

/// Accelerations and multipliers with `refinements` steps, one body per leaf.
fn evaluated(model: &Model, state: &State, refinements: usize) -> [Vec<f64>; 2] {
    let mut work = Workspace::new(model);
    let choice = AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 1, refinements };
    work.choose(model, choice).expect("no threads");
    let mut state = state.clone();
    apply_prescribed(model, &mut state, Some(&mut work.load));
    evaluate(model, &state, &mut work).expect("regular");
    [work.accelerations.chidot.clone(), work.closure.multipliers.clone()]
}

/// The same by hand.
fn by_hand(model: &Model, state: &State, refinements: usize) -> [Vec<f64>; 2] {
    let mut work = Workspace::new(model);
    // Motion along the assembly tree too: the serial pass has other last bits.
    let choice = AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 1, refinements: 0 };
    work.choose(model, choice).expect("no threads");
    let mut state = state.clone();
    apply_prescribed(model, &mut state, Some(&mut work.load));
    work.kinematics(model, &state);
    work.loads(model, &state);
    let mut out = DivideAndConquer::with_leaf(model, 1);
    let mut scratch = Residual::new(model, &out);
    if model.loops.is_empty() {
        let (kin, inertias, load) = (&work.motion.kinematics, &work.inertias, &work.load);
        divide_and_conquer(model, kin, inertias, load, &mut out, Par::Serial).expect("regular");
        for _ in 0..refinements {
            refine(model, kin, inertias, load, &mut out, &mut scratch, Par::Serial).expect("regular");
        }
    } else {
        let mut parts = work.loop_parts();
        close_loops(model, &state, &mut parts, &mut out, Par::Serial).expect("regular");
        for _ in 0..refinements {
            refine_loops(model, &state, &mut parts, &mut out, &mut scratch, Par::Serial).expect("regular");
        }
    }
    [out.chidot.clone(), work.closure.multipliers.clone()]
}

/// Every step moves the last bits of a chain whose masses alternate by 1e4, and of random mechanisms.
#[test]
fn described_refinements_are_taken() {
    let mut description = chains::rigid_chain(40);
    for body in description.bodies.iter_mut().step_by(2) {
        if let BodyKind::Rigid(rigid) = &mut body.kind {
            rigid.mass *= 1e4;
            rigid.inertia = rigid.inertia.map(|row| row.map(|x| x * 1e4));
        }
    }
    let mut models = vec![build(description).expect("sound")];
    models.extend((1..=3).map(|seed| build(Mechanism::independent().describe(seed)).expect("sound")));
    for built in models {
        let model = &built.model;
        let state = State::initial(model, built.description.simulation.start);
        let plain = evaluated(model, &state, 0);
        for refinements in [0, 1, 2] {
            let found = evaluated(model, &state, refinements);
            assert_eq!(found, by_hand(model, &state, refinements), "{} {refinements}", model.name);
            assert!(
                refinements == 0 || found != plain,
                "{}: {refinements} steps changed nothing",
                model.name
            );
        }
    }
}
