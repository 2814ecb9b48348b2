//! One evaluation of a model file, and all of its derivatives, for `scripts/compare_peers`: one line of JSON.
//!
//! `cargo bench -p flexura --bench peer_trees -- MODEL SECONDS`: every figure is repeated for so long, in processor time. The
//! derivatives are those of the accelerations over coordinates, speeds and efforts of hinges, by dual numbers as `linearize` takes them.

use flexura::analysis::linearize;
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

/// Norms of the derivatives of the accelerations over coordinates and over speeds.
fn norms(system: &flexura::analysis::LinearSystem, speeds: usize) -> [f64; 2] {
    let states = system.states.len();
    let block = |first: usize| {
        let rows =
            (speeds..2 * speeds).flat_map(|row| (first..first + speeds).map(move |column| (row, column)));
        rows.map(|(row, column)| system.a[row * states + column].powi(2)).sum::<f64>().sqrt()
    };
    [block(0), block(speeds)]
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
    let [positions, speeds] = norms(&system, model.speed_count());
    let derivatives = timed(seconds, || {
        linearize(model, &state, &efforts, &[]).expect("a tree");
    });
    // Another state in every call, as a run has it.
    let last = model.speed_count() - 1;
    let evaluation = timed(seconds, || {
        state.v[last] += 1e-3;
        evaluate(model, &state, &mut work).expect("regular");
    });
    println!(
        "{{\"evaluation_us\": {evaluation:.6}, \"derivatives_us\": {derivatives:.6}, \
         \"derivative_norms\": [{positions:.12e}, {speeds:.12e}]}}"
    );
}
