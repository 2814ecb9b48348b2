//! Energy at the edges of roads: what the tyre holds more or less afterwards is work of the road.

use flexura::Recording;
use flexura::build::Built;
use flexura::model::description::*;
use flexura::model::element::{Road, RoadFeature, SideForce, Tyre};
use flexura::simulate::Simulation;
use flexura::time_function::TimeFunction;

const STIFFNESS: f64 = 2e5;
const RADIUS: f64 = 0.35;
const LOAD: f64 = 0.01;
/// Unaccounted energy that is no edge: dampers that touch down at once are passed by error control only, 4e-8 at most here. An
/// edge left out is 1e-3 and more.
const BALANCED: f64 = 1e-7;

/// A wheel that a carriage pushes along at 4 m/s and that is free to rise and fall, 10 mm pressed in at the start.
fn wheel(features: Vec<RoadFeature>, speed: f64, method: MethodDescription) -> Built {
    described((50.0, 300.0), features, speed, method).build().expect("valid")
}

/// The same with another mass (kg) and damping of the tyre (N s/m).
fn described(
    (mass, damping): (f64, f64),
    features: Vec<RoadFeature>,
    speed: f64,
    method: MethodDescription,
) -> Description {
    let tyre = Tyre {
        radius: RADIUS,
        stiffness: STIFFNESS,
        damping,
        deflection: Default::default(),
        side_force: SideForce::None,
        slip_point: Default::default(),
        low_speed: 0.1,
        road: Road { features },
    };
    Description::new("wheel")
        .body(BodyDescription::rigid("carriage", 1.0, [1.0; 3]))
        .body(BodyDescription::rigid("wheel", mass, [1.0; 3]))
        .joint(
            JointDescription::prismatic("drive", ["ground.origin", "carriage.origin"], [1.0, 0.0, 0.0])
                .motion(TimeFunction::Polynomial { coefficients: vec![0.0, speed] }),
        )
        .joint(
            JointDescription::prismatic("heave", ["carriage.origin", "wheel.origin"], [0.0, 0.0, 1.0])
                .position(&[RADIUS - LOAD]),
        )
        .element("tyre", tyre, ["ground.origin", "wheel.origin"])
        .method(method)
        .run_for(1.0)
        .output_interval(1e-3)
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

fn trapezoidal(step: f64) -> MethodDescription {
    MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 }
}

fn damped(step: f64) -> MethodDescription {
    MethodDescription::Implicit { damping: DampingChoice::SpectralRadius(0.8), step, tolerance: 0.0 }
}

/// A wheel that is loaded and damped so much that it lands once and stays: where a force ends with a kink, the error of a step
/// depends on where in it that is, and orders are hidden by chance.
const HEAVY: (f64, f64) = (500.0, 6000.0);

