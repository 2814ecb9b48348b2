//! Times of divide and conquer over threads and sizes: `cargo bench -p flexura --bench scaling`.
//!
//! Whole evaluations (kinematics, loads, accelerations) of rigid chains of n = 2^6 … 2^20 bodies and of
//! flexible ones (five modes, 2^6 … 2^16), by articulated bodies on one thread and by divide and conquer
//! on 1 to 16 threads, in turn, the best of many rounds. Writes `scaling.csv` and `scaling.svg` to the
//! folder given by the variable `SCALING_OUT` (default: the working folder) and prints the table and the
//! least squares of T = a n/p + b log2 n. Arguments after `--`: smallest and largest power of two
//! (default 6 20), seconds per size (default 9). Needs about 6 kB of memory per rigid body.

mod plot;

use flexura::algorithm::divide_and_conquer::Threads;
use flexura::model::description::{AlgorithmDescription, InertiaLevel};
use flexura::{Model, State, Workspace};
use flexura_samples::chains::{flexible_chain, model, random_state, rigid_chain};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Thread counts, as far as the machine has them.
const THREADS: [usize; 10] = [1, 2, 3, 4, 6, 8, 10, 12, 14, 16];
/// Bodies per timing: enough for the clock.
const BODIES_PER_TIMING: usize = 1_000;
/// Rounds at least, however long they take, and at most.
const ROUNDS: [usize; 2] = [3, 400];
/// Largest power of two for flexible chains.
const LARGEST_FLEXIBLE: u32 = 16;

/// Best times of one model (s).
pub struct Row {
    /// Modes of a body.
    pub modes: usize,
    /// Bodies.
    pub n: usize,
    /// By articulated bodies.
    pub articulated: f64,
    /// Threads and time by divide and conquer.
    pub divided: Vec<(usize, f64)>,
}

fn measure(modes: usize, model: &Model, pools: &[Arc<Threads>], limit: Duration) -> Row {
    let n = model.body_count();
    let states: Vec<State> = (0..2).map(|seed| random_state(model, seed)).collect();
    let mut plain = Workspace::<f64>::new(model);
    let mut divided = Workspace::<f64>::new(model);
    divided
        .choose(model, AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 0, refinements: 0 })
        .expect("threads");
    let calls = (BODIES_PER_TIMING / n).max(1);
    let mut row = Row {
        modes,
        n,
        articulated: f64::MAX,
        divided: pools.iter().map(|p| (p.count(), f64::MAX)).collect(),
    };
    let start = Instant::now();
    for round in 0..ROUNDS[1] {
        if round >= ROUNDS[0] && start.elapsed() > limit {
            break;
        }
        let state = &states[round % states.len()];
        let time = |work: &mut Workspace| {
            let start = Instant::now();
            for _ in 0..calls {
                flexura::evaluate(model, state, work).expect("regular");
            }
            start.elapsed().as_secs_f64() / calls as f64
        };
        row.articulated = row.articulated.min(time(&mut plain));
        for (slot, pool) in row.divided.iter_mut().zip(pools) {
            divided.use_threads(pool);
            slot.1 = slot.1.min(time(&mut divided));
        }
    }
    row
}

/// Least squares of relative errors for T = a n/p + b log2 n; the median and largest relative error.
fn fit(rows: &[Row]) -> [f64; 4] {
    let points: Vec<[f64; 3]> =
        rows.iter().flat_map(|row| row.divided.iter().map(|&(p, t)| [row.n as f64, p as f64, t])).collect();
    let mut sums = [0.0; 5];
    for &[n, p, time] in &points {
        let (x, y) = (n / p / time, n.log2() / time);
        for (sum, term) in sums.iter_mut().zip([x * x, x * y, y * y, x, y]) {
            *sum += term;
        }
    }
    let [xx, xy, yy, x, y] = sums;
    let determinant = xx * yy - xy * xy;
    let (a, b) = ((x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant);
    let error = |[n, p, time]: &[f64; 3]| ((a * n / p + b * n.log2()) / time - 1.0).abs();
    let mut errors: Vec<f64> = points.iter().map(error).collect();
    errors.sort_by(f64::total_cmp);
    [a, b, errors[errors.len() / 2], errors[errors.len() - 1]]
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line =
        text.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(": "));
    line.map_or("unknown processor".into(), |(_, name)| name.trim().to_owned())
}

fn main() {
    let words: Vec<u32> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let word = |index: usize, default: u32| words.get(index).copied().unwrap_or(default);
    let (smallest, largest, seconds) = (word(0, 6), word(1, 20), word(2, 9));
    let folder = std::path::PathBuf::from(std::env::var("SCALING_OUT").unwrap_or_else(|_| ".".into()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pools: Vec<Arc<Threads>> = THREADS
        .into_iter()
        .filter(|&p| p <= cores)
        .map(|p| Arc::new(Threads::new(p).expect("threads")))
        .collect();
    let mut table = format!("# {}, {cores} processors; seconds per evaluation, best of many\n", processor());
    table += "modes,n,threads,divided,articulated,divided_over_articulated\n";
    let mut all = Vec::new();
    for modes in [0, 5] {
        let mut rows = Vec::new();
        for power in smallest..=largest.min(if modes == 0 { u32::MAX } else { LARGEST_FLEXIBLE }) {
            let n = 1 << power;
            let chain =
                if modes == 0 { rigid_chain(n) } else { flexible_chain(n, modes, InertiaLevel::Consistent) };
            let row = measure(modes, &model(chain), &pools, Duration::from_secs(u64::from(seconds)));
            for &(p, time) in &row.divided {
                let ratio = time / row.articulated;
                let _ = writeln!(table, "{modes},{n},{p},{time:.4e},{:.4e},{ratio:.3}", row.articulated);
            }
            eprintln!("{modes} modes, n = {n} done");
            rows.push(row);
            // What is known so far survives a run that is cut short.
            let _ = std::fs::write(folder.join("scaling.csv"), &table);
        }
        if rows.is_empty() {
            continue;
        }
        let [a, b, median, worst] = fit(&rows);
        let _ = writeln!(
            table,
            "# {modes} modes: T = {:.1} ns n/p + {:.2} us log2 n; error of the fit: median {:.0} %, largest {:.0} %",
            a * 1e9,
            b * 1e6,
            100.0 * median,
            100.0 * worst
        );
        all.push((rows, [a, b]));
    }
    print!("{table}");
    for (name, text) in [("scaling.csv", table), ("scaling.svg", plot::picture(&all))] {
        std::fs::write(folder.join(name), text).expect("the folder SCALING_OUT can be written");
    }
}
