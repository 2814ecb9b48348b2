//! Times of divide and conquer: `cargo bench -p flexura --bench divide_and_conquer`.
//!
//! Whole evaluations (kinematics, loads, accelerations) beside those by articulated bodies, in
//! turn within one run, so that ratios are comparable; the best of many rounds. Then the passes
//! one by one, on one thread and on all of them. Arguments after `--`: smallest and largest power of
//! two for n (default 6 17), threads (default 2).

use flexura::algorithm::divide_and_conquer::{
    DivideAndConquer, Par, Threads, divide_and_conquer, evaluate_loads, evaluate_motion,
};
use flexura::model::description::{AlgorithmDescription, InertiaLevel};
use flexura::{Model, State, Workspace};
use flexura_samples::chains::{flexible_chain, model, random_state, rigid_chain};
use std::sync::Arc;
use std::time::Instant;

/// Bodies per timing: enough for the clock, short enough to be undisturbed now and then.
const BODIES_PER_TIMING: usize = 1_000;
/// Bodies over all timings of one kind.
const BODIES_PER_SIZE: usize = 1_000_000;

fn timed(calls: usize, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| work());
    start.elapsed().as_secs_f64() / calls as f64
}

/// Best times of one evaluation (s).
struct Times {
    articulated: f64,
    /// On one thread, and on all.
    divided: [f64; 2],
    /// Kinematics with mass blocks, loads, sweeps; on one thread, and on all.
    passes: [[f64; 3]; 2],
    /// Kinematics with mass blocks, loads, recursion of articulated bodies.
    articulated_passes: [f64; 3],
}

fn measure(model: &Model, pools: &[Arc<Threads>; 2]) -> Times {
    let states: Vec<State> = (0..4).map(|seed| random_state(model, seed)).collect();
    let calls = (BODIES_PER_TIMING / model.body_count()).max(1);
    let rounds = (BODIES_PER_SIZE / (calls * model.body_count())).clamp(10, 1_000);
    let mut work = Workspace::<f64>::new(model);
    let mut divided = Workspace::<f64>::new(model);
    divided
        .choose(model, AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 0, refinements: 0 })
        .expect("threads");
    let mut solver = DivideAndConquer::<f64>::new(model);
    let mut best = Times {
        articulated: f64::MAX,
        divided: [f64::MAX; 2],
        passes: [[f64::MAX; 3]; 2],
        articulated_passes: [f64::MAX; 3],
    };
    let keep = |slot: &mut f64, time: f64| *slot = slot.min(time);
    for round in 0..rounds {
        let state = &states[round % states.len()];
        let evaluate = |work: &mut Workspace| flexura::evaluate(model, state, work).expect("regular");
        keep(&mut best.articulated, timed(calls, || evaluate(&mut work)));
        for (slot, pool) in best.divided.iter_mut().zip(pools) {
            divided.use_threads(pool);
            keep(slot, timed(calls, || evaluate(&mut divided)));
        }
        let [kinematics, loads, recursion] = &mut best.articulated_passes;
        keep(kinematics, timed(calls, || work.kinematics(model, state)));
        keep(loads, timed(calls, || work.loads(model, state)));
        keep(
            recursion,
            timed(calls, || {
                work.accelerations(model).expect("regular");
            }),
        );
        for ([kinematics, loads, sweeps], pool) in best.passes.iter_mut().zip(pools) {
            let par = Par::Threads(pool);
            let (kin, inertias) = (&mut work.motion.kinematics, &mut work.inertias);
            let motion = || evaluate_motion(model, state, kin, inertias, &mut solver, par);
            keep(kinematics, timed(calls, motion));
            let motion = &work.motion;
            let forces = || {
                evaluate_loads(model, state, motion, &mut work.load, &mut solver, par);
            };
            keep(loads, timed(calls, forces));
            let (kin, inertias, load) = (&work.motion.kinematics, &work.inertias, &work.load);
            let solve = || divide_and_conquer(model, kin, inertias, load, &mut solver, par).expect("regular");
            keep(sweeps, timed(calls, solve));
        }
    }
    best
}

fn main() {
    let words: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let word = |index: usize, default: usize| words.get(index).copied().unwrap_or(default);
    let (smallest, largest, threads) = (word(0, 6), word(1, 17), word(2, 2));
    let pools = [1, threads].map(|count| Arc::new(Threads::new(count).expect("threads")));
    let mut sizes: Vec<usize> = (smallest..=largest).map(|power| 1 << power).collect();
    sizes.extend([1_000, 100_000].into_iter().filter(|&n| n > 1 << smallest && n < 1 << largest));
    sizes.sort_unstable();
    for modes in [0, 5] {
        println!(
            "\n{modes} modes (level consistent); us per evaluation: articulated, divided on 1 and {threads} threads;"
        );
        println!(
            "ratios; kinematics + loads + recursion of articulated, then of divided on 1 and {threads} threads"
        );
        for &n in sizes.iter().filter(|&n| modes * n <= 500_000) {
            let chain =
                if modes == 0 { rigid_chain(n) } else { flexible_chain(n, modes, InertiaLevel::Consistent) };
            let times = measure(&model(chain), &pools);
            let passes = |list: &[f64; 3]| list.map(|t| format!("{:.1}", t * 1e6)).join(" + ");
            println!(
                "{n:7} {:9.1} {:9.1} {:9.1}; {:.2} {:.2};   {};   {};   {}",
                times.articulated * 1e6,
                times.divided[0] * 1e6,
                times.divided[1] * 1e6,
                times.divided[0] / times.articulated,
                times.divided[1] / times.articulated,
                passes(&times.articulated_passes),
                passes(&times.passes[0]),
                passes(&times.passes[1]),
            );
        }
    }
}
