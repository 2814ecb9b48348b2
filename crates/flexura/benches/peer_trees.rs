//! One evaluation of a model file, and all of its derivatives, for `scripts/compare_peers`: one line of JSON.
//!
//! `cargo bench -p flexura --bench peer_trees -- MODEL SECONDS`: every figure is repeated for so long, in processor time. The
//! derivatives are those of the accelerations over positions, speeds and forces, by recursion; beside them those by dual numbers as `linearize` takes them,
//! over efforts of hinges too, which they are held against.

use flexura::analysis::{DynamicsDerivatives, linearize};
use flexura::file::load_model;
use flexura::{Model, State, Workspace, evaluate};
use std::sync::LazyLock;
use std::time::Instant;

/// Seconds this thread has spent on a processor, where the system tells; otherwise of the clock.
fn now() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    spent.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| 1e-9 * nanoseconds)
}

/// Microseconds of one call, over at least `seconds`; the clock is looked at rarely.
fn timed(seconds: f64, mut work: impl FnMut()) -> f64 {
    let mut calls = 4;
    loop {
        let began = now();
        (0..calls).for_each(|_| work());
        let spent = now() - began;
        if spent >= seconds {
            return 1e6 * spent / f64::from(calls);
        }
        calls *= 2;
    }
}

/// Largest difference of the derivatives by recursion from those of the linear system, over its largest entry.
fn difference(system: &flexura::analysis::LinearSystem, found: &DynamicsDerivatives, speeds: usize) -> f64 {
    let states = system.states.len();
    let (mut apart, mut largest) = (0.0_f64, 0.0_f64);
    for (matrix, first) in
        [(&found.accelerations_over_positions, 0), (&found.accelerations_over_speeds, speeds)]
    {
        for (i, x) in matrix.iter().enumerate() {
            let expected = system.a[(speeds + i / speeds) * states + first + i % speeds];
            (apart, largest) = (apart.max((x - expected).abs()), largest.max(expected.abs()));
        }
    }
    apart / largest
}

fn norm(matrix: &[f64]) -> f64 {
    matrix.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Efforts of all hinges.
fn efforts(model: &Model) -> Vec<String> {
    let single = |k: &usize| model.layout.bodies[*k].joint_v().len() == 1;
    (0..model.joints.len()).filter(single).map(|k| format!("{}.effort", model.joints[k].name)).collect()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let [path, seconds] = &words[..] else {
        println!("give MODEL SECONDS; see scripts/compare_peers");
        return;
    };
    let seconds: f64 = seconds.parse().expect("a number of seconds");
    let loaded = load_model(path).unwrap_or_else(|errors| panic!("{errors}"));
    let model = &loaded.built.model;
    let (mut state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
    let efforts = efforts(model);
    let system = linearize(model, &state, &efforts, &[]).expect("a tree");
    let mut found = DynamicsDerivatives::new(model).expect("a tree");
    found.evaluate(model, &state).expect("regular");
    let apart = difference(&system, &found, model.speed_count());
    let positions = norm(&found.accelerations_over_positions);
    let speeds = norm(&found.accelerations_over_speeds);
    let derivatives = timed(seconds, || found.evaluate(model, &state).expect("regular"));
    let by_duals = timed(seconds, || {
        linearize(model, &state, &efforts, &[]).expect("a tree");
    });
    // Another state in every call, as a run has it.
    let last = model.speed_count() - 1;
    let evaluation = timed(seconds, || {
        state.v[last] += 1e-3;
        evaluate(model, &state, &mut work).expect("regular");
    });
    println!(
        "{{\"evaluation_us\": {evaluation:.6}, \"derivatives_us\": {derivatives:.6}, \"by_duals_us\": {by_duals:.6}, \
         \"apart\": {apart:.3e}, \"derivative_norms\": [{positions:.12e}, {speeds:.12e}]}}"
    );
}
