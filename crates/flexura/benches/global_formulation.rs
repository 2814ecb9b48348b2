//! Cost of the global formulation: double four-bar, 10 ms steps for 5 s, 0 to 5 flexible bars, both inertia routes.
//! Prints times; nothing is decided by them. `cargo bench -p flexura --bench global_formulation`

#[path = "../tests/common/four_bars.rs"]
#[allow(dead_code)]
mod four_bars;

use flexura::Model;
use flexura::formulation::global::{GlobalIntegrator, GlobalModel, GlobalOptions, GlobalState, InertiaRoute};
use four_bars::{double_four_bar, steel_bar};
use std::sync::LazyLock;
use std::time::Instant;

const STEPS: usize = 500;
const STEP: f64 = 0.01;

/// Seconds of the clock. What the system says of time on the processor comes in ticks of some milliseconds, as long as a run.
fn now() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// Shortest of several runs: the machine may be busy with other work.
fn shortest(mut work: impl FnMut() -> f64) -> f64 {
    (0..25).map(|_| work()).fold(f64::INFINITY, f64::min)
}

struct Bench {
    model: Model,
    global: GlobalModel,
}

impl Bench {
    fn new(flexible: usize, inertia: InertiaRoute) -> Self {
        let bar = |name: &str| steel_bar(name, 4, 0.0);
        let built = double_four_bar(flexible, bar, [0.0; 3]).build();
        let model = built.unwrap_or_else(|error| panic!("{error}")).model;
        let options = GlobalOptions { inertia, ..GlobalOptions::default() };
        let global = GlobalModel::new(&model, &options).unwrap_or_else(|error| panic!("{error}"));
        Self { model, global }
    }

    fn start(&self) -> (GlobalIntegrator, GlobalState) {
        let mut integrator = GlobalIntegrator::new(&self.model, &self.global);
        let state = integrator.initial(&self.model, &self.global).expect("the model starts");
        (integrator, state)
    }

    /// Seconds of the whole run, and iterations in it.
    fn run(&self) -> (f64, usize) {
        let mut iterations = 0;
        let seconds = shortest(|| {
            let (mut integrator, mut state) = self.start();
            iterations = 0;
            let begin = now();
            for _ in 0..STEPS {
                let report = integrator.step(&self.model, &self.global, &mut state, STEP);
                iterations += report.expect("the step converges").iterations;
            }
            now() - begin
        });
        (seconds, iterations)
    }

    /// Seconds of one evaluation of the inertia of all bodies.
    fn inertia(&self) -> f64 {
        let (mut integrator, state) = self.start();
        const REPEATS: u32 = 2000;
        shortest(|| {
            let begin = now();
            for _ in 0..REPEATS {
                integrator.evaluate_inertia(&self.global, std::hint::black_box(&state));
            }
            (now() - begin) / f64::from(REPEATS)
        })
    }
}

fn main() {
    println!("double four-bar, {STEPS} steps of {STEP} s, 4 modes and 11 mass nodes per flexible bar");
    println!(
        "flexible  coordinates  route        ms/run  us/step  iterations/step  inertia share  x real time"
    );
    for flexible in 0..=5 {
        for (name, route) in [("invariants", InertiaRoute::Invariants), ("nodal", InertiaRoute::Nodal)] {
            let bench = Bench::new(flexible, route);
            let (seconds, iterations) = bench.run();
            let share = bench.inertia() * iterations as f64 / seconds;
            println!(
                "{flexible:8}  {:11}  {name:10}  {:8.2}  {:7.1}  {:15.2}  {:12.0}%  {:11.0}",
                bench.global.coordinate_count(),
                1e3 * seconds,
                1e6 * seconds / STEPS as f64,
                iterations as f64 / STEPS as f64,
                1e2 * share,
                STEPS as f64 * STEP / seconds
            );
        }
    }
}
