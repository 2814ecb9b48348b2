//! Cost against the number of loops: chains of four-bars by every formulation, rigid and flexible.
//!
//! `cargo bench -p flexura --bench loop_chains [-- LARGEST [FILE.svg]]`
//!
//! One thread. Of every step (or evaluation) the least time of several rounds counts; the formulations take turns
//! in each round, so that other work on the machine meets all of them. Nothing is decided by times.

#[path = "../tests/common/four_bars.rs"]
#[allow(dead_code)]
mod four_bars;

#[path = "common/figure.rs"]
mod figure;

use figure::{Curve, log_log};
use flexura::formulation::global::{GlobalIntegrator, GlobalModel, GlobalOptions, GlobalState};
use flexura::integrate::Integrator;
use flexura::model::description::{AlgorithmDescription, DampingChoice, MethodDescription};
use flexura::{Model, State, Workspace, evaluate};
use std::time::Instant;

const STEP: f64 = 0.01;
const STEPS: usize = 10;
const ROUNDS: usize = 12;
/// Columns of the tables.
const NAMES: [&str; 5] = ["topological", "global", "recursive", "evaluation", "divided"];

/// One formulation at work on a chain.
enum Runner {
    /// Steps of the opened tree.
    Tree { integrator: Integrator, state: State, work: Workspace },
    /// Steps in natural coordinates.
    Global { integrator: Box<GlobalIntegrator>, global: GlobalModel, state: GlobalState },
    /// Accelerations alone.
    Evaluation { state: State, work: Workspace },
}

impl Runner {
    fn new(name: &str, model: &Model) -> Option<Self> {
        let (state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
        Some(match name {
            "topological" | "recursive" => {
                let method = match name {
                    "topological" => four_bars::implicit(DampingChoice::None, STEP),
                    // Explicit: the flexible bars allow no longer steps.
                    _ => MethodDescription::Rk4 { step: 1e-5 },
                };
                Self::Tree { integrator: Integrator::new(model, &method), state, work }
            }
            "global" => {
                let global = GlobalModel::new(model, &GlobalOptions::default()).ok()?;
                let mut integrator = Box::new(GlobalIntegrator::new(model, &global));
                let state = integrator.initial(model, &global).ok()?;
                Self::Global { integrator, global, state }
            }
            _ => {
                if name == "divided" {
                    let divided =
                        AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 0, refinements: 0 };
                    work.choose(model, divided).ok()?;
                }
                Self::Evaluation { state, work }
            }
        })
    }

    fn advance(&mut self, model: &Model) -> Option<()> {
        match self {
            Self::Tree { integrator, state, work } => integrator.step(model, state, work, 1e9).ok(),
            Self::Global { integrator, global, state } => {
                integrator.step(model, global, state, STEP).ok().map(|_| ())
            }
            Self::Evaluation { state, work } => evaluate(model, state, work).ok(),
        }
    }
}

/// Microseconds to build the model, and per step of every formulation; NaN where it fails.
fn measure(loops: usize, flexible: bool) -> (f64, [f64; 5]) {
    let bars = if flexible { 2 * loops + 1 } else { 0 };
    let description = four_bars::four_bars(loops, bars, 3, [0.0; 3]);
    let began = Instant::now();
    let model = description.build().unwrap_or_else(|error| panic!("{error}")).model;
    let built = began.elapsed().as_secs_f64() * 1e6;
    let mut least = [[f64::INFINITY; STEPS]; NAMES.len()];
    for _ in 0..ROUNDS {
        for (name, least) in NAMES.iter().zip(&mut least) {
            let Some(mut runner) = Runner::new(name, &model) else {
                least.fill(f64::NAN);
                continue;
            };
            // The first step also finds first accelerations.
            let mut alive = runner.advance(&model);
            for slot in least.iter_mut() {
                let began = Instant::now();
                alive = alive.and_then(|()| runner.advance(&model));
                let taken = began.elapsed().as_secs_f64() * 1e6;
                *slot = if alive.is_some() { slot.min(taken) } else { f64::NAN };
            }
        }
    }
    (built, least.map(|steps| steps.iter().sum::<f64>() / STEPS as f64))
}

/// Where two curves over `loops` cross, by interpolation of their logarithms.
fn crossing(loops: &[usize], first: &[f64], second: &[f64]) -> Option<f64> {
    let gap: Vec<f64> = first.iter().zip(second).map(|(a, b)| (a / b).ln()).collect();
    let at = (1..gap.len()).find(|&i| gap[i - 1] * gap[i] < 0.0)?;
    let share = gap[at - 1] / (gap[at - 1] - gap[at]);
    let ends = [(loops[at - 1] as f64).ln(), (loops[at] as f64).ln()];
    Some((ends[0] + share * (ends[1] - ends[0])).exp())
}

/// Prints one table and its crossings; returns the curves.
fn table(kind: &str, loops: &[usize], flexible: bool) -> Vec<Curve> {
    println!(
        "\nN four-bars in a row, {kind}: microseconds per step (h = 10 ms; recursive: one RK4 step), and to build"
    );
    println!("{:>5} {:>11} {}", "N", "build", NAMES.map(|name| format!("{name:>12}")).join(" "));
    let mut columns = vec![Vec::new(); NAMES.len()];
    for &count in loops {
        let (built, times) = measure(count, flexible);
        println!("{count:>5} {built:>11.0} {}", times.map(|time| format!("{time:>12.2}")).join(" "));
        columns.iter_mut().zip(times).for_each(|(column, time)| column.push(time));
    }
    for (name, column) in NAMES.iter().zip(&columns) {
        let last = loops.len() - 1;
        let from = loops.iter().position(|&n| n >= 10).unwrap_or(0).min(last.saturating_sub(1));
        let slope = (column[last] / column[from]).ln() / (loops[last] as f64 / loops[from] as f64).ln();
        println!("{name:>12}: cost ~ N^{slope:.2} from N = {} to {}", loops[from], loops[last]);
    }
    for a in 0..NAMES.len() {
        for b in a + 1..NAMES.len() {
            // Steps with steps, evaluations with evaluations.
            if (a < 3) == (b < 3)
                && let Some(at) = crossing(loops, &columns[a], &columns[b])
            {
                println!("{} and {} cross at N = {at:.1}", NAMES[a], NAMES[b]);
            }
        }
    }
    let points = |column: Vec<f64>| loops.iter().map(|&n| n as f64).zip(column).collect();
    let curve = |(name, column): (&&str, Vec<f64>)| Curve {
        name: format!("{name}, {kind}"),
        dashed: !flexible,
        points: points(column),
    };
    NAMES.iter().zip(columns).map(curve).collect()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let largest = words.iter().find_map(|word| word.parse().ok()).unwrap_or(200);
    let loops: Vec<usize> = [1, 2, 5, 10, 20, 50, 100, 200].into_iter().filter(|&n| n <= largest).collect();
    let mut curves = table("rigid", &loops, false);
    curves.extend(table("flexible", &loops, true));
    if let Some(path) = words.iter().find(|word| word.ends_with(".svg")) {
        let drawn = log_log("Chains of four-bars", "loops", "microseconds per step", &curves);
        std::fs::write(path, drawn).unwrap_or_else(|error| panic!("cannot write {path}: {error}"));
    }
}
