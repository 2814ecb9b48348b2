//! The Iltis with flexible A-arms, leaf-spring bars and steering rods: example 3 of Lugrís, Cuadrado, González & Luaces
//! (2007), in the topological (recursive) and the global formulation. Counts of coordinates, and example 2, are in the
//! fast part of the cases.

use flexura::build::Built;
use flexura::integrate::Integrator;
use flexura::model::description::{DampingChoice, MethodDescription};
use flexura::{Recording, State, Workspace};
use flexura_validate::vehicle::{VEHICLE, VEHICLE_FLEXIBLE};

/// A model of the vehicle folder from its text.
fn built(text: &str) -> Built {
    flexura_validate::vehicle::built(text, "vehicle").unwrap_or_else(|fault| panic!("{}", fault.0))
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

/// The vehicle down the first step of its road, both axles landed: chassis, wheel and tyre of both formulations agree at
/// steps of 10 ms, and flexible parts change the motion by little but visibly.
#[test]
fn both_formulations_of_the_vehicle_agree_down_a_step() {
    let channels = ["ride.z", "hub_fl.position.z"];
    let mut runs = Vec::new();
    for (name, text, end) in [("rigid", VEHICLE, 8.0), ("flexible", VEHICLE_FLEXIBLE, 1.8)] {
        let tree = simulate(&built(text), end);
        let global = text.replace("[simulation]", "[simulation]\nformulation = \"global\"");
        let natural = simulate(&built(&global), end);
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
    let model = built(VEHICLE_FLEXIBLE).model;
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
