//! Times of divide and conquer: `cargo bench -p flexura --bench divide_and_conquer`.
//!
//! Whole evaluations (kinematics, loads, accelerations) beside articulated bodies, in
//! turn within one run, so that ratios are comparable; the best of several rounds. The
//! common kinematics pass is serial, so the sweeps are also timed alone. Threads go
//! from 1 to what the machine has, at most 16. Fits T = a n/p + b log2 n to the sweeps.
//! Arguments after `--`: largest power of two for n (default 17).

#[path = "../tests/common/chains.rs"]
mod chains;

use chains::{flexible_chain, model, random_state, rigid_chain};
use flexura::algorithm::divide_and_conquer::{DivideAndConquer, Par, Threads, divide_and_conquer};
use flexura::model::description::InertiaLevel;
use flexura::{Model, State, Workspace};
use std::time::Instant;

/// Bodies per timing: enough for the clock, short enough to be undisturbed now and then.
const BODIES_PER_TIMING: usize = 2_000;
/// Bodies over all timings of one kind.
const BODIES_PER_SIZE: usize = 400_000;

/// Times of one evaluation (s).
#[derive(Clone, Copy)]
struct Times {
    common: f64,
    articulated: f64,
    serial: f64,
}

fn timed(calls: usize, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| work());
    start.elapsed().as_secs_f64() / calls as f64
}

fn sweeps(model: &Model, work: &Workspace, out: &mut DivideAndConquer, par: Par<'_>) {
    divide_and_conquer(model, &work.kinematics, &work.inertias, &work.load, out, par).expect("regular");
}

/// Best times of the common passes, both algorithms on one thread, and the sweeps on each pool.
fn measure(model: &Model, pools: &[Threads]) -> (Times, Vec<f64>) {
    let states: Vec<State> = (0..4).map(|seed| random_state(model, seed)).collect();
    let calls = (BODIES_PER_TIMING / model.body_count()).max(1);
    let rounds = (BODIES_PER_SIZE / (calls * model.body_count())).clamp(7, 150);
    let mut work = Workspace::<f64>::new(model);
    let mut out = DivideAndConquer::<f64>::new(model);
    let mut best = Times { common: f64::MAX, articulated: f64::MAX, serial: f64::MAX };
    let mut parallel = vec![f64::MAX; pools.len()];
    for round in 0..rounds {
        let state = &states[round % states.len()];
        best.common = best.common.min(timed(calls, || {
            work.kinematics(model, state);
            work.loads(model, state);
        }));
        best.articulated = best.articulated.min(timed(calls, || {
            work.accelerations(model).expect("regular");
        }));
        best.serial = best.serial.min(timed(calls, || sweeps(model, &work, &mut out, Par::Serial)));
        for (slot, pool) in parallel.iter_mut().zip(pools) {
            *slot = slot.min(timed(calls, || sweeps(model, &work, &mut out, Par::Threads(pool))));
        }
    }
    (best, parallel)
}

/// Least squares of relative errors for T = a n/p + b log2 n.
fn fit(rows: &[(f64, f64, f64)]) -> (f64, f64) {
    let mut sums = [0.0; 5];
    for &(n, p, time) in rows {
        let (x, y) = (n / p / time, n.log2() / time);
        for (sum, term) in sums.iter_mut().zip([x * x, x * y, y * y, x, y]) {
            *sum += term;
        }
    }
    let [xx, xy, yy, x, y] = sums;
    let determinant = xx * yy - xy * xy;
    ((x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant)
}

fn main() {
    let largest = std::env::args().filter_map(|word| word.parse().ok()).next_back().unwrap_or(17_u32);
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(16);
    let pools: Vec<Threads> = [1, 2, 4, 8, 16]
        .into_iter()
        .filter(|&p| p <= cores)
        .map(|p| Threads::new(p).expect("threads"))
        .collect();
    let mut sizes: Vec<usize> = (6..=largest).map(|power| 1 << power).collect();
    sizes.extend([1_000, 100_000].into_iter().filter(|&n| n < 1 << largest));
    sizes.sort_unstable();
    for modes in [0, 5] {
        println!("\n{modes} modes (level consistent), {cores} cores; us per evaluation");
        println!(
            "     n   common  articulated   d&c sweeps: serial, threads {:?}",
            pools.iter().map(Threads::count).collect::<Vec<_>>()
        );
        let mut rows = Vec::new();
        for &n in &sizes {
            if modes * n > 400_000 {
                continue;
            }
            let chain =
                if modes == 0 { rigid_chain(n) } else { flexible_chain(n, modes, InertiaLevel::Consistent) };
            let (times, parallel) = measure(&model(chain), &pools);
            let whole = times.common + times.articulated;
            let list: Vec<String> = parallel.iter().map(|t| format!("{:9.1}", t * 1e6)).collect();
            let ratios: Vec<String> =
                parallel.iter().map(|t| format!("{:.2}", (times.common + t) / whole)).collect();
            println!(
                "{n:7} {:8.1} {:10.1}   {:9.1} {}; evaluation / articulated: serial {:.2}, threads {}",
                times.common * 1e6,
                times.articulated * 1e6,
                times.serial * 1e6,
                list.join(" "),
                (times.common + times.serial) / whole,
                ratios.join(" "),
            );
            rows.extend(parallel.iter().zip(&pools).map(|(&t, pool)| (n as f64, pool.count() as f64, t)));
        }
        let (a, b) = fit(&rows);
        println!("fit of the sweeps: T = {:.1} ns n/p + {:.2} us log2 n", a * 1e9, b * 1e6);
    }
}
