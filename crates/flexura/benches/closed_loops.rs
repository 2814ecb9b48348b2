//! Times of implicit steps through closed loops: `cargo bench -p flexura --bench closed_loops`.
//!
//! One thread. The same run is repeated; of every step the least time counts, and their sum is printed, so that
//! interruptions by other work on the machine do not. Nothing is decided by times. Cost against the number of loops
//! is in `loop_chains`.

#[path = "../tests/common/four_bars.rs"]
#[allow(dead_code)]
mod four_bars;

#[path = "common/claims.rs"]
mod claims;

use flexura::algorithm::body_inertia::evaluate_bodies;
use flexura::formulation::global::{GlobalIntegrator, GlobalModel, GlobalOptions, InertiaRoute};
use flexura::formulation::topological::{
    MassRoute, ProjectionRoute, TangentRoute, TopologicalCounts, TopologicalOptions,
};
use flexura::integrate::Integrator;
use flexura::model::description::{BodyKind, DampingChoice, Description, InertiaLevel};
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
        // The first step also finds the first accelerations.
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
        "topological, flexible bars", "z", "ms", "×real", "Newton", "passes", "exact"
    );
    let models: Vec<Model> =
        (0..=5).map(|flexible| model(four_bars::four_bars(2, flexible, 4, [0.0; 3]))).collect();
    for (flexible, model) in models.iter().enumerate() {
        print_run(&flexible.to_string(), model, TopologicalOptions::default());
    }
    println!("{:>28}  {:>4} {:>9} {:>8} {:>7}", "global, flexible bars", "q", "ms", "×real", "Newton");
    for (flexible, model) in models.iter().enumerate() {
        match integrate_global(model, InertiaRoute::ByLevel, 12) {
            Some((time, iterations, size)) => {
                println!("{flexible:>28}  {size:>4} {time:>9.2} {:>8.0} {iterations:>7.2}", 5e3 / time)
            }
            None => println!("{flexible:>28}  does not reach 5 s"),
        }
    }
    let model = model(four_bars::four_bars(2, 5, 4, [0.0; 3]));
    let default = TopologicalOptions::default();
    println!("topological, all flexible, other choices");
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

/// Milliseconds of 5 s in natural coordinates, iterations per step and coordinates; `None` where a step fails.
fn integrate_global(model: &Model, inertia: InertiaRoute, rounds: usize) -> Option<(f64, f64, usize)> {
    let options = GlobalOptions { inertia, ..GlobalOptions::default() };
    let global = GlobalModel::new(model, &options).ok()?;
    let steps = (5.0 / STEP).round() as usize;
    let (mut least, mut iterations) = (vec![f64::INFINITY; steps], 0);
    for _ in 0..rounds {
        let mut integrator = GlobalIntegrator::new(model, &global);
        let mut state = integrator.initial(model, &global).ok()?;
        iterations = 0;
        for slot in &mut least {
            let began = Instant::now();
            iterations += integrator.step(model, &global, &mut state, STEP).ok()?.iterations;
            *slot = slot.min(began.elapsed().as_secs_f64());
        }
    }
    let total: f64 = least.iter().sum();
    Some((1e3 * total, iterations as f64 / steps as f64, global.coordinate_count()))
}

/// The double four-bar with bars of eleven mass nodes, at level `level`.
fn with_nodes(level: InertiaLevel) -> Model {
    let mut description = four_bars::four_bars(2, 5, 4, [0.0; 3]);
    for body in &mut description.bodies {
        body.level = Some(level);
        if let BodyKind::Beam(beam) = &mut body.kind {
            beam.mass_stations = Some(11);
        }
    }
    model(description)
}

/// Seconds of one evaluation of the mass blocks of all bodies of the tree.
fn inertia_seconds(model: &Model) -> f64 {
    let (state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
    work.kinematics(model, &state);
    (0..20).fold(f64::INFINITY, |best, _| {
        let began = Instant::now();
        for _ in 0..200 {
            evaluate_bodies(model, std::hint::black_box(&state), &work.motion.kinematics, &mut work.inertias);
        }
        best.min(began.elapsed().as_secs_f64() / 200.0)
    })
}

/// Both inertia routes in both formulations: the paper spent 82 % (topological) and 72 % (global) of its time there.
fn inertia_routes() {
    println!(
        "\nInertia of five flexible bars, 11 mass nodes each: B*MB every evaluation, or constants summed once"
    );
    println!("{:>14} {:>12} {:>9} {:>8} {:>8}", "formulation", "route", "ms", "×real", "share");
    for (name, level) in [("invariants", InertiaLevel::Consistent), ("nodes", InertiaLevel::Full)] {
        let model = with_nodes(level);
        let Some((time, counts)) = integrate(&model, TopologicalOptions::default(), 5.0, 8) else { continue };
        // One evaluation per Newton iteration.
        let share = inertia_seconds(&model) * counts.iterations as f64 / time;
        println!(
            "{:>14} {name:>12} {:>9.2} {:>8.0} {:>7.0}%",
            "topological",
            1e3 * time,
            5.0 / time,
            1e2 * share
        );
    }
    let model = with_nodes(InertiaLevel::Consistent);
    for (name, route) in [("invariants", InertiaRoute::Invariants), ("nodes", InertiaRoute::Nodal)] {
        let Some((time, iterations, _)) = integrate_global(&model, route, 8) else { continue };
        let options = GlobalOptions { inertia: route, ..GlobalOptions::default() };
        let Ok(global) = GlobalModel::new(&model, &options) else { continue };
        let mut integrator = GlobalIntegrator::new(&model, &global);
        let Ok(state) = integrator.initial(&model, &global) else { continue };
        let once = (0..20).fold(f64::INFINITY, |best: f64, _| {
            let began = Instant::now();
            (0..200).for_each(|_| integrator.evaluate_inertia(&global, std::hint::black_box(&state)));
            best.min(began.elapsed().as_secs_f64() / 200.0)
        });
        let share = once * iterations * 500.0 / (1e-3 * time);
        println!("{:>14} {name:>12} {time:>9.2} {:>8.0} {:>7.0}%", "global", 5e3 / time, 1e2 * share);
    }
}

fn main() {
    table_two();
    inertia_routes();
    claims::largest_steps();
    claims::initial_positions();
}
