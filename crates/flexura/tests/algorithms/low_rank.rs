//! Constant modal blocks with children at several points: accelerations against composite bodies, and where the route pays.

use crate::common::relative_error;
use flexura::algorithm::FlexibleRoute;
use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::model::description::*;
use flexura::scalar::{Counting, OperationCount};
use flexura::{Model, State, Workspace};
use flexura_samples::chains::{axis, bar, flexible_bar, frame, joint, model, random_state};
use flexura_samples::random_state::evaluated;

/// A flexible bar that carries two rigid bars at each of `points` nodes, `load` times as heavy as usual.
fn hub(modes: usize, (points, children): (usize, usize), load: f64) -> Description {
    let mut hub = flexible_bar("hub".into(), modes, InertiaLevel::Ruthless);
    let mut out = Description {
        name: "hub".into(),
        gravity: [0.0, 0.0, -9.81],
        ground_frames: vec![frame("base", Place::Origin, [0.0; 3])],
        ..Default::default()
    };
    let revolute = |k: usize| JointKindDescription::Revolute { axis: axis(k) };
    out.joints.push(joint("root".into(), revolute(2), "ground.base".into(), "hub.in".into()));
    for point in 0..points {
        hub.frames.push(frame(&format!("p{point}"), Place::Node(format!("n{}", point + 1)), [0.0, 0.1, 0.0]));
        for side in 0..children {
            let name = format!("b{point}{side}");
            let mut carried = bar(name.clone());
            if let BodyKind::Rigid(rigid) = &mut carried.kind {
                rigid.mass *= load;
                rigid.inertia.iter_mut().flatten().for_each(|x| *x *= load);
            }
            let kind = revolute(point + side);
            out.joints.push(joint(format!("j{name}"), kind, format!("hub.p{point}"), format!("{name}.in")));
            out.bodies.push(carried);
        }
    }
    out.bodies.insert(0, hub);
    out
}

/// Light and heavy children at one to four points, seen by both routes and by a mass matrix.
#[test]
fn children_at_several_points_are_stacked() {
    // Fewer modes than rows, as many and more: a singular compliance, and a regular one.
    for (points, modes) in (1..=4).flat_map(|points| [5, 12, 8 * points + 12].map(|modes| (points, modes))) {
        for (seed, load) in [(1, 1.0), (2, 1e-3), (3, 1e4)] {
            let model = model(hub(modes, (points, 2), load));
            let mut state = random_state(&model, seed);
            let found = evaluated(&model, &mut state, FlexibleRoute::LowRank);
            assert!(is_low_rank(&model, &found), "not taken at {points} points");
            let direct = evaluated(&model, &mut state, FlexibleRoute::Direct).accelerations;
            let mut dense = CompositeBody::new(&model).expect("small enough");
            composite_body(&model, &found.motion.kinematics, &found.inertias, &found.load, &mut dense)
                .expect("regular");
            let error = [&direct.chidot, &dense.chidot]
                .map(|expected| relative_error(&found.accelerations.chidot, expected, 1.0));
            println!("{points} points, {modes} modes, load {load}: {error:?}");
            // Γ − GA⁻¹G* leaves what Γ is larger than the compliance lets through: some 10⁴ roundings with a usual load, in
            // proportion to it. The direct route differs from the mass matrix as much where modes are many.
            let limit = 1e-11 * load.max(1.0);
            assert!(error[0].max(error[1]) < limit, "{points} points, {modes} modes, load {load}: {error:?}");
        }
    }
}

fn is_low_rank(model: &Model, work: &Workspace) -> bool {
    let factors = flexura::algorithm::innovations::log_determinant(model, &work.articulated);
    factors == Err(flexura::DynamicsError::NoFactors)
}

fn operations(model: &Model, route: FlexibleRoute) -> u64 {
    let state = State::<Counting>::lift(&random_state(model, 1));
    let mut work: Workspace<Counting> = Workspace::with_route(model, route);
    let count = OperationCount::of(|| {
        flexura::evaluate(model, &state, &mut work).expect("regular");
    });
    count.products + count.additions
}

/// Per number of points with one child each, the first number of modes from which the stacked route needs fewer operations:
/// where it is chosen.
#[test]
fn stacked_routes_cross_where_the_automatic_choice_changes() {
    let found = [1, 2, 3, 4].map(|points| {
        let cheaper = |modes: &usize| {
            let model = model(hub(*modes, (points, 1), 1.0));
            let [direct, low_rank, chosen] =
                [FlexibleRoute::Direct, FlexibleRoute::LowRank, FlexibleRoute::Automatic]
                    .map(|route| operations(&model, route));
            assert_eq!(chosen, direct.min(low_rank), "{points} points, {modes} modes");
            low_rank < direct
        };
        let mut modes = 6..60;
        let first = modes.find(cheaper);
        // It stays cheaper from there on.
        assert!(modes.step_by(7).all(|modes| cheaper(&modes)));
        first
    });
    println!("modes from which the route needs fewer operations, at one to four points: {found:?}");
}
