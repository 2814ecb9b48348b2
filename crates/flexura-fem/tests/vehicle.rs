//! The Iltis with flexible A-arms, leaf-spring bars and steering rods: examples 2 and 3 of Lugrís, Cuadrado,
//! González & Luaces (2007), in the topological (recursive) and the global formulation.

#[path = "common/iltis.rs"]
mod iltis;

use flexura::formulation::global::{GlobalModel, GlobalOptions};
use flexura::integrate::Integrator;
use flexura::model::Built;
use flexura::model::description::{DampingChoice, MethodDescription};
use flexura::{Recording, State, Workspace};
use iltis::{COMBINATIONS, SUSPENSION, VEHICLE, built, mixed, model};

/// Tables 3 and 5 of the paper: none, A, B, S, A+B, A+S, B+S, all.
#[test]
fn coordinate_counts() {
    let tables =
        [(SUSPENSION, [8, 12, 14, 14, 18, 18, 20, 24], 25), (VEHICLE, [34, 50, 58, 58, 74, 74, 82, 98], 168)];
    for (files, topological, published) in tables {
        let [rigid, flexible] = files.map(|name| built(name, &[]).description);
        let mut counts = Vec::new();
        for ((name, choice), expected) in COMBINATIONS.into_iter().zip(topological) {
            let model = model(mixed(&rigid, &flexible, choice));
            let free = model.prescribed.iter().filter(|prescribed| !**prescribed).count();
            assert_eq!(free, expected, "{name}");
            counts.push(GlobalModel::new(&model, &GlobalOptions::default()).unwrap().coordinate_count());
        }
        println!("topological {topological:?}, global {counts:?} (paper, rigid: {published})");
    }
}

fn simulate(built: &Built, end: f64) -> Recording {
    let mut description = built.description.clone();
    description.simulation.end = end;
    let again = Built { description, ..built.clone() };
    again.simulate().unwrap_or_else(|error| panic!("{error}"))
}

/// Largest difference of a channel, and its largest change over time.
fn difference(a: &Recording, b: &Recording, name: &str) -> (f64, f64) {
    let (a, b) = (a.channel(name).unwrap(), b.channel(name).unwrap());
    let apart = a.iter().zip(&b).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()));
    (apart, a.iter().fold(0.0, |most: f64, x| most.max((x - a[0]).abs())))
}

#[test]
fn both_formulations_agree_through_the_step() {
    for name in SUSPENSION {
        let topological = simulate(&built(name, &[]), 2.3);
        let global =
            simulate(&built(name, &[("[simulation]", "[simulation]\nformulation = \"global\"")]), 2.3);
        for channel in ["chassis.position.z", "hub_fl.position.z"] {
            let (apart, range) = difference(&topological, &global, channel);
            println!("{name} {channel}: {apart:.2e} m apart, moves {range:.3} m");
            assert!(apart < 0.01 * range);
        }
    }
}

/// The vehicle down the first step of its road, both axles landed: chassis, wheel and tyre of both formulations agree at
/// steps of 10 ms, and flexible parts change the motion by little but visibly.
#[test]
fn both_formulations_of_the_vehicle_agree_down_a_step() {
    let channels = ["ride.z", "hub_fl.position.z"];
    let mut runs = Vec::new();
    for (name, end) in [(VEHICLE[0], 8.0), (VEHICLE[1], 1.8)] {
        let tree = simulate(&built(name, &[]), end);
        let natural =
            simulate(&built(name, &[("[simulation]", "[simulation]\nformulation = \"global\"")]), end);
        for channel in channels {
            let (apart, range) = difference(&tree, &natural, channel);
            println!("{name} {channel}: {apart:.2e} m apart, moves {range:.3} m in {end} s");
            assert!(apart < 0.01 * range, "{name} {channel}: {apart} of {range} m");
        }
        runs.push(tree);
    }
    for channel in channels {
        let (apart, _) = difference(&runs[1], &runs[0], channel);
        println!("{channel}: flexible parts change it by {apart:.2e} m");
        assert!(apart > 1e-5 && apart < 0.03, "{channel}: {apart} m");
    }
}

/// Stiffness of tyres, shocks and stops is in the tangent, and contacts refresh it: no step needs the dense one.
#[test]
fn steps_of_the_vehicle_need_no_dense_tangent() {
    let model = built(VEHICLE[1], &[]).model;
    let method = MethodDescription::Implicit { damping: DampingChoice::None, step: 0.01, tolerance: 0.0 };
    let mut integrator = Integrator::new(&model, &method);
    let (mut work, mut state) = (Workspace::new(&model), State::initial(&model, 0.0));
    // Down the first step of the road, every wheel.
    for _ in 0..180 {
        integrator.step(&model, &mut state, &mut work, f64::INFINITY).unwrap();
    }
    let counts = integrator.topological().unwrap().counts;
    println!("{counts:?}");
    assert_eq!(counts.exact_tangents, 0, "{counts:?}");
    // Newton with a fresh tangent per step: three corrections, a few more where wheels land.
    assert!(counts.iterations < 4 * 180, "{counts:?}");
}
