//! Energy at the edges of roads: what the tyre holds more or less afterwards is work of the road.

use flexura::Recording;
use flexura::build::Built;
use flexura::model::description::*;
use flexura::model::element::{Road, RoadFeature, SideForce, Tyre};
use flexura::time_function::TimeFunction;

const STIFFNESS: f64 = 2e5;
const RADIUS: f64 = 0.35;
const LOAD: f64 = 0.01;
/// Unaccounted energy that is no edge: dampers that touch down at once are passed by error control only, 4e-8 at most here. An
/// edge left out is 1e-3 and more.
const BALANCED: f64 = 1e-7;

/// A wheel that a carriage pushes along at 4 m/s and that is free to rise and fall, 10 mm pressed in at the start.
fn wheel(features: Vec<RoadFeature>, speed: f64, method: MethodDescription) -> Built {
    pressed(features, speed, method, LOAD)
}

/// The same, pressed in by a depth (m).
fn pressed(features: Vec<RoadFeature>, speed: f64, method: MethodDescription, depth: f64) -> Built {
    let tyre = Tyre {
        radius: RADIUS,
        stiffness: STIFFNESS,
        damping: 300.0,
        deflection: Default::default(),
        side_force: SideForce::None,
        slip_point: Default::default(),
        low_speed: 0.1,
        road: Road { features },
    };
    Description::new("wheel")
        .body(BodyDescription::rigid("carriage", 1.0, [1.0; 3]))
        .body(BodyDescription::rigid("wheel", 50.0, [1.0; 3]))
        .joint(
            JointDescription::prismatic("drive", ["ground.origin", "carriage.origin"], [1.0, 0.0, 0.0])
                .motion(TimeFunction::Polynomial { coefficients: vec![0.0, speed] }),
        )
        .joint(
            JointDescription::prismatic("heave", ["carriage.origin", "wheel.origin"], [0.0, 0.0, 1.0])
                .position(&[RADIUS - depth]),
        )
        .element("tyre", tyre, ["ground.origin", "wheel.origin"])
        .method(method)
        .run_for(1.0)
        .output_interval(1e-3)
        .build()
        .expect("valid")
}