/// Down a step into the air and back onto the road, up small ones, over a profile; backwards.
fn bumpy() -> [(&'static str, Vec<RoadFeature>, f64); 3] {
    let step = |at: f64, height: f64| RoadFeature::Step { at, height };
    let profile = RoadFeature::Profile { x: vec![0.53, 1.02, 2.01], z: vec![0.0, 0.02, -0.01] };
    [
        ("down and up", vec![step(0.7131, -0.03), step(2.9017, 0.01)], 4.0),
        ("backwards", vec![step(-1.3127, -0.01), step(-2.0041, 0.02)], -4.0),
        ("profile", vec![profile], 4.0),
    ]
}

/// Largest difference of the height over the whole run (m), in rows that steps of all lengths have.
fn apart(run: &Recording, reference: &Recording) -> f64 {
    channel_apart(run, reference, "wheel.position.z")
}

fn channel_apart(run: &Recording, reference: &Recording, name: &str) -> f64 {
    let [a, b] = [run, reference].map(|run| run.channel(name).expect("channel"));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}

/// Steps of a given length end at edges and touch-downs: their errors over the whole run fall with the square of their
/// length (RK4: the fourth power), in trees, in loops and in natural coordinates. Passed over, edges leave 1 to 3 mm at 0.5 ms, first order.
#[test]
fn steps_of_a_given_length_keep_their_order_over_edges() {
    type Route = (&'static str, TreeChoice, fn(f64) -> MethodDescription, f64);
    let routes: [Route; 5] = [
        ("trapezoidal", TreeChoice::default(), trapezoidal, 2.0),
        ("generalised-alpha", TreeChoice::default(), damped, 2.0),
        ("topological", TreeChoice::Absolute, trapezoidal, 2.0),
        ("global", TreeChoice::default(), |step| MethodDescription::Global { step }, 2.0),
        ("RK4", TreeChoice::default(), |step| MethodDescription::Rk4 { step }, 4.0),
    ];
    for (road, features, speed) in bumpy() {
        let run = |method: MethodDescription, tree: TreeChoice| {
            let mut description = described(HEAVY, features.clone(), speed, method).output_interval(4e-3);
            description.graph.tree = tree;
            description.output.channels = vec!["wheel.position.z".into(), "energy.*".into()];
            description.build().expect("valid").simulate().expect("run")
        };
        let reference = run(radau(), TreeChoice::default());
        for (name, tree, method, order) in &routes {
            let errors =
                [4e-3, 2e-3, 1e-3, 5e-4].map(|step| apart(&run(method(step), tree.clone()), &reference));
            let listed = errors.map(|error| format!("{error:.2e}")).join(", ");
            println!("{road}, {name}: {listed}");
            let found = (errors[0] / errors[3]).log2() / 3.0;
            // The reference itself is good to about 1e-9.
            assert!(found > order - 0.2 || errors[3] < 3e-9, "{road}, {name}: order {found}, {listed}");
        }
    }
}

/// The work of the road is counted by steps of a given length too.
#[test]
fn energy_of_steps_of_a_given_length_balances_over_edges() {
    for (road, features, speed) in bumpy() {
        for method in [trapezoidal as fn(f64) -> MethodDescription, |step| MethodDescription::Global { step }]
        {
            let [coarse, fine] = [2e-3, 5e-4].map(|step| {
                let description = described(HEAVY, features.clone(), speed, method(step));
                unaccounted(&description.build().expect("valid").simulate().expect("run"))
            });
            println!("{road}: {coarse:e} {fine:e}");
            assert!(fine < 1e-5 && coarse / fine > 10.0, "{road}: {coarse:e} {fine:e}");
        }
    }
}

/// The quarter of the Iltis down its step of 0.2 m, through the landing to the end of the run: errors of both formulations of its loops
/// fall with the square of the step. The whole vehicle: `flexura validate lugris-vehicle`.
#[test]
fn a_suspension_keeps_second_order_down_a_step() {
    vehicle("suspension", 5.0);
}

fn vehicle(name: &str, end: f64) {
    let path = format!("{}/../../models/vehicle/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let built = flexura::load(path).expect("valid").built;
    let run = |method: MethodDescription| {
        let mut settings = built.description.simulation.clone();
        (settings.method, settings.formulation) = (method, None);
        (settings.end, settings.output_interval) = (end, 0.01);
        let run = Simulation::of(&built).settings(settings);
        run.channels(["chassis.position.z", "hub_fl.position.z"]).run().expect("run")
    };
    let reference = run(MethodDescription::Radau {
        relative_tolerance: 1e-8,
        absolute_tolerance: 1e-10,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    });
    for (formulation, method) in [
        ("topological", trapezoidal as fn(f64) -> MethodDescription),
        ("global", |step| MethodDescription::Global { step }),
    ] {
        let runs = [10.0, 5.0, 2.5, 1.25].map(|step: f64| run(method(1e-3 * step)));
        for channel in ["chassis.position.z", "hub_fl.position.z"] {
            let errors = runs.each_ref().map(|run| channel_apart(run, &reference, channel));
            let listed = errors.map(|error| format!("{error:.2e}")).join(", ");
            println!("{name}, {formulation}, {channel}: {listed} m at 10, 5, 2.5 and 1.25 ms");
            let order = (errors[0] / errors[3]).log2() / 3.0;
            assert!(order > 1.8, "{name}, {formulation}, {channel}: order {order:.2}, {listed}");
        }
    }
}
