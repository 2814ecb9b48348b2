//! Times of divide and conquer over threads and sizes as a table: `cargo bench -p flexura --bench scaling`.
//!
//! Comma-separated rows on standard output, remarks after `#`. Rigid chains of n = 2^6 … 2^20 bodies and
//! flexible ones (five modes, up to 2^16); every thread count up to 16 that the machine has. `common` is the
//! kinematics, mass blocks and loads of one evaluation, `articulated` the recursion that divide and conquer
//! replaces, `blocks` the mass blocks and `sweeps` assembly and disassembly on `threads` threads. Ends with the least squares of T = a n/p + b log2 n.
//! Arguments after `--`: smallest and largest power of two (default 6 20). Memory: about 3 kB per rigid body.

#[path = "../tests/common/chains.rs"]
mod chains;

use chains::{flexible_chain, model, random_state, rigid_chain};
use flexura::algorithm::divide_and_conquer::{
    DivideAndConquer, Par, Threads, divide_and_conquer, evaluate_blocks,
};
use flexura::model::description::InertiaLevel;
use flexura::{Model, Workspace};
use std::time::Instant;

/// Bodies per timing: enough for the clock.
const BODIES_PER_TIMING: usize = 4_000;
/// Bodies over all timings of one kind.
const BODIES_PER_SIZE: usize = 400_000;
/// Largest power of two for flexible chains.
const LARGEST_FLEXIBLE: u32 = 16;

/// Best time of `work` (s).
fn best(model: &Model, mut work: impl FnMut()) -> f64 {
    let calls = (BODIES_PER_TIMING / model.body_count()).max(1);
    let rounds = (BODIES_PER_SIZE / (calls * model.body_count())).clamp(5, 60);
    let mut least = f64::MAX;
    for _ in 0..rounds {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        least = least.min(start.elapsed().as_secs_f64() / calls as f64);
    }
    least
}

/// Prints the rows of one model; appends (n, p, time) of the sweeps.
fn measure(modes: usize, model: &Model, pools: &[Threads], rows: &mut Vec<[f64; 3]>) {
    let n = model.body_count();
    let state = random_state(model, 1);
    let mut work = Workspace::<f64>::new(model);
    let mut divided = DivideAndConquer::<f64>::new(model);
    let common = best(model, || {
        work.kinematics(model, &state);
        work.loads(model, &state);
    });
    let articulated = best(model, || {
        work.accelerations(model).expect("regular");
    });
    let serial = best(model, || {
        evaluate_blocks(model, &state, &work.kinematics, &mut work.inertias, Par::Serial);
    });
    for pool in pools {
        let blocks = best(model, || {
            evaluate_blocks(model, &state, &work.kinematics, &mut work.inertias, Par::Threads(pool));
        });
        let sweeps = best(model, || {
            let (kin, inertias, load) = (&work.kinematics, &work.inertias, &work.load);
            divide_and_conquer(model, kin, inertias, load, &mut divided, Par::Threads(pool))
                .expect("regular");
        });
        let whole = (common - serial + blocks + sweeps) / (common + articulated);
        println!(
            "{modes},{n},{},{common:.4e},{articulated:.4e},{blocks:.4e},{sweeps:.4e},{:.3},{whole:.3}",
            pool.count(),
            sweeps / articulated,
        );
        rows.push([n as f64, pool.count() as f64, sweeps]);
    }
}

/// Least squares of relative errors for T = a n/p + b log2 n; the largest relative error.
fn fit(rows: &[[f64; 3]]) -> [f64; 3] {
    let mut sums = [0.0; 5];
    for &[n, p, time] in rows {
        let (x, y) = (n / p / time, n.log2() / time);
        for (sum, term) in sums.iter_mut().zip([x * x, x * y, y * y, x, y]) {
            *sum += term;
        }
    }
    let [xx, xy, yy, x, y] = sums;
    let determinant = xx * yy - xy * xy;
    let (a, b) = ((x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant);
    let error = |[n, p, time]: &[f64; 3]| ((a * n / p + b * n.log2()) / time - 1.0).abs();
    [a, b, rows.iter().map(error).fold(0.0, f64::max)]
}

fn main() {
    let powers: Vec<u32> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let [smallest, largest] = [powers.first().copied().unwrap_or(6), powers.get(1).copied().unwrap_or(20)];
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(16);
    let pools: Vec<Threads> = (1..=cores).map(|p| Threads::new(p).expect("threads")).collect();
    println!("# {cores} threads at most; seconds per evaluation");
    println!(
        "modes,n,threads,common,articulated,blocks,sweeps,sweeps_over_articulated,evaluation_over_articulated"
    );
    for modes in [0, 5] {
        let mut rows = Vec::new();
        for power in smallest..=largest.min(if modes == 0 { u32::MAX } else { LARGEST_FLEXIBLE }) {
            let n = 1 << power;
            let chain =
                if modes == 0 { rigid_chain(n) } else { flexible_chain(n, modes, InertiaLevel::Consistent) };
            measure(modes, &model(chain), &pools, &mut rows);
        }
        let [a, b, worst] = fit(&rows);
        let (a, b) = (a * 1e9, b * 1e6);
        println!(
            "# {modes} modes: T = {a:.1} ns n/p + {b:.2} us log2 n, worst error of the fit {:.0} %",
            100.0 * worst
        );
    }
}
