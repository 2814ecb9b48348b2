//! Bodies of level `ruthless` in closed loops without a key for their attachments.

use crate::common::four_bars::{chain, double_four_bar, flexible_bar, rigid_bar, steel_bar};
use flexura::build::Built;
use flexura::integrate::Integrator;
use flexura::model::description::*;
use flexura::{State, Workspace, build};

fn four_bar(level: InertiaLevel, attachments: Option<AttachmentRule>, speed: f64) -> Built {
    let bar = |name: &str| {
        let mut body = steel_bar(name, 4, 0.0).level(level);
        body.attachments = attachments;
        body
    };
    let mut description = double_four_bar(5, bar, [0.0; 3]);
    description.gravity = [0.0; 3];
    for joint in &mut description.joints {
        joint.speed.iter_mut().for_each(|u| *u *= speed);
    }
    build(description).unwrap_or_else(|error| panic!("{error}"))
}

/// The state after 0.3 s and the largest violation of its loops.
fn moved(built: &Built) -> (State, f64) {
    let method = MethodDescription::DormandPrince {
        relative_tolerance: 1e-10,
        absolute_tolerance: 1e-12,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    };
    let model = &built.model;
    let (mut state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
    let mut integrator = Integrator::new(model, &method);
    while state.time < 0.3 {
        integrator.step(model, &mut state, &mut work, 0.3).unwrap();
    }
    flexura::evaluate(model, &state, &mut work).unwrap();
    let worst = work.closure.residual.iter().fold(0.0_f64, |worst, value| worst.max(value.abs()));
    (state, worst)
}

fn apart(a: &State, b: &State) -> f64 {
    a.q.iter().zip(&b.q).fold(0.0, |worst, (x, y)| worst.max((x - y).abs()))
}

/// Without a key the points follow the deformation: the bits of attachments = "exact", loops that stay closed, a warning.
#[test]
fn ruthless_bodies_close_loops_without_a_key() {
    let [plain, asked] = [None, Some(AttachmentRule::Exact)]
        .map(|attachments| four_bar(InertiaLevel::Ruthless, attachments, 1.0));
    let warned =
        |built: &Built| built.warnings.iter().filter(|found| found.code == "ruthless-in-loop").count();
    assert_eq!((warned(&plain), warned(&asked)), (5, 0), "one for each bar");
    assert!(plain.description.bodies.iter().all(|body| body.attachments.is_none()), "the description stays");
    let ((one, open), (other, _)) = (moved(&plain), moved(&asked));
    assert_eq!(one.q, other.q);
    assert!(open < 1e-9, "{open:e}");
    let moves = apart(&one, &State::initial(&plain.model, 0.0));
    assert!(moves > 0.1, "{moves}");
}

/// What the level leaves out is of second order: a quarter at half the speed.
#[test]
fn ruthless_loops_differ_from_gram_at_second_order() {
    let error = |speed: f64| {
        let [one, other] =
            [InertiaLevel::Ruthless, InertiaLevel::Gram].map(|level| moved(&four_bar(level, None, speed)).0);
        apart(&one, &other) / speed
    };
    let (fast, slow) = (error(2.0), error(1.0));
    println!("{fast:.2e} {slow:.2e}, order {:.2}", (fast / slow).log2());
    assert!(fast > 1e-9 && (fast / slow).log2() > 1.6, "{fast:e} {slow:e}");
}

/// Only bodies between a loop and the ground change their rule.
#[test]
fn ruthless_bodies_beside_loops_stay_frozen() {
    let bar = |_: usize, name: &str| match name {
        "coupler1" => flexible_bar(name, 4).level(InertiaLevel::Ruthless),
        _ => rigid_bar(name),
    };
    let description = chain(2, bar, [0.0; 3])
        .body(flexible_bar("hung", 4).level(InertiaLevel::Ruthless))
        .joint(JointDescription::revolute("hang", ["coupler2.tip", "hung.origin"], [0.0, 1.0, 0.0]));
    let model = build(description).unwrap_or_else(|error| panic!("{error}")).model;
    let rule = |name: &str| model.bodies[model.body(name).unwrap().0].rule;
    assert_eq!((rule("coupler1"), rule("hung")), (AttachmentRule::Exact, AttachmentRule::Frozen));
}
