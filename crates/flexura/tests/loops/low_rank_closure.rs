//! Loops closed on bodies whose constant modal block is eliminated by a low-rank route, against the direct route.

use crate::common::random_mechanism::Mechanism;
use crate::common::random_model::Recipe;
use crate::common::relative_error;
use flexura::algorithm::FlexibleRoute;
use flexura::algorithm::innovations::log_determinant;
use flexura::model::description::InertiaLevel;
use flexura::state::prescribe::apply_prescribed;
use flexura::{State, Workspace, build, evaluate};

/// Accelerations, reactions on the speeds and the number of independent rows by both routes. Bodies that carry a loop move their
/// points exactly; those beside it are the ones that take the route.
#[test]
fn loops_close_on_low_rank_bodies() {
    let (mut checked, mut worst) = (0, 0.0_f64);
    let levels = [InertiaLevel::Gram, InertiaLevel::Gram, InertiaLevel::Ruthless];
    let tree = Recipe { bodies: 10, modes: 8, rules: false, prescribed: 0.0, ..Recipe::everything(&levels) };
    let mechanism = Mechanism { tree, ..Mechanism::everything() };
    for seed in 1..=3000 {
        // What closes a loop through a body with frozen points is refused.
        let Ok(built) = build(mechanism.describe(seed)) else { continue };
        let model = &built.model;
        let mut state = State::initial(model, built.description.simulation.start);
        let [direct, found] = [FlexibleRoute::Direct, FlexibleRoute::LowRank].map(|route| {
            let mut work: Workspace = Workspace::with_route(model, route);
            apply_prescribed(model, &mut state, Some(&mut work.load));
            evaluate(model, &state, &mut work).expect("regular");
            work
        });
        let factors = |work: &Workspace| log_determinant(model, &work.articulated).is_ok();
        if !factors(&direct) || factors(&found) || model.loops.is_empty() {
            continue; // a prescribed speed, or no body with a constant mass block
        }
        assert_eq!(found.closure.rank(), direct.closure.rank(), "seed {seed}");
        let force = |work: &Workspace| -> Vec<f64> {
            let mut sum = vec![0.0; model.speed_count()];
            for (r, x) in work.closure.multipliers.iter().enumerate() {
                for (s, slot) in sum.iter_mut().enumerate() {
                    *slot += x * work.closure.jacobian.entry(r, s);
                }
            }
            sum
        };
        let motion = relative_error(&found.accelerations.chidot, &direct.accelerations.chidot, 1.0);
        let error = motion.max(relative_error(&force(&found), &force(&direct), 1.0));
        assert!(error < 1e-9, "seed {seed}: {error:.1e}");
        (checked, worst) = (checked + 1, worst.max(error));
        if checked == 150 {
            break;
        }
    }
    println!("{checked} mechanisms with low-rank bodies, worst difference {worst:.1e}");
    assert!(checked > 30, "{checked} mechanisms with a low-rank body");
}
