//! Loops closed on bodies whose constant modal block is eliminated by a low-rank route, against the direct route.

use crate::common::random_mechanism::Mechanism;
use crate::common::random_model::{Recipe, sweep};
use crate::common::relative_error;
use flexura::algorithm::FlexibleRoute;
use flexura::model::description::InertiaLevel;
use flexura::state::prescribe::apply_prescribed;
use flexura::{State, Workspace, build, evaluate};

/// Accelerations, reactions on the speeds and the number of independent rows by both routes.
#[test]
fn loops_close_on_low_rank_bodies() {
    let (levels, mut low_rank) = ([InertiaLevel::Ruthless], 0);
    let tree = Recipe { bodies: 10, modes: 8, rules: false, prescribed: 0.15, ..Recipe::everything(&levels) };
    let mechanism = Mechanism { tree, ..Mechanism::everything() };
    sweep("closure on low-rank bodies = closure on direct ones", 150, 1e-9, |seed| {
        let built = build(mechanism.describe(seed)).expect("a mechanism");
        let model = &built.model;
        let mut state = State::initial(model, built.description.simulation.start);
        let [direct, found] = [FlexibleRoute::Direct, FlexibleRoute::LowRank].map(|route| {
            let mut work: Workspace = Workspace::with_route(model, route);
            apply_prescribed(model, &mut state, Some(&mut work.load));
            evaluate(model, &state, &mut work).expect("regular");
            work
        });
        let factors = flexura::algorithm::innovations::log_determinant(model, &found.articulated);
        low_rank += usize::from(factors.is_err() && model.layout.modal > 0);
        assert_eq!(found.closure.rank(), direct.closure.rank(), "seed {seed}");
        let force = |work: &Workspace| -> Vec<f64> {
            let mut sum = vec![0.0; model.speed_count()];
            for (r, x) in work.closure.multipliers.iter().enumerate() {
                for (s, slot) in sum.iter_mut().enumerate() {
                    *slot += if model.prescribed[s] { 0.0 } else { x * work.closure.jacobian.entry(r, s) };
                }
            }
            sum
        };
        let motion = relative_error(&found.accelerations.chidot, &direct.accelerations.chidot, 1.0);
        motion.max(relative_error(&force(&found), &force(&direct), 1.0))
    });
    assert!(low_rank > 100, "{low_rank} mechanisms with a low-rank body");
}
