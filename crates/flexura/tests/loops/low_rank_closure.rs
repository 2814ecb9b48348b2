//! Loops closed beside and through bodies whose constant modal block is eliminated by a low-rank route, against the direct route.

use crate::common::four_bars::{chain, flexible_bar, rigid_bar};
use crate::common::relative_error;
use flexura::algorithm::FlexibleRoute;
use flexura::algorithm::innovations::log_determinant;
use flexura::model::description::*;
use flexura::{Model, State, Workspace, evaluate};
use flexura_samples::random_state::Random;

/// A double four-bar whose first coupler bends but is held by points that do not, so that the loops go through a low-rank body,
/// and whose second one carries a bent bar with bars at two of its points.
fn mechanism() -> Model {
    let bar = |_: usize, name: &str| match name {
        "coupler1" => {
            let mut body = flexible_bar(name, 9).level(InertiaLevel::Ruthless).frame("tip", [1.0, 0.0, 0.0]);
            body.frames.retain(|frame| matches!(frame.place, Place::Origin));
            body.attachments = Some(AttachmentRule::Exact);
            body
        }
        _ => rigid_bar(name),
    };
    let mut description = chain(2, bar, [0.0; 3])
        .body(flexible_bar("hub", 10).level(InertiaLevel::Ruthless).station("middle", 0.5))
        .joint(JointDescription::revolute("hang", ["coupler2.tip", "hub.origin"], [0.0, 1.0, 0.0]));
    for (name, point, axis) in
        [("a", "middle", [0.0, 0.0, 1.0]), ("b", "tip", [1.0, 0.0, 0.0]), ("c", "tip", [0.0, 1.0, 0.0])]
    {
        let ends = [format!("hub.{point}"), format!("{name}.origin")];
        description = description.body(rigid_bar(name)).joint(JointDescription::revolute(
            &format!("hinge_{name}"),
            [&ends[0], &ends[1]],
            axis,
        ));
    }
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Accelerations, reactions on the speeds and the number of independent rows by both routes.
#[test]
fn loops_close_on_low_rank_bodies() {
    let model = mechanism();
    assert!(model.loops.len() == 2);
    let (mut worst, mut noise) = (0.0_f64, 0.0_f64);
    for seed in 1..=20 {
        let mut random = Random::new(seed);
        let mut state = State::initial(&model, 0.0);
        // What hangs on the loops moves anyhow; bent shapes do not open them.
        for (body, part) in model.bodies.iter().zip(&model.layout.bodies) {
            let free = ["hub", "a", "b", "c"].contains(&body.name.as_str());
            for (q, v) in part.modal_q().zip(part.modal_v()) {
                (state.q[q], state.v[v]) =
                    (1e-3 * random.between(-1.0, 1.0), 0.1 * random.between(-1.0, 1.0));
            }
            for (q, v) in part.joint_q().zip(part.joint_v()).filter(|_| free) {
                (state.q[q], state.v[v]) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
            }
        }
        let [direct, found] = [FlexibleRoute::Direct, FlexibleRoute::LowRank].map(|route| {
            let mut work: Workspace = Workspace::with_route(&model, route);
            evaluate(&model, &state, &mut work).expect("regular");
            work
        });
        assert!(log_determinant(&model, &direct.articulated).is_ok());
        assert!(log_determinant(&model, &found.articulated).is_err(), "the route was not taken");
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
        let apart = |a: &Workspace, b: &Workspace| {
            let motion = relative_error(&a.accelerations.chidot, &b.accelerations.chidot, 1.0);
            motion.max(relative_error(&force(a), &force(b), 1.0))
        };
        worst = worst.max(apart(&found, &direct));
        // What rounding of the state alone changes.
        let mut near = state.clone();
        near.q.iter_mut().for_each(|q| *q *= 1.0 + 2.0 * f64::EPSILON);
        let mut rounded: Workspace = Workspace::with_route(&model, FlexibleRoute::Direct);
        evaluate(&model, &near, &mut rounded).expect("regular");
        noise = noise.max(apart(&rounded, &direct));
    }
    println!("loops by both routes: worst difference {worst:.1e}, by rounding of the state {noise:.1e}");
    // The limit of all comparisons of closed loops. The bars are slender, with 10⁻⁵ of their inertia about their own axis, and
    // ten shapes are fewer than the twelve rows of two points: digits that the route loses, the state does not.
    assert!(worst < 1e-9, "{worst:.1e}");
}
