//! Times of implicit steps through closed loops: `cargo bench -p flexura --bench closed_loops`.
//!
//! One thread. The same run is repeated; of every step the least time counts, and their sum is printed, so that
//! interruptions by other work on the machine do not. Nothing is decided by times.

#[path = "../tests/common/four_bars.rs"]
#[allow(dead_code)]
mod four_bars;

use flexura::formulation::topological::{
    MassRoute, ProjectionRoute, TangentRoute, TopologicalCounts, TopologicalOptions,
};
use flexura::integrate::Integrator;
use flexura::model::description::{DampingChoice, Description};
use flexura::{Model, State, Workspace};
use std::time::Instant;

const STEP: f64 = 0.01;

/// Sum over the steps of their least time in `rounds` runs to `end` (s), and what one run did.
fn integrate(
    model: &Model,
    options: TopologicalOptions,
    end: f64,
    rounds: usize,
) -> Option<(f64, TopologicalCounts)> {
    let mut least: Vec<f64> = Vec::new();
    let mut counts = TopologicalCounts::default();
    let first = Integrator::new(model, &four_bars::implicit(DampingChoice::None, STEP));
    let mut work = Workspace::new(model);
    for _ in 0..rounds {
        let mut integrator = first.clone();
        integrator.set_topological(model, options);
        let mut state = State::initial(model, 0.0);
        // The first step also finds the first accelerations, by another algorithm.
        integrator.step(model, &mut state, &mut work, end).ok()?;
        let mut step = 0;
        while state.time < end - 1e-9 {
            let began = Instant::now();
            integrator.step(model, &mut state, &mut work, end).ok()?;
            let taken = began.elapsed().as_secs_f64();
            match least.get_mut(step) {
                Some(slot) => *slot = slot.min(taken),
                None => least.push(taken),
            }
            step += 1;
        }
        counts = integrator.topological()?.counts;
    }
    Some((least.iter().sum(), counts))
}

fn model(description: Description) -> Model {
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

fn print_run(name: &str, model: &Model, options: TopologicalOptions) {
    let Some((time, counts)) = integrate(model, options, 5.0, 12) else {
        println!("{name:>28}  does not reach 5 s");
        return;
    };
    let steps = 5.0 / STEP;
    println!(
        "{name:>28}  {:>4} {:>9.2} {:>8.0} {:>7.2} {:>7.2} {:>6}",
        model.speed_count(),
        time * 1e3,
        5.0 / time,
        counts.iterations as f64 / steps,
        counts.projections as f64 / steps,
        counts.exact_tangents
    );
}

fn table_two() {
    println!(
        "\nDouble four-bar, h = 10 ms, 5 s (the paper's Table 2: 4.85, 9.11, 12.62, 15.74, 17.74, 20.92 s in MATLAB)"
    );
    println!(
        "{:>28}  {:>4} {:>9} {:>8} {:>7} {:>7} {:>6}",
        "flexible bars", "z", "ms", "×real", "Newton", "passes", "exact"
    );
    for flexible in 0..=5 {
        let model = model(four_bars::four_bars(2, flexible, 4, [0.0; 3]));
        print_run(&flexible.to_string(), &model, TopologicalOptions::default());
    }
    let model = model(four_bars::four_bars(2, 5, 4, [0.0; 3]));
    let default = TopologicalOptions::default();
    println!("all flexible, other choices");
    print_run(
        "RᵀMR multiplied out",
        &model,
        TopologicalOptions { mass: MassRoute::DirectProduct, ..default },
    );
    print_run(
        "one projection pass",
        &model,
        TopologicalOptions { projection: ProjectionRoute::OnePass, ..default },
    );
    print_run("no projection", &model, TopologicalOptions { projection: ProjectionRoute::None, ..default });
    print_run(
        "approximate tangent only",
        &model,
        TopologicalOptions { tangent: TangentRoute::Approximate, ..default },
    );
    print_run("exact tangent", &model, TopologicalOptions { tangent: TangentRoute::Exact, ..default });
}

fn chains(largest: usize) {
    println!("\nN four-bars in a row: time per step and loop (µs), 20 steps of 10 ms");
    println!("{:>5} {:>12} {:>12}", "N", "rigid", "flexible");
    for loops in [1, 2, 5, 10, 20, 50, 100, 200].into_iter().filter(|&n| n <= largest) {
        let cell = |flexible: bool| {
            let bars = if flexible { 2 * loops + 1 } else { 0 };
            let model = model(four_bars::four_bars(loops, bars, 3, [0.0; 3]));
            let found = integrate(&model, TopologicalOptions::default(), 0.2, 5);
            found.map_or("-".to_string(), |(time, _)| format!("{:.2}", time * 1e6 / 19.0 / loops as f64))
        };
        // Assembly and first accelerations are dense: flexible chains beyond 50 loops take minutes to start.
        let flexible = if loops <= 50 { cell(true) } else { "-".into() };
        println!("{loops:>5} {:>12} {flexible:>12}", cell(false));
    }
}

fn main() {
    table_two();
    let largest = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(200);
    chains(largest);
}