fn explicit() -> MethodDescription {
    MethodDescription::DormandPrince {
        relative_tolerance: 1e-10,
        absolute_tolerance: 1e-12,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

fn radau() -> MethodDescription {
    MethodDescription::Radau {
        relative_tolerance: 1e-10,
        absolute_tolerance: 1e-12,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

fn largest(run: &Recording, name: &str) -> f64 {
    run.channel(name).expect("channel").iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// Unaccounted energy over the kinetic energy.
fn unaccounted(run: &Recording) -> f64 {
    largest(run, "energy.balance") / largest(run, "energy.kinetic")
}

/// Steps up and down, forwards and backwards, and the feet of ramps; several edges at one place count once.
#[test]
fn energy_balances_over_every_kind_of_edge() {
    let step = |at: f64, height: f64| RoadFeature::Step { at, height };
    let ramp = RoadFeature::Ramp { start: 1.0, length: 0.5, height: 0.05 };
    let profile = RoadFeature::Profile { x: vec![0.5, 1.0, 2.0], z: vec![0.0, 0.04, -0.02] };
    let roads = [
        ("down", vec![step(1.3, -0.1)], 4.0),
        ("up", vec![step(0.7, 0.02), step(0.7, 0.01), step(2.9, -0.03)], 4.0),
        ("backwards", vec![step(-1.3, -0.05), step(-2.0, 0.02)], -4.0),
        ("ramp and profile", vec![ramp, profile], 4.0),
    ];
    for (name, features, speed) in roads {
        for method in [explicit(), radau()] {
            let run = wheel(features.clone(), speed, method.clone()).simulate().expect("run");
            println!("{name}: {:e}, {method:?}", unaccounted(&run));
            assert!(unaccounted(&run) < BALANCED, "{name}: {:e}, {method:?}", unaccounted(&run));
        }
    }
}

/// A tyre that presses on the road up to a step down loses ½ k δ² there, at the instant the motion prescribes.
#[test]
fn the_road_takes_what_the_tyre_held() {
    for method in [explicit(), radau()] {
        let built = wheel(vec![RoadFeature::Step { at: 0.01, height: -0.1 }], 4.0, method);
        let run = built.simulate().expect("run");
        let (time, deflection) = (run.time(), run.channel("tyre.deflection").expect("channel"));
        let (held, work) =
            (run.channel("tyre.energy").expect("channel"), run.channel("energy.work").expect("channel"));
        let after = time.iter().position(|&t| t > 0.0025).expect("a row");
        assert!(held[after - 1] > 5.0 && held[after] == 0.0, "{held:?}");
        assert!((held[after - 1] - 0.5 * STIFFNESS * deflection[after - 1].powi(2)).abs() < 1e-9);
        // Between the two rows the tyre has lost all it held; what the damper and the driver did is far less.
        let lost = work[after - 1] - work[after];
        assert!((lost - held[after - 1]).abs() < 0.2 * held[after - 1], "{lost} {}", held[after - 1]);
        assert!(unaccounted(&run) < BALANCED, "{:e}", unaccounted(&run));
    }
}

/// A method of a step (s).
type OfStep = Box<dyn Fn(f64) -> MethodDescription>;

/// Steps of one length, which edges split: the motion converges at second order, and the work of the road is found.
///
/// The wheel stays on the road, so that nothing but the edges is not smooth; they lie anywhere in a step, two of them in one. A step that
/// passed over them would leave an error of first order.
#[test]
fn fixed_steps_keep_their_order_over_edges() {
    let at = |at: f64, height: f64| RoadFeature::Step { at, height };
    let road = vec![at(0.4321, 1e-3), at(0.4337, 5e-4), at(1.7779, -8e-4), at(2.5, 3e-4)];
    let depth = 50.0 * 9.81 / STIFFNESS;
    let exact = pressed(road.clone(), 4.0, explicit(), depth).simulate().expect("run");
    let known = exact.channel("heave.displacement").expect("channel");
    let implicit = |damping: DampingChoice| {
        move |step: f64| MethodDescription::Implicit { damping, step, tolerance: 0.0 }
    };
    let methods: [(&str, OfStep); 6] = [
        ("trapezoidal", Box::new(implicit(DampingChoice::None))),
        ("generalised-α", Box::new(implicit(DampingChoice::SpectralRadius(0.8)))),
        ("natural coordinates", Box::new(|step| MethodDescription::Global { step })),
        (
            "energy-preserving",
            Box::new(|step| MethodDescription::EnergyMomentum { step, spectral_radius: 1.0 }),
        ),
        (
            "energy-decaying",
            Box::new(|step| MethodDescription::EnergyMomentum { step, spectral_radius: 0.6 }),
        ),
        ("Runge-Kutta", Box::new(|step| MethodDescription::Rk4 { step })),
    ];
    for (name, method) in &methods {
        let errors = [2e-3, 1e-3, 5e-4, 2.5e-4].map(|step| {
            let run = pressed(road.clone(), 4.0, method(step), depth).simulate().expect("run");
            let found = run.channel("heave.displacement").expect("channel");
            assert_eq!(found.len(), known.len());
            let worst = found.iter().zip(&known).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            // A row at the very instant of an edge, as one is here, may see either side of it: the end of the run counts.
            (worst, run.last("energy.balance").expect("channel").abs() / largest(&run, "energy.kinetic"))
        });
        let order = (errors[0].0 / errors[3].0).log2() / 3.0;
        println!("{name}: {errors:?}, order {order:.2}");
        assert!(order > 1.8, "{name}: order {order:.2}, {errors:?}");
        // An edge whose work is left out is 3.8e-4 of the kinetic energy or more.
        assert!(errors[3].1 < 2e-6, "{name}: {errors:?}");
    }
}

/// The vehicle on a road with three steps down of 0.1 m, by steps much longer than its wheels take to fall: in relative coordinates
/// from 12 ms on Newton's iterations just before an edge did not end.
#[test]
fn long_steps_of_the_vehicle_reach_the_end_of_the_road() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/vehicle/iltis_stepped_road.toml");
    let text = std::fs::read_to_string(path).expect("the vehicle");
    let height = |method: Option<MethodDescription>, step: f64| {
        let text = text.replace("\nstep = 0.01\n", &format!("\nstep = {step}\n"));
        let mut built = flexura::file::build_text(&text, path).expect("a vehicle").built;
        let settings = &mut built.description.simulation;
        settings.method = method.unwrap_or(settings.method.clone());
        (settings.output_interval, settings.end) = (8.0 * step, 6.0);
        assert!(format!("{:?}", settings.method).contains(&format!("step: {step}")), "{:?}", settings.method);
        let run = built.simulate().unwrap_or_else(|error| panic!("{step} s: {error}"));
        run.channel("ride.z").expect("a height").to_vec()
    };
    for step in [0.012, 0.016, 0.024, 0.036] {
        for heights in [height(None, step), height(Some(MethodDescription::Global { step }), step)] {
            // 0.3 m down in all, on springs that are nearly at rest again: 2.3 mm off at most.
            let fallen = heights[0] - heights[heights.len() - 1];
            assert!((fallen - 0.3).abs() < 5e-3, "{step} s: {fallen} m");
        }
    }
}
