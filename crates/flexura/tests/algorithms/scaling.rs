//! Work grows linearly with the bodies, up to 100,000 rigid and 10,000 flexible ones, and quadratically with the modes.
//!
//! Work is counted in operations, never in time. Everything runs on a thread with
//! a small stack, so that a recursion over bodies would not survive.

use flexura_samples::chains;

use chains::*;
use flexura::algorithm::FlexibleRoute;
use flexura::algorithm::composite_body::{CompositeBody, LARGEST_SPEED_COUNT};
use flexura::model::description::{Description, InertiaLevel};
use flexura::scalar::{Counting, OperationCount};
use flexura::{DynamicsError, Model, State, Workspace, evaluate, file};
use std::fmt::Write;
use std::time::Instant;

const SIZES: [usize; 5] = [16, 100, 1_000, 10_000, 100_000];
/// Largest fractional difference of the work per body from 1,000 bodies on.
const SPREAD: f64 = 0.02;
/// Largest backward error, relative to the largest force in the system.
const BACKWARD: f64 = 1e-9;

/// Runs `work` where a call stack as deep as the tree would overflow.
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap();
    thread.join().unwrap();
}

/// Operations of one evaluation: kinematics, loads and accelerations.
fn operations(model: &Model, route: FlexibleRoute) -> f64 {
    let state = State::<Counting>::lift(&random_state(model, 1));
    let mut work = Workspace::<Counting>::with_route(model, route);
    let count = OperationCount::of(|| evaluate(model, &state, &mut work).unwrap());
    (count.products + count.additions) as f64
}

/// Largest difference between the forces applied and those inverse dynamics finds for the
/// accelerations, over the largest joint force.
fn backward_error(model: &Model) -> f64 {
    let mut random = Random(5);
    let state = random_state(model, 2);
    let mut work = Workspace::<f64>::new(model);
    work.kinematics(model, &state);
    work.loads(model, &state);
    work.load.generalized.iter_mut().for_each(|x| *x += random.signed());
    work.accelerations(model).unwrap();
    work.reactions(model);
    let largest = work.inverse.joint_force.iter().flatten().fold(1.0_f64, |m, x| m.max(x.abs()));
    let differences = work.inverse.generalized.iter().zip(&work.load.generalized);
    // A NaN must not hide in a maximum.
    let worst = differences.map(|(a, b)| (a - b).abs()).fold(0.0_f64, |m, x| if x <= m { m } else { x });
    worst / largest
}

/// Builds, evaluates, checks and drops systems of growing size.
fn assert_linear(what: &str, sizes: &[usize], describe: impl Fn(usize) -> Description) {
    let mut per_body = Vec::new();
    println!("{what}");
    for &count in sizes {
        let start = Instant::now();
        let model = model(describe(count));
        let work = operations(&model, FlexibleRoute::Automatic) / count as f64;
        let error = backward_error(&model);
        drop(model);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{count:8} bodies: {work:7.1} operations per body, backward error {error:.1e} ({seconds:.2} s)"
        );
        assert!(error < BACKWARD, "{what}, {count} bodies: backward error {error:e}");
        if count >= 1_000 {
            per_body.push(work);
        }
    }
    let (low, high) = per_body.iter().fold((f64::MAX, 0.0_f64), |(l, h), &x| (l.min(x), h.max(x)));
    assert!(high / low < 1.0 + SPREAD, "{what}: {low} to {high} operations per body");
}

#[test]
fn rigid_chains_are_linear() {
    on_small_stack(|| assert_linear("rigid chain", &SIZES, rigid_chain));
}

#[test]
fn rigid_trees_are_linear() {
    on_small_stack(|| assert_linear("random rigid tree", &SIZES, |count| rigid_tree(count, 3)));
}

#[test]
fn flexible_chains_are_linear() {
    for level in [InertiaLevel::Ruthless, InertiaLevel::Consistent] {
        on_small_stack(move || {
            let describe = move |count| flexible_chain(count, 5, level);
            assert_linear(&format!("{level:?} chain, 5 modes"), &SIZES[..4], describe);
        });
    }
}

#[test]
fn low_rank_route_is_quadratic_in_the_modes() {
    let work =
        |modes: usize, route| operations(&model(flexible_chain(9, modes, InertiaLevel::Ruthless)), route);
    let points = [5, 10, 20, 40].map(|modes| (modes as f64, work(modes, FlexibleRoute::LowRank)));
    // A quadratic through three points predicts the fourth.
    let predicted: f64 = (0..3)
        .map(|i| {
            let others = (0..3).filter(|&j| j != i);
            points[i].1
                * others.map(|j| (points[3].0 - points[j].0) / (points[i].0 - points[j].0)).product::<f64>()
        })
        .sum();
    println!("operations over modes, ruthless: {points:?}; a quadratic predicts {predicted}");
    assert!((predicted / points[3].1 - 1.0).abs() < 1e-12, "{predicted} operations predicted");
    // The automatic choice is never costlier where it matters.
    for &(modes, count) in &points[1..] {
        assert!(work(modes as usize, FlexibleRoute::Automatic) <= count);
    }
}

#[test]
fn composite_body_refuses_what_does_not_fit() {
    let model = model(rigid_chain(LARGEST_SPEED_COUNT + 1));
    let error = CompositeBody::<f64>::new(&model).expect_err("too large");
    assert!(matches!(error, DynamicsError::TooLargeForComposite { speeds: 8_001, .. }), "{error:?}");
    let message = error.to_string();
    assert!(message.contains("8001 × 8001") && message.contains("articulated-body"), "{message}");
}

/// A model file with a chain of `count` bars.
fn chain_file(count: usize) -> String {
    let mut text = String::from("[model]\nname = \"chain\"\n");
    for k in 0..count {
        let from = k.checked_sub(1).map_or("ground.origin".into(), |p| format!("b{p}.out"));
        write!(
            text,
            "[[body]]\nname = \"b{k}\"\nmass = 1\ncenter_of_mass = [0.5, 0, 0]\n\
             inertia = [0.0017, 0.0842, 0.0842]\n\
             [[body.frame]]\nname = \"out\"\nposition = [1, 0, 0]\n\
             [[joint]]\nname = \"j{k}\"\ntype = \"revolute\"\n\
             between = [\"{from}\", \"b{k}.origin\"]\naxis = {:?}\n",
            axis(k)
        )
        .unwrap();
    }
    text
}

#[test]
fn large_files_are_read_checked_and_dropped() {
    on_small_stack(|| {
        for count in [2_000, 20_000] {
            let text = chain_file(count);
            let start = Instant::now();
            let loaded = file::build_text(&text, "chain.toml").unwrap();
            let read = start.elapsed().as_secs_f64();
            assert_eq!(loaded.built.model.body_count(), count);
            drop(loaded);
            let total = start.elapsed().as_secs_f64();
            println!(
                "file of {count} bodies ({} kB): read in {read:.2} s, dropped {total:.2} s",
                text.len() / 1000
            );
        }
    });
}
