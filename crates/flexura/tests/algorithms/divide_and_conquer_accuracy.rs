//! Accuracy of both algorithms against a solution in twice the precision, which two of its own algorithms
//! agree on: chains of up to 100,000 bodies, masses that differ by up to a million. Prints the table of
//! book/src/evidence/divide_and_conquer.md.

use crate::common::double_double;
use flexura_samples::chains;

use chains::{model, random_state, rigid_chain};
use double_double::DoubleDouble;
use flexura::algorithm::divide_and_conquer::*;
use flexura::model::description::BodyKind;
use flexura::scalar::Scalar;
use flexura::{Model, State, Workspace};

/// A chain whose every second body has `ratio` times the mass.
fn chain(count: usize, ratio: f64, heavy_first: bool) -> Model {
    let mut description = rigid_chain(count);
    for (k, body) in description.bodies.iter_mut().enumerate() {
        if let BodyKind::Rigid(rigid) = &mut body.kind
            && (k % 2 == 0) == heavy_first
        {
            rigid.mass *= ratio;
            rigid.inertia = rigid.inertia.map(|row| row.map(|x| x * ratio));
        }
    }
    model(description)
}

/// Accelerations by articulated bodies in the numbers `S`, and the workspace.
fn articulated<S: Scalar>(model: &Model, state: &State) -> Workspace<S> {
    let mut work = Workspace::<S>::new(model);
    let state = State::<S>::lift(state);
    work.kinematics(model, &state);
    work.loads(model, &state);
    work.accelerations(model).expect("regular");
    work
}

fn solve<S: Scalar>(model: &Model, work: &Workspace<S>, leaf: usize) -> DivideAndConquer<S> {
    let mut out = DivideAndConquer::<S>::with_leaf(model, leaf);
    divide_and_conquer(model, &work.motion.kinematics, &work.inertias, &work.load, &mut out, Par::Serial)
        .expect("regular");
    out
}

/// Largest difference from `exact`, relative to the largest acceleration.
fn error<S: Scalar>(found: &[S], exact: &[DoubleDouble]) -> f64 {
    let scale = exact.iter().fold(0.0_f64, |m, x| m.max(x.high.abs()));
    let lift = |x: &S| DoubleDouble::from_f64(x.value());
    found.iter().zip(exact).fold(0.0_f64, |m, (x, e)| {
        let apart = (lift(x) - *e).high.abs();
        if apart.is_nan() { f64::INFINITY } else { m.max(apart) }
    }) / scale
}

/// Errors of articulated bodies, one body per leaf, usual leaves, and these refined once and twice.
fn errors(count: usize, ratio: f64, heavy_first: bool) -> [f64; 5] {
    let model = chain(count, ratio, heavy_first);
    let state = random_state(&model, 3);
    let exact = articulated::<DoubleDouble>(&model, &state).accelerations.chidot;
    let work = articulated::<f64>(&model, &state);
    let pure = solve(&model, &work, 1);
    let mut usual = solve(&model, &work, LEAF_BODIES);
    let before = error(&usual.chidot, &exact);
    let mut scratch = Residual::new(&model, &usual);
    let (kin, inertias, load) = (&work.motion.kinematics, &work.inertias, &work.load);
    let mut refined = [0.0; 2];
    for error_after in &mut refined {
        refine(&model, kin, inertias, load, &mut usual, &mut scratch, Par::Serial).expect("regular");
        *error_after = error(&usual.chidot, &exact);
    }
    let found = [
        error(&work.accelerations.chidot, &exact),
        error(&pure.chidot, &exact),
        before,
        refined[0],
        refined[1],
    ];
    let list: Vec<String> = found.iter().map(|x| format!("{x:.1e}")).collect();
    let order = if heavy_first { "heavy first" } else { "light first" };
    println!("| {count} | {ratio:.0e} {order} | {} |", list.join(" | "));
    found
}

/// The reference is one: two algorithms in twice the precision agree far below the usual rounding.
#[test]
fn the_reference_is_exact_to_usual_precision() {
    let model = chain(300, 1e3, true);
    let state = random_state(&model, 3);
    let work = articulated::<DoubleDouble>(&model, &state);
    let other = solve(&model, &work, 1);
    let scale = work.accelerations.chidot.iter().fold(0.0_f64, |m, x| m.max(x.high.abs()));
    let apart = work.accelerations.chidot.iter().zip(&other.chidot);
    let apart = apart.fold(0.0_f64, |m, (a, b)| m.max((*a - *b).high.abs())) / scale;
    println!("in twice the precision the two algorithms differ by {apart:.1e}");
    assert!(apart < 1e-22);
}

/// Divide and conquer loses digits in proportion to the mass ratio; steps of refinement give them back, the fewer per
/// step the more were lost.
#[test]
fn accuracy_table() {
    println!("| bodies | mass ratio | articulated | one body per leaf | usual leaves | refined | twice |");
    println!("|---|---|---|---|---|---|---|");
    for count in [100, 1_000, 10_000, 100_000] {
        let found = errors(count, 1.0, true);
        assert!(found.iter().all(|x| *x < 1e-11));
    }
    for ratio in [1e2, 1e4, 1e6] {
        for heavy_first in [true, false] {
            let [own, pure, usual, once, twice] = errors(1_000, ratio, heavy_first);
            assert!(own < 1e-12 && pure.max(usual) < 1e-13 * ratio);
            assert!(once < 0.1 * usual.max(1e-13) && twice < 1e-11);
        }
    }
}
