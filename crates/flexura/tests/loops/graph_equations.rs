//! Equations generated from the graph against the recursions: mass matrix, accelerations, multipliers, reactions.
use crate::common::random_mechanism::Mechanism;
use crate::common::random_model::{EXACT_LEVELS, Recipe, evaluated, random_case, sweep};
use crate::common::relative_error;
use flexura::algorithm::FlexibleRoute;
use flexura::algorithm::composite_body::{CompositeBody, mass_matrix};
use flexura::formulation::graph::{Equations, joint_forces};
use flexura::model::description::{Description, TreeChoice};
use flexura::spatial::Spatial;
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, build, evaluate};

fn flat(forces: &[Spatial]) -> Vec<f64> {
    forces.iter().flatten().copied().collect()
}

/// Accelerations, multipliers and reactions of both routes at `state`.
fn disagreement(model: &Model, state: &State, work: &mut Workspace) -> f64 {
    let equations = Equations::generate(model, state);
    let solution = equations.solve(model).expect("regular");
    let mut composite = CompositeBody::new(model).expect("small");
    mass_matrix(model, &work.motion.kinematics, &work.inertias, &mut composite);
    let mut worst = relative_error(&equations.mass, &composite.mass, 1.0);
    worst = worst.max(relative_error(
        &equations.jacobian,
        &work.closure.jacobian.dense(model.speed_count()),
        1.0,
    ));
    worst = worst.max(relative_error(&solution.accelerations, &work.accelerations.chidot, 1.0));
    work.reactions(model);
    let forces = joint_forces(model, state, &work.accelerations.chidot, &work.closure.multipliers);
    worst.max(relative_error(&flat(&forces), &flat(&work.inverse.joint_force), 1.0))
}

#[test]
fn open_systems_agree_with_articulated_bodies() {
    let recipe = Recipe { bodies: 20, modes: 4, rules: false, ..Recipe::everything(&EXACT_LEVELS) };
    sweep("graph equations of trees", 150, 1e-10, |seed| {
        let (model, mut state) = random_case(&recipe, seed);
        let mut work = evaluated(&model, &mut state, FlexibleRoute::Direct);
        disagreement(&model, &state, &mut work)
    });
}

fn closed_error(description: Description, seed: u64) -> f64 {
    let built = build(description).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let model = &built.model;
    let mut state = State::initial(model, built.description.simulation.start);
    let mut work = Workspace::new(model);
    apply_prescribed(model, &mut state, Some(&mut work.load));
    evaluate(model, &state, &mut work).expect("regular");
    disagreement(model, &state, &mut work)
}

#[test]
fn closed_systems_agree_with_closure_forces_in_any_tree() {
    let mechanism = Mechanism::everything();
    sweep("graph equations of closed joint trees", 150, 1e-9, |seed| {
        closed_error(mechanism.describe(seed), seed)
    });
    sweep("graph equations of absolute trees", 60, 1e-9, |seed| {
        let mut description = mechanism.describe(seed);
        description.graph.cut.clear();
        description.graph.tree = TreeChoice::Absolute;
        closed_error(description, seed)
    });
}
